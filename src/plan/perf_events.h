/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plan counted by the kernel: each round of a unit is a group of perf events on the unit's PMU
 * and die. All are opened before rights are dropped, and do not count until they are enabled; after
 * that, counting only takes read(2) and ioctl(2) on them. Nothing has to be restored.
 *
 *   perf_events_open ──> (perf_events_enable, perf_events_read) ──> perf_events_close
 *
 * poller/pmu_state.h is the same for registers.
 */
#ifndef CXLMON_PLAN_PERF_EVENTS_H
#define CXLMON_PLAN_PERF_EVENTS_H

#include <errno.h>

#include "plan/plan.h"
#include "platform/perf.h"

/* The last reading of a group, and the evidence that it counts the requested events. */
struct perf_group_state {
	uint64_t enabled_ns, running_ns;
	uint64_t since_ns; /* time of the last reading, or of being enabled */
	/* a thread's group, whose time is not the machine's: see perf_events_read() */
	bool of_thread;
	bool enabled;
	bool looked, holds; /* results of checking registers since the last reading */
	bool confirmed;	    /* registers have shown once that it counts the requested events */
	unsigned misses;    /* checks in a row that did not show it */
};

/*
 * Results for a group that ran, but whose registers do not show the requested events. A group that
 * waits for a counter is on none at times: if it was confirmed before, a single miss means nothing;
 * otherwise misses do not prove that the kernel counts something else.
 */
#define PERF_EVENTS_MISCOUNTED	(-EBADE)   /* missed twice in a row */
#define PERF_EVENTS_UNCERTAIN	(-ENODATA) /* missed twice in a row, and the group waited */
#define PERF_EVENTS_UNCONFIRMED (-EAGAIN)  /* missed once, which may pass */

/* Returns true if the counts since the last good reading are not reliable. */
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
	bool user_only;			 /* counts a process without the kernel's work for it */
};

/*
 * Opens the events of all groups. ERROR_PERMISSION: the kernel does not allow it; the message says
 * how to get it. A group that it refuses for another reason is left out, with a warning; if it
 * refuses all, that is the error. The plan must outlive it. Closed by perf_events_close(), also
 * after an error.
 */
int perf_events_open(struct perf_events *out, const struct plan *plan, struct error *err);
void perf_events_close(struct perf_events *events);

/* Starts or stops the group of a round, an index of plan.rounds. Returns 0 or a negative errno. */
int perf_events_enable(struct perf_events *events, size_t group, bool on);

/*
 * Reads a group into .values, and adds the time since the last reading that it was on counters, and
 * that it waited for other groups of the kernel. For a thread, all that time is divided in the
 * proportion that both had while the thread ran, so that rates are per second of wall time. Returns
 * 0, one of the results above, or a negative errno.
 */
int perf_events_read(struct perf_events *events, size_t group, uint64_t *running_ns,
		     uint64_t *waited_ns);

#endif
