/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A session: one measurement of one machine, from opening the machine to restoring all its
 * registers. The program and the library use sessions, each from one thread.
 *
 *   session_open_on ──> session_start ──> (poller_wait, poller_read)
 *      ──> session_stop ──> session_restore_mbm ──> session_close
 *
 * A run is a process that has a session. Its journal, a file in ROOT/run/cxlmon, has all steps to
 * restore registers in case the run is killed. The lock of this directory (linux/run/run_dir.h)
 * keeps two runs from claiming or restoring registers at once.
 *
 * Functions that return int return 0 or a negative errno. After an error, *err has the message.
 */
#ifndef CXLMON_SESSION_SESSION_H
#define CXLMON_SESSION_SESSION_H

#include <stdbool.h>

#include "base/number.h"
#include "base/text.h"
#include "events/event_catalogue.h"
#include "events/event_list.h"
#include "formula/custom_metric.h"
#include "linux/run/run_dir.h"
#include "plan/plan.h"
#include "platform/perf.h"
#include "platform/platform.h"
#include "platform/undo.h"
#include "poller/poller.h"
#include "uncore/machine.h"
#include "view/view.h"

#define SESSION_MIN_INTERVAL_NS UINT64_C(100000)	     /* 100 us */
#define SESSION_MAX_INTERVAL_NS (365 * 24 * 3600 * NS_PER_S) /* a year */
#define SESSION_CANDIDATE	"candidate_read_MBps" /* metric of session_options.candidates */

enum session_backend {
	BACKEND_RAW,  /* cxlmon accesses registers */
	BACKEND_PERF, /* the kernel counts: perf_event_open(2) */
	BACKEND_AUTO, /* BACKEND_RAW if registers are permitted and free, else BACKEND_PERF */
};

/* Options of a session. All pointers are borrowed and must stay valid until session_close(). */
struct session_options {
	const char *sim;  /* description of a simulated machine; NULL: real hardware */
	const char *root; /* directory that contains dev, sys, proc and run; usually "/" */
	enum session_backend backend;
	/*
	 * id of a process: only events of CPUs are counted, for this process and those that it
	 * starts later. The counts are in a row of the system. Needs BACKEND_PERF. 0: the whole
	 * machine is counted
	 */
	unsigned process;

	struct view_options view;    /* .events, .event_count and .custom are ignored */
	struct strings events;	     /* as given with -e */
	struct strings metrics;	     /* as given with --metric */
	struct strings metric_files; /* files of user-defined metrics, which precede .metrics */
	struct strings event_files;  /* files of events, in Intel's perfmon JSON */

	bool serves;	 /* the run is cxlmon serve: other runs see this in its journal */
	bool candidates; /* add the metric SESSION_CANDIDATE, if model.candidate_reads is set */

	const char *cpus; /* list of CPUs to access registers through; NULL: cxlmon chooses */
	enum freeze_policy freeze;
	enum ownership ownership; /* policy if other programs use counters */
	uint64_t interval_ns;	  /* time between samples */
	/* time that each round of events (plan/plan.h) counts; 0: equal parts of an interval */
	uint64_t rotation_ns;
};

/* Returns the root of the machine's files; NULL for a simulated machine, which has no files. */
static inline const char *session_files(const struct session_options *options)
{
	return options->sim ? NULL : options->root;
}

/* The setting that selects what L3 caches count (platform/mbm.h), if a session changes it. */
struct mbm_setting {
	struct undo undo; /* steps that restore the setting */
	bool written;	  /* the setting may have been changed, and is not restored yet */
};

/* A session. Members are valid from session_open_on() to session_close(). */
struct session {
	struct session_options options;
	/* BACKEND_PERF or BACKEND_RAW, never BACKEND_AUTO. Without units: BACKEND_RAW */
	enum session_backend backend;
	struct platform *platform; /* owned */
	struct machine machine;
	struct run_dir *run_dir; /* NULL: the session writes nothing, or simulates the machine */
	struct undo others;	 /* steps by which other runs in progress will restore registers */
	struct event_catalogue catalogue;
	struct event_list events;
	struct custom_metrics metrics;
	struct view view;
	struct plan plan;
	struct pmu_state pmu;	 /* state of registers; all zero with BACKEND_PERF */
	struct perf_events perf; /* events that the kernel counts; all zero with BACKEND_RAW */
	struct poller *poller;
	struct mbm_setting mbm_setting; /* all zero unless the view counts in L3 caches */
	bool started; /* session_start() was called, and session_stop() has not succeeded since */
};

/*
 * Opens the simulated machine sim. If sim is NULL, opens the running kernel, with files below root.
 * The caller frees *out by platform_destroy().
 */
int platform_open(const char *sim, const char *root, const struct log *log, struct platform **out,
		  struct error *err);

/*
 * Opens the machine of a platform and plans the measurement. The session owns the platform from now
 * on, even after an error. *out must not be moved until session_close(), which must be called even
 * after an error.
 *
 * If the session may write registers or the L3 caches' setting on real hardware, takes the lock,
 * and replays the journals of killed runs. session_start() releases the lock. ERROR_IN_USE:
 *
 * - another process has the lock
 * - another program uses counters that .ownership does not let this run use
 * - another cxlmon is running, and .ownership is OWNERSHIP_REFUSE
 *
 * BACKEND_AUTO chooses the kernel if the processor has no registers for cxlmon. It also does so if
 * all of these hold, and then logs why:
 *
 * - registers cannot be used: ERROR_PERMISSION or ERROR_IN_USE
 * - no other cxlmon is running, and .ownership is OWNERSHIP_REFUSE
 * - the kernel can count; if it cannot, the error on registers is returned
 *
 * If options name no event or metric, and .view can do without counters (view_needs_units() is
 * false), counters that cannot be used are left out. The session then has only the kernel's data on
 * memory, and a note in the log says why.
 */
int session_open_on(const struct session_options *options, struct platform *platform,
		    struct session *out, struct error *err);

/*
 * Opens a platform by platform_open(), and a session on it by session_open_on(). session_close()
 * must be called even after an error. *log is copied.
 */
int session_open(const struct session_options *options, const struct log *log, struct session *out,
		 struct error *err);

/* Logs which default metrics cannot be measured, and if latencies are uncertain, and why. */
void session_report_limits(const struct session *session);

/*
 * Programs the counters and starts them. The journal is on disk before the first write. Releases
 * the lock, even after an error. ERROR_IN_USE: another program uses a counter, or has left a socket
 * frozen that cannot be unfrozen.
 *
 * After an error, registers have been restored if possible. session_stop() restores the others.
 */
int session_start(struct session *session, struct error *err);

/*
 * Restores all registers. Deletes the journal, unless the L3 caches' setting is still to be
 * restored. Takes the lock meanwhile, but goes on without it after 2 s. Does nothing if the session
 * is not started.
 *
 * After an error, the journal is kept, and the message says how to try again. Another call tries
 * the failed registers.
 */
int session_stop(struct session *session, struct error *err);

/*
 * Stops a session after a run that ended with rc and *err. Returns rc. If session_stop() fails,
 * returns the error of session_stop() instead, and sets *err to it.
 */
int session_stop_after(struct session *session, int rc, struct error *err);

/*
 * Restores the L3 caches' setting (platform/mbm.h), if this session has changed it. Call it after
 * the last view_update(), before or after session_stop(). Takes the lock, and keeps the journal
 * after an error, as session_stop() does.
 */
int session_restore_mbm(struct session *session, struct error *err);

/*
 * Stops and frees a session, and destroys its platform. *session becomes all zero. Does nothing if
 * it already is.
 */
void session_close(struct session *session);

/*
 * The result of recovery_run(), which restores registers that killed runs left programmed. Its
 * callers are session_open_on() and cxlmon restore. systemd runs cxlmon restore after each end of
 * the service.
 */
struct recovery {
	size_t restored;   /* journals that were replayed, and removed */
	size_t steps;	   /* steps of these journals that were applied; each restores a register */
	size_t refused;	   /* journals that stay, because they were refused: see recovery_run() */
	size_t pending;	   /* journals that stay: a CPU is offline, or a unit does not respond */
	size_t running;	   /* runs in progress */
	pid_t running_pid; /* a run in progress; 0: none, or unknown in this process namespace */
	struct undo live;  /* steps of runs in progress; the caller frees it by undo_free() */
};

/*
 * Replays the journals of all killed runs, and logs a warning for each. dir must be locked.
 * Registers that a run in progress uses are left to that run.
 *
 * - A journal is refused as a whole (.refused) if it is invalid, is from another processor, or
 *   names a register that cxlmon may not write on this machine.
 * - A journal stays (.pending) if a register does not respond. This is not an error.
 * - After another error, tries the other journals too. Returns the first error.
 *
 * No unit of the machine may be open before the call. After the call, no unit is open, and the
 * write guard (platform/guard.h) allows nothing.
 */
int recovery_run(struct machine *machine, struct run_dir *dir, struct recovery *out,
		 struct error *err);

#endif
