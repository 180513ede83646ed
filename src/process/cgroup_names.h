/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of containers and VMs, derived from the paths of their cgroups below the root of the cgroup
 * file system, such as /system.slice/docker-<id>.scope. Names are as printable() (base/text.h)
 * makes them.
 */
#ifndef CXLMON_PROCESS_CGROUP_NAMES_H
#define CXLMON_PROCESS_CGROUP_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define CGROUP_NAME_SIZE 128 /* a longer name is cut off */

/*
 * Writes the name of the container whose cgroup this is. Returns false, and writes nothing, if it
 * is not a container's. By systemd or cgroupfs:
 * - Docker, Podman, containerd, CRI-O: the first 12 digits of its id, as docker ps shows it;
 * - a pod of Kubernetes: "POD/" before that, with the pod's uid;
 * - LXC (LXD, Incus, Proxmox VE), libvirt's LXC, systemd-nspawn: the container's name.
 */
bool cgroup_container_name(const char *path, char name[CGROUP_NAME_SIZE]);

/*
 * Writes the name of the VM whose cgroup this is: for libvirt (QEMU or Cloud
 * Hypervisor; it may have cut off the end) or systemd-vmspawn the VM's name, for Proxmox VE or
 * Firecracker's jailer its id. Returns false, and writes nothing, if it is not a VM's.
 */
bool cgroup_vm_name(const char *path, char name[CGROUP_NAME_SIZE]);

/* One of the two functions above. */
typedef bool cgroup_namer(const char *path, char name[CGROUP_NAME_SIZE]);

/*
 * Writes the name of the outermost container or VM that contains a cgroup, or is the cgroup itself.
 * Returns false, and writes nothing, if there is none.
 */
bool cgroup_outermost_name(const char *path, cgroup_namer *name_of, char name[CGROUP_NAME_SIZE]);

/* Tells if path is this cgroup's, or below it; "" and "/" are the root, which contains all. */
bool cgroup_contains(const char *cgroup, const char *path);

/*
 * Writes a cgroup's path, with a first slash, cut off at size bytes; "": the root. given: the
 * cgroup's directory (of any version, below any root), or the path with or without its first slash.
 */
void cgroup_path_of(const char *given, char *path, size_t size);

#endif
