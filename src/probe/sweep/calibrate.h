/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A calibration: kernels that each stall for one cause run on a few CPUs, each with its memory in
 * DRAM and then in CXL memory, while the stalls of these CPUs are counted.
 *
 *   calibrate_place.c     nodes and CPUs
 *   calibration.c         results, as they are recorded
 */
#ifndef CXLMON_PROBE_SWEEP_CALIBRATE_H
#define CXLMON_PROBE_SWEEP_CALIBRATE_H

#include <signal.h>
#include <stdio.h>

#include "probe/load/under_load.h"
#include "probe/sweep/calibration.h"
#include "session/session.h"

#define CALIBRATE_RUNS 7 /* kernels, by their chains */

/* The place of kernels and of their memory: calibrate_place.c. */

/*
 * CPUs for kernels: so few that no memory is near its maximum bandwidth, where latency rises; more
 * than one, because CPUs differ in their distance from memory.
 */
#define CALIBRATE_CPUS 2

struct calibrate_place {
	int dram_node, cxl_node;
	unsigned cpus[CALIBRATE_CPUS]; /* CPUs of the DRAM node, each on a core of its own */
	size_t cpu_count;
};

/*
 * Finds the place. node: its memory is compared with that of the nearest node with CPUs; -1: the
 * first node of CXL memory. ERROR_NO_UNIT: there is none; ERROR_USAGE: no other node has CPUs;
 * ERROR_FAILED: this process may not run there.
 */
int calibrate_place_find(const struct machine *machine, int node, struct calibrate_place *out,
			 struct error *err);

struct calibrate;

struct calibrate_options {
	const char *sim;  /* NULL: real hardware */
	const char *root; /* "/" */
	enum session_backend backend;
	int node;	   /* see calibrate_place_find() */
	uint64_t total_ns; /* time of all runs together */
	const sigset_t *wake;
	/* Called before counting, with the planned runs. An error ends the calibration. */
	int (*begin)(void *context, const struct calibrate *calibrate, struct error *err);
	/* Called before a run with memory of that node, with the time until the last one ends. */
	void (*progress)(void *context, const struct calibration_run *run, int node,
			 uint64_t left_ns);
	/* Called for each sample; run: complete with it, or NULL. An error ends the calibration. */
	int (*sample)(void *context, const struct sample *sample, const struct calibration_run *run,
		      struct error *err);
	void *context;
};

enum { IN_DRAM, IN_CXL, CALIBRATE_MEMORIES };

struct calibrate {
	const struct calibrate_options *options;
	char *sim; /* options->sim, without traffic of a demo */
	struct session session;
	struct calibrate_place place;
	uint64_t memory_bytes[CALIBRATE_MEMORIES]; /* 0: a simulated machine has none */
	struct load *loads[CALIBRATE_MEMORIES];
	uint64_t step_ns;	      /* time of one of the two parts of a run */
	size_t steps_left;	      /* parts that have not ended */
	struct under_load under_load; /* .signal_number: signal that ended it; 0: none */
};

/*
 * Runs a calibration. Freed by calibrate_free(), also after an error. -EINTR: a signal came.
 * ERROR_NO_UNIT: the stalls of a chase are not counted. Other errors are those of
 * session_open_on(), calibrate_place_find() and load_open().
 */
int calibrate_run(const struct calibrate_options *options, const struct log *log,
		  struct calibrate *out, struct error *err);
void calibrate_free(struct calibrate *calibrate);

/* Prints a line per run: stalls in both memories, and the slowdown in CXL memory. */
void calibrate_print(const struct calibration_runs *all, FILE *out);

#endif
