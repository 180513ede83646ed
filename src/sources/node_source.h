/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of NUMA nodes and of the whole machine, as the kernel counts it. */
#ifndef CXLMON_SOURCES_NODE_SOURCE_H
#define CXLMON_SOURCES_NODE_SOURCE_H

#include "platform/pci.h"
#include "sources/source.h"
#include "sources/stats_pair.h"

struct source_node {
	int node;		 /* NODE_MACHINE: the whole machine */
	char pci[PCI_TEXT_SIZE]; /* PCI address of the device that has the memory; "": none, or
				    several; set by the caller */
	/* is read, has a row, and is a part of the system's row; set by the caller */
	bool shown;
	struct stats_pair stats;
};

struct node_source {
	struct source base;
	struct source_node *nodes; /* .count nodes with memory, ascending; then the machine */
	size_t count;
};

/*
 * Opens all nodes with memory, and reads each once; only the machine is .shown then. Stays closed,
 * and returns 0, if there are none. -ENOMEM, or the error of listing nodes.
 */
int node_source_open(struct node_source *nodes, struct platform *p, struct error *err);

/* Tells if a shown node, or the machine, had this statistic in the latest reading. */
bool node_source_can_know(const struct node_source *nodes, enum kernel_stat stat);

#endif
