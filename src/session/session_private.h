/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the session's files. */
#ifndef CXLMON_SESSION_PRIVATE_H
#define CXLMON_SESSION_PRIVATE_H

#include "session/session.h"

/* Looks up the events and own metrics that were asked for, in the catalogue of the processor. */
int session_find_events(struct session *s, struct error *err);
int session_make_view(struct session *s, struct error *err);

/* Warns of the events that were asked for which a simulated machine does not count. */
void session_report_unsimulated(const struct session *s);

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
