/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of NUMA nodes, as the kernel shows it, and as it takes requests for it. */
#ifndef CXLMON_LINUX_MEMORY_NODES_H
#define CXLMON_LINUX_MEMORY_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "linux/kernel/kernel_text.h"
#include "platform/kernel_stats.h"
#include "platform/memory.h"
#include "platform/platform.h"

/*
 * memory_layout.c
 *
 * Physical memory: which NUMA node an address belongs to, and what the kernel says of nodes and
 * regions.
 */

/* The weights of weighted interleave, below the root: nodeN; and from Linux 6.16 on, auto. */
#define NODE_WEIGHTS "sys/kernel/mm/mempolicy/weighted_interleave"

/* As memory_ops.layout. */
int linux_memory_layout(struct platform *p, struct memory_layout *out, struct error *err);

/*
 * As memory_ops.map. Memory in devdax mode belongs to no node: its addresses have the node that it
 * would be added to. Without blocks (linux_block_size()) the map has devdax memory only.
 */
int linux_memory_map(struct platform *p, struct memory_map *out, struct error *err);

/*
 * node_files.c
 *
 * What the kernel says of memory: vmstat and meminfo of each NUMA node in sysfs, and /proc/vmstat.
 * The files are opened once, and read whenever they are asked for.
 */

struct node_files;

/* As memory_ops.nodes. */
int linux_nodes(struct platform *p, int **out, size_t *count, struct error *err);
void node_files_close(struct node_files *files); /* NULL does nothing */

/*
 * As memory_ops.stats. A value that a file lacks is unknown. -ENOENT: no such node.
 * -ENODATA: none of its values.
 */
int linux_node_stats(struct platform *p, int node, uint64_t wall_ns, struct kernel_stats *out);

/*
 * Set what the text has; a number that is none makes its sum unknown. The last line counts only
 * with its newline.
 */
void node_stats_parse_vmstat(struct span text, struct kernel_stats *out);
void node_stats_parse_meminfo(struct span text, struct kernel_stats *out);

/*
 * numa.c
 *
 * Memory of NUMA nodes, by system calls: libnuma would read /sys and /proc at the start of every
 * run. 0 or a negative errno; -ENOSYS: the kernel has no NUMA support, and so one node.
 */

/* Memory of the node that holds nothing, in bytes. -ENODEV: there is no such node, or no memory. */
int numa_free_bytes(int node, uint64_t *bytes);

/* Pages of [start, start + length) will come from this node and from no other. */
int numa_bind(void *start, size_t length, int node);

/* The node of each page that is there; of one that is not, a negative errno. */
int numa_nodes_of(void *const *pages, size_t count, int *nodes);

#endif
