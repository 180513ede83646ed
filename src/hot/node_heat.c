/* SPDX-License-Identifier: BSD-3-Clause */
#include "hot/node_heat.h"

#include <math.h>

void node_heat_init(struct node_heat *heat)
{
	*heat = (struct node_heat){.known = {.colder_dram_GiB = NAN, .hot_cxl_GiB = NAN}};
}

/* Of files that are open already. */
static double used_GiB(struct platform *p, int node)
{
	struct kernel_stats stats;

	if (!p->ops->node_stats || p->ops->node_stats(p, node, p->ops->wall(p), &stats))
		return NAN;
	return stats.values[NODE_USED] / (1 << 30);
}

static void sum_up(struct node_heat *heat, struct hot_intake *intake, struct platform *p)
{
	struct heat_node nodes[HOT_NODES_MOST];

	hot_heat_sort(&intake->heat);
	hot_heat_sort(&intake->pages);
	heat->known.nodes = heat->nodes;
	heat->known.node_count = hot_heat_nodes(&intake->heat, nodes, HOT_NODES_MOST);
	for (size_t i = 0; i < heat->known.node_count; i++)
		heat->nodes[i] =
			(struct hot_node){.heat = nodes[i],
					  .cxl = who_nodes_contain(intake->nodes, nodes[i].node),
					  .used_GiB = used_GiB(p, nodes[i].node)};
	hot_heat_compare(&intake->heat, &heat->known);
}

void node_heat_add(struct node_heat *heat, struct hot_intake *intake, struct platform *p,
		   uint64_t now_ns, bool last, struct hot_report *report)
{
	const size_t ranges = intake->heat.count + intake->pages.count;
	const bool due = last || now_ns - heat->ns >= ranges * HEAT_SORT_NS * 100;

	report->colder_dram_GiB = report->hot_cxl_GiB = NAN;
	if (report->time == HOT_INTERVAL && !due)
		return;
	if (report->time == HOT_INTERVAL) {
		sum_up(heat, intake, p);
		heat->ns = now_ns;
	}
	report->nodes = heat->known.nodes;
	report->node_count = heat->known.node_count;
	report->colder_dram_GiB = heat->known.colder_dram_GiB;
	report->hot_cxl_GiB = heat->known.hot_cxl_GiB;
}
