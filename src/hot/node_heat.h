/* SPDX-License-Identifier: BSD-3-Clause */
/* How hot the memory of each node is: found out seldom enough that it takes 1 % of the time at
 * most. */
#ifndef CXLMON_NODE_HEAT_H
#define CXLMON_NODE_HEAT_H

#include "hot/intake.h"
#include "metrics/hot_report.h"

struct node_heat {
	struct hot_node nodes[HOT_NODES_MOST];
	struct hot_report known; /* .nodes and what follows from them, as they were last */
	uint64_t ns;		 /* when that was, by the platform's clock */
};

void node_heat_init(struct node_heat *heat);

/*
 * Adds it to the report of an interval if it is due, or last: no interval follows. A run has that
 * of its last interval.
 */
void node_heat_add(struct node_heat *heat, struct hot_intake *intake, struct platform *p,
		   uint64_t now_ns, bool last, struct hot_report *report);

#endif
