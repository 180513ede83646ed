/* SPDX-License-Identifier: BSD-3-Clause */
/* CPUs, and blocks of memory, from ROOT/sys/devices/system. */
#ifndef CXLMON_LINUX_SYSTEM_TOPOLOGY_H
#define CXLMON_LINUX_SYSTEM_TOPOLOGY_H

#include <stdint.h>

#include "platform/cpus.h"
#include "platform/platform.h"

/* Implements cpu_ops.topology. */
int linux_topology(struct platform *p, struct topology *out, struct error *err);

/* Returns the lowest-numbered CPU that is present but offline; -1: none. */
int linux_offline_cpu(const char *root);

/*
 * The kernel adds physical memory to NUMA nodes in blocks of one size, numbered from address 0.
 *
 * Source: the kernel's Documentation/ABI/testing/sysfs-devices-memory and sysfs-devices-node.
 */

/* Returns the size of a memory block in bytes; 0: the kernel has no blocks (no memory hotplug). */
uint64_t linux_block_size(const char *root);

/*
 * Returns the lowest NUMA node to which ROOT/sys/devices/system/NAME<number> has a link; -1: none.
 * name is "cpu/cpu" for CPUs, or "memory/memory" for blocks.
 */
int linux_node_of(const char *root, const char *name, uint64_t number);

#endif
