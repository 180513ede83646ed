/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a NUMA node, or of the whole machine, by the kernel. */
#ifndef CXLMON_NODE_STATS_H
#define CXLMON_NODE_STATS_H

#include <stdint.h>

/*
 * Pages are counted since boot, a huge one as the pages that it is made of. The kernel counts
 * a promotion on the node that the page has come to, a demotion on the node it has left
 * (mm/migrate.c and mm/vmscan.c). What DAMON migrates is in none of these counters.
 */
enum node_stat {
	NODE_STAT_NONE,
	NODE_USED, /* bytes, page cache included */
	NODE_FREE, /* bytes */
	NODE_PROMOTED,
	NODE_DEMOTED,	     /* before Linux 6.8 of the whole machine alone */
	NODE_HINTING_FAULTS, /* by NUMA balancing; of the whole machine alone */
	NODE_STATS
};

#define NODE_STAT_UNKNOWN UINT64_MAX
#define NODE_MACHINE	  (-1) /* in place of a node: the whole machine */

struct node_stats {
	uint64_t at_ns; /* when they were read: see platform_ops.now */
	uint64_t values[NODE_STATS];
};

/* All of them unknown. */
static inline struct node_stats node_stats_unknown(uint64_t at_ns)
{
	struct node_stats stats = {.at_ns = at_ns};

	for (unsigned i = 0; i < NODE_STATS; i++)
		stats.values[i] = NODE_STAT_UNKNOWN;
	return stats;
}

#endif
