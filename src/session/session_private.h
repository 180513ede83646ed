/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that the files of this folder offer each other, each file's under its name. Functions
 * that return int return 0 or a negative errno, with its message in *err.
 */
#ifndef CXLMON_SESSION_SESSION_PRIVATE_H
#define CXLMON_SESSION_SESSION_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "session/session.h"

/* held_log.c: the messages of an attempt, which are shown or dropped when its result is known. */

struct held_log {
	struct log *log;  /* the log whose messages are held; not owned */
	struct log shown; /* that log before held_log_begin() */
	struct held_message *messages;
	size_t count;
};

/* Holds messages to *log until held_log_end(). Neither *held nor *log may move until then. */
void held_log_begin(struct held_log *held, struct log *log);

/* Restores *log, and writes the held messages to it (show) or drops them. Frees the messages. */
void held_log_end(struct held_log *held, bool show);

/* mbm_setting.c: the setting of the L3 caches' counts (platform/mbm.h). */

/*
 * Reads the present setting into .undo, if the source has one to change. ERROR_IN_USE: it has
 * changed since the caches were opened. undo_free() frees .undo, also after an error.
 */
int mbm_setting_save(struct mbm_setting *setting, const struct resctrl_source *resctrl,
		     struct error *err);

/* Sets all saved caches to count MBM_SLOW_READS. They must be restored, also after an error. */
int mbm_setting_write(struct mbm_setting *setting, struct platform *p, struct error *err);

/*
 * Restores the caches whose setting is still the written one, and warns about others. After an
 * error it can be called again.
 */
int mbm_setting_restore(struct mbm_setting *setting, struct platform *p, struct error *err);

/* session_events.c: events, metrics and rows. */

/* Finds the events and user-defined metrics of .options by name: sets .events and .metrics. */
int session_find_events(struct session *session, struct error *err);
/* Makes .view, which opens the units that it needs. */
int session_select_rows(struct session *session, struct error *err);

/* session_run.c: the functions of session.h that start and stop a session, and these. */

/*
 * Opens .run_dir with its lock, restores registers left by killed runs, and sets .others from
 * *found, which must be all zero. machine must be open, without open units.
 */
int session_claim(struct session *session, struct machine *machine, struct recovery *found,
		  struct error *err);
/* Makes .pmu for .plan. On a claimed machine the journal has the registers that it changes. */
int session_init_pmu(struct session *session, struct error *err);
/* Stops the poller, restores registers, and deletes the journal unless the L3 setting is in it. */
int session_restore(struct session *session, struct error *err);
/* Stops the session, and frees everything except the platform. */
void session_release(struct session *session);

/*
 * session_clocks.c: selects rows as session_select_rows(), without units whose clocks have stopped.
 * To find them, it counts for a moment, and restores the registers that this changed.
 */
int session_select_counting(struct session *session, struct error *err);

/* session_registers.c: opens a session with registers. */
int session_use_registers(struct session *session, struct error *err);
/*
 * Checks, without writing, that the plan's MSRs may be written (else -EPERM or -EACCES), and that
 * no other program uses its counters (else -EBUSY).
 */
int session_check_registers(const struct session *session, struct error *err);

/* session_backend.c: opens a session with one of the backends, up to a poller. */

/* Opens it without units, for the kernel's data on memory. */
int session_use_no_units(struct session *session, struct error *err);
/* Opens it with the backend of .options. */
int session_use_units(struct session *session, struct error *err);
/* Opens it as session_use_units() or, after an error other than ERROR_USAGE, without units. */
int session_use_units_if_any(struct session *session, struct error *err);

/* session_notes.c: messages about an open session. */

/* Warns of requested events that a simulated machine does not count. */
void session_report_uncounted(const struct session *session);
/* Notes that the L3 caches' setting will be changed, or already counts reads of CXL memory. */
void session_report_mbm(const struct session *session);
/* Logs details: processor, units, ports, events, and how they are read. */
void session_describe(const struct session *session);

#endif
