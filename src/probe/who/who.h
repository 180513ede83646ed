/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who has memory on CXL nodes: scans all processes, or cgroups, once or at fixed deadlines.
 *
 *   who.c      the run, and which nodes
 *   watch.h    what a scan finds
 *   scan.c     which processes have memory there
 *   rows.c     rows of processes, or of groups: users,
 *   cgroups.c  cgroups, by the memory that is charged to them, containers and VMs
 *   mon_groups.c  groups of resctrl, and what they have counted, as for
 *     cgroup_rmids.c  cgroups that have the tasks of one
 *   reads.c    what each CPU reads from CXL memory, and which processes that is for
 *   samples.c  loads that are sampled, by a run of src/process/load_run.h
 *   print_table.c, print_rows.c  how it is shown
 */
#ifndef CXLMON_PROBE_WHO_WHO_H
#define CXLMON_PROBE_WHO_WHO_H

#include "output/diagnostics.h"
#include "platform/load_sample.h"
#include "poller/timetable.h"
#include "probe/who/reads.h"
#include "probe/who/watch.h"
#include "uncore/rdt/region_counters.h"

struct who_options {
	struct session_options session; /* .sim, .root, .backend; .interval_ns 0: one scan */
	struct cxl_node_choice choice;
	enum who_by by;
	const char *pids;		/* number list; NULL: all processes */
	const char *cgroup;		/* see cgroup_path_of(); NULL: all */
	bool sampled;			/* loads are sampled, */
	const struct load_event *event; /* by this event; NULL: that of the processor */
	const sigset_t *wake;
};

/* A run. */
struct who {
	const struct who_options *options;
	const struct log *log;
	struct who_nodes nodes;
	struct platform *own;
	struct who_watch watch; /* .scan is the latest */
	struct who_reads counted;
	bool counting;			/* .counted is open */
	struct who_samples samples;	/* .sampler NULL: nothing is sampled */
	bool groups_count;		/* those of resctrl count reads, */
	bool groups_stall;		/* and cycles in which they wait for memory, */
	struct region_counters regions; /* and bytes by region, where .watch.regions is this */
	bool one_socket;		/* where regions are counted */
	struct diagnostics diagnostics;
	struct deadlines deadlines; /* unless counting: the poller has its own */
	bool said_refused, said_unclear, said_late, said_partial, said_beyond, said_lacking,
		said_dax, said_guests, said_no_rmid;
};

/*
 * Finds the nodes, and starts counting reads; where they can't be counted, a note says why.
 * ERROR_NO_UNIT, ERROR_USAGE: as who_nodes_find(). *out must not be moved until who_close().
 */
int who_open(const struct who_options *options, const struct log *log, struct who *out,
	     struct error *err);

/*
 * Takes the next scan; the first is at once. Says what is left out. -EINTR: a signal came, its
 * number is in .watch.signal_number.
 */
int who_next(struct who *who, struct error *err);

/* After who_open(), also if that failed. Restores registers, which may fail. */
int who_close(struct who *who, struct error *err);

#endif
