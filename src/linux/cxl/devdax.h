/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory in devdax mode: no page of it is a NUMA node's, but processes map it as /dev/daxX.Y. So it
 * is in no block of memory, and in numa_maps of no process.
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
	int node; /* that its memory would be of (target_node), as daxctl list shows it; -1: none */
};

/* The devices in devdax mode, by name, in *out, which is freed by the caller. 0 or -ENOMEM. */
int devdax_list(const char *root, struct devdax **out, size_t *count);

/*
 * Adds the ranges of physical memory of a device to a map, in no order. 0 or a negative errno:
 * -EACCES: only root may know them.
 */
int devdax_add_ranges(const char *root, const struct devdax *device, struct memory_map *map);

/*
 * Sets how many bytes of each device a process has mapped, touched or not: those that it has mapped
 * twice count twice. 0 or a negative errno, as of opening /proc/PID/maps.
 */
int devdax_mapped(const char *root, unsigned pid, const struct devdax *devices, size_t count,
		  uint64_t *bytes);

#endif
