/* SPDX-License-Identifier: BSD-3-Clause */
/* Which nodes of a machine are tested, and from which CPUs. */
#ifndef CXLMON_SELFTEST_NODES_H
#define CXLMON_SELFTEST_NODES_H

#include "metrics/view.h"
#include "selftest/result.h"
#include "uncore/machine.h"

#define SELFTEST_CPUS 16 /* more don't make a port faster, but the machine slower */

/* The nodes to test: one of both, or neither for all. */
struct selftest_choice {
	int node;	    /* -1: any */
	const char *device; /* "mem0"; NULL: any */
};

/*
 * Nodes behind the ports that the view shows, then those of DRAM. Those without enough memory are
 * .skipped. EXIT_USAGE: the choice names none; EXIT_NO_UNIT: there is none.
 */
int selftest_find_nodes(struct selftest_result *result, const struct machine *machine,
			const struct view *view, const struct selftest_choice *choice,
			struct error *err);

/* One CPU of each core of the socket, as many as there is room for. Returns how many. */
size_t selftest_cpus(const struct topology *topology, int socket, unsigned cpus[SELFTEST_CPUS]);

#endif
