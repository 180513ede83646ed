/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of containers and VMs, by the paths of their cgroups below the file system's root, such as
 * /system.slice/docker-<id>.scope. They are as printable(), cut off at size.
 */
#ifndef CXLMON_PROCESS_CGROUP_NAMES_H
#define CXLMON_PROCESS_CGROUP_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define CGROUP_NAME_SIZE 128

/*
 * A container, of Docker, Podman, containerd or CRI-O, by systemd or not: the first 12 digits of
 * its id, as docker ps shows it, and "POD/" before it in a pod of Kubernetes, with the pod's uid.
 * Or one of LXC (LXD, Incus, Proxmox VE), of libvirt's LXC, or of systemd-nspawn: its name.
 */
bool cgroup_container_name(const char *path, char name[CGROUP_NAME_SIZE]);

/*
 * A VM of libvirt (QEMU or Cloud Hypervisor), of which libvirt may have cut off the end, or of
 * systemd-vmspawn: its name; of Proxmox VE or Firecracker's jailer: its id.
 */
bool cgroup_vm_name(const char *path, char name[CGROUP_NAME_SIZE]);

typedef bool cgroup_namer(const char *path, char name[CGROUP_NAME_SIZE]);

/* Finds the name of the outermost cgroup of a path that has one: it contains the others. */
bool cgroup_outermost_name(const char *path, cgroup_namer *name_of, char name[CGROUP_NAME_SIZE]);

/* Tells if path is this cgroup or below it; "" and "/" are the root. */
bool cgroup_contains(const char *cgroup, const char *path);

/* The path of a cgroup of which a user gave the directory (of any version, below any root) or, with
 * or without a slash before it, the path. Cut off at size.
 */
void cgroup_path_of(const char *given, char *path, size_t size);

#endif
