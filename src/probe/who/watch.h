/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A scan: processes with memory on the watched nodes, with its amount, and groups of them. A watch
 * takes one scan after another.
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

/* The watched NUMA nodes, and devices in devdax mode. */
struct who_nodes {
	struct cxl_nodes numa;
	/* devices with memory that would belong to these nodes; freed by who_nodes_free() */
	struct devdax *dax;
	size_t dax_count;
};

/* Finds nodes as cxl_nodes_find() does, with its errors, and their devices. */
int who_nodes_find(struct platform *p, const char *root, const struct cxl_node_choice *choice,
		   struct who_nodes *out, struct error *err);
void who_nodes_free(struct who_nodes *nodes);

struct who_memory {
	uint64_t bytes;
	double growth; /* bytes since the last scan; NAN: unknown */
};

#define WHO_BYS (BY_RESCTRL + 1) /* kinds of rows */

/* A thread of a process, for who_estimate(). */
struct who_thread {
	unsigned tid;
	unsigned cpu;	  /* CPU on which it last ran */
	uint64_t started; /* clock ticks since boot */
	uint64_t ticks;	  /* CPU time since it was started, in clock ticks */
	uint64_t ran;	  /* CPU time since the last scan, in clock ticks */
};

/*
 * A process or a group: a cgroup (possibly a container or VM), a user's processes, or the
 * processes of a group of resctrl.
 */
struct who_row {
	/*
	 * the same in every scan: a path below its file system, a user's number, or a process's pid
	 * and start
	 */
	char *key;
	/* printable(); "": the process's name cannot be read */
	char *name;
	uint64_t total;		   /* bytes on all nodes */
	struct who_memory sum;	   /* sum over the watched nodes */
	struct who_memory *memory; /* memory by watched node */
	/* bytes mapped of all watched devices in devdax mode; unused for cgroups */
	uint64_t dax_sum;
	uint64_t *dax; /* bytes mapped of each device */
	/* time ran out: bytes are lower limits */
	bool partial;
	/* loads from the watched nodes, if they are sampled; NAN: unknown */
	double reads_per_s;
	/* reads from CXL memory, estimated by who_estimate() for a process; NAN: unknown */
	double read_MBps;
	/* Valid for groups of resctrl; NAN: unknown. */
	double read_bytes;	       /* total */
	double cycles, stalled_cycles; /* unhalted; stalled by loads that missed the L3 */
	double stalled_pct;	       /* percent of .cycles since the last scan */
	/* Valid for groups of resctrl, and for cgroups with the tasks of one group. */
	int rmid; /* RMID by which processors count it; -1: unknown */
	/* traffic by region since the last scan, if it is counted */
	double region_MBps[MEMORY_REGIONS];

	/* Valid for processes. */
	unsigned pid;
	uid_t uid;
	char user[PROCESS_USER_SIZE]; /* printable(); a number if the user has no name */
	struct who_thread *threads;
	size_t thread_count;
	bool threads_known; /* .ran is valid in all threads */
};

struct who_rows {
	struct who_row *at;
	size_t count;
};

struct who_scan {
	bool taken;
	uint64_t wall_ns; /* beginning, UTC since 1970 */
	uint64_t time_ns; /* beginning, on the platform's clock */
	uint64_t took_ns;
	/* time since the beginning of the last scan; NAN: this is the first */
	double interval_s;
	uint64_t missed;	   /* deadlines missed since the last scan */
	struct who_rows processes; /* most bytes on the watched nodes first */
	/* most bytes first; empty if rows are processes */
	struct who_rows groups;
	/* Numbers of processes or, if rows are cgroups, containers or VMs, of cgroups. */
	size_t seen; /* processes with memory on any node */
	size_t read; /* seen, and their memory was counted */
	/* read, but not completely for lack of time */
	size_t partial;
	/* not seen: their memory may not be read */
	size_t refused;
	/* seen, but their numa_maps is not as expected */
	size_t unclear;
	/* seen, but time ran out before any memory on watched nodes was found */
	size_t late;
	size_t beyond; /* cgroups that are too deep, or too many */
	/* groups of resctrl whose RMID is unknown, if regions are counted */
	size_t no_rmid;
	enum cgroup_lacking lacking;
	/* rows whose sampled reads are unknown because they include a VM */
	size_t with_guests;
	uint64_t late_resident; /* bytes in memory of .late processes, on any node */
};

struct who_watch {
	/* set by the caller */
	struct platform *platform;
	/* root directory of procfs; NULL: processes are simulated */
	const char *root;
	const struct who_nodes *nodes;
	enum row_by by;
	/* number list of the processes to scan; NULL: all */
	const char *pids;
	/* path of the cgroup to scan, with all below; "": all */
	char cgroup[PROCESS_CGROUP_SIZE];
	bool with_threads;
	/* Called with context in each who_watch_wait(); NULL: none. */
	void (*meanwhile)(void *context);
	void *context;
	const sigset_t *wake; /* NULL: signals are not checked */
	/*
	 * Counters of groups of resctrl, or of cgroups by these groups; NULL: none, or not wanted.
	 */
	struct region_counters *regions;

	int signal_number; /* signal that ended a scan; 0: none */
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

/* Tells if a node's memory is worth showing: there is some, or some was returned. */
static inline bool who_memory_is_shown(const struct who_memory *memory)
{
	return memory->bytes || memory->growth < 0;
}

/* Returns the rows that are shown. */
static inline const struct who_rows *who_shown(const struct who_scan *scan, enum row_by by)
{
	return by == BY_PROCESS ? &scan->processes : &scan->groups;
}

#endif
