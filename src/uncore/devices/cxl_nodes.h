/* SPDX-License-Identifier: BSD-3-Clause */
/* The NUMA nodes of CXL memory, or nodes that a user names instead. */
#ifndef CXLMON_UNCORE_DEVICES_CXL_NODES_H
#define CXLMON_UNCORE_DEVICES_CXL_NODES_H

#include <stdbool.h>
#include <stddef.h>

#include "platform/memory.h"
#include "platform/platform.h"

/* The user's choice: --node and --device. */
struct cxl_node_choice {
	const char *nodes;   /* number list ("1,3-4"); NULL: not given */
	const char *devices; /* list as cxl_device_list_has() takes it; NULL: not given */
};

struct cxl_nodes {
	unsigned *numbers; /* ascending, below NUMA_NODES_MOST; freed by cxl_nodes_free() */
	size_t count;
};

/*
 * Finds the nodes of a choice:
 *
 *   nothing            the nodes of all CXL devices
 *   devices            the nodes of these devices
 *   nodes              these nodes, whatever memory they have
 *   nodes and devices  the nodes of these devices that are also in the list
 *
 * root is the root directory of the machine's files; NULL: it is simulated and has none. Returns 0
 * or an error, after which *out is empty:
 *   ERROR_USAGE    a chosen node does not exist, .nodes is invalid, or no node matches the choice
 *   ERROR_NO_UNIT  the kernel knows no CXL device or, without a choice, no device's node
 */
int cxl_nodes_find(struct platform *p, const char *root, const struct cxl_node_choice *choice,
		   struct cxl_nodes *out, struct error *err);
void cxl_nodes_free(struct cxl_nodes *nodes);

/* Returns true if node is one of the nodes; false if it is negative. */
bool cxl_nodes_contain(const struct cxl_nodes *nodes, int node);

/* How much memory of a region is on some nodes. Intel RDT counts accesses to each region. */
enum cxl_nodes_region {
	CXL_NODES_REGION_UNKNOWN,  /* some of it, or unknown; or the region does not exist */
	CXL_NODES_REGION_OTHER,	   /* none of it */
	CXL_NODES_REGION_CONTAINED /* all of it */
};

/* Returns how much memory of a region is on these nodes. */
enum cxl_nodes_region cxl_nodes_region(const struct cxl_nodes *nodes, const struct memory_map *map,
				       int region);

/* Writes "node 1" or "nodes 1, 2" for a message; a long list is cut off. Returns text. */
#define CXL_NODES_TEXT_SIZE 128
const char *cxl_nodes_text(const struct cxl_nodes *nodes, char text[CXL_NODES_TEXT_SIZE]);

#endif
