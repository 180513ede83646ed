/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A session: one measurement of one machine, from opening it to restoring all its registers. Used
 * by the program and by the library, from one thread. This header also has recovery_run()
 * (recovery.c), which restores registers that killed runs left programmed.
 *
 *   session_open_on ──> session_start ──> (poller_wait, poller_read)
 *      ──> session_stop ──> session_restore_mbm ──> session_close
 *
 * Functions that return int return 0 or a negative errno; *err then has the message.
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
	BACKEND_RAW,  /* registers are accessed */
	BACKEND_PERF, /* the kernel counts: perf_event_open(2) */
	BACKEND_AUTO, /* registers if they are permitted and free, else the kernel */
};

/* Options of a session. All pointers are borrowed and must stay valid until session_close(). */
struct session_options {
	const char *sim;  /* the platform's simulated machine; NULL: real hardware */
	const char *root; /* directory that contains dev, sys, proc and run; usually "/" */
	enum session_backend backend;
	/*
	 * Process id: only events of CPUs are counted, for this process and those that it starts
	 * later, in a row of the system. Only with BACKEND_PERF. 0: the whole machine.
	 */
	unsigned process;

	struct view_options view;    /* its events and metrics are set from those below */
	struct strings events;	     /* as given with -e */
	struct strings metrics;	     /* as given with --metric */
	struct strings metric_files; /* files of user-defined metrics, which precede .metrics */
	struct strings event_files;  /* Intel's perfmon JSON */

	bool serves;	 /* the run is cxlmon serve: other runs see this in its journal */
	bool candidates; /* also count model.candidate_reads, if any, as SESSION_CANDIDATE */

	const char *cpus; /* list of CPUs to access registers through: platform.reader_cpus */
	enum freeze_policy freeze;
	enum ownership ownership; /* policy if other programs use counters */
	uint64_t interval_ns;	  /* time between samples */
	uint64_t rotation_ns;	  /* time per event group; 0: each group once per interval */
};

/* Returns the root of the machine's files; NULL: a simulated machine has none. */
static inline const char *session_files(const struct session_options *options)
{
	return options->sim ? NULL : options->root;
}

/* The setting of the L3 caches' counts (platform/mbm.h) during a session: mbm_setting.c. */
struct mbm_setting {
	struct undo undo; /* restores the setting; it is in the journal before a write */
	bool written;	  /* the setting was changed, and is not restored yet */
};

/* A session, whose members are valid from session_open_on() to session_close(). */
struct session {
	struct session_options options;
	enum session_backend backend; /* the backend in use, never BACKEND_AUTO */
	struct platform *platform;    /* owned */
	struct machine machine;
	struct run_dir *run_dir; /* NULL if nothing is written, and on a simulated machine */
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
	bool started; /* session_start() was called, and all is not restored yet */
};

/*
 * Opens the simulated machine sim or, if sim is NULL, the running kernel below root. Freed by
 * platform_destroy().
 */
int platform_open(const char *sim, const char *root, const struct log *log, struct platform **out,
		  struct error *err);

/*
 * Opens the machine of a platform and plans the measurement. The session owns the platform from now
 * on. *out must not be moved until session_close(), which must also be called after an error.
 *
 * If registers or the L3 caches' setting may be written on real hardware, it takes the lock of
 * run_dir.h, which session_start() releases, and replays the journals of killed runs. ERROR_IN_USE:
 * another process has the lock; another program uses counters that .ownership does not let this run
 * use; or, with OWNERSHIP_REFUSE, another cxlmon is running.
 *
 * With BACKEND_AUTO and OWNERSHIP_REFUSE, the kernel counts if registers cannot be used
 * (ERROR_PERMISSION, ERROR_IN_USE) and no other cxlmon runs; a note in the log says why. If the
 * kernel cannot count either, the error says why registers cannot be used.
 */
int session_open_on(const struct session_options *options, struct platform *platform,
		    struct session *out, struct error *err);

/*
 * Opens the platform of options->sim and options->root, and a session on it, as session_open_on()
 * does. log is copied.
 */
int session_open(const struct session_options *options, const struct log *log, struct session *out,
		 struct error *err);

/* Logs which default metrics cannot be measured, or are uncertain, and why. */
void session_report_limits(const struct session *session);

/*
 * Programs the counters and starts them. The journal is on disk before the first write. Releases
 * the lock, also after an error. ERROR_IN_USE: another program uses a counter, or has left a socket
 * frozen that cannot be unfrozen. After an error, session_stop() restores the registers that could
 * not be restored at once.
 */
int session_start(struct session *session, struct error *err);

/*
 * Restores all registers, and deletes the journal if no setting is left for session_restore_mbm().
 * After an error the journal is kept, the message says how to try again, and another call tries the
 * failed registers. Holds the lock of run_dir.h meanwhile. Does nothing if the session is not
 * started.
 */
int session_stop(struct session *session, struct error *err);

/*
 * Stops a session after a run that ended with rc and *err. Returns rc. If session_stop() fails,
 * returns its error instead, and sets *err to its message.
 */
int session_stop_after(struct session *session, int rc, struct error *err);

/*
 * Restores the setting of the L3 caches' counts (platform/mbm.h), if this session has changed it.
 * Call it after the last view_update(), before or after session_stop(). It takes the lock and
 * handles errors as session_stop() does.
 */
int session_restore_mbm(struct session *session, struct error *err);

/* Stops and frees a session, and destroys its platform. All zero is a closed session. */
void session_close(struct session *session);

/*
 * The restoring of registers that killed runs left programmed, from their journals
 * (ROOT/run/cxlmon, see linux/run/run_dir.h): recovery.c. Done by session_open_on() and by cxlmon
 * restore, which systemd runs after each end of the service.
 */

struct recovery {
	size_t restored;   /* journals that were replayed and removed */
	size_t steps;	   /* steps in these journals; a step restores one register */
	size_t refused;	   /* journals that were not replayed, and stay: see recovery_run() */
	size_t pending;	   /* journals that stay: a CPU is offline, or a unit does not respond */
	size_t running;	   /* runs in progress */
	pid_t running_pid; /* one of them; 0: none, or unknown in this process namespace */
	struct undo live;  /* registers of runs in progress; freed by undo_free() */
};

/*
 * Replays the journals of all killed runs, and logs a warning for each. A journal is refused as a
 * whole if it is invalid or names a register that cxlmon may not write on this machine. Registers
 * that a run in progress uses are left to that run. The directory must be locked.
 *
 * Tries all journals, and returns the first error. A register that does not respond is not an
 * error: its journal stays (.pending). No unit may be open before the call; after it, no unit is
 * open, and the write guard allows nothing.
 */
int recovery_run(struct machine *machine, struct run_dir *dir, struct recovery *out,
		 struct error *err);

#endif
