/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of NUMA nodes, by the kernel: cells of the group tiering. They are text
 * files, and so read where rows are made, not where registers are sampled. A rate is divided by the
 * time between the two readings that it is the difference of.
 */
#ifndef CXLMON_TIERING_H
#define CXLMON_TIERING_H

#include "platform/platform.h"

struct value;
struct metric;

/* A node, or the whole machine. */
struct tiering_source {
	int node;
	char pci[PCI_TEXT_SIZE];       /* of the device whose memory it is; "": none, or several */
	bool shown;		       /* it has a row, and is part of the system's */
	bool known;		       /* the latest reading has succeeded */
	bool has_before;	       /* so has one until then: */
	struct node_stats before, now; /* the latest such, and this one */
};

struct tiering {
	struct platform *platform; /* not owned */
	struct tiering_source *nodes;
	size_t count;
	struct tiering_source machine;
};

/* Opens all nodes with memory, and reads them; none is shown yet. Also with an error, free it. */
int tiering_open(struct platform *p, struct tiering *out, struct error *err);
void tiering_free(struct tiering *t);

/* Reads all that is shown, for a sample of that wall-clock time; see platform_ops.node_stats. */
void tiering_read(struct tiering *t, uint64_t wall_ns);

/*
 * A cell of a node's row, or of the system's (NODE_MACHINE): the sum over the nodes shown. What the
 * kernel counts of the whole machine alone is known in the system's row; but not a sum, where some
 * nodes are not shown. Unknown where a counter has gone backwards.
 */
void tiering_value(const struct tiering *t, int node, const struct metric *metric,
		   struct value *out);

/* Seconds between the two latest readings; NAN: not known. */
double tiering_interval_s(const struct tiering *t, int node);

/* Whether some row can have it, as far as the latest reading says. */
bool tiering_can_know(const struct tiering *t, enum node_stat stat);

#endif
