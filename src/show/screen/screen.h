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

/* The default metric groups. */
#define SCREEN_GROUPS "cxl,latency,dram,queue,link"

/* The target of format_screen's sink. Not owned. */
struct screen_setup {
	const char *processor;
	uint64_t interval_ns;
	double link_MBps;		  /* of a port, in one direction; 0: unknown */
	struct screen_requests *requests; /* to quit, or change the interval */
	struct deferred_log *deferred_log;
	enum screen_tab tab;	      /* that is shown first */
	const struct error *no_ports; /* why they are not counted; NULL: they are */
	struct top_watcher *watcher;  /* of processes; NULL: those of a recording are shown: */
	const struct recording *played;
	bool binary; /* bandwidth in GiB/s, until somebody wants it otherwise */
	/* keeps the right to save the recording of this name */
	struct file_process *saving;
	const char *recording;
	const struct error *why_not; /* what is said instead, if its code is not 0 */
	/* likewise, the list of processes */
	const char *list;
	const struct error *why_no_list;
};

/*
 * Whether standard input and output are a terminal, we are in its foreground process group, and
 * TERM is one with a movable cursor. Where TERM is not, the log says so.
 */
bool screen_supported(const struct log *log);

extern const struct format format_screen;

/* Requests of the screen's user to the thread that samples. Neither thread waits. */

struct screen_requests {
	pthread_t sampler; /* is kicked, see linux/run/signals.h */
	atomic_bool quit;
	atomic_bool paused;
	_Atomic uint64_t interval_ns; /* taken by setting it to 0: unchanged */
};

/*
 * deferred_log.c: a log that can defer messages while there is a screen, which they would garble:
 * they are written when the screen ends. If there are too many, the first ones are kept. Safe in
 * any thread.
 */

#define DEFERRED_LOG_MESSAGES 32   /* messages */
#define DEFERRED_LOG_SIZE     1024 /* bytes of each */

struct deferred_log {
	struct log next; /* where messages are written */
	pthread_mutex_t lock;
	bool deferring;
	size_t count, dropped;
	struct deferred_message {
		enum log_level level;
		char text[DEFERRED_LOG_SIZE];
	} messages[DEFERRED_LOG_MESSAGES];
	struct deferred_message last; /* warning or note; empty: none yet */
};

void deferred_log_init(struct deferred_log *log, const struct log *next);

/* Writes to next until deferred_log_defer(). log must outlive it. */
struct log deferred_log_as_log(struct deferred_log *log);

/* From now on messages are deferred. */
void deferred_log_defer(struct deferred_log *log);
/* Writes the deferred messages, and defers no more. Does nothing if none were deferred. */
void deferred_log_flush(struct deferred_log *log);

/*
 * A copy of the last warning or note, also of one that came before; empty if there was none.
 * Returns its level.
 */
enum log_level deferred_log_last(struct deferred_log *log, char *text, size_t size);

#endif
