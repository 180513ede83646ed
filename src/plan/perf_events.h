/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plan that the kernel counts: each round of a unit is a group of perf events on the unit's PMU
 * and die. All groups are opened before privileges are dropped, and do not count until they are
 * enabled. After that, counting only takes read(2) and ioctl(2). Nothing has to be restored.
 *
 *   perf_events_open ──> (perf_events_enable, perf_events_read) ──> perf_events_close
 *
 * poller/pmu_state.h does the same with registers. group: index of a round in plan.rounds.
 */
#ifndef CXLMON_PLAN_PERF_EVENTS_H
#define CXLMON_PLAN_PERF_EVENTS_H

#include <errno.h>

#include "plan/plan.h"
#include "platform/perf.h"

/* The last reading of a group, and the evidence that it counts the requested events. */
struct perf_group_state {
	uint64_t enabled_ns, running_ns; /* times of the kernel at the last reading */
	uint64_t since_ns;		 /* time of the last reading, or of being enabled */
	/* counts a thread, whose time is not the machine's: see perf_events_read() */
	bool of_thread;
	bool enabled;
	/* registers were checked since the last reading; the last check showed the events */
	bool looked, holds;
	bool confirmed;	 /* some check has shown the requested events */
	unsigned misses; /* checks in a row that did not show them */
};

/*
 * Results of perf_events_read() for a group that ran, but whose registers do not show the requested
 * events (a miss). Only the registers of CPMUs are checked. A group that waits for a counter has
 * none at times: if it was confirmed before, a single miss means nothing, and the result is 0.
 */
#define PERF_EVENTS_MISCOUNTED	(-EBADE)   /* two misses or more in a row */
#define PERF_EVENTS_UNCERTAIN	(-ENODATA) /* two misses or more in a row, and the group waited */
#define PERF_EVENTS_UNCONFIRMED (-EAGAIN)  /* one miss, which may pass */

/* Returns true for these three results: counts since the last good reading are not reliable. */
static inline bool perf_events_misled(int rc)
{
	return rc == PERF_EVENTS_MISCOUNTED || rc == PERF_EVENTS_UNCERTAIN ||
	       rc == PERF_EVENTS_UNCONFIRMED;
}

struct perf_events {
	const struct plan *plan; /* not owned */
	struct platform *platform;
	int *handles;			 /* by counter; negative: not open */
	struct perf_group_state *groups; /* by round */
	uint64_t *values;		 /* by counter: its last value */
	bool user_only;			 /* counts a process, but not kernel code that it runs */
};

/*
 * Opens the events of all groups; *plan must outlive them. ERROR_PERMISSION: the kernel does not
 * permit it; the message says how to get the permission. A group that the kernel refuses for
 * another reason is left out, with a warning in the log; if it refuses all groups, the first reason
 * is the error. Closed by perf_events_close(), also after an error.
 */
int perf_events_open(struct perf_events *out, const struct plan *plan, struct error *err);
void perf_events_close(struct perf_events *events);

/* Starts or stops a group. Returns 0 or a negative errno; -EINVAL: the group was left out. */
int perf_events_enable(struct perf_events *events, size_t group, bool on);

/*
 * Reads a group into .values. Adds to *running_ns the time since the last reading for which it had
 * counters, and to *waited_ns the time for which it waited for other groups of the kernel. For a
 * group of a thread, which counts only while the thread runs, all wall time since then is divided
 * in the proportion of both, so that rates are per second of wall time.
 *
 * Returns 0 or one of the results above. Returns another negative errno if the read failed, which
 * changes nothing; -EINVAL: the group was left out.
 */
int perf_events_read(struct perf_events *events, size_t group, uint64_t *running_ns,
		     uint64_t *waited_ns);

#endif
