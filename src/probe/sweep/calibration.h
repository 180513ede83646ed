/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What programs of known waits have counted on this machine with their memory in DRAM, and then in
 * CXL memory: what a slowdown is predicted from.
 */
#ifndef CXLMON_PROBE_SWEEP_CALIBRATION_H
#define CXLMON_PROBE_SWEEP_CALIBRATION_H

#include <stddef.h>

#include "platform/simulation.h"
#include "record/block_kind.h"

/* What stalls of one program were counted; the sums of the CPUs that it ran on. NAN: not known. */
struct stall_counts {
	double work;	   /* bytes read or written by the program itself */
	double cycles;	   /* core clocks */
	double demand;	   /* of these, lost to reads that missed the L3 */
	double cache;	   /* lost to reads that missed the L1D alone */
	double store;	   /* lost to a full store buffer */
	double read_cost;  /* clocks in which a demand read waits, by read; NAN: no reads */
	double prefetched; /* share of L1D misses that found their line on its way, from 0 to 1 */
};

struct calibration_run {
	enum calibration_kernel kernel;
	unsigned chains; /* of KERNEL_CHASE; else 1 */
	int dram_node, cxl_node;
	struct stall_counts dram, cxl;
};

/* "chase 4", "stream" or "stores"; returns text. */
#define CALIBRATION_NAME_SIZE 24
const char *calibration_name(const struct calibration_run *run, char text[CALIBRATION_NAME_SIZE]);

/* How many times as long the same work took in CXL memory; NAN: not known. */
double calibration_slowdown(const struct calibration_run *run);

/*
 * All runs of one calibration. report_read() has those of a file in report.calibration
 * (show/page/plotted.h), and so has playback_series_read().
 */
struct calibration_runs {
	struct calibration_run *runs;
	size_t count;
};

/* -ENOMEM, else 0. Freed by calibration_runs_free(). */
int calibration_runs_add(struct calibration_runs *all, const struct calibration_run *run);
void calibration_runs_free(struct calibration_runs *all);

/* Value of the option RECORDED_LOAD in the recording of a calibration. */
#define RECORDED_CALIBRATION "calibration"

/* A struct calibration_run, which has ended with the sample. */
extern const struct block_kind calibration_block;

#endif
