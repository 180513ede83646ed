/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Known traffic: reads and writes memory of one NUMA node at a given rate, and counts the bytes
 * transferred.
 *
 *   load_open ──> load_start ──> (load_progress) ──> load_stop ──> load_close
 *                    ^─────────────────────────────────┘
 *
 *   load.c        real memory, or a load that is injected into a simulated machine
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

/* The highest possible rate. */
#define LOAD_MOST INFINITY

struct load_spec {
	int node;	/* node whose memory is used */
	uint64_t bytes; /* memory in use; see load_memory_for() */
	/*
	 * CPUs, with one thread on each; load_open() copies them. CPUs on which this process must
	 * not run are left out. The first of the others is reserved for the pointer chase, unless
	 * it is the only one.
	 */
	const unsigned *cpus;
	size_t cpu_count;
	bool runs_kernels; /* all CPUs run kernels: none is reserved for the chase */
};

/* The traffic to generate. A byte counts once, as read or as written. */
struct load_traffic {
	double bytes_per_s; /* 0: none; LOAD_MOST: as much as possible */
	double read_share;  /* part that is read, from 0 to 1; writes are non-temporal */
	bool chase; /* also runs a pointer chase, to measure the latency of its dependent reads */
	/* each CPU runs only .kernel, at full speed; the members above are ignored */
	bool kernel_alone;
	enum calibration_kernel kernel;
	unsigned chains; /* for KERNEL_CHASE, up to KERNEL_CHAINS_MOST */
};

struct load_progress {
	uint64_t time_ns; /* by the clock that paces the load */
	/* Totals since load_open(). */
	uint64_t bytes_read, bytes_written; /* without bytes of the chase that measures latency */
	double chased;			    /* dependent reads of that chase */
	double chase_ns;		    /* the time that they took, one after another */
};

/*
 * Sets the bytes of a node's memory to use: much more than the last-level cache holds, at most half
 * of the free memory. Sets 0 if the load is injected: it needs none. ERROR_FAILED: too little is
 * free, or the node has no memory.
 */
int load_memory_for(struct platform *p, int node, uint64_t *bytes, struct error *err);

/*
 * Allocates the memory, fills it and verifies that each page lies on the node. p must outlive the
 * load. ERROR_FAILED: the node has no memory for it, or this process may run on none of the CPUs.
 * The message names the node.
 */
int load_open(struct platform *p, const struct load_spec *spec, struct load **out,
	      struct error *err);
void load_close(struct load *load); /* stops it; NULL does nothing */

/* Replaces the traffic in progress, if any. Signals are blocked in all threads of the load. */
int load_start(struct load *load, const struct load_traffic *traffic, struct error *err);
/*
 * Stops the traffic. Waits until each thread has finished its chunk in progress: less than a
 * millisecond.
 */
int load_stop(struct load *load, struct error *err);

int load_progress(struct load *load, struct load_progress *out, struct error *err);

#endif
