/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that files of this folder call in each other, in the order in which they call each
 * other. They return 0 or a negative errno with its error.
 */
#ifndef CXLMON_SESSION_SESSION_PRIVATE_H
#define CXLMON_SESSION_SESSION_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "session/session.h"

/* Messages of an attempt, shown only if the attempt succeeds: held_log.c. */

struct held_log {
	struct log *log; /* not owned */
	struct log shown;
	struct held_message *messages;
	size_t count;
};

/* Holds messages to *log until held_log_end(). Neither may move until then. */
void held_log_begin(struct held_log *held, struct log *log);

/* Restores *log, and writes the held messages to it or drops them. */
void held_log_end(struct held_log *held, bool show);

/* The setting of the L3 caches' counts: mbm_setting.c. */

/*
 * Reads the present setting, if the source has one to change. ERROR_IN_USE: it has changed since
 * the caches were opened. Freed by undo_free().
 */
int mbm_setting_save(struct mbm_setting *setting, const struct resctrl_source *resctrl,
		     struct error *err);

/* Writes the setting. It must be restored, also after an error. */
int mbm_setting_write(struct mbm_setting *setting, struct platform *p, struct error *err);

/*
 * Restores the caches whose setting is still the written one. After an error it can be tried again.
 */
int mbm_setting_restore(struct mbm_setting *setting, struct platform *p, struct error *err);

/* Events and metrics by name, units, and the view: session_events.c. */
int session_find_events(struct session *session, struct error *err);
int session_select_rows(struct session *session, struct error *err);

/* Start, stop and end, also of session.h: session_run.c. */

/* Takes the lock that is held until counters run, and restores registers left by killed runs. */
int session_claim(struct session *session, struct machine *machine, struct recovery *found,
		  struct error *err);
/* Makes .pmu for .plan. On a claimed machine the journal has the registers that it changes. */
int session_init_pmu(struct session *session, struct error *err);
/* Stops the poller, restores registers, and deletes the journal if it has nothing else. */
int session_restore(struct session *session, struct error *err);
/* Ends the session, and frees all but the platform. */
void session_release(struct session *session);

/*
 * Selects rows as session_select_rows(), without units whose clocks have stopped: session_clocks.c.
 */
int session_select_counting(struct session *session, struct error *err);

/* Opens a session with registers: session_registers.c. */
int session_use_registers(struct session *session, struct error *err);
/* Checks that registers can be written, and that no other program uses them. */
int session_check_registers(const struct session *session, struct error *err);

/* Choice of a backend: session_backend.c. */
/* Opens a session that uses no unit. */
int session_use_no_units(struct session *session, struct error *err);
/* Opens a session with the chosen backend. */
int session_use_units(struct session *session, struct error *err);
/* Opens a session with the chosen backend or, if that fails, without units. */
int session_use_units_if_any(struct session *session, struct error *err);

/* Reports events that a simulated machine does not count: session_notes.c. */
void session_report_uncounted(const struct session *session);
/* Reports the setting of the L3 caches' counts. */
void session_report_mbm(const struct session *session);
/* Reports all else about an open session. */
void session_describe(const struct session *session);

#endif
