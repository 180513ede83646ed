/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A calibration: small loops (kernels), each of which stalls for one cause. They run on a few CPUs,
 * with their memory in DRAM and then in CXL memory, while the stalls of these CPUs are counted.
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

#define CALIBRATE_RUNS 7 /* kernels; a chase with another number of chains is another kernel */

/* calibrate_place.c: the place of kernels and of their memory. */

/*
 * CPUs for kernels. More than one, because CPUs differ in their distance from memory; so few that
 * no memory is near its maximum bandwidth, where latency rises.
 */
#define CALIBRATE_CPUS 2

/* The two parts of a run, by its memory. */
enum { IN_DRAM, IN_CXL, CALIBRATE_MEMORIES };

struct calibrate_place {
	int nodes[CALIBRATE_MEMORIES];
	unsigned cpus[CALIBRATE_CPUS]; /* CPUs of nodes[IN_DRAM], one per core */
	size_t cpu_count;
};

/*
 * Finds the place. node is the node that serves as CXL memory; -1: the first node of CXL memory.
 * The DRAM node is the nearest node with CPUs. ERROR_NO_UNIT: there is no CXL memory. ERROR_USAGE:
 * no other node has CPUs. ERROR_FAILED: this process may run on none of the DRAM node's CPUs.
 */
int calibrate_place_find(const struct machine *machine, int node, struct calibrate_place *out,
			 struct error *err);

struct calibrate;

struct calibrate_options {
	const char *sim;  /* simulated machine; NULL: real hardware */
	const char *root; /* "/", or a directory that stands for it */
	enum session_backend backend;
	int node;	      /* see calibrate_place_find() */
	uint64_t total_ns;    /* time of all runs; a part takes at least LOAD_MIN_STEP_NS */
	const sigset_t *wake; /* signals that end the calibration */
	/*
	 * Called once before counting, with .place and .step_ns set. An error ends all. Not NULL.
	 */
	int (*begin)(void *context, const struct calibrate *calibrate, struct error *err);
	/*
	 * Called before each part of a run; node: its memory. left_ns: time until the end of all.
	 * NULL: not called.
	 */
	void (*progress)(void *context, const struct calibration_run *run, int node,
			 uint64_t left_ns);
	/*
	 * Called for each sample, whose values the session's view has. run: the run that ended with
	 * it; NULL: none. An error ends the calibration. Never NULL.
	 */
	int (*sample)(void *context, const struct sample *sample, const struct calibration_run *run,
		      struct error *err);
	void *context; /* passed to the functions above */
};

struct calibrate {
	const struct calibrate_options *options; /* not owned */
	char *sim;				 /* options->sim without a demo's traffic; owned */
	struct session session;
	struct calibrate_place place;
	uint64_t memory_bytes[CALIBRATE_MEMORIES]; /* 0: a simulated machine needs none */
	struct load *loads[CALIBRATE_MEMORIES];
	uint64_t step_ns;	      /* time of one part of a run */
	size_t steps_left;	      /* parts that have not begun */
	struct under_load under_load; /* .signal_number: signal that ended it; 0: none */
};

/*
 * Runs a calibration in the calling thread. The caller frees *out by calibrate_free(), also after
 * an error. Returns 0 or a negative errno:
 *
 * - -EINTR: signal out->under_load.signal_number came
 * - ERROR_NO_UNIT: no place is found, or the stalls of a chase are not counted
 * - ERROR_PERMISSION, ERROR_IN_USE: nothing can be counted
 * - ERROR_FAILED: a node has too little free memory
 */
int calibrate_run(const struct calibrate_options *options, const struct log *log,
		  struct calibrate *out, struct error *err);
void calibrate_free(struct calibrate *calibrate);

/* Prints a line per run: stalls in both memories, and the slowdown in CXL memory. */
void calibrate_print(const struct calibration_runs *all, FILE *out);

#endif
