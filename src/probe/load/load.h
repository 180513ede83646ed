/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Known traffic: reads and writes memory of one NUMA node at a given rate, and counts the bytes
 * that it has moved.
 *
 *   load_open ──> load_start ──> (load_progress) ──> load_stop ──> load_close
 *                    ^─────────────────────────────────┘
 *
 *   load.c        real memory, or a load that a simulated machine takes
 *                 (simulation_ops.inject_load)
 *   placement.c   memory on the node, and proof that it is there
 *   workers.c     threads on CPUs, what each has moved
 *     kernels.c   how bytes are read and written, how reads are made to wait for each other, and
 *                 when the next chunk is due
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

/* A rate: as much as can be had. */
#define LOAD_MOST INFINITY

struct load_spec {
	int node;	/* whose memory is used */
	uint64_t bytes; /* memory in use; see load_memory_for() */
	/*
	 * Where threads run, one on each. The first one is for the chase, if there are others.
	 * Those on which this process must not run are left out.
	 */
	const unsigned *cpus;
	size_t cpu_count;
	bool runs_kernels; /* on all of these: none is for the chase. Its traffic is of kernels */
};

/* The traffic to generate. A byte counts once, as read or as written. */
struct load_traffic {
	double bytes_per_s; /* 0: none; LOAD_MOST */
	double read_share;  /* part of these bytes, from 0 to 1; writes are non-temporal */
	bool chase;	    /* besides, dependent reads one after the other: their latency */
	/* Instead of these: each CPU runs nothing but a kernel, as fast as it can */
	bool kernel_alone;
	enum calibration_kernel kernel;
	unsigned chains; /* of KERNEL_CHASE, up to KERNEL_CHAINS_MOST */
};

struct load_progress {
	uint64_t time_ns; /* by the clock that paces the load */
	/* since load_open() */
	uint64_t bytes_read, bytes_written; /* without those of the chase that measures latency */
	double chased;			    /* dependent reads */
	double chase_ns;		    /* how long they took together */
};

/*
 * How much memory a node should have in use, in bytes: much more than the last-level cache holds,
 * at most half of what is free. 0 where the load is injected and none is needed. ERROR_FAILED: too
 * little is free, or the node has no memory.
 */
int load_memory_for(struct platform *p, int node, uint64_t *bytes, struct error *err);

/*
 * Allocates the memory, fills it and verifies that each page lies on the node. p must outlive the
 * load. ERROR_FAILED: no memory could be had there. The message names the node.
 */
int load_open(struct platform *p, const struct load_spec *spec, struct load **out,
	      struct error *err);
void load_close(struct load *load); /* stops it; NULL does nothing */

/* Replaces the traffic in progress, if any. Signals are blocked in all threads of the load. */
int load_start(struct load *load, const struct load_traffic *traffic, struct error *err);
/* Returns as soon as the threads have finished the chunk in progress, less than a millisecond. */
int load_stop(struct load *load, struct error *err);

int load_progress(struct load *load, struct load_progress *out, struct error *err);

#endif
