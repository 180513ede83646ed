/* SPDX-License-Identifier: BSD-3-Clause */
/* What a kernel says of NUMA nodes: vmstat and meminfo of each, and /proc/vmstat. */
#ifndef CXLMON_TEST_PUBLISH_NODES_H
#define CXLMON_TEST_PUBLISH_NODES_H

#include "platform/platform.h"

#define NODE_STATS_PERIOD_NS UINT64_C(10000000) /* how often they are updated */

void publish_node_files(const char *root, struct platform *p);

/*
 * Brings them up to date: in place, each with one call and as long as before, since programs have
 * them open. One that was removed stays away.
 */
void publish_update_nodes(const char *root, struct platform *p);

#endif
