/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that the files of this folder offer each other, grouped by file. Functions that return
 * int return 0 or a negative errno. After an error, *err has the message. session.h introduces
 * runs, journals and the lock.
 */
#ifndef CXLMON_SESSION_SESSION_PRIVATE_H
#define CXLMON_SESSION_SESSION_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "session/session.h"

/* held_log.c: holds back the messages of an attempt. Its result decides if they are shown. */

struct held_log {
	struct log *log;  /* the log whose messages are held; not owned */
	struct log shown; /* the same log, as it was before held_log_begin() */
	struct held_message *messages;
	size_t count;
};

/* Holds messages to *log until held_log_end(). Neither *held nor *log may move until then. */
void held_log_begin(struct held_log *held, struct log *log);

/* Ends the holding. If show is true, writes the held messages to the log; else drops them. */
void held_log_end(struct held_log *held, bool show);

/* mbm_setting.c: the L3 caches' setting (platform/mbm.h). */

/*
 * Sets .undo to steps that restore the present setting of each cache. If the source need not change
 * the setting, .undo becomes empty. ERROR_IN_USE: the setting of a cache has changed since the
 * source was opened. The caller frees .undo by undo_free(), even after an error.
 */
int mbm_setting_save(struct mbm_setting *setting, const struct resctrl_source *resctrl,
		     struct error *err);

/*
 * Changes the setting of all caches in .undo to MBM_SLOW_READS. The caches must be restored, even
 * after an error.
 */
int mbm_setting_write(struct mbm_setting *setting, struct platform *p, struct error *err);

/*
 * Restores the setting of each cache that still has the setting of mbm_setting_write(). Logs a
 * warning about other caches. May be called again after an error. Does nothing if .written is
 * false.
 */
int mbm_setting_restore(struct mbm_setting *setting, struct platform *p, struct error *err);

/* session_events.c: events, metrics and rows. */

/* Sets .events and .metrics to the events and user-defined metrics that .options names. */
int session_find_events(struct session *session, struct error *err);
/* Makes .view, and opens the units that the view needs. */
int session_select_rows(struct session *session, struct error *err);

/* session_run.c: starts and stops a session (see also session.h). */

/*
 * Claims a machine: opens .run_dir, takes the lock, and restores registers that killed runs left
 * programmed (recovery_run()). *found must be all zero before. .others becomes found->live, which
 * the session owns. machine must be open, without open units.
 */
int session_claim(struct session *session, struct machine *machine, struct recovery *found,
		  struct error *err);
/* Makes .pmu for .plan. If session_claim() has succeeded, .pmu will save the journal. */
int session_init_pmu(struct session *session, struct error *err);
/* Implements session_stop() for a started session, without the lock. */
int session_restore(struct session *session, struct error *err);
/* Stops the session, restores the L3 caches' setting, and frees everything except the platform. */
void session_release(struct session *session);

/* session_clocks.c: finds units that cannot count, because their clocks have stopped. */

/*
 * Makes .view as session_select_rows() does, but without units whose clocks have stopped. If such
 * units are possible on the machine, counts clocks for a moment, and restores all registers.
 */
int session_select_counting(struct session *session, struct error *err);

/* session_registers.c: opens a session with BACKEND_RAW, up to .poller. */
int session_use_registers(struct session *session, struct error *err);
/*
 * Checks .plan without writing a register. -EPERM, -EACCES: its MSRs may not be written. -EBUSY:
 * another program uses one of its counters.
 */
int session_check_registers(const struct session *session, struct error *err);

/* session_backend.c: opens a session up to .poller, with or without units. */

/* Opens a session without units, for the kernel's data on memory. */
int session_use_no_units(struct session *session, struct error *err);
/* Opens a session with the backend of .options. */
int session_use_units(struct session *session, struct error *err);
/* Tries session_use_units(). After an error other than ERROR_USAGE, opens without units. */
int session_use_units_if_any(struct session *session, struct error *err);

/* session_notes.c: messages about an open session. */

/* Logs a warning about requested events that a simulated machine does not count. */
void session_report_uncounted(const struct session *session);
/*
 * Logs a note if the session will change the L3 caches' setting, or if the caches already count
 * reads of CXL memory.
 */
void session_report_mbm(const struct session *session);
/* Logs details: processor, units, ports, events, and how counters are read. */
void session_describe(const struct session *session);

#endif
