/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A load is known traffic: it reads and writes memory of one NUMA node at a given rate, and counts
 * the bytes transferred. All functions of a load are called from one thread.
 *
 *   load_open ──> load_start ──> (load_progress) ──> load_stop ──> load_close
 *                    ^─────────────────────────────────┘
 *
 *   load.c        real memory or, in a simulated machine, traffic that only its counters see
 *                 (simulation_ops.inject_load)
 *   placement.c   memory on the node, and proof that it is there
 *   workers.c     threads on CPUs, and the bytes that each has transferred
 *     kernels.c   loops that read, write or chase pointers, and the pacing of their chunks
 */
#ifndef CXLMON_PROBE_LOAD_LOAD_H
#define CXLMON_PROBE_LOAD_LOAD_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/platform.h"
#include "platform/simulation.h"

struct load;

/* A rate that means: as many bytes per second as possible. */
#define LOAD_MOST INFINITY

struct load_spec {
	int node;	/* node whose memory is used */
	uint64_t bytes; /* memory to use, as load_memory_for() sets it */
	/*
	 * CPUs, with one thread on each; load_open() copies them, without CPUs on which this
	 * process must not run. The first CPU left is only for the pointer chase, unless it is the
	 * only one or .runs_kernels is set.
	 */
	const unsigned *cpus;
	size_t cpu_count;
	bool runs_kernels; /* all load_traffic of the load has .kernel_alone set */
};

/* The traffic to generate. A byte counts once, as read or as written. */
struct load_traffic {
	double bytes_per_s; /* 0: none; LOAD_MOST: as much as possible */
	double read_share;  /* part that is read, from 0 to 1; writes are non-temporal */
	bool chase; /* also runs a pointer chase, to measure the latency of its dependent reads */
	/* each CPU runs only .kernel, at full speed; the members above are ignored */
	bool kernel_alone;
	enum calibration_kernel kernel;
	unsigned chains; /* chains per CPU of KERNEL_CHASE, from 1 to KERNEL_CHAINS_MOST */
};

struct load_progress {
	uint64_t time_ns; /* time of the call, by the clock that paces the load */
	/* bytes since load_open(), without reads of .chase */
	uint64_t bytes_read, bytes_written;
	double chased;	 /* dependent reads of .chase since load_open() */
	double chase_ns; /* ns that these took, one after another */
};

/*
 * Sets *bytes to the memory of a node to use: many times the last-level cache, but at most half of
 * the free memory; 0 in a simulated machine, which needs none. ERROR_FAILED: too little is free, or
 * the node has no memory; *bytes is undefined.
 */
int load_memory_for(struct platform *p, int node, uint64_t *bytes, struct error *err);

/*
 * Allocates the memory, fills it, and verifies that each page lies on the node. Starts no traffic.
 * p must outlive the load. ERROR_FAILED: the node has no memory for it, or this process may run on
 * none of the CPUs. ERROR_PERMISSION: it may not choose the node of its memory. After an error *out
 * is NULL.
 */
int load_open(struct platform *p, const struct load_spec *spec, struct load **out,
	      struct error *err);
void load_close(struct load *load); /* stops it; NULL does nothing */

/*
 * Starts this traffic in place of the present one, in threads that block all signals. ERROR_FAILED:
 * a thread cannot be started, and no traffic runs.
 */
int load_start(struct load *load, const struct load_traffic *traffic, struct error *err);
/* Stops the traffic, and waits some ms for its threads. Fails only in a simulated machine. */
int load_stop(struct load *load, struct error *err);

/* Sets *out to the progress so far. Fails only in a simulated machine. */
int load_progress(struct load *load, struct load_progress *out, struct error *err);

#endif
