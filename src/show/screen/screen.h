/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The screen: an interactive format that redraws the terminal at each sample, and handles keys and
 * the terminal's signals. Runs in the writer's thread. The output of ncurses is written like any
 * other, so that a slow terminal does not delay sampling.
 */
#ifndef CXLMON_SHOW_SCREEN_SCREEN_H
#define CXLMON_SHOW_SCREEN_SCREEN_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "output/file_process.h"
#include "output/sink.h"
#include "probe/top/top_watcher.h"
#include "show/screen/screen_keys.h"

/* Default metric groups. */
#define SCREEN_GROUPS "cxl,latency,dram,queue,link"

/* Setup of the screen, the target of format_screen's sink. Not owned. */
struct screen_setup {
	const char *processor;
	uint64_t interval_ns;
	double link_MBps;		  /* bandwidth of a port in one direction; 0: unknown */
	struct screen_requests *requests; /* requests to quit, or change the interval */
	struct deferred_log *deferred_log;
	enum screen_tab tab;	      /* tab that is shown first */
	const struct error *no_ports; /* reason why ports are not counted; NULL: they are */
	struct top_watcher *watcher;  /* watcher of processes; NULL: a recording's are shown */
	const struct recording *played;
	bool binary; /* initially shows bandwidth in GiB/s */
	/* helper with the right to save the recording of this name */
	struct file_process *saving;
	const char *recording;
	const struct error *why_not; /* message instead of saving, if its code is not 0 */
	/* name of the saved list of processes, and the reason why it cannot be saved */
	const char *list;
	const struct error *why_no_list;
};

/*
 * Returns whether standard input and output are a terminal, this process is in its foreground
 * process group, and TERM has a movable cursor. If TERM has not, the log says so.
 */
bool screen_supported(const struct log *log);

extern const struct format format_screen;

/* Requests of the screen's user to the thread that samples. Neither thread waits for the other. */

struct screen_requests {
	pthread_t sampler; /* thread that is kicked: see linux/run/signals.h */
	atomic_bool quit;
	atomic_bool paused;
	/* 0: unchanged; the sampler takes a new interval by setting it to 0 */
	_Atomic uint64_t interval_ns;
};

/*
 * deferred_log.c: a log that defers messages while the screen is shown, because they would garble
 * it; they are written when the screen ends. If there are too many, the first ones are kept. Safe
 * in any thread.
 */

#define DEFERRED_LOG_MESSAGES 32   /* most messages */
#define DEFERRED_LOG_SIZE     1024 /* bytes of each message */

struct deferred_log {
	struct log next; /* destination of messages */
	pthread_mutex_t lock;
	bool deferring;
	size_t count, dropped;
	struct deferred_message {
		enum log_level level;
		char text[DEFERRED_LOG_SIZE];
	} messages[DEFERRED_LOG_MESSAGES];
	struct deferred_message last; /* last warning or note; empty: none yet */
};

void deferred_log_init(struct deferred_log *log, const struct log *next);

/*
 * Returns a log that writes to next until deferred_log_defer(). The deferred log must outlive it.
 */
struct log deferred_log_as_log(struct deferred_log *log);

/* Defers messages from now on. */
void deferred_log_defer(struct deferred_log *log);
/* Writes the deferred messages, and defers no more. Does nothing if none were deferred. */
void deferred_log_flush(struct deferred_log *log);

/*
 * Copies the last warning or note, also one from before deferring; empty: none. Returns its level.
 */
enum log_level deferred_log_last(struct deferred_log *log, char *text, size_t size);

#endif
