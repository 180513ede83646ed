/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who has memory on CXL nodes: scans all processes, or cgroups, once or at fixed deadlines.
 *
 *   who.c      the run
 *   nodes.c    which nodes
 *   scan.c     which processes have memory there
 *   groups.c   or which groups: users,
 *   cgroups.c  cgroups, by the memory that is charged to them, containers and VMs
 *   cgroup_names.c  the names of these
 *   mon_groups.c  groups of resctrl, and what they have counted
 *   wait.c     for deadlines and signals
 *   reads.c    what each CPU reads from CXL memory, and which processes that is for
 *   samples.c  loads that are sampled
 *   print_table.c, print_rows.c, print_row.c  how it is shown
 */
#ifndef CXLMON_WHO_H
#define CXLMON_WHO_H

#include "session/session.h"
#include "who/scan.h"

struct who_options {
	const char *root; /* "/" */
	enum session_backend backend;
	struct who_choice choice;
	enum who_by by;
	uint64_t interval_ns;		/* 0: one scan */
	uint64_t count;			/* scans; 0: endless */
	bool sampled;			/* loads are sampled, */
	const struct load_event *event; /* by this event; NULL: that of the processor */
	const sigset_t *wake;
	/* Before the first scan is passed on; reads: those of CPUs are counted. An error ends it.
	 */
	int (*begin)(void *context, const struct who_nodes *nodes, bool reads, struct error *err);
	/* After each scan. An error ends the run. */
	int (*scan)(void *context, const struct who_scan *scan, struct error *err);
	void *context;
};

/*
 * The first scan is at once. -EINTR: a signal came, its number is in *signal_number. EXIT_NO_UNIT,
 * EXIT_USAGE: as who_nodes_find(). Where reads can't be counted, a note says why.
 */
int who_run(const struct who_options *options, const struct log *log, int *signal_number,
	    struct error *err);

#endif
