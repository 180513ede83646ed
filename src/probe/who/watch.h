/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A scan lists the processes with memory on the watched nodes, and groups of them, with the amount
 * of this memory. A watch takes one scan after another.
 */
#ifndef CXLMON_PROBE_WHO_WATCH_H
#define CXLMON_PROBE_WHO_WATCH_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"
#include "linux/cxl/devdax.h"
#include "linux/run/signals.h"
#include "platform/cgroups.h"
#include "platform/clock.h"
#include "platform/platform.h"
#include "platform/process.h"
#include "platform/rdt.h"
#include "process/identity.h"
#include "process/report.h"
#include "uncore/devices/cxl_nodes.h"

struct region_counters;

/* The watched NUMA nodes and devices; freed by who_nodes_free(). */
struct who_nodes {
	struct cxl_nodes numa;
	/* devices in devdax mode, with memory that would otherwise belong to these nodes */
	struct devdax *dax;
	size_t dax_count;
};

/*
 * Finds the chosen nodes, and devices in devdax mode below root (NULL: no devices). ERROR_NO_UNIT:
 * no node of CXL memory is known. ERROR_USAGE: no node is as chosen. After an error *out is empty.
 */
int who_nodes_find(struct platform *p, const char *root, const struct cxl_node_choice *choice,
		   struct who_nodes *out, struct error *err);
void who_nodes_free(struct who_nodes *nodes);

struct who_memory {
	uint64_t bytes;
	double growth; /* bytes since the previous scan; NAN: unknown */
};

#define WHO_BYS (BY_RESCTRL + 1) /* kinds of rows that a scan can have */

/* A thread of a process, for who_estimate(). */
struct who_thread {
	unsigned tid;
	unsigned cpu;	  /* CPU on which it last ran */
	uint64_t started; /* clock ticks from boot to its start */
	uint64_t ticks;	  /* CPU time since its start, in clock ticks */
	uint64_t ran;	  /* CPU time since the previous scan, in clock ticks */
};

/*
 * A process or a group: a cgroup (possibly a container or VM), a user's processes, or the
 * processes of a group of resctrl.
 */
struct who_row {
	/*
	 * identity, the same in every scan: a group's path below its file system, a user's number,
	 * or a process's pid and start
	 */
	char *key;
	char *name;		   /* printable(); "": the process's name cannot be read */
	uint64_t total;		   /* bytes on all nodes */
	struct who_memory sum;	   /* sum over the watched nodes */
	struct who_memory *memory; /* memory on each watched node */
	uint64_t dax_sum;	   /* sum of .dax; unused for cgroups */
	uint64_t *dax;		   /* mapped bytes of each watched device in devdax mode */
	bool partial;		   /* time ran out, and bytes are lower limits */
	/* loads from the watched nodes per second, set if they are sampled; NAN: unknown */
	double reads_per_s;
	/* reads from CXL memory: estimated for a process, counted for a resctrl group; or NAN */
	double read_MBps;
	/* Counts of a group of resctrl; NAN: unknown, or another kind of row. */
	double read_bytes;	       /* bytes read from CXL memory so far */
	double cycles, stalled_cycles; /* unhalted; stalled by loads that missed the L3 */
	double stalled_pct;	       /* stalled percent of its cycles since the previous scan */
	/* RMID of a resctrl group, or of the group with just this cgroup's tasks; -1: unknown */
	int rmid;
	/* traffic by region since the previous scan; NAN: unknown; set if who_watch.regions is */
	double region_MBps[MEMORY_REGIONS];

	/* Valid for processes. */
	struct process_identity is;
	struct who_thread *threads;
	size_t thread_count;
	bool threads_known; /* .threads is complete, and .ran is valid in all */
};

struct who_rows {
	struct who_row *at;
	size_t count;
};

struct who_scan {
	bool taken;
	uint64_t wall_ns; /* beginning, UTC since 1970 */
	uint64_t time_ns; /* beginning, on the platform's clock */
	uint64_t took_ns; /* duration */
	/* time since the beginning of the previous scan; NAN: this is the first */
	double interval_s;
	uint64_t missed;	   /* deadlines missed since the previous scan */
	struct who_rows processes; /* most bytes on the watched nodes first */
	/* most bytes first; empty if rows are processes */
	struct who_rows groups;
	/* Numbers of processes, or of cgroups if rows are cgroups, containers or VMs. */
	size_t seen;	/* have memory on any node */
	size_t read;	/* seen, and their memory was counted */
	size_t partial; /* read, but not completely for lack of time */
	size_t refused; /* their memory may not be read; not in .seen if hidden by hidepid=1 */
	size_t unclear; /* seen, but their file of memory by node cannot be understood */
	size_t late;	/* seen, but time ran out before any memory on watched nodes was found */
	size_t beyond;	/* cgroups that are too deep, or too many */
	/* groups of resctrl whose RMID is unknown, if regions are counted */
	size_t no_rmid;
	bool cgroup_v1, no_huge; /* see struct cgroups_walked */
	/* rows whose sampled reads are unknown because they include a VM */
	size_t with_guests;
	uint64_t late_resident; /* bytes in memory of .late processes, on any node */
};

/* A watch. Members down to .regions are set by the caller; pointers are not owned. */
struct who_watch {
	struct platform *platform;
	/* root directory of procfs; NULL: processes are simulated */
	const char *root;
	const struct who_nodes *nodes;
	enum row_by by;
	/* number list of the processes to scan; NULL: all */
	const char *pids;
	/* path of the cgroup to scan, with all below; "": all */
	char cgroup[PROCESS_CGROUP_SIZE];
	bool with_threads; /* rows of processes get .threads */
	/* called in each who_watch_wait(); NULL: none */
	void (*meanwhile)(void *context);
	void *context;	      /* passed to .meanwhile */
	const sigset_t *wake; /* signals that end a wait; NULL: no signal ends a scan */
	/* counters by region, for groups of resctrl or cgroups; NULL: none, or not wanted */
	struct region_counters *regions;

	int signal_number; /* signal that ended a scan or a wait; 0: none */
	struct who_scan scan, previous;
};

/*
 * Calls .meanwhile, and sleeps until the platform's clock reaches ns; 0: only looks for signals.
 * -EINTR: a signal of .wake came that ends the program; .signal_number is set.
 */
static inline int who_watch_wait(struct who_watch *watch, uint64_t ns, struct error *err)
{
	struct platform *p = watch->platform;
	int rc;

	if (watch->meanwhile)
		watch->meanwhile(watch->context);
	do
		rc = p->ops->clock->sleep_until(p, ns, watch->wake, &watch->signal_number);
	while (rc == -EINTR && (!watch->wake || watch->signal_number == SIGCHLD ||
				watch->signal_number == SIGNAL_KICK));
	return rc ? error_set(err, ERROR_FAILED, rc, "interrupted by a signal") : 0;
}

static inline bool who_watch_has_pid(const struct who_watch *watch, unsigned pid)
{
	return !watch->pids || numlist_contains(watch->pids, pid);
}

/* Tells if a row's memory on a node is shown: there is some, or less than in the previous scan. */
static inline bool who_memory_is_shown(const struct who_memory *memory)
{
	return memory->bytes || memory->growth < 0;
}

/* Returns the rows that a scan shows: processes, or groups. */
static inline const struct who_rows *who_shown(const struct who_scan *scan, enum row_by by)
{
	return by == BY_PROCESS ? &scan->processes : &scan->groups;
}

#endif
