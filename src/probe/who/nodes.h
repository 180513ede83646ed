/* SPDX-License-Identifier: BSD-3-Clause */
/* The NUMA nodes whose memory is looked for in processes, and devices in devdax mode. */
#ifndef CXLMON_PROBE_WHO_NODES_H
#define CXLMON_PROBE_WHO_NODES_H

#include "linux/cxl/devdax.h"
#include "uncore/devices/cxl_nodes.h"

struct who_nodes {
	struct cxl_nodes numa;
	struct devdax *dax; /* memory that would be of these nodes; freed by who_nodes_free() */
	size_t dax_count;
};

/* Finds them as cxl_nodes_find() does, with its errors. */
int who_nodes_find(struct platform *p, const char *root, const struct cxl_node_choice *choice,
		   struct who_nodes *out, struct error *err);
void who_nodes_free(struct who_nodes *nodes);

#endif
