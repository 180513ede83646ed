/* SPDX-License-Identifier: BSD-3-Clause */
/* The NUMA nodes whose memory is looked for in processes, and devices in devdax mode. */
#ifndef CXLMON_PROBE_WHO_NODES_H
#define CXLMON_PROBE_WHO_NODES_H

#include <stdbool.h>
#include <stddef.h>

#include "linux/cxl/devdax.h"
#include "platform/memory.h"
#include "platform/platform.h"

struct who_choice {
	const char *nodes;   /* number list; NULL: those of CXL devices */
	const char *devices; /* as view_options.devices; NULL: all */
};

struct who_nodes {
	unsigned *numbers; /* ascending, below NUMA_NODES_MOST; freed by who_nodes_free() */
	size_t count;
	struct devdax *dax; /* memory that would be of these nodes; freed likewise */
	size_t dax_count;
};

/*
 * The nodes of the memory of CXL devices, whether or not a port is known for them; or those chosen,
 * of whatever memory. With both choices, the nodes of these devices that are also in the list.
 * root: of the machine's files; NULL: it has none, as it is simulated. EXIT_NO_UNIT: no node is
 * known to be of a CXL device, whatever is chosen. EXIT_USAGE: what is chosen does not exist.
 */
int who_nodes_find(struct platform *p, const char *root, const struct who_choice *choice,
		   struct who_nodes *out, struct error *err);
void who_nodes_free(struct who_nodes *nodes);

bool who_nodes_contain(const struct who_nodes *nodes, int node);

enum who_region { WHO_REGION_UNKNOWN, WHO_REGION_OTHER, WHO_REGION_CONTAINED };

/* Whether all memory of a region is of these nodes, or none of it; unknown: neither, or no region.
 */
enum who_region who_nodes_region(const struct who_nodes *nodes, const struct memory_map *map,
				 int region);

/* "node 1", "nodes 1, 2" for a message. Returns text. */
#define WHO_NODES_TEXT_SIZE 128
const char *who_nodes_text(const struct who_nodes *nodes, char text[WHO_NODES_TEXT_SIZE]);

#endif
