/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the kernel's counts with the registers that the kernel has programmed for them, read at
 * the same time. No register is written.
 */
#ifndef CXLMON_SESSION_VERIFY_H
#define CXLMON_SESSION_VERIFY_H

#include "session/session.h"

enum verify_state {
	VERIFY_COMPARED,    /* .perf and .raw are valid */
	VERIFY_MULTIPLEXED, /* the kernel counted other events for part of the time */
	VERIFY_NOT_FOUND,   /* no counter of the unit is programmed for this event */
	VERIFY_NO_UNIT,	    /* the discovery tables lack the unit */
	VERIFY_UNREADABLE,  /* registers or the kernel cannot be read; see .why */
	VERIFY_CPMU,	    /* an event of a CXL device: never compared */
	VERIFY_DELAYED,	    /* reading took so long that a difference would not show */
};

struct verify_row {
	const struct unit *unit; /* a unit of the session's machine, which owns it */
	const struct event *event;
	enum verify_state state;
	/*
	 * Events that the kernel and the register have counted. The kernel is read before and after
	 * each register, so its count lies between two numbers: .perf is the number in that range
	 * that is nearest to .raw, and often equals it.
	 */
	uint64_t perf, raw;
	struct error why; /* VERIFY_UNREADABLE: the reason */
};

/* Returns true if the row is compared, and its counts differ by over 0.1 % and over one event. */
bool verify_differs(const struct verify_row *row);

struct verify_options {
	uint64_t ns;	      /* duration of a comparison */
	const sigset_t *wake; /* signals that end it; the caller must have blocked them */
	/* Called at the start and after each second of a comparison; left_ns is for all of them. */
	void (*progress)(void *context, uint64_t left_ns);
	void *context; /* first argument of progress() */
};

/*
 * Compares every uncore event that the session plans. All units are compared at the same time, and
 * a unit's rounds (plan/plan.h) one after the other. session is open with BACKEND_PERF, and not
 * started; machine is opened for registers. *out has a row for each counter of the plan except
 * counters of CPUs; the caller frees it. -EINTR: a signal of options->wake was pending. After an
 * error, *out is NULL.
 */
int verify_run(struct session *session, struct machine *machine,
	       const struct verify_options *options, struct verify_row **out, size_t *count,
	       struct error *err);

#endif
