/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks: physical memory is added to NUMA nodes in blocks of one size, numbered from address 0.
 *
 * Source: the kernel's Documentation/ABI/testing/sysfs-devices-memory and sysfs-devices-node.
 */
#ifndef CXLMON_LINUX_KERNEL_MEMORY_BLOCKS_H
#define CXLMON_LINUX_KERNEL_MEMORY_BLOCKS_H

#include <stdint.h>

/* The size of a block in bytes; 0: the kernel has no blocks (no memory hotplug). */
uint64_t linux_block_size(const char *root);

/*
 * The NUMA node of ROOT/sys/devices/system/NAME<number>, such as "cpu/cpu" or "memory/memory",
 * which has a link to it; the lowest, if several. -1: none.
 */
int linux_node_of(const char *root, const char *name, uint64_t number);

#endif
