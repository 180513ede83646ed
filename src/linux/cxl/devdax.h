/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CXL memory in devdax mode: processes map it as /dev/daxX.Y. It belongs to no NUMA node, so no
 * memory block (linux/system/topology.h) and no numa_maps of a process has it.
 *
 * Source: the kernel's Documentation/ABI/testing/sysfs-bus-dax; drivers/dax/bus.c, device.c.
 */
#ifndef CXLMON_LINUX_CXL_DEVDAX_H
#define CXLMON_LINUX_CXL_DEVDAX_H

#include <stddef.h>
#include <stdint.h>

#include "platform/memory.h"

#define DAX_BUS "sys/bus/dax/devices"

#define DEVDAX_NAME_SIZE 28 /* two numbers */

struct devdax {
	char name[DEVDAX_NAME_SIZE]; /* "dax0.0" */
	int node; /* target_node: the node that the memory has in system-ram mode; -1: none */
};

/* Lists the devices in devdax mode, by name. The caller frees *out. 0 or -ENOMEM. */
int devdax_list(const char *root, struct devdax **out, size_t *count);

/*
 * Appends the physical ranges of a device, with .node, to map->ranges, which is then unsorted.
 * Ranges added before an error stay. 0 or a negative errno; -EACCES: only root may read them.
 */
int devdax_add_ranges(const char *root, const struct devdax *device, struct memory_map *map);

/*
 * Sets bytes[i] to the bytes of devices[i] that a process has mapped, touched or not. Memory mapped
 * twice counts twice. 0, or a negative errno of opening or reading /proc/PID/maps.
 */
int devdax_mapped(const char *root, unsigned pid, const struct devdax *devices, size_t count,
		  uint64_t *bytes);

#endif
