/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NUMA nodes of a simulated machine: those of its CPUs, with DRAM, and those of its memory devices.
 * Pages move between a device's node and the node that it is attached to, which counts them, as the
 * kernel does. Functions of time alone: they may be called by any thread.
 */
#ifndef CXLMON_SIM_NODES_H
#define CXLMON_SIM_NODES_H

#include "sim/sim_machine.h"

/* Ascending; *out is freed by the caller. 0 or -ENOMEM. */
int sim_nodes_list(const struct sim *sim, int **out, size_t *count);

/* At t ns; -ENOENT: no such node. NODE_MACHINE: of all of them. */
int sim_node_stats(const struct sim *sim, int node, uint64_t t, struct node_stats *out);

#endif
