/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Best weights of weighted interleave for a program, by its traffic and a sweep of the machine: see
 * probe/sweep/interleave.h.
 */
#ifndef CXLMON_SHOW_EXPLAIN_WEIGHTS_H
#define CXLMON_SHOW_EXPLAIN_WEIGHTS_H

#include <stdio.h>

#include "base/error.h"
#include "probe/sweep/interleave.h"
#include "table/table.h"

#define WEIGHTS_SCHEMA 1

/* Traffic of the whole machine in MB/s, the mean of its busy samples. */
struct weights_demand {
	double dram_read, dram_write, cxl_read, cxl_write;
	size_t samples, all_samples;
};

/* A distribution of pages, and the program's traffic with it. */
struct weights_way {
	bool known;
	unsigned weights[INTERLEAVE_NODES]; /* not set if all pages are in one kind of memory */
	double cxl_share;		    /* part of the traffic */
	double MBps;
};

struct weights {
	struct interleave nodes;
	struct weights_demand demand;
	double MBps, read_share, cxl_share; /* present traffic */
	struct weights_way best;	    /* .cxl_share 0 or 1: without weights */
	struct weights_way kernel;	    /* weights of "auto" */
};

/*
 * Finds the weights. table: the sweep's; layout: its machine's. ERROR_FAILED, -ENODATA: the sweep
 * lacks a kind of memory, or the program has no traffic; -ERANGE: it has more traffic than the
 * sweep.
 */
int weights_find(const struct sweep_points *sweep, const struct table *table,
		 const struct memory_layout *layout, const struct weights_demand *demand,
		 struct weights *out, struct error *err);

void weights_print(const struct weights *weights, FILE *out);
void weights_json(const struct weights *weights, FILE *out);

#endif
