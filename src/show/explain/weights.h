/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which weights of weighted interleave are best for a program, by what it has moved and a sweep of
 * the machine: see probe/sweep/interleave.h.
 */
#ifndef CXLMON_SHOW_EXPLAIN_WEIGHTS_H
#define CXLMON_SHOW_EXPLAIN_WEIGHTS_H

#include <stdio.h>

#include "base/error.h"
#include "probe/sweep/interleave.h"
#include "table/table.h"

#define WEIGHTS_SCHEMA 1

/* What the whole machine has moved, MB/s on average of the samples in which it was busy. */
struct weights_demand {
	double dram_read, dram_write, cxl_read, cxl_write;
	size_t samples, all_samples;
};

/* A way to share out pages, and what the program moves so. */
struct weights_way {
	bool known;
	unsigned weights[INTERLEAVE_NODES]; /* unless all is in one kind of memory */
	double cxl_share;		    /* of the traffic */
	double MBps;
};

struct weights {
	struct interleave nodes;
	struct weights_demand demand;
	double MBps, read_share, cxl_share; /* as it is */
	struct weights_way best;	    /* .cxl_share 0, 1: without weights */
	struct weights_way kernel;	    /* "auto" */
};

/*
 * table: of the sweep; layout: of its machine. ERROR_FAILED, -ENODATA: the sweep has not both kinds
 * of memory, or the program has moved nothing; -ERANGE: it has moved more than the sweep.
 */
int weights_find(const struct sweep_points *sweep, const struct table *table,
		 const struct memory_layout *layout, const struct weights_demand *demand,
		 struct weights *out, struct error *err);

void weights_print(const struct weights *weights, FILE *out);
void weights_json(const struct weights *weights, FILE *out);

#endif
