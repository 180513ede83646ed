/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A row of top, who and hot: a process, a group of processes, or a part of their reads. It has
 * memory, reads, and latencies of reads. A number that was not measured is NAN.
 */
#ifndef CXLMON_PROCESS_ROW_H
#define CXLMON_PROCESS_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/rdt.h"
#include "process/identity.h"
#include "process/scan.h"

/* Sampled reads from one kind of memory. */
struct memory_reads {
	/*
	 * Rates of the last interval; NAN: unknown. If a row of top or who has a VM, both are
	 * unknown. Rows of top never have .per_s.
	 */
	double per_s, MBps;
	uint64_t samples; /* samples of the event that counts reads */
	uint64_t timed;	  /* samples with a latency */
	/* percentiles of latency, and the highest latency */
	double p50_ns, p90_ns, p99_ns, max_ns;
};

struct row_reads {
	struct memory_reads cxl, dram;
	uint64_t unplaced; /* samples of reads from unknown memory */
	double share_pct;  /* sampled reads from CXL memory, in percent of such reads in all rows */
	/* sampled reads from CXL memory, in percent of all reads that CXL ports counted */
	double ports_pct;
	/* percentiles of CXL latency in the row's group: all of its processes together */
	double group_p50_ns, group_p99_ns;
};

/* Values of counters, which only rows of who have. */
struct row_counted {
	/* reads from CXL memory: estimated for a process, counted for a resctrl group */
	double read_MBps;
	double read_bytes; /* bytes that a resctrl group has read from CXL memory so far */
	/* cycles of a resctrl group so far: unhalted, and stalled by L3 misses */
	double cycles, stalled_cycles;
	double stalled_pct; /* stalled cycles in percent of cycles, since the previous scan */
	/*
	 * RMID of a resctrl group. In the row of a cgroup: RMID of the resctrl group that has all
	 * of the cgroup's tasks and no others. -1: unknown, or no such group
	 */
	int rmid;
	double region_MBps[MEMORY_REGIONS]; /* traffic by region since the previous scan */
};

/* A thread of a process, for the estimate of its reads: see who_estimate(). */
struct row_thread {
	unsigned tid;
	unsigned cpu;	  /* CPU on which it last ran */
	uint64_t started; /* clock ticks from boot to its start */
	uint64_t ticks;	  /* CPU time since its start, in clock ticks */
	uint64_t ran;	  /* CPU time since the previous scan, in clock ticks */
};

struct row_threads {
	struct row_thread *at;
	size_t count;
	bool known; /* all threads are in .at, with a valid .ran */
};

struct process_row {
	struct process_identity is; /* .pid 0: a group, or unknown */
	/*
	 * Identity of a row in all scans of who: a group's path below its file system, a user's
	 * number, or a process's pid and start. Owned. NULL: not a row of who.
	 */
	char *key;
	/* name of a group or mapping; name of a function; "": unknown; not owned */
	const char *name, *function;
	int node, cpu;	  /* -1: unknown, or several */
	uint64_t address; /* address of the page; 0: the row is not of one page */
	struct process_memory memory;
	double age_s;	     /* time since .memory was read */
	double growth;	     /* change of memory.cxl since the previous scan, in bytes */
	double *node_growth; /* change of each of memory.bytes; owned; NULL: unknown */
	uint64_t *dax;	     /* mapped bytes of each device in devdax mode; owned; NULL: unknown */
	uint64_t dax_sum;    /* sum of .dax */
	struct row_reads reads;
	struct row_counted counted;
	struct row_threads threads; /* threads of a process; .at is owned */
};

/* An empty row: numbers are NAN, counts are 0, strings are empty, node and CPU are -1. */
extern const struct process_row process_row_unknown;

#endif
