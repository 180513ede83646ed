/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plan counted by the kernel: each round of a unit is a group of perf events on the unit's PMU
 * and die. All are opened before rights are dropped, and count for nobody until they are enabled;
 * after that, counting takes read(2) and ioctl(2) on them alone. Nothing has to be restored.
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

/* The last reading of a group, and whether it counts the events asked for. */
struct perf_group_state {
	uint64_t enabled_ns, running_ns;
	uint64_t since_ns; /* when that was, or it was enabled */
	bool of_thread;	   /* whose time is not that of all: see perf_events_read() */
	bool enabled;
	bool looked, holds; /* since it was last read: what registers showed of it */
	bool confirmed;	    /* they have shown once that it counts what was asked for */
	unsigned misses;    /* in a row: they do not show it */
};

/*
 * Of a group that ran, by its registers: twice in a row they don't show that the kernel counts what
 * it was asked for, or once, which may pass. A group that waits for a counter is on none at times:
 * of one that was confirmed before, a single miss says nothing, and of others not that the kernel
 * counts something else.
 */
#define PERF_EVENTS_MISCOUNTED	(-EBADE)
#define PERF_EVENTS_UNCERTAIN	(-ENODATA) /* and it waited */
#define PERF_EVENTS_UNCONFIRMED (-EAGAIN)  /* once */

/* Whether what was counted since the last good reading is not to be believed. */
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
	uint64_t *values;		 /* by counter: what was last read */
	bool user_only;			 /* of a process, without what the kernel does for it */
};

/*
 * Opens the events of all groups. ERROR_PERMISSION: the kernel does not allow it; the message says
 * what to do. A group that it refuses for another reason is left out, with a warning; if it refuses
 * all, that is the error. The plan must outlive it. Closed by perf_events_close(), also after an
 * error.
 */
int perf_events_open(struct perf_events *out, const struct plan *plan, struct error *err);
void perf_events_close(struct perf_events *events);

/* Starts and stops the group of a round, an index of plan.rounds. 0, or a negative errno. */
int perf_events_enable(struct perf_events *events, size_t group, bool on);

/*
 * Reads a group into .values, and adds the time since the last reading: that it was on counters,
 * and that it waited for others of the kernel's; of a thread, of all that time, in the proportion
 * that both had while the thread ran, so that rates are a second of everybody's time. 0, one of the
 * above, or a negative errno.
 */
int perf_events_read(struct perf_events *events, size_t group, uint64_t *running_ns,
		     uint64_t *waited_ns);

#endif
