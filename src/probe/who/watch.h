/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A scan lists processes, or groups of processes, with memory on the watched nodes, and the amount
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
#include "process/row.h"
#include "uncore/devices/cxl_nodes.h"

struct region_counters;

/* The watched NUMA nodes and devices; freed by who_nodes_free(). */
struct who_nodes {
	struct cxl_nodes numa;
	/* devices in devdax mode; in another mode, their memory would belong to these nodes */
	struct devdax *dax;
	size_t dax_count;
};

/*
 * Finds the chosen nodes, and their devices in devdax mode. root: root directory of the machine's
 * files; NULL: no devices are looked for. Returns 0 or a negative errno, with an empty *out:
 * - ERROR_NO_UNIT: no node of CXL memory is known
 * - ERROR_USAGE: no node matches the choice
 */
int who_nodes_find(struct platform *p, const char *root, const struct cxl_node_choice *choice,
		   struct who_nodes *out, struct error *err);
void who_nodes_free(struct who_nodes *nodes);

#define WHO_BYS (BY_RESCTRL + 1) /* kinds of rows that a scan can have */

/*
 * Rows of processes, or of groups: cgroups (some of them containers or VMs), users, resctrl groups.
 * These members of a row count memory:
 * - memory.cxl, .growth: on all watched nodes together
 * - memory.bytes, .node_growth: on each of the first watched nodes, see who_nodes_shown()
 * - memory.dram: on all other nodes together
 */
struct who_rows {
	struct process_row *at;
	size_t count;
};

struct who_scan {
	bool taken;	  /* false: no scan was taken yet */
	uint64_t wall_ns; /* beginning, UTC since 1970 */
	uint64_t time_ns; /* beginning, on the platform's clock */
	uint64_t took_ns; /* duration */
	/* time from the beginning of the previous scan to the beginning of this one; NAN: none */
	double interval_s;
	uint64_t missed;	   /* deadlines missed since the previous scan */
	struct who_rows processes; /* most bytes on the watched nodes first */
	/* most bytes on the watched nodes first; empty if rows are processes */
	struct who_rows groups;

	/* numbers of cgroups, if rows are cgroups, containers or VMs; else of processes */
	size_t seen;	/* with memory on any node */
	size_t read;	/* memory was counted, at least a part of it */
	size_t partial; /* in .read: time ran out before all memory was counted */
	size_t refused; /* memory may not be read; not in .seen if hidden by hidepid=1 */
	size_t unclear; /* the kernel's file of memory by node cannot be read or understood */
	/* time ran out before any memory on the watched nodes was found */
	size_t late;

	size_t beyond; /* cgroups that are too deep, or too many */
	/* resctrl groups whose RMID is unknown, if regions are counted */
	size_t no_rmid;
	bool cgroup_v1, no_huge; /* see struct cgroups_walked */
	/* rows whose sampled reads are unknown, because they include a VM */
	size_t with_guests;
	uint64_t late_resident; /* bytes in memory of .late processes, on any node */
};

/* A watch. The caller sets the members down to .regions; pointers are not owned. */
struct who_watch {
	struct platform *platform;
	/* root directory of the machine's files; NULL: the machine is simulated */
	const char *root;
	const struct who_nodes *nodes;
	enum row_by by;
	/* number list of the processes to scan; NULL: all */
	const char *pids;
	/* path of the cgroup to scan, with all cgroups below it; "": all */
	char cgroup[PROCESS_CGROUP_SIZE];
	bool with_threads; /* rows of processes get .threads */
	/* called in each who_watch_wait(); NULL: none */
	void (*meanwhile)(void *context);
	void *context; /* passed to .meanwhile */
	/* signals that end a wait or a scan; NULL: none */
	const sigset_t *wake;
	/* counters by region, for resctrl groups or cgroups; NULL: regions are not counted */
	struct region_counters *regions;

	int signal_number; /* signal that ended a scan or a wait; 0: none */
	struct who_scan scan, previous;
};

/*
 * Calls .meanwhile, then sleeps until the platform's clock reaches ns. ns 0: only looks for
 * signals. Returns 0 or a negative errno. -EINTR: a signal of .wake came that ends the program;
 * .signal_number is its number.
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

/* Returns the number of watched nodes with an element in memory.bytes of rows. */
static inline size_t who_nodes_shown(const struct who_nodes *nodes)
{
	return nodes->numa.count < SCAN_NODES_MOST ? nodes->numa.count : SCAN_NODES_MOST;
}

/* Tells if a row's memory on a node is shown: it is not 0, or less than in the previous scan. */
static inline bool who_memory_is_shown(const struct process_row *row, size_t node)
{
	return row->memory.bytes[node] || row->node_growth[node] < 0;
}

/* Returns the rows that a scan shows: processes, or groups. */
static inline const struct who_rows *who_shown(const struct who_scan *scan, enum row_by by)
{
	return by == BY_PROCESS ? &scan->processes : &scan->groups;
}

#endif
