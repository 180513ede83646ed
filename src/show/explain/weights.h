/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the best weights of the kernel's weighted interleave (shares of pages by NUMA node) for a
 * program, from its traffic and a sweep of the machine: see probe/sweep/interleave.h.
 */
#ifndef CXLMON_SHOW_EXPLAIN_WEIGHTS_H
#define CXLMON_SHOW_EXPLAIN_WEIGHTS_H

#include <stdio.h>

#include "base/error.h"
#include "probe/sweep/interleave.h"
#include "table/table.h"

#define WEIGHTS_SCHEMA 1

/* Traffic of the whole machine while the program ran: MB/s, means over its busy samples. */
struct weights_demand {
	double dram_read, dram_write, cxl_read, cxl_write;
	size_t samples, all_samples; /* number of busy samples, and of all */
};

/* A distribution of pages, and the program's traffic with it. */
struct weights_way {
	bool known; /* false: the other members are not set */
	/* by node; not set if all pages are in one kind of memory */
	unsigned weights[INTERLEAVE_NODES];
	double cxl_share; /* part of the traffic that is CXL memory's, 0 to 1 */
	double MBps;	  /* traffic in MB/s */
};

/* The result. */
struct weights {
	struct interleave nodes; /* the nodes that were swept */
	struct weights_demand demand;
	double MBps, read_share, cxl_share; /* present traffic; shares are from 0 to 1 */
	/* best weights; .cxl_share 0 or 1: all pages are best in one kind of memory */
	struct weights_way best;
	struct weights_way kernel; /* weights that the kernel's "auto" would choose */
};

/*
 * Finds the weights. table and layout are of the sweep's recording. All errors are ERROR_FAILED.
 * -ENODATA: the sweep lacks a kind of memory, or the program's traffic is 0 or unknown; -ERANGE: it
 * has more traffic than the sweep.
 */
int weights_find(const struct sweep_points *sweep, const struct table *table,
		 const struct memory_layout *layout, const struct weights_demand *demand,
		 struct weights *out, struct error *err);

/* Prints the weights as sentences for people, with commands that set them. */
void weights_print(const struct weights *weights, FILE *out);
/* Prints the weights as one JSON object; nothing if memory runs out. */
void weights_json(const struct weights *weights, FILE *out);

#endif
