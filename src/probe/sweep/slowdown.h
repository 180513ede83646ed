/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Predicts the slowdown of a program if its memory were CXL memory. It needs the program's stalls
 * with memory in DRAM, and the stalls of calibration programs (kernels) in both memories of the
 * same machine. Pure functions.
 *
 * The model is CAMP ("Performance Predictability in Heterogeneous Memory", ASPLOS '26). For each
 * clock of the program in DRAM there are additional clocks in CXL memory:
 *
 * - demand: stalls on reads x C / (1 + A / read_cost)
 * - cache: stalls on caches x E x the share of L1D misses whose line was already requested
 * - store: stalls on stores x G
 *
 * C, A, E and G are properties of the machine. The published model differs in three points:
 *
 * - Its cache part has one more factor, the share of L1 prefetches that missed the L3. It is not
 *   counted here, and taken as 1: the part is too high if the L3 answers many prefetches.
 * - Its demand part has B in place of 1, but only two of A, B and C are independent.
 * - D, F and H are 0 here: work without stalls is not slower.
 *
 * Stalls on reads, divided by the stalls that CXL memory adds, are the line 1 / C + A / C /
 * read_cost. So least squares are closed formulas of two unknowns, which need no library.
 *
 * A prediction has an interval, which includes the error of the coefficients. It covers 90 % of
 * programs that differ from the model as the calibration programs do: at random, normally
 * distributed, and by the same share in all parts.
 *
 * The model does not include latency under load: a program that needs more bandwidth than CXL
 * memory has takes longer.
 */
#ifndef CXLMON_PROBE_SWEEP_SLOWDOWN_H
#define CXLMON_PROBE_SWEEP_SLOWDOWN_H

#include <stddef.h>

#include "base/error.h"
#include "probe/sweep/calibration.h"

struct estimate {
	double value, error; /* .error: the standard error */
};

struct slowdown_model {
	struct estimate demand_ratio; /* C: for reads far apart, whose wait nothing hides */
	struct estimate overlap;      /* A: clocks of each read's wait that other work hides */
	double covariance;	      /* covariance of the errors of C and A */
	struct estimate cache_ratio, store_ratio; /* E, G */
	double least_cost, most_cost; /* clocks per read of the chases in the calibration */
	size_t kernels;		      /* kernels in the calibration, one per number of chains */
	double spread;		      /* relative standard deviation of kernels from the model */
};

/*
 * Fits the model to runs on the same two nodes. If a run lacks a count, it is left out, with one
 * exception: if only the prefetched share of a stream is unknown, the share is taken as 1. E is
 * then too low, and if it is below C, it is set to C.
 *
 * Returns 0 or a negative errno (ERROR_FAILED), and then *out is undefined. -ENODATA: too few runs
 * are left. -ERANGE: a kernel stalls no longer in CXL memory than in DRAM, or the runs do not
 * follow the model.
 */
int slowdown_fit(const struct calibration_runs *all, struct slowdown_model *out, struct error *err);

/* An estimate, and the ends of its 90 % interval. NAN: a count that it needs is unknown. */
struct slowdown_part {
	double value, low, high;
};

/* Additional clocks with all memory in CXL, per clock of the program. */
struct slowdown {
	struct slowdown_part demand, cache, store;
	struct slowdown_part total; /* sum of the three */
};

/*
 * Predicts the slowdown of a program that was counted with all memory in DRAM. If
 * program->prefetched is unknown, the cache part is halfway between its values for 0 and 1, and its
 * interval covers both.
 */
struct slowdown slowdown_predict(const struct slowdown_model *model,
				 const struct stall_counts *program);

/*
 * Returns base + share x part: the part if only this share of the memory (0 to 1) is in CXL. With
 * base 1, .total becomes the time as a multiple of the time in DRAM.
 */
struct slowdown_part slowdown_at(const struct slowdown_part *part, double share, double base);

#endif
