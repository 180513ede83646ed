/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The results of a calibration: stalls of known programs (kernels), with their memory in DRAM and
 * then in CXL memory. They predict the slowdown of other programs on the same machine.
 */
#ifndef CXLMON_PROBE_SWEEP_CALIBRATION_H
#define CXLMON_PROBE_SWEEP_CALIBRATION_H

#include <stddef.h>

#include "platform/simulation.h"
#include "record/block_kind.h"

/* Counted stalls of one program, summed over the CPUs that it ran on. NAN: unknown. */
struct stall_counts {
	double work;	   /* bytes that the program has read or written */
	double cycles;	   /* core clocks */
	double demand;	   /* clocks lost to reads that missed the L3 */
	double cache;	   /* clocks lost to reads that missed only the L1D */
	double store;	   /* clocks lost to a full store buffer */
	double read_cost;  /* clocks with a waiting demand read, per read; mean over CPUs */
	double prefetched; /* share of L1D misses whose line was already requested, from 0 to 1 */
};

/* Metrics of stalls, with their names. The first three are percentages of clocks. */
enum stall_metric {
	STALL_DEMAND,
	STALL_CACHE,
	STALL_STORE,
	STALL_READ_COST,
	STALL_PREFETCHED,
	STALL_METRICS
};
extern const char *const stall_metrics[STALL_METRICS];

/*
 * Returns the stalls in this many clocks, from values of the metrics, without .work. No more clocks
 * are lost than there are, and no fewer than 0: counters of a ratio are not read at the same
 * moment, so it may be slightly out of range.
 */
struct stall_counts stall_counts_of(const double values[STALL_METRICS], double cycles);

struct calibration_run {
	enum calibration_kernel kernel;
	unsigned chains; /* chains of KERNEL_CHASE; else 1 */
	int dram_node, cxl_node;
	struct stall_counts dram, cxl; /* with memory on .dram_node, and on .cxl_node */
};

/* "chase", "stream" and "stores" */
extern const char *const calibration_kernel_names[CALIBRATION_KERNELS];

/* Writes a name such as "chase 4", "stream" or "stores"; returns text. */
#define CALIBRATION_NAME_SIZE 24
const char *calibration_name(const struct calibration_run *run, char text[CALIBRATION_NAME_SIZE]);

/* Returns the time of work in CXL memory as a multiple of its time in DRAM; NAN: unknown. */
double calibration_slowdown(const struct calibration_run *run);

/* All runs of one calibration. Initially {0}. */
struct calibration_runs {
	struct calibration_run *runs;
	size_t count;
};

/* Adds a copy of a run. 0 or -ENOMEM. The caller frees *all by calibration_runs_free(). */
int calibration_runs_add(struct calibration_runs *all, const struct calibration_run *run);
void calibration_runs_free(struct calibration_runs *all);

/* Value of the option RECORDED_LOAD (sweep_point.h) in the recording of a calibration. */
#define RECORDED_CALIBRATION "calibration"

/* Block of a recording with the struct calibration_run that ended with the next sample. */
extern const struct block_kind calibration_block;

#endif
