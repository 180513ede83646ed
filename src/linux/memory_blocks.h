/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which NUMA node a physical address belongs to: memory is added to nodes in blocks of one size.
 *
 * Source: the kernel's Documentation/ABI/testing/sysfs-devices-memory and -devices-node.
 */
#ifndef CXLMON_LINUX_MEMORY_BLOCKS_H
#define CXLMON_LINUX_MEMORY_BLOCKS_H

#include "platform/load_sample.h"

/* As platform_ops.memory_map. Without blocks (no memory hotplug) there is no range. 0 or -ENOMEM.
 */
int linux_memory_map(const char *root, struct memory_map *out);

#endif
