/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A log that can defer messages while there is a screen, which they would garble: they are written
 * when the screen ends. If there are too many, the first ones are kept. Safe in any thread.
 */
#ifndef CXLMON_SHOW_SCREEN_DEFERRED_LOG_H
#define CXLMON_SHOW_SCREEN_DEFERRED_LOG_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

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
