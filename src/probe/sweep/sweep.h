/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sweep measures the loaded latency of each node: for each of several mixes (shares of reads), it
 * raises the traffic in steps, from none to the maximum bandwidth. Meanwhile a pointer chase and
 * the counters measure latency.
 */
#ifndef CXLMON_PROBE_SWEEP_SWEEP_H
#define CXLMON_PROBE_SWEEP_SWEEP_H

#include <signal.h>
#include <stdio.h>

#include "probe/load/under_load.h"
#include "probe/sweep/sweep_point.h"
#include "session/session.h"

#define SWEEP_MIXES 4  /* mixes of each node */
#define SWEEP_STEPS 13 /* steps of each mix, after one that finds its maximum */

struct sweep;

struct sweep_options {
	const char *sim;  /* simulated machine; NULL: real hardware */
	const char *root; /* "/", or a directory that stands for it */
	enum session_backend backend;
	struct load_choice choice; /* nodes to measure */
	uint64_t total_ns;	   /* time of all steps; a step takes at least LOAD_MIN_STEP_NS */
	const sigset_t *wake;	   /* signals that end the sweep */
	/*
	 * Called once before counting, with .found and .step_ns set. An error ends all. Not NULL.
	 */
	int (*begin)(void *context, const struct sweep *sweep, struct error *err);
	/*
	 * Called before each step. part: traffic, as a part of the maximum; NAN: the step finds the
	 * maximum. left_ns: time until the last step ends. NULL: not called.
	 */
	void (*progress)(void *context, const struct load_node *node, double read_share,
			 double part, uint64_t left_ns);
	/*
	 * Called for each sample, whose values the session's view has. point: the point that it
	 * measured; NULL: none, because traffic was settling. An error ends the sweep. Never NULL.
	 */
	int (*sample)(void *context, const struct sample *sample, const struct sweep_point *point,
		      struct error *err);
	void *context; /* passed to the functions above */
};

struct sweep {
	const struct sweep_options *options; /* not owned */
	char *sim;			     /* options->sim without a demo's traffic; owned */
	struct session session;
	struct load_nodes found;      /* chosen nodes, also .skipped ones */
	uint64_t step_ns;	      /* time of a step */
	size_t steps_left;	      /* steps that have not begun */
	struct under_load under_load; /* .signal_number: signal that ended it; 0: none */
	uint64_t last_ns;	      /* end of the previous sample, since 1970 */
};

/*
 * Runs a sweep in the calling thread. A node without enough free memory is left out, with the
 * reason in .skipped. The caller frees *out by sweep_free(), also after an error. Returns 0 or a
 * negative errno:
 *
 * - -EINTR: signal out->under_load.signal_number came
 * - ERROR_USAGE: there is no node as chosen
 * - ERROR_NO_UNIT, ERROR_PERMISSION, ERROR_IN_USE: nothing can be counted
 */
int sweep_run(const struct sweep_options *options, const struct log *log, struct sweep *out,
	      struct error *err);
void sweep_free(struct sweep *sweep);

/* Writes the header of a CSV with a row per point. */
void sweep_csv_header(FILE *out);
/* Writes the row of a point; unknown values are empty. */
void sweep_csv_row(const struct sweep_point *point, FILE *out);

/* Prints two lines per node and mix: the curve by the chase, and by the counters. */
void sweep_summary(const struct sweep_points *all, FILE *out);

#endif
