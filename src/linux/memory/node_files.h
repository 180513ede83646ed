/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the kernel says of memory: vmstat and meminfo of each NUMA node in sysfs, and /proc/vmstat.
 * The files are opened once, and read whenever they are asked for.
 */
#ifndef CXLMON_LINUX_NODE_FILES_H
#define CXLMON_LINUX_NODE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "platform/kernel_stats.h"
#include "platform/platform.h"

/* Text files of the kernel, which are read again and again: their lines, words and numbers. */

#define KERNEL_TEXT_MOST 16384 /* /proc/vmstat has some 5 KB, an attribute of sysfs 4 at most */

/* A part of a text. */
struct span {
	const char *at, *end;
};

/* Reads an open file from its beginning, a page at a time, as /proc hands it out. 0, or a negative
 * errno; -EFBIG: it is longer than any. */
int kernel_text_read(int fd, char text[KERNEL_TEXT_MOST], struct span *out);

/* Takes the next line, which ends with a newline. False: there is none. */
bool span_line(struct span *text, struct span *line);
/* Takes the next word of a line; empty at its end. */
struct span span_word(struct span *line);
bool span_is(struct span word, const char *text);
/* Decimal, below 2^64; NAN: it is none. */
double span_number(struct span word);

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
