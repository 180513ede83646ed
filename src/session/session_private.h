/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Private to src/session/session*.c, in the order in which they use each other. Functions return 0
 * or a negative errno with its error.
 */
#ifndef CXLMON_SESSION_SESSION_PRIVATE_H
#define CXLMON_SESSION_SESSION_PRIVATE_H

#include "session/session.h"

/* session_events.c: looks up events and metrics by name; opens the units and makes the view. */
int session_find_events(struct session *session, struct error *err);
int session_select_rows(struct session *session, struct error *err);

/* session_run.c: also start, stop and end of session.h. */

/* Takes the lock that is held until counters run, and restores registers left by killed runs. */
int session_claim(struct session *session, struct machine *machine, struct recovery *found,
		  struct error *err);
/* Makes .pmu for .plan; what it writes to registers is saved in the journal of a claimed machine.
 */
int session_init_pmu(struct session *session, struct error *err);
/* Stops the poller, restores registers, and deletes the journal if it has nothing more. */
int session_restore(struct session *session, struct error *err);
/* Ends the session, and frees all but the platform. */
void session_release(struct session *session);

/* session_still.c: as session_select_rows(), without units that are found to count nothing. */
int session_select_counting(struct session *session, struct error *err);

/* session_registers.c: with registers; whether those can be written, and no other program uses
 * them. */
int session_use_registers(struct session *session, struct error *err);
int session_check_registers(const struct session *session, struct error *err);

/* session_perf.c: through the kernel; what the kernel says without a unit. */
int session_use_perf(struct session *session, struct error *err);
int session_use_no_units(struct session *session, struct error *err);

/* session_backend.c: by the backend that was asked for; or, where it fails, without units. */
int session_use_units(struct session *session, struct error *err);
int session_use_units_if_any(struct session *session, struct error *err);

/* session_notes.c: events that a simulated machine does not count; what resctrl counts; all else.
 */
void session_report_uncounted(const struct session *session);
void session_report_mbm(const struct session *session);
void session_describe(const struct session *session);

#endif
