/* SPDX-License-Identifier: BSD-3-Clause */
#include "publish.h"

#include <err.h>
#include <stdlib.h>

#include "base/text.h"
#include "platform/clock.h"
#include "platform/kernel_stats.h"
#include "platform/memory.h"
#include "tree.h"

#define NODE	  "sys/devices/system/node/node%d/"
#define TEXT_SIZE 1024

/* Adds a line, with its number in a column of fixed width. */
static void add_counter(char text[TEXT_SIZE], const char *name, double value)
{
	if (!isnan(value))
		text_append(text, TEXT_SIZE, "%s %20.0f\n", name, value);
}

static const char *vmstat_of(const struct kernel_stats *stats, char text[TEXT_SIZE])
{
	*text = '\0';
	add_counter(text, "nr_free_pages", stats->values[NODE_FREE] / 4096);
	add_counter(text, "pgpromote_success", stats->values[NODE_PROMOTED]);
	/* half of them, and the others */
	add_counter(text, "pgpromote_candidate", floor(stats->values[NODE_CANDIDATES] / 2));
	add_counter(text, "pgpromote_candidate_nrl", ceil(stats->values[NODE_CANDIDATES] / 2));
	add_counter(text, "pgdemote_kswapd", stats->values[NODE_DEMOTED]);
	add_counter(text, "numa_hint_faults", stats->values[NODE_HINTING_FAULTS]);
	return text;
}

static void update_node(const char *root, int node, const struct kernel_stats *stats)
{
	const double used = stats->values[NODE_USED], unused = stats->values[NODE_FREE];
	const double kilobyte = 1024;
	char text[TEXT_SIZE];

	tree_overwrite(root, NODE "vmstat=%s", node, vmstat_of(stats, text));
	tree_overwrite(root,
		       NODE "meminfo=Node %d MemTotal: %20.0f kB\nNode %d MemFree: %20.0f kB\n"
			    "Node %d MemUsed: %20.0f kB\n",
		       node, node, (used + unused) / kilobyte, node, unused / kilobyte, node,
		       used / kilobyte);
}

static size_t list_nodes(struct platform *p, int **nodes)
{
	struct error why;
	size_t count;

	if (p->ops->memory->nodes(p, nodes, &count, &why))
		errx(1, "%s", why.text);
	return count;
}

void publish_node_files(const char *root, struct platform *p)
{
	int *nodes;

	for (size_t count = list_nodes(p, &nodes); count > 0; count--) {
		tree_zeros(root, 0, NODE "vmstat", nodes[count - 1]);
		tree_zeros(root, 0, NODE "meminfo", nodes[count - 1]);
	}
	free(nodes);
	tree_zeros(root, 0, "proc/vmstat");
	publish_update_nodes(root, p);
}

void publish_update_nodes(const char *root, struct platform *p)
{
	const uint64_t wall_ns = p->ops->clock->wall(p);
	struct kernel_stats stats;
	char text[TEXT_SIZE];
	int *nodes;

	for (size_t count = list_nodes(p, &nodes); count > 0; count--)
		if (!p->ops->memory->stats(p, nodes[count - 1], wall_ns, &stats))
			update_node(root, nodes[count - 1], &stats);
	free(nodes);
	if (!p->ops->memory->stats(p, NODE_MACHINE, wall_ns, &stats))
		tree_overwrite(root, "proc/vmstat=%s", vmstat_of(&stats, text));
}
