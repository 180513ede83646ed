/* SPDX-License-Identifier: BSD-3-Clause */
#include "screen/deferred_log.h"

#include <stdio.h>

void deferred_log_init(struct deferred_log *log, const struct log *next)
{
	*log = (struct deferred_log){.next = *next};
	pthread_mutex_init(&log->lock, NULL);
}

static void store(struct deferred_log *log, enum log_level level, const char *text)
{
	/* details are many: they may use only half, the rest is for warnings and notes */
	if (log->count >=
	    (level == LEVEL_DETAIL ? DEFERRED_LOG_MESSAGES / 2 : DEFERRED_LOG_MESSAGES)) {
		log->dropped++;
		return;
	}
	log->levels[log->count] = level;
	snprintf(log->texts[log->count++], DEFERRED_LOG_SIZE, "%s", text);
}

static void write_or_defer(void *context, enum log_level level, const char *text)
{
	struct deferred_log *log = context;

	pthread_mutex_lock(&log->lock);
	const bool deferring = log->deferring;
	if (level <= LEVEL_NOTE) {
		snprintf(log->last, sizeof(log->last), "%s", text);
		log->last_level = level;
	}
	if (deferring)
		store(log, level, text);
	pthread_mutex_unlock(&log->lock);
	if (!deferring)
		log_write(&log->next, level, "%s", text);
}

struct log deferred_log_as_log(struct deferred_log *log)
{
	return (struct log){.write = write_or_defer, .context = log};
}

void deferred_log_defer(struct deferred_log *log)
{
	pthread_mutex_lock(&log->lock);
	log->deferring = true;
	pthread_mutex_unlock(&log->lock);
}

void deferred_log_flush(struct deferred_log *log)
{
	pthread_mutex_lock(&log->lock);
	log->deferring = false;
	pthread_mutex_unlock(&log->lock);
	for (size_t i = 0; i < log->count; i++)
		log_write(&log->next, log->levels[i], "%s", log->texts[i]);
	if (log->dropped)
		log_write(&log->next, LEVEL_WARNING, "%zu further messages were dropped",
			  log->dropped);
	log->count = log->dropped = 0;
}

enum log_level deferred_log_last(struct deferred_log *log, char *text, size_t size)
{
	pthread_mutex_lock(&log->lock);
	const enum log_level level = log->last_level;

	snprintf(text, size, "%s", log->last);
	pthread_mutex_unlock(&log->lock);
	return level;
}
