/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares counts of the kernel (perf) with the registers that the kernel has programmed for them.
 * Both are read at the same time. No register is written.
 */
#ifndef CXLMON_SESSION_VERIFY_H
#define CXLMON_SESSION_VERIFY_H

#include "session/session.h"

enum verify_state {
	VERIFY_COMPARED,    /* .perf and .raw are valid */
	VERIFY_MULTIPLEXED, /* the kernel counted other events for a part of the time */
	VERIFY_NOT_FOUND,   /* no counter of the unit is programmed for the event */
	VERIFY_NO_UNIT,	    /* the machine that was opened for registers lacks the unit */
	VERIFY_UNREADABLE,  /* a register, or the kernel's count, could not be read: .why */
	VERIFY_CPMU,	    /* the event is a CXL device's, and is never compared */
	VERIFY_DELAYED,	    /* reading took too long to tell if the counts differ */
};

struct verify_row {
	const struct unit *unit; /* owned by the session's machine */
	const struct event *event;
	enum verify_state state;
	/*
	 * events that the kernel (.perf) and the register (.raw) have counted. The kernel is read
	 * before and after each register, which gives a range. .perf is the number in this range
	 * that is nearest to .raw
	 */
	uint64_t perf, raw;
	struct error why; /* VERIFY_UNREADABLE: the reason */
};

/* Tells if a compared row's counts differ by more than 0.1 %, and by more than one event. */
bool verify_differs(const struct verify_row *row);

struct verify_options {
	uint64_t ns;	      /* duration of each comparison */
	const sigset_t *wake; /* signals that end verify_run(); the caller must have blocked them */
	int *signal_number;   /* set to the signal if one ended it */
	/*
	 * Called at the start of each comparison, and after each second. left_ns is the time until
	 * the last comparison ends. Must not be NULL.
	 */
	void (*progress)(void *context, uint64_t left_ns);
	void *context; /* first argument of progress() */
};

/*
 * Compares every uncore event that the session plans, one round of events (plan/plan.h) after the
 * other. Each comparison covers one round, in all units at once.
 *
 * session must be open with BACKEND_PERF, and not started. machine must be open for registers. *out
 * has a row for each counter of the plan, except counters of CPUs. The caller frees *out.
 *
 * -EINTR: a signal of options->wake was pending. After an error, *out is NULL.
 */
int verify_run(struct session *session, struct machine *machine,
	       const struct verify_options *options, struct verify_row **out, size_t *count,
	       struct error *err);

#endif
