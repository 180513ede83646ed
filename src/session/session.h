/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One measurement of one machine, from the platform to the poller: the way from what was asked for
 * to registers that count, and back. The program and the library both go it; what they have to say
 * to their users is not in here.
 *
 *   session_open ──> session_start ──> (poller_wait, poller_sample) ──> session_stop ──> _close
 */
#ifndef CXLMON_SESSION_H
#define CXLMON_SESSION_H

#include <stdbool.h>

#include "events/event_catalogue.h"
#include "events/event_list.h"
#include "linux/run_dir.h"
#include "metrics/view.h"
#include "plan/plan.h"
#include "platform/number.h"
#include "platform/platform.h"
#include "poller/poller.h"
#include "uncore/machine.h"

#define SESSION_MIN_INTERVAL_NS UINT64_C(100000)	     /* 100 us */
#define SESSION_MAX_INTERVAL_NS (365 * 24 * 3600 * NS_PER_S) /* a year */
#define SESSION_METRICS		"cxl,latency,dram" /* where no other groups are asked for */

/* What is asked for. Nothing in it is owned; it must last as long as the session. */
struct session_options {
	const char *sim;  /* as platform_sim() takes it; NULL: real hardware */
	const char *root; /* "/" */

	struct view_options view;  /* its events are found from those below */
	const char *const *events; /* as typed behind -e */
	size_t event_count;
	const char *const *event_files; /* Intel's perfmon JSON */
	size_t event_file_count;

	enum freeze_policy freeze;
	enum ownership ownership; /* of counters that somebody else uses */
	uint64_t interval_ns;
	uint64_t rotate_ns; /* 0: a turn for each group of events in an interval */
};

/* In the order in which it is made; released in reverse. */
struct session {
	struct session_options options;
	struct platform *platform;
	struct machine machine;
	struct run_dir *run_dir; /* NULL on a simulated machine, which nobody shares */
	struct event_catalogue catalogue;
	struct event_list events;
	struct view view;
	struct plan plan;
	struct poller *poller;
	bool started; /* and not stopped */
};

/* The machine that sim (NULL: none) or root name. Freed by platform_destroy(). */
int platform_open(const char *sim, const char *root, const struct log *log, struct platform **out,
		  struct error *err);

/*
 * Finds the machine and what is to be counted on it. Real hardware is claimed: nobody else looks at
 * its registers from here to session_start(), what killed runs have left is put back, and
 * EXIT_IN_USE says that another run lives, unless counters are to be shared or taken. *out must
 * stay where it is until session_close(), which is for after failures, too. log is copied.
 */
int session_open(const struct session_options *options, const struct log *log, struct session *out,
		 struct error *err);

/*
 * Programs the counters and starts them. How to put them back is on disk before the first write.
 * Others may look at registers from then on, also where this has failed.
 */
int session_start(struct session *session, struct error *err);

/*
 * Puts every register back. A journal of what could not be put back stays, and the sentence says
 * so. Does nothing the second time, nor before session_start().
 */
int session_stop(struct session *session, struct error *err);

/* Stops it where that was not done. All zero is a session that was never opened. */
void session_close(struct session *session);

#endif
