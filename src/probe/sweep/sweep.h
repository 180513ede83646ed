/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loaded latency of each node: from idle to the maximum bandwidth, in steps, for several shares of
 * reads, while a pointer chase and the counters measure latency.
 */
#ifndef CXLMON_PROBE_SWEEP_SWEEP_H
#define CXLMON_PROBE_SWEEP_SWEEP_H

#include <signal.h>
#include <stdio.h>

#include "probe/load/under_load.h"
#include "probe/sweep/sweep_point.h"
#include "session/session.h"

#define SWEEP_MIXES 4
#define SWEEP_STEPS 13

struct sweep;

struct sweep_options {
	const char *sim;  /* NULL: real hardware */
	const char *root; /* "/" */
	enum session_backend backend;
	struct load_choice choice;
	uint64_t total_ns; /* time of all steps together */
	const sigset_t *wake;
	/* Called before counting, with the planned steps. An error ends the sweep. */
	int (*begin)(void *context, const struct sweep *sweep, struct error *err);
	/*
	 * Called before each step, with the time until the last one ends. part is relative to the
	 * maximum; NAN: the maximum is measured.
	 */
	void (*progress)(void *context, const struct load_node *node, double read_share,
			 double part, uint64_t left_ns);
	/* Called for each sample; point: NULL between two steps. An error ends the sweep. */
	int (*sample)(void *context, const struct sweep *sweep, const struct sample *sample,
		      const struct sweep_point *point, struct error *err);
	void *context;
};

struct sweep {
	const struct sweep_options *options;
	char *sim; /* options->sim, without traffic of a demo */
	struct session session;
	struct load_nodes found;
	uint64_t step_ns;
	size_t steps_left;	      /* steps that have not ended */
	struct under_load under_load; /* .signal_number: signal that ended it; 0: none */
	uint64_t last_ns;	      /* end of the previous sample, since 1970 */
};

/*
 * Runs a sweep. Freed by sweep_free(), also after an error. -EINTR: a signal came. ERROR_USAGE,
 * ERROR_NO_UNIT, ERROR_PERMISSION, ERROR_IN_USE: as session_open_on(), and load_nodes_find(). A
 * node without enough memory is left out, with the reason in .skipped.
 */
int sweep_run(const struct sweep_options *options, const struct log *log, struct sweep *out,
	      struct error *err);
void sweep_free(struct sweep *sweep);

/* Writes the columns of a CSV with a row per point; unknown values are empty. */
void sweep_csv_header(FILE *out);
void sweep_csv_row(const struct sweep_point *point, FILE *out);

/* Prints a line per curve: a node and mix, by the chase and by the counters. */
void sweep_summary(const struct sweep_points *all, FILE *out);

#endif
