/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A session: one measurement of one machine, from an open platform, which it takes over, to
 * restoring all registers. Used by the program and by the library. Also recovery_run()
 * (recovery.c): restores what killed runs left.
 *
 *   session_open_on ──> session_start ──> (poller_wait, poller_read)
 *      ──> session_stop ──> session_restore_mbm ──> session_close
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
#define SESSION_CANDIDATE	"candidate_read_MBps"

enum session_backend {
	BACKEND_RAW,  /* registers are accessed */
	BACKEND_PERF, /* the kernel counts: perf_event_open(2) */
	BACKEND_AUTO, /* registers where they are permitted and free, else the kernel */
};

/* All pointers are borrowed and must stay valid until session_close(). */
struct session_options {
	const char *sim;  /* the simulated machine that the platform is; NULL: real hardware */
	const char *root; /* "/" */
	enum session_backend backend;
	/* Counts this process alone, by perf, and what it starts from then on: what CPUs count, in
	 * a row of the system. 0: the machine */
	unsigned process;

	struct view_options view;    /* its events and custom metrics are set from those below */
	struct strings events;	     /* as given with -e */
	struct strings metrics;	     /* as given with --metric */
	struct strings metric_files; /* files of such metrics, which come first */
	struct strings event_files;  /* Intel's perfmon JSON */

	bool serves;	 /* it is cxlmon serve, as others shall know */
	bool candidates; /* model.candidate_reads, too, as SESSION_CANDIDATE where there is one */

	const char *cpus; /* see platform.reader_cpus */
	enum freeze_policy freeze;
	enum ownership ownership; /* if other programs use counters */
	uint64_t interval_ns;
	uint64_t rotation_ns; /* time per event group; 0: each group once in an interval */
};

/* The root of the machine's files; NULL: it has none, but is simulated. */
static inline const char *session_files(const struct session_options *options)
{
	return options->sim ? NULL : options->root;
}

/* What L3 caches count (platform/mbm.h), set for a session: mbm_setting.c. */
struct mbm_setting {
	struct undo undo; /* what was set before; to be in the journal before it is set */
	bool written;
};

/* Released in the order of session_release(), session_run.c. */
struct session {
	struct session_options options;
	enum session_backend backend; /* the one that is used */
	struct platform *platform;
	struct machine machine;
	struct run_dir *run_dir; /* NULL where nothing is written, and on a simulated machine */
	struct undo others;	 /* registers that other runs in progress will restore */
	struct event_catalogue catalogue;
	struct event_list events;
	struct custom_metrics metrics;
	struct view view;
	struct plan plan;
	struct pmu_state pmu;	 /* with registers */
	struct perf_events perf; /* through the kernel */
	struct poller *poller;
	struct mbm_setting mbm_setting; /* where it is asked for */
	bool started;			/* and not stopped yet, or not completely */
};

/* Opens the simulated machine sim or, if sim is NULL, the running kernel below root. Freed by
 * platform_destroy(). */
int platform_open(const char *sim, const char *root, const struct log *log, struct platform **out,
		  struct error *err);

/*
 * Opens the machine of a platform, which it takes over, and plans the measurement. With registers,
 * or --resctrl, on real hardware it takes the lock of run_dir.h until session_start(), and replays
 * the journals of killed runs. ERROR_IN_USE: counters are in use, or another cxlmon is running or
 * has the lock, and the ownership is OWNERSHIP_REFUSE. *out must not be moved until
 * session_close(), which must also be called after an error.
 *
 * With BACKEND_AUTO, where registers cannot be used (ERROR_PERMISSION, ERROR_IN_USE) a run counts
 * through the kernel, with a remark that says why; not with --share or --force, nor while another
 * cxlmon runs. If that can't be had either, the error is that of registers.
 */
int session_open_on(const struct session_options *options, struct platform *platform,
		    struct session *out, struct error *err);

/* Opens the platform of options->sim and options->root, and a session on it. log is copied. */
int session_open(const struct session_options *options, const struct log *log, struct session *out,
		 struct error *err);

/*
 * Says once, for a run that shows values, which default metrics can't be measured or are not sure,
 * and why.
 */
void session_report_limits(const struct session *session);

/*
 * Programs the counters and starts them. The journal is on disk before the first write. Releases
 * the lock, also on error.
 */
int session_start(struct session *session, struct error *err);

/*
 * Restores all registers. If that fails, the journal is kept, the message says how to try again,
 * and a second call tries those that failed. Takes the lock meanwhile, as session_restore_mbm()
 * does. Does nothing if the session is not started.
 */
int session_stop(struct session *session, struct error *err);

/*
 * The same at the end of a run that has ended with rc and err. What it returns: registers that were
 * not restored are more than a signal, or another error.
 */
int session_stop_after(struct session *session, int rc, struct error *err);

/*
 * Restores what resctrl counts (platform/mbm.h), if this session has set it; call after the last
 * view_update(), before or after session_stop(), with the same errors.
 */
int session_restore_mbm(struct session *session, struct error *err);

/* Stops and frees a session; all zero is a closed session. */
void session_close(struct session *session);

/*
 * recovery.c: restores registers that killed runs have left programmed, from their journals
 * (ROOT/run/cxlmon, see linux/run/run_dir.h). Called by session_open_on(), by cxlmon restore, and
 * so by systemd after each end of the service.
 */

struct recovery {
	size_t restored;   /* journals that were replayed and removed */
	size_t steps;	   /* registers restored */
	size_t refused;	   /* journals that were not replayed */
	size_t pending;	   /* journals that stay, as an offline CPU or a unit does not respond */
	size_t running;	   /* runs in progress */
	pid_t running_pid; /* one of them; 0: not known here */
	struct undo live;  /* restored by the runs in progress; freed by undo_free() */
};

/*
 * Replays the journals of all killed runs, and logs a warning for each. A journal is refused as a
 * whole if it is invalid or names a register that cxlmon may not write on this machine. Registers
 * that a run in progress uses are left to that run. No unit may be open; none is afterwards. All
 * journals are tried; returns the first error. A register that does not respond is no error: its
 * journal stays (.pending). The write guard is empty afterwards.
 */
int recovery_run(struct machine *machine, struct run_dir *dir, struct recovery *out,
		 struct error *err);

#endif
