/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/screen.h"

#include <stdio.h>

void deferred_log_init(struct deferred_log *log, const struct log *next)
{
	*log = (struct deferred_log){.next = *next};
	pthread_mutex_init(&log->lock, NULL);
}

static void write_or_defer(void *context, enum log_level level, const char *text)
{
	/* half of the room is for details, which are many; the rest is for warnings and notes */
	const size_t most =
		level == LEVEL_DETAIL ? DEFERRED_LOG_MESSAGES / 2 : DEFERRED_LOG_MESSAGES;
	struct deferred_log *log = context;
	struct deferred_message message = {.level = level};

	snprintf(message.text, sizeof(message.text), "%s", text);
	pthread_mutex_lock(&log->lock);
	const bool deferring = log->deferring;
	if (level <= LEVEL_NOTE)
		log->last = message;
	if (deferring && log->count < most)
		log->messages[log->count++] = message;
	else if (deferring)
		log->dropped++;
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
		log_write(&log->next, log->messages[i].level, "%s", log->messages[i].text);
	if (log->dropped)
		log_write(&log->next, LEVEL_WARNING, "%zu further messages were dropped",
			  log->dropped);
	log->count = log->dropped = 0;
}

enum log_level deferred_log_last(struct deferred_log *log, char *text, size_t size)
{
	pthread_mutex_lock(&log->lock);
	const enum log_level level = log->last.level;

	snprintf(text, size, "%s", log->last.text);
	pthread_mutex_unlock(&log->lock);
	return level;
}
