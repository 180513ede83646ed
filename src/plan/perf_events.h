/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plan that the kernel counts. Each round of a unit (events that it counts at the same time) is a
 * group of perf events on the unit's PMU and die. A group's number is the index of its round in
 * plan.rounds. Only perf_events_open() needs privileges. Groups count while they are enabled.
 *
 *   perf_events_open ──> (perf_events_enable, perf_events_read) ──> perf_events_close
 *
 * poller/pmu_state.h counts with registers instead.
 */
#ifndef CXLMON_PLAN_PERF_EVENTS_H
#define CXLMON_PLAN_PERF_EVENTS_H

#include <errno.h>

#include "plan/plan.h"
#include "platform/perf.h"

/* Last reading of a group, and results of checks if it counts the requested events. */
struct perf_group_state {
	uint64_t enabled_ns, running_ns; /* perf's times enabled and running, at the last reading */
	/* .of_thread: time of the last reading or, if later, of the start; ns of clock_ops.now */
	uint64_t since_ns;
	bool of_thread; /* counts only while a thread runs: see perf_events_read() */
	bool enabled;
	/* .looked: registers were checked since the last reading. .holds: they had the events */
	bool looked, holds;
	bool confirmed;	 /* some check was successful */
	unsigned misses; /* checks that failed since the last success */
};

/*
 * Results of perf_events_read() after a miss: the group ran, but the registers of its PMU did not
 * have the requested events. Only registers of CPMUs are checked. If the group waited for counters
 * since the last reading, it may have had none during the check. A single miss of such a group is
 * ignored, if an earlier check was successful.
 */
#define PERF_EVENTS_MISCOUNTED	(-EBADE)   /* two misses or more in a row; the group did not wait */
#define PERF_EVENTS_UNCERTAIN	(-ENODATA) /* two misses or more in a row; the group waited */
#define PERF_EVENTS_UNCONFIRMED (-EAGAIN)  /* one miss, which may pass */

/* Returns true for these three results: counts since the last 0 are not reliable. */
static inline bool perf_events_misled(int rc)
{
	return rc == PERF_EVENTS_MISCOUNTED || rc == PERF_EVENTS_UNCERTAIN ||
	       rc == PERF_EVENTS_UNCONFIRMED;
}

struct perf_events {
	const struct plan *plan; /* not owned */
	struct platform *platform;
	int *handles;			 /* by index in plan.counters; negative: not open */
	struct perf_group_state *groups; /* by index in plan.rounds */
	uint64_t *values;		 /* by index in plan.counters: value last read */
	bool user_only; /* kernel code that a counted process runs is not counted */
};

/*
 * Opens the events of all groups. *plan must outlive *out. Returns 0 or a negative errno. The
 * caller closes *out by perf_events_close(), also after an error. If the kernel refuses a group:
 *
 * - lack of permission: fails (ERROR_PERMISSION); the message says how to get the permission
 * - another reason: leaves the group out, and logs a warning
 * - all groups are refused: fails with the error of the first
 */
int perf_events_open(struct perf_events *out, const struct plan *plan, struct error *err);
void perf_events_close(struct perf_events *events);

/* Starts a group, or stops it. Returns 0 or a negative errno; -EINVAL: the group was left out. */
int perf_events_enable(struct perf_events *events, size_t group, bool on);

/*
 * Reads a group into .values. Adds two times since the last reading, in ns: to *running_ns the time
 * for which the group counted, to *waited_ns the time for which it was enabled but had no counters.
 * For a group of a thread, both are scaled so that their sum is the wall time.
 *
 * Returns 0 or PERF_EVENTS_...: the group was read. Returns another negative errno if the read
 * failed, which changes nothing; -EINVAL: the group was left out.
 */
int perf_events_read(struct perf_events *events, size_t group, uint64_t *running_ns,
		     uint64_t *waited_ns);

#endif
