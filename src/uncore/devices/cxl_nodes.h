/* SPDX-License-Identifier: BSD-3-Clause */
/* The NUMA nodes of CXL memory, or nodes that a user names instead. */
#ifndef CXLMON_UNCORE_DEVICES_CXL_NODES_H
#define CXLMON_UNCORE_DEVICES_CXL_NODES_H

#include <stdbool.h>
#include <stddef.h>

#include "platform/memory.h"
#include "platform/platform.h"

struct cxl_node_choice {
	const char *nodes;   /* number list; NULL: nodes of CXL devices */
	const char *devices; /* see cxl_device_list_has(); NULL: all */
};

struct cxl_nodes {
	unsigned *numbers; /* ascending, below NUMA_NODES_MOST; freed by cxl_nodes_free() */
	size_t count;
};

/*
 * Finds the nodes of all CXL devices or of the chosen ones, even if no port is known for them. If
 * only nodes are chosen, finds these, of any memory. If nodes and devices are chosen, finds the
 * nodes of these devices that are also in the list. root is the root of the machine's files; NULL
 * if it is simulated and has none. ERROR_NO_UNIT, unless only nodes are chosen: the kernel knows no
 * CXL device or, without a choice, no device's node. ERROR_USAGE: a chosen node does not exist, or
 * no node matches the chosen devices.
 */
int cxl_nodes_find(struct platform *p, const char *root, const struct cxl_node_choice *choice,
		   struct cxl_nodes *out, struct error *err);
void cxl_nodes_free(struct cxl_nodes *nodes);

bool cxl_nodes_contain(const struct cxl_nodes *nodes, int node);

enum cxl_nodes_region {
	CXL_NODES_REGION_UNKNOWN,  /* only some, a node is unknown, or no such region */
	CXL_NODES_REGION_OTHER,	   /* none of its memory */
	CXL_NODES_REGION_CONTAINED /* all of its memory */
};

/* Returns how much of a region's memory is on these nodes. */
enum cxl_nodes_region cxl_nodes_region(const struct cxl_nodes *nodes, const struct memory_map *map,
				       int region);

/* Writes "node 1" or "nodes 1, 2" for a message; a long list is cut off. Returns text. */
#define CXL_NODES_TEXT_SIZE 128
const char *cxl_nodes_text(const struct cxl_nodes *nodes, char text[CXL_NODES_TEXT_SIZE]);

#endif
