/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that files of this folder offer each other, in the order in which they use each other.
 * They return 0 or a negative errno with its error.
 */
#ifndef CXLMON_SESSION_SESSION_PRIVATE_H
#define CXLMON_SESSION_SESSION_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "session/session.h"

/* held_log.c: messages of an attempt, shown only if what was tried is what is done. */

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

/* mbm_setting.c: sets what L3 caches count, and restores it. */

/*
 * If the source has something to set: reads what is set now. ERROR_IN_USE: that has changed
 * since they were opened. Freed by undo_free().
 */
int mbm_setting_save(struct mbm_setting *setting, const struct resctrl_source *resctrl,
		     struct error *err);

/* Sets it. After an error, too, it must be restored. */
int mbm_setting_write(struct mbm_setting *setting, struct platform *p, struct error *err);

/* Restores what was written, where it is still set so. After an error it can be tried again. */
int mbm_setting_restore(struct mbm_setting *setting, struct platform *p, struct error *err);

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

/* session_clocks.c: as session_select_rows(), without units whose clocks have stopped. */
int session_select_counting(struct session *session, struct error *err);

/* session_registers.c: with registers; whether those can be written, and no other program uses
 * them. */
int session_use_registers(struct session *session, struct error *err);
int session_check_registers(const struct session *session, struct error *err);

/* session_backend.c: by the backend that was asked for; or, if it fails, without units. */
int session_use_no_units(struct session *session, struct error *err);
int session_use_units(struct session *session, struct error *err);
int session_use_units_if_any(struct session *session, struct error *err);

/* session_notes.c: events that a simulated machine does not count; what resctrl counts; all else.
 */
void session_report_uncounted(const struct session *session);
void session_report_mbm(const struct session *session);
void session_describe(const struct session *session);

#endif
