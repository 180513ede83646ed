/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A scan: the processes that have memory on the watched nodes, and how much, and groups of them. A
 * watch takes one scan after another.
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
#include "uncore/devices/cxl_nodes.h"

struct region_counters;

/* The NUMA nodes whose memory is looked for in processes, and devices in devdax mode. */
struct who_nodes {
	struct cxl_nodes numa;
	struct devdax *dax; /* memory that would be of these nodes; freed by who_nodes_free() */
	size_t dax_count;
};

/* Finds them as cxl_nodes_find() does, with its errors. */
int who_nodes_find(struct platform *p, const char *root, const struct cxl_node_choice *choice,
		   struct who_nodes *out, struct error *err);
void who_nodes_free(struct who_nodes *nodes);

struct who_memory {
	uint64_t bytes;
	double growth; /* bytes since the last scan; NAN: not known */
};

/* What rows are of. */
enum who_by {
	WHO_BY_PROCESS,
	WHO_BY_CGROUP,
	WHO_BY_CONTAINER,
	WHO_BY_VM,
	WHO_BY_USER,
	WHO_BY_RESCTRL,
	WHO_BYS
};

static inline bool who_by_cgroups(enum who_by by)
{
	return by == WHO_BY_CGROUP || by == WHO_BY_CONTAINER || by == WHO_BY_VM;
}

/* A thread of a process, for who_estimate(). */
struct who_thread {
	unsigned tid;
	unsigned cpu;	  /* on which it last ran */
	uint64_t started; /* clock ticks since boot */
	uint64_t ticks;	  /* clock ticks of CPU time since it was started */
	uint64_t ran;	  /* of these, since the last scan */
};

/*
 * A process, or a group: a cgroup, which may be a container or a VM, or processes of a user or of a
 * group of resctrl.
 */
struct who_row {
	/* names it in every scan: a path below the file system; a number: a user's, a process's */
	char *key;
	char *name;		   /* printable(); "" where that of a process can't be read */
	uint64_t total;		   /* bytes on all nodes */
	struct who_memory sum;	   /* on the watched nodes */
	struct who_memory *memory; /* on each watched node */
	uint64_t dax_sum;	   /* bytes of devices in devdax mode that it has mapped, */
	uint64_t *dax;		   /* and of each that is watched; unless it is a cgroup */
	bool partial;	    /* there was no time for all of it: it has at least these bytes */
	double reads_per_s; /* loads from the watched nodes, of samples, if they are sampled; NAN:
			       not known */
	double read_MBps;   /* from CXL memory; of a process see who_estimate(); NAN: not known */
	/* of a group of resctrl; NAN: not known */
	double read_bytes;	       /* in all */
	double cycles, stalled_cycles; /* unhalted; of these, on loads that missed the L3 */
	double stalled_pct;	       /* since the last scan */
	/* likewise, or of a cgroup that has the tasks of one */
	int rmid;			    /* by which processors count it; -1: not known */
	double region_MBps[MEMORY_REGIONS]; /* since the last scan, by kind; where they are counted
					     */

	/* of a process */
	unsigned pid;
	uid_t uid;
	char user[PROCESS_USER_SIZE]; /* printable(); the number where it has no name */
	struct who_thread *threads;
	size_t thread_count;
	bool threads_known; /* .ran of each is */
};

struct who_rows {
	struct who_row *at;
	size_t count;
};

struct who_scan {
	bool taken;
	uint64_t wall_ns; /* begin, since 1970 in UTC */
	uint64_t time_ns; /* likewise, on the platform's clock */
	uint64_t took_ns;
	double interval_s;	   /* since the begin of the last scan; NAN: there was none */
	uint64_t missed;	   /* deadlines since the last scan */
	struct who_rows processes; /* most bytes on the watched nodes first */
	struct who_rows groups;	   /* likewise; unless by process */
	/* of processes; by cgroup, container or VM: of cgroups */
	size_t seen;	/* processes with memory, on whatever node */
	size_t read;	/* of those seen, whose memory was counted */
	size_t partial; /* of those read, not all of theirs */
	size_t refused; /* more, whose memory may not be read */
	size_t unclear; /* of those seen, whose numa_maps is not as expected */
	size_t late;	/* of those seen, for which there was no time, and none found so far */
	size_t beyond;	/* cgroups that are too deep, or too many */
	size_t no_rmid; /* groups of resctrl whose RMID is not known, where regions are counted */
	enum cgroup_lacking lacking;
	size_t with_guests; /* rows whose sampled reads are not known, as a VM is a part of them */
	uint64_t late_resident; /* bytes that these have in memory, on whatever node */
};

struct who_watch {
	/* set by the caller */
	struct platform *platform;
	const char *root; /* of files of procfs; NULL: it has none, but is simulated */
	const struct who_nodes *nodes;
	enum who_by by;
	const char *pids;		  /* number list: only these; NULL: all processes */
	char cgroup[PROCESS_CGROUP_SIZE]; /* path: only those below it; "": all */
	bool with_threads;
	/* called in each who_watch_wait(), with context; NULL: nothing is */
	void (*meanwhile)(void *context);
	void *context;
	const sigset_t *wake; /* NULL: signals are not looked for */
	/* of groups of resctrl, or of cgroups by these; NULL: none, or not asked for */
	struct region_counters *regions;

	int signal_number; /* that ended a scan; 0: none */
	struct who_scan scan, last;
};

/*
 * Sleeps until the platform's clock reaches ns; 0 only polls. -EINTR: a signal came that ends the
 * program.
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

/* Whether there is something to say of a node: memory, or what was given back. */
static inline bool who_memory_is_shown(const struct who_memory *memory)
{
	return memory->bytes || memory->growth < 0;
}

/* The rows that are shown. */
static inline const struct who_rows *who_shown(const struct who_scan *scan, enum who_by by)
{
	return by == WHO_BY_PROCESS ? &scan->processes : &scan->groups;
}

#endif
