/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out who has memory on CXL nodes, by scans of processes or cgroups, once or at an interval.
 *
 *   who.c      the run, and the choice of nodes
 *   watch.h    results of a scan
 *   scan.c     processes with memory on these nodes
 *   rows.c     rows of processes, and of groups: users
 *   cgroups.c  cgroups, by the memory charged to them; containers and VMs
 *   mon_groups.c    groups of resctrl, with their counts
 *   cgroup_rmids.c  RMIDs of cgroups whose tasks make up a resctrl group
 *   reads.c    reads from CXL memory by CPU, split among processes
 *   samples.c  sampled loads, by a run of src/process/load_run.h
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
	enum row_by by;
	const char *pids;   /* number list; NULL: all processes */
	const char *cgroup; /* directory, see cgroup_path_of(); NULL: all */
	bool sampled;	    /* sample loads */
	/* event to sample; NULL: the processor's event of loads */
	const struct load_event *event;
	const sigset_t *wake; /* signals that end a wait */
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
	bool groups_count;	    /* groups of resctrl count reads */
	bool groups_stall;	    /* groups of resctrl count memory stall cycles */
	/* used by .watch.regions, if bytes are counted by region */
	struct region_counters regions;
	/* the machine has one socket; set only if counters by region were looked for */
	bool one_socket;
	struct diagnostics diagnostics;
	struct deadlines deadlines; /* not used if .counting: the poller has its own */
	/* notes that were written, each once in a run */
	bool said_refused, said_unclear, said_late, said_partial, said_beyond, said_lacking,
		said_dax, said_guests, said_no_rmid;
};

/*
 * Finds the nodes. If scans are repeated, starts to count reads by CPU, or by resctrl group and
 * region of memory; if reads cannot be counted, a note says why. With .sampled, starts to sample,
 * and fails if that fails. ERROR_NO_UNIT: no node of CXL memory is known, or loads cannot be
 * sampled. ERROR_USAGE: no node is as chosen. *out must not move until who_close(), which is also
 * called after an error.
 */
int who_open(const struct who_options *options, const struct log *log, struct who *out,
	     struct error *err);

/*
 * Waits for the next deadline (the first time: not at all), and takes a scan into .watch.scan. The
 * log gets a note of each kind of process or cgroup that was left out. -EINTR: signal
 * .watch.signal_number came. ERROR_PERMISSION: no process or cgroup can be scanned.
 */
int who_next(struct who *who, struct error *err);

/* Ends a run, and restores registers, which may fail. */
int who_close(struct who *who, struct error *err);

#endif
