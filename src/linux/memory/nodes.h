/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of NUMA nodes, as the kernel shows it, and placement of pages on nodes. */
#ifndef CXLMON_LINUX_MEMORY_NODES_H
#define CXLMON_LINUX_MEMORY_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "linux/kernel/kernel_text.h"
#include "platform/kernel_stats.h"
#include "platform/memory.h"
#include "platform/platform.h"

#define NODE_DIRECTORY "sys/devices/system/node" /* below root; has nodeN */

/*
 * memory_layout.c
 *
 * Physical memory: the NUMA node of each address, and the kernel's data on nodes and regions.
 */

/* Weights of weighted interleave, below root: files nodeN and, from Linux 6.16 on, auto. */
#define NODE_WEIGHTS "sys/kernel/mm/mempolicy/weighted_interleave"

/* Implements memory_ops.layout. */
int linux_memory_layout(struct platform *p, struct memory_layout *out, struct error *err);

/*
 * Implements memory_ops.map. Memory in devdax mode belongs to no node; it gets the device's
 * target_node. If the kernel has no memory blocks (linux_block_size()), the map has only devdax
 * memory.
 */
int linux_memory_map(struct platform *p, struct memory_map *out, struct error *err);

/*
 * node_files.c
 *
 * The kernel's statistics of memory: vmstat and meminfo of each NUMA node in sysfs, and
 * /proc/vmstat. The files are opened once, and read at each request.
 */

struct node_files;

/* Implements memory_ops.nodes. */
int linux_nodes(struct platform *p, int **out, size_t *count, struct error *err);
void node_files_close(struct node_files *files); /* NULL does nothing */

/*
 * Implements memory_ops.stats; linux_nodes() must be called before. A value that a file lacks is
 * unknown. -ENOENT: linux_nodes() has not listed the node. -ENODATA: all its values are unknown.
 */
int linux_node_stats(struct platform *p, int node, uint64_t wall_ns, struct kernel_stats *out);

/*
 * Set the values in the text of vmstat or meminfo. An invalid number makes its value unknown. A
 * last line without a newline is ignored.
 */
void node_stats_parse_vmstat(struct span text, struct kernel_stats *out);
void node_stats_parse_meminfo(struct span text, struct kernel_stats *out);

/*
 * numa.c
 *
 * Memory of NUMA nodes. Functions return 0 or a negative errno. If the kernel has no NUMA support,
 * and so one node, numa_bind() and numa_nodes_of() return -ENOSYS, and numa_free_bytes() -ENODEV.
 */

/* Sets *bytes to the node's free memory (MemFree). -ENODEV: there is no such node or file. */
int numa_free_bytes(int node, uint64_t *bytes);

/*
 * Makes pages of [start, start + length) that are touched later come only from this node. start is
 * page-aligned.
 */
int numa_bind(void *start, size_t length, int node);

/* Sets nodes[i] to the node of this process's page at pages[i]; a negative errno: no such page. */
int numa_nodes_of(void *const *pages, size_t count, int *nodes);

#endif
