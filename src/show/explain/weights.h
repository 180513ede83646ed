/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the best weights for a program. A weight is how many pages a NUMA node gets in turn, in the
 * kernel's weighted interleave. Needs the program's traffic, and a sweep of the machine: the
 * latency of each node at rising bandwidth. The model is described in probe/sweep/interleave.h.
 */
#ifndef CXLMON_SHOW_EXPLAIN_WEIGHTS_H
#define CXLMON_SHOW_EXPLAIN_WEIGHTS_H

#include <stdio.h>

#include "base/error.h"
#include "probe/sweep/interleave.h"
#include "table/table.h"

#define WEIGHTS_SCHEMA 1 /* version of the JSON object */

/* Traffic of the whole machine while the program ran: means over busy samples. */
struct weights_demand {
	double MBps;		      /* reads and writes, of all memory */
	double read_share, cxl_share; /* parts that are reads, and in CXL memory, 0 to 1 */
	size_t samples, all_samples;  /* number of busy samples, and of all */
};

/* A distribution of pages among nodes, and the program's traffic with it. */
struct weights_way {
	/* by index in .nodes of struct weights; not set if .cxl_share is 0 or 1 */
	unsigned weights[INTERLEAVE_NODES];
	double cxl_share; /* part of the traffic that goes to CXL memory, 0 to 1 */
	double MBps;	  /* traffic in MB/s; NAN: unknown, and the other members are not set */
};

/* The result. */
struct weights {
	struct interleave nodes;      /* the nodes that were swept */
	struct weights_demand demand; /* the present traffic */
	struct weights_way best;   /* .cxl_share 0: best with all pages in DRAM; 1: in CXL memory */
	struct weights_way kernel; /* weights that the kernel's "auto" would choose */
};

/*
 * Finds the weights. table and layout: from the sweep's recording. Returns 0 or, with ERROR_FAILED:
 * -ENODATA: the sweep lacks DRAM or CXL memory, or the program's traffic is 0 or unknown.
 * -ERANGE: the program had over 10 % more traffic in DRAM or CXL memory than the sweep.
 */
int weights_find(const struct sweep_points *sweep, const struct table *table,
		 const struct memory_layout *layout, const struct weights_demand *demand,
		 struct weights *out, struct error *err);

/* Prints the weights as sentences for people, with commands that set them. */
void weights_print(const struct weights *weights, FILE *out);
/* Prints the weights as one JSON object; nothing if memory runs out. */
void weights_json(const struct weights *weights, FILE *out);

#endif
