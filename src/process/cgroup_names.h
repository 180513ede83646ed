/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of containers and VMs, derived from their cgroups' paths below the root of the cgroup file
 * system, such as /system.slice/docker-<id>.scope. Names are as printable() makes them, and are
 * cut off at their size.
 */
#ifndef CXLMON_PROCESS_CGROUP_NAMES_H
#define CXLMON_PROCESS_CGROUP_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define CGROUP_NAME_SIZE 128

/*
 * Finds the name of a container, by systemd or cgroupfs:
 * - Docker, Podman, containerd, CRI-O: the first 12 digits of its id, as docker ps shows it;
 * - a pod of Kubernetes: "POD/" before that, with the pod's uid;
 * - LXC (LXD, Incus, Proxmox VE), libvirt's LXC, systemd-nspawn: the container's name.
 */
bool cgroup_container_name(const char *path, char name[CGROUP_NAME_SIZE]);

/*
 * Finds the name of a VM of libvirt (QEMU or Cloud Hypervisor; libvirt may have cut off its end)
 * or systemd-vmspawn, or the id of a VM of Proxmox VE or Firecracker's jailer.
 */
bool cgroup_vm_name(const char *path, char name[CGROUP_NAME_SIZE]);

typedef bool cgroup_namer(const char *path, char name[CGROUP_NAME_SIZE]);

/* Finds the name of the outermost cgroup of a path that has one: it contains the others. */
bool cgroup_outermost_name(const char *path, cgroup_namer *name_of, char name[CGROUP_NAME_SIZE]);

/* Tells if path is this cgroup or below it; "" and "/" are the root. */
bool cgroup_contains(const char *cgroup, const char *path);

/*
 * Sets path to a cgroup's path, cut off at size. given: the cgroup's directory (of any version,
 * below any root), or the path with or without its first slash.
 */
void cgroup_path_of(const char *given, char *path, size_t size);

#endif
