/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much longer a program takes with its memory in CXL, by what it waits for with its memory in
 * DRAM, and by what programs of known waits have taken on the same machine in both. Pure functions.
 *
 * The model is that of CAMP ("Performance Predictability in Heterogeneous Memory", ASPLOS '26). For
 * each clock of the program in DRAM there are more in CXL memory:
 *
 * - demand: waits for reads x C / (1 + A / read_cost)
 * - cache: waits for caches x E x the share of these that is for lines on their way from memory
 * - store: waits for stores x G
 *
 * The published cache part has one factor more, the share of L1 prefetches that missed the L3,
 * which is not counted here: it is 1, and the part too high if the L3 answers many prefetches.
 *
 * C, A, E and G are of the machine. (The published demand part has B in place of 1, but only two of
 * A, B and C are independent; D, F and H are 0: what does not wait is not slower.) Waits for reads,
 * divided by those that CXL memory adds, are 1 / C + A / C / read_cost, a line. So least squares
 * are closed formulas of two unknowns, for which no library is needed.
 *
 * The interval has 90 % of the programs that differ from the model as those do that it was fitted
 * to: at random, normally distributed, and in all parts by the same share of these. It takes in the
 * error of the coefficients.
 *
 * Latency under load is in none of this: a program that needs more bandwidth than CXL memory has
 * takes longer.
 */
#ifndef CXLMON_PROBE_SWEEP_SLOWDOWN_H
#define CXLMON_PROBE_SWEEP_SLOWDOWN_H

#include <stddef.h>

#include "base/error.h"
#include "probe/sweep/calibration.h"

struct coefficient {
	double value, error; /* standard error */
};

struct slowdown_model {
	struct coefficient demand_ratio; /* C: of reads that wait for nothing else, far apart */
	struct coefficient overlap;	 /* A: clocks of each read's wait that other work hides */
	struct coefficient cache_ratio, store_ratio; /* E, G */
	double least_cost, most_cost; /* cycles by read, of the chases that it was fitted to */
	size_t kernels;		      /* that it was fitted to; each number of chains is one */
	double spread;	  /* their standard deviation about the model, as a share of it */
	unsigned freedom; /* degrees of freedom of the spread */

	/* Private: the line, and its covariance in squared spreads. */
	double fixed, slope;
	double fixed_variance, slope_variance, covariance;
};

/*
 * All runs are of the same two nodes. Those that lack a count are left out; but where it is not
 * known how much of a stream is prefetched, E is no less than if all were, nor than C.
 * ERROR_FAILED: -ENODATA: too few are left; -ERANGE: a program waits no longer in CXL memory than
 * in DRAM, or the runs do not follow the model.
 */
int slowdown_fit(const struct calibration_run *runs, size_t count, struct slowdown_model *out,
		 struct error *err);

/* An estimate, and the ends of its 90 % interval. NAN: not known. */
struct slowdown_part {
	double value, low, high;
};

struct slowdown {
	struct slowdown_part demand, cache,
		store;		    /* clocks that come in addition, of the program's */
	struct slowdown_part total; /* how many times as long it takes */
};

/*
 * program: with all memory in DRAM. share: of its memory that is in CXL memory, from 0 to 1. Where
 * .prefetched is not known, the part of the cache lies between that of none and that of all: its
 * value is halfway.
 */
void slowdown_predict(const struct slowdown_model *model, const struct stall_counts *program,
		      double share, struct slowdown *out);

#endif
