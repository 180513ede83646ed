/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of NUMA nodes and of the whole machine, as the kernel counts it. */
#ifndef CXLMON_SOURCES_NODE_SOURCE_H
#define CXLMON_SOURCES_NODE_SOURCE_H

#include "platform/pci.h"
#include "sources/source.h"
#include "sources/stats_pair.h"

struct source_node {
	int node; /* NODE_MACHINE: the whole machine */
	/* PCI address of the memory's device, set by the caller; "": no device, or several */
	char pci[PCI_TEXT_SIZE];
	/* the source reads it, and it counts in the system's row; set by the caller */
	bool shown;
	struct stats_pair stats;
};

struct node_source {
	struct source base;
	struct source_node *nodes; /* nodes with memory, ascending; then the machine */
	size_t count;		   /* nodes, without the machine */
};

/*
 * Opens all nodes with memory, and reads each once. Sets .shown only for the machine. If no node
 * has memory, stays closed. Returns 0, -ENOMEM, or the negative errno of listing nodes.
 */
int node_source_open(struct node_source *nodes, struct platform *p, struct error *err);

/* Returns true if a shown node, or the machine, had this statistic in the latest reading. */
bool node_source_can_know(const struct node_source *nodes, enum kernel_stat stat);

#endif
