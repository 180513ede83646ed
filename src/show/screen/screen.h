/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The live screen: an interactive format (see output/sink.h). It redraws the terminal at each
 * sample, and handles keys and the terminal's signals. It runs in the writer's thread, so that a
 * slow terminal does not delay sampling.
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

/* Metric groups that a screen shows without -m. */
#define SCREEN_GROUPS "cxl,latency,dram,queue,link"

/* Parameters of the screen: .target of format_screen's sink. Nothing is owned. */
struct screen_setup {
	const char *processor;		   /* name of the processor, for the first line */
	uint64_t interval_ns;		   /* interval of samples at the start */
	double link_MBps;		   /* MB/s of a port's link in one direction; 0: unknown */
	struct screen_requests *requests;  /* the user's requests to the sampler */
	struct deferred_log *deferred_log; /* receives messages while the screen is shown */
	enum screen_tab tab;		   /* tab that is shown first */
	const struct error *no_ports;	   /* reason why ports are not counted; NULL: they are */
	struct top_watcher *watcher;	   /* watches processes; NULL: .played has them */
	const struct recording *played;	   /* recording whose samples are shown; NULL: a live run */
	bool binary;			   /* bandwidth is in GiB/s at the start, else in GB/s */
	/* helper that saves files: .recording is its first file, .list its second */
	struct file_process *saving;
	const char *recording;		 /* name of the file of saved samples */
	const struct error *why_not;	 /* reason why samples cannot be saved; .code 0: they can */
	const char *list;		 /* name of the file of saved processes */
	const struct error *why_no_list; /* as .why_not, for processes */
};

/*
 * Returns true if a screen can be shown:
 * - Standard input and output are a terminal.
 * - This process is in the terminal's foreground process group.
 * - ncurses can use the terminal. If only this fails, logs the reason.
 */
bool screen_supported(const struct log *log);

/* The format; .target of its sink is a struct screen_setup. */
extern const struct format format_screen;

/* Requests of the user to the sampling thread. Neither thread waits for the other. */
struct screen_requests {
	pthread_t sampler;  /* sampling thread, which a request wakes up: see linux/run/signals.h */
	atomic_bool quit;   /* the user wants to quit */
	atomic_bool paused; /* the display is paused: a replay shows no further samples */
	/* wanted interval of samples; 0: unchanged. The sampler sets it to 0 after reading it */
	_Atomic uint64_t interval_ns;
};

/*
 * deferred_log.c: a log that keeps messages while the screen is shown, which they would garble. If
 * there are too many, the first ones are kept, and the others are counted. Any thread may log.
 */

#define DEFERRED_LOG_MESSAGES 32   /* most kept messages; at most half are LEVEL_DETAIL */
#define DEFERRED_LOG_SIZE     1024 /* bytes of a message; the rest is cut off */

/* A log that can keep messages. Its members are private. */
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

/* Initializes a log that writes messages to next (copied) at once, until deferred_log_defer(). */
void deferred_log_init(struct deferred_log *log, const struct log *next);

/* Returns a log to write to. *log must stay valid as long as it is used. */
struct log deferred_log_as_log(struct deferred_log *log);

/* Keeps messages from now on. */
void deferred_log_defer(struct deferred_log *log);
/* Writes the kept messages and the number of dropped ones. Later messages are written at once. */
void deferred_log_flush(struct deferred_log *log);

/*
 * Copies the last warning or note, whether it was kept or written; "": none so far. Returns its
 * level.
 */
enum log_level deferred_log_last(struct deferred_log *log, char *text, size_t size);

#endif
