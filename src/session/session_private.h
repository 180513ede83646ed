/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the session's files. */
#ifndef CXLMON_SESSION_PRIVATE_H
#define CXLMON_SESSION_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "platform/error.h"
#include "session/session.h"

struct held_message {
	enum log_level level;
	char *text;
};

/* Messages of an attempt: shown only if what was tried is what is done. */
struct held_log {
	struct log *log; /* not owned */
	struct log shown;
	struct held_message *messages;
	size_t count;
};

/* Holds what is written to *log until held_log_end(). Neither may move until then. */
void held_log_begin(struct held_log *held, struct log *log);

/* Makes *log as it was, and writes to it or drops what was held. */
void held_log_end(struct held_log *held, bool show);

/* Looks up the events and own metrics that were asked for, in the catalogue of the processor. */
int session_find_events(struct session *s, struct error *err);
int session_make_view(struct session *s, struct error *err);

/* Warns of the events that were asked for which a simulated machine does not count. */
void session_report_uncounted(const struct session *s);

/* Each opens the machine, and plans and prepares the measurement up to the poller. */
int session_use_registers(struct session *s, struct error *err);
int session_use_perf(struct session *s, struct error *err);
int session_use_no_units(struct session *s, struct error *err); /* see view_needs_units() */

/*
 * After session_use_registers(): whether starting would fail since the kernel forbids writes
 * (EXIT_PERMISSION), or since another program uses a counter of the plan (EXIT_IN_USE).
 */
int session_check_registers(const struct session *s, struct error *err);

#endif
