/* SPDX-License-Identifier: BSD-3-Clause */
#include "publish_nodes.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platform/rootfs.h"
#include "tree.h"

#define NAME_SIZE 64

struct text {
	char bytes[1024];
	size_t used;
};

/* Numbers stand in columns, whatever they are. */
static void add_counter(struct text *text, const char *name, double value)
{
	if (!isnan(value))
		text->used +=
			(size_t)snprintf(text->bytes + text->used, sizeof(text->bytes) - text->used,
					 "%s %20.0f\n", name, value);
}

static void add_memory(struct text *text, int node, const char *name, double bytes)
{
	text->used += (size_t)snprintf(text->bytes + text->used, sizeof(text->bytes) - text->used,
				       "Node %d %s: %20.0f kB\n", node, name, bytes / 1024);
}

static struct text vmstat_of(const struct kernel_stats *stats)
{
	struct text text = {.used = 0};

	add_counter(&text, "nr_free_pages", stats->values[NODE_FREE] / 4096);
	add_counter(&text, "pgpromote_success", stats->values[NODE_PROMOTED]);
	add_counter(&text, "pgdemote_kswapd", stats->values[NODE_DEMOTED]);
	add_counter(&text, "numa_hint_faults", stats->values[NODE_HINTING_FAULTS]);
	return text;
}

static void node_file(char name[NAME_SIZE], int node, const char *file)
{
	snprintf(name, NAME_SIZE, "sys/devices/system/node/node%d/%s", node, file);
}

static void update_node(const char *root, int node, const struct kernel_stats *stats)
{
	const double used = stats->values[NODE_USED], unused = stats->values[NODE_FREE];
	struct text text = vmstat_of(stats);
	char name[NAME_SIZE];

	node_file(name, node, "vmstat");
	tree_overwrite(root, name, "%s", text.bytes);
	text.used = 0;
	add_memory(&text, node, "MemTotal", used + unused);
	add_memory(&text, node, "MemFree", unused);
	add_memory(&text, node, "MemUsed", used);
	node_file(name, node, "meminfo");
	tree_overwrite(root, name, "%s", text.bytes);
}

static size_t list_nodes(struct platform *p, int **nodes)
{
	struct error why;
	size_t count;

	if (p->ops->nodes(p, nodes, &count, &why))
		errx(1, "%s", why.text);
	return count;
}

void publish_node_files(const char *root, struct platform *p)
{
	char name[NAME_SIZE];
	int *nodes;

	for (size_t count = list_nodes(p, &nodes); count > 0; count--) {
		node_file(name, nodes[count - 1], "vmstat");
		tree_text(root, name, "%s", "");
		node_file(name, nodes[count - 1], "meminfo");
		tree_text(root, name, "%s", "");
	}
	free(nodes);
	tree_text(root, "proc/vmstat", "%s", "");
	publish_update_nodes(root, p);
}

void publish_update_nodes(const char *root, struct platform *p)
{
	const uint64_t wall_ns = p->ops->wall(p);
	struct kernel_stats stats;
	int *nodes;

	for (size_t count = list_nodes(p, &nodes); count > 0; count--)
		if (!p->ops->node_stats(p, nodes[count - 1], wall_ns, &stats))
			update_node(root, nodes[count - 1], &stats);
	free(nodes);
	if (p->ops->node_stats(p, NODE_MACHINE, wall_ns, &stats))
		return;
	const struct text text = vmstat_of(&stats);
	tree_overwrite(root, "proc/vmstat", "%s", text.bytes);
}
