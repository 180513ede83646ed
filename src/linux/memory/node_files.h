/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the kernel says of memory: vmstat and meminfo of each NUMA node in sysfs, and /proc/vmstat.
 * The files are opened once, and read whenever they are asked for.
 */
#ifndef CXLMON_LINUX_MEMORY_NODE_FILES_H
#define CXLMON_LINUX_MEMORY_NODE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "linux/kernel/kernel_text.h"
#include "platform/kernel_stats.h"
#include "platform/platform.h"

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

#endif
