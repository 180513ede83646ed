/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/memory/nodes.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "linux/kernel/clock.h"
#include "linux/kernel/kernel_text.h"
#include "linux/system/linux_platform.h"
#include "platform/kernel_stats.h"

struct one_node {
	int node;
	int vmstat, meminfo; /* descriptors; negative: there is no such file */
};

struct node_files {
	struct one_node *nodes;
	size_t count;
	int vmstat; /* descriptor for the whole machine; negative: none */
};

/*
 * Counters and the statistics they add to; some kernels have fewer. Source: the kernel's
 * mm/vmstat.c
 */
static const struct {
	const char *name;
	enum kernel_stat stat;
	bool needed; /* without it, the statistic is unknown */
} counters[] = {
	{"pgpromote_success", NODE_PROMOTED},
	{"pgpromote_candidate", NODE_CANDIDATES},
	/* candidates while the node has much free memory, which older kernels promote uncounted */
	{"pgpromote_candidate_nrl", NODE_CANDIDATES, .needed = true},
	{"pgdemote_kswapd", NODE_DEMOTED},
	{"pgdemote_direct", NODE_DEMOTED},
	{"pgdemote_khugepaged", NODE_DEMOTED},
	{"pgdemote_proactive", NODE_DEMOTED},
	{"numa_hint_faults", NODE_HINTING_FAULTS},
};
#define COUNTERS (sizeof(counters) / sizeof(counters[0]))

void node_stats_parse_vmstat(struct span text, struct kernel_stats *out)
{
	bool begun[KERNEL_STATS] = {false}, seen[COUNTERS] = {false};
	struct span line;

	while (span_line(&text, &line)) {
		const struct span name = span_word(&line);

		for (size_t i = 0; i < COUNTERS; i++) {
			const enum kernel_stat stat = counters[i].stat;

			if (!span_is(name, counters[i].name))
				continue;
			/* a part that is not a number makes the sum unknown */
			out->values[stat] = (begun[stat] ? out->values[stat] : 0) +
					    span_number(span_word(&line));
			begun[stat] = true;
			seen[i] = true;
		}
	}
	for (size_t i = 0; i < COUNTERS; i++)
		if (counters[i].needed && !seen[i])
			out->values[counters[i].stat] = NAN;
}

/* Parses "Node 2 MemFree:  4055988 kB". Source: the kernel's drivers/base/node.c */
static double bytes_of(struct span line, const char *name)
{
	if (!span_is(span_word(&line), "Node"))
		return NAN;
	span_word(&line);
	if (!span_is(span_word(&line), name))
		return NAN;
	const double kib = span_number(span_word(&line));
	return span_is(span_word(&line), "kB") ? 1024 * kib : NAN;
}

/* Computes used memory as the kernel's MemUsed: the total minus the free memory. */
void node_stats_parse_meminfo(struct span text, struct kernel_stats *out)
{
	double total = NAN, unused = NAN;
	struct span line;

	while (span_line(&text, &line)) {
		if (isnan(total))
			total = bytes_of(line, "MemTotal:");
		if (isnan(unused))
			unused = bytes_of(line, "MemFree:");
	}
	out->values[NODE_FREE] = unused;
	out->values[NODE_USED] = unused > total ? NAN : total - unused;
}

static void read_file(int fd, void (*parse)(struct span, struct kernel_stats *),
		      struct kernel_stats *out)
{
	char text[KERNEL_TEXT_MOST];
	struct span whole;

	if (fd >= 0 && !kernel_text_read(fd, text, &whole))
		parse(whole, out);
}

static bool any_known(const struct kernel_stats *stats)
{
	for (unsigned i = 0; i < KERNEL_STATS; i++)
		if (!isnan(stats->values[i]))
			return true;
	return false;
}

static int read_node(const struct node_files *files, int node, struct kernel_stats *out)
{
	size_t i = 0;

	*out = kernel_stats_unknown(clock_monotonic());
	if (node == NODE_MACHINE) {
		read_file(files->vmstat, node_stats_parse_vmstat, out);
		return any_known(out) ? 0 : -ENODATA;
	}
	while (i < files->count && files->nodes[i].node != node)
		i++;
	if (i == files->count)
		return -ENOENT;
	read_file(files->nodes[i].vmstat, node_stats_parse_vmstat, out);
	read_file(files->nodes[i].meminfo, node_stats_parse_meminfo, out);
	return any_known(out) ? 0 : -ENODATA;
}

int linux_node_stats(struct platform *p, int node, uint64_t wall_ns, struct kernel_stats *out)
{
	(void)wall_ns;
	return read_node(linux_of(p)->nodes, node, out);
}

static void close_file(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void close_node(const struct one_node *node)
{
	close_file(node->vmstat);
	close_file(node->meminfo);
}

/*
 * Tells if a node has memory: one that has only CPUs has none; one without files counts as having
 * none.
 */
static bool has_memory(const struct node_files *files, int node)
{
	struct kernel_stats stats;

	return !read_node(files, node, &stats) &&
	       (stats.values[NODE_USED] != 0 || stats.values[NODE_FREE] != 0);
}

static void add_node(struct node_files *files, const char *root, unsigned number)
{
	struct one_node *node = &files->nodes[files->count++];

	*node = (struct one_node){
		.node = (int)number,
		.vmstat = rootfs_open(O_RDONLY, root, NODE_DIRECTORY "/node%u/vmstat", number),
		.meminfo = rootfs_open(O_RDONLY, root, NODE_DIRECTORY "/node%u/meminfo", number),
	};
	if (has_memory(files, node->node))
		return;
	close_node(node);
	files->count--;
}

static int open_files(const char *root, struct node_files **out)
{
	struct node_files *files = calloc(1, sizeof(*files));
	unsigned *numbers = NULL;
	size_t count = 0;
	int rc = files ? sysfs_indices(&numbers, &count, "node", root, NODE_DIRECTORY) : -ENOMEM;

	if (!rc) {
		files->nodes = calloc(count + 1, sizeof(*files->nodes));
		rc = files->nodes ? 0 : -ENOMEM;
	}
	if (rc) {
		free(numbers);
		free(files);
		return rc;
	}
	for (size_t i = 0; i < count; i++)
		add_node(files, root, numbers[i]);
	files->vmstat = rootfs_open(O_RDONLY, root, "proc/vmstat");
	free(numbers);
	*out = files;
	return 0;
}

void node_files_close(struct node_files *files)
{
	if (!files)
		return;
	for (size_t i = 0; i < files->count; i++)
		close_node(&files->nodes[i]);
	close_file(files->vmstat);
	free(files->nodes);
	free(files);
}

int linux_nodes(struct platform *p, int **out, size_t *count, struct error *err)
{
	struct linux_platform *l = linux_of(p);

	if (!l->nodes && open_files(l->root, &l->nodes))
		return error_no_memory(err);
	*count = l->nodes->count;
	*out = calloc(*count + 1, sizeof(**out));
	if (!*out)
		return error_no_memory(err);
	for (size_t i = 0; i < *count; i++)
		(*out)[i] = l->nodes->nodes[i].node;
	return 0;
}
