/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Physical memory: which NUMA node an address belongs to, and what the kernel says of nodes and
 * regions.
 */
#ifndef CXLMON_LINUX_MEMORY_MEMORY_LAYOUT_H
#define CXLMON_LINUX_MEMORY_MEMORY_LAYOUT_H

#include "platform/memory.h"
#include "platform/platform.h"

/* The weights of weighted interleave, below the root: nodeN; and from Linux 6.16 on, auto. */
#define NODE_WEIGHTS "sys/kernel/mm/mempolicy/weighted_interleave"

/* As memory_ops.layout. */
int linux_memory_layout(struct platform *p, struct memory_layout *out, struct error *err);

/*
 * As memory_ops.map. Memory in devdax mode belongs to no node: its addresses have the node that it
 * would be added to. Without blocks (linux_block_size()) the map has devdax memory only.
 */
int linux_memory_map(struct platform *p, struct memory_map *out, struct error *err);

#endif
