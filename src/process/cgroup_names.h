/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of containers and VMs, found in the paths of their cgroups. A path begins at the root of
 * the cgroup file system: /system.slice/docker-<id>.scope. Names contain only characters that
 * printable() (base/text.h) keeps.
 */
#ifndef CXLMON_PROCESS_CGROUP_NAMES_H
#define CXLMON_PROCESS_CGROUP_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define CGROUP_NAME_SIZE 128 /* a longer name is cut off */

/*
 * Writes the name of a container, whose cgroup has this path. If the path is not a container's,
 * returns false and writes nothing. The name depends on the container's manager:
 * - Docker, Podman, containerd, CRI-O: the first 12 digits of the id, which docker ps also shows
 * - the same in a Kubernetes pod: the pod's uid, "/", and these 12 digits
 * - LXC (LXD, Incus, Proxmox VE), libvirt's LXC, systemd-nspawn: the container's name
 */
bool cgroup_container_name(const char *path, char name[CGROUP_NAME_SIZE]);

/*
 * Writes the name of a VM, whose cgroup has this path. If the path is not a VM's, returns false and
 * writes nothing. The name depends on the VM's manager:
 * - libvirt with QEMU or Cloud Hypervisor: the VM's name; libvirt may have cut off its end
 * - systemd-vmspawn: the VM's name
 * - Proxmox VE, Firecracker's jailer: the VM's id
 */
bool cgroup_vm_name(const char *path, char name[CGROUP_NAME_SIZE]);

/* One of the two functions above. */
typedef bool cgroup_namer(const char *path, char name[CGROUP_NAME_SIZE]);

/*
 * Writes the name of the outermost container or VM on a path: the first name that name_of() finds
 * for "/a", "/a/b" and so on, up to the whole path. If name_of() finds none, returns false and
 * writes nothing.
 */
bool cgroup_outermost_name(const char *path, cgroup_namer *name_of, char name[CGROUP_NAME_SIZE]);

/* Tells if path is cgroup itself, or below cgroup. The root, "" or "/", contains all paths. */
bool cgroup_contains(const char *cgroup, const char *path);

/*
 * Writes the path of a cgroup that a user has given: with a first slash and without a last one; ""
 * for the root. given: the path, with or without its first slash, or the cgroup's directory in
 * /sys/fs/cgroup (v1 or v2). size: bytes of path; a longer path is cut off.
 */
void cgroup_path_of(const char *given, char *path, size_t size);

#endif
