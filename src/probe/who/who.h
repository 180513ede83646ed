/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out who has memory on CXL nodes, by scans of processes or cgroups, once or at an interval.
 *
 *   who.c           the run, and the choice of nodes
 *   watch.h         results of a scan
 *   scan.c          processes with memory on these nodes
 *   rows.c          rows of processes, and of users
 *   cgroups.c       cgroups, containers and VMs, by the memory charged to their cgroup
 *   mon_groups.c    resctrl groups, with their counts
 *   cgroup_rmids.c  RMIDs of cgroups that have exactly the tasks of a resctrl group
 *   reads.c         reads from CXL memory by CPU, split among processes
 *   samples.c       sampled loads, by a run of process/load_run.h
 *   print_table.c, print_rows.c  output formats
 */
#ifndef CXLMON_PROBE_WHO_WHO_H
#define CXLMON_PROBE_WHO_WHO_H

#include "output/diagnostics.h"
#include "platform/load_sample.h"
#include "poller/timetable.h"
#include "probe/who/reads.h"
#include "probe/who/watch.h"
#include "uncore/rdt/region_counters.h"

/* Pointers are not owned, and must be valid until who_close(). */
struct who_options {
	struct session_options session; /* .sim, .root, .backend; .interval_ns 0: one scan */
	struct cxl_node_choice choice;	/* nodes to watch */
	enum row_by by;			/* kind of rows */
	const char *pids;		/* number list; NULL: all processes */
	const char *cgroup;		/* see cgroup_path_of() (cgroup_names.h); NULL: all */
	bool sampled;			/* loads are sampled */
	/* event to sample; NULL: the processor's event of loads */
	const struct load_event *event;
	const sigset_t *wake; /* signals that end a wait or a scan */
};

/* A run of scans. */
struct who {
	const struct who_options *options;
	const struct log *log; /* receives notes */
	struct who_nodes nodes;
	struct platform *own;	    /* opened by who_open(), and destroyed by who_close() */
	struct who_watch watch;	    /* .scan is the latest scan */
	struct who_reads counted;   /* reads by CPU */
	bool counting;		    /* .counted is open */
	struct who_samples samples; /* .open false: nothing is sampled */
	bool groups_count;	    /* resctrl groups count reads */
	bool groups_stall;	    /* resctrl groups count memory stall cycles */
	/* counters by region, if .watch.regions points here */
	struct region_counters regions;
	/* the machine has one socket; set only if counters by region were looked for */
	bool one_socket;
	struct diagnostics diagnostics;
	struct deadlines deadlines; /* used unless .counting: the poller has its own */
	/* kinds of notes that were written, each at most once in a run */
	bool said_refused, said_unclear, said_late, said_partial, said_beyond, said_lacking,
		said_dax, said_guests, said_no_rmid;
};

/*
 * Opens the machine and finds the nodes. *out must not move until who_close(), which is also called
 * after an error.
 *
 * If scans are repeated, starts to count, depending on the kind of rows:
 * - processes: reads by CPU, if all processes are scanned and loads are not sampled
 * - resctrl groups: their reads, memory stall cycles and bytes by region
 * - cgroups, containers, VMs: bytes by region
 *
 * If reads cannot be counted, a note in the log says why, unless bytes by region are counted.
 *
 * If .sampled is set, starts to sample loads, whether or not scans are repeated. If rows are VMs,
 * writes a note to the log instead.
 *
 * Returns 0 or a negative errno:
 * - ERROR_NO_UNIT: no node of CXL memory is known, or loads cannot be sampled
 * - ERROR_PERMISSION: the kernel does not allow sampling
 * - ERROR_USAGE: no node matches the choice
 */
int who_open(const struct who_options *options, const struct log *log, struct who *out,
	     struct error *err);

/*
 * Waits for the next deadline, except before the first scan, and takes a scan into .watch.scan. If
 * processes or cgroups were left out, writes notes to the log, one per reason and run. Returns 0 or
 * a negative errno:
 * - -EINTR: the signal .watch.signal_number came
 * - ERROR_PERMISSION: no process or cgroup can be scanned
 */
int who_next(struct who *who, struct error *err);

/* Ends a run, and restores registers. Returns 0 or a negative errno of session_stop(). */
int who_close(struct who *who, struct error *err);

#endif
