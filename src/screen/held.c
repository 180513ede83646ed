/* SPDX-License-Identifier: BSD-3-Clause */
#include "screen/held.h"

#include <stdio.h>

void held_init(struct held *held, const struct log *behind)
{
	*held = (struct held){.behind = *behind};
	pthread_mutex_init(&held->lock, NULL);
}

static void keep(struct held *held, enum log_level level, const char *text)
{
	if (level <= LEVEL_NOTE)
		snprintf(held->last, sizeof(held->last), "%s", text);
	/* details are many, and leave room for what matters more */
	if (held->count >= (level == LEVEL_DETAIL ? HELD_MOST / 2 : HELD_MOST)) {
		held->dropped++;
		return;
	}
	held->levels[held->count] = level;
	snprintf(held->texts[held->count++], HELD_SIZE, "%s", text);
}

static void take(void *context, enum log_level level, const char *text)
{
	struct held *held = context;

	pthread_mutex_lock(&held->lock);
	const bool holding = held->holding;
	if (holding)
		keep(held, level, text);
	pthread_mutex_unlock(&held->lock);
	if (!holding)
		log_write(&held->behind, level, "%s", text);
}

struct log held_log(struct held *held)
{
	return (struct log){.write = take, .context = held};
}

void held_hold(struct held *held)
{
	pthread_mutex_lock(&held->lock);
	held->holding = true;
	pthread_mutex_unlock(&held->lock);
}

void held_release(struct held *held)
{
	pthread_mutex_lock(&held->lock);
	held->holding = false;
	pthread_mutex_unlock(&held->lock);
	for (size_t i = 0; i < held->count; i++)
		log_write(&held->behind, held->levels[i], "%s", held->texts[i]);
	if (held->dropped)
		log_write(&held->behind, LEVEL_WARNING, "%zu further messages were dropped",
			  held->dropped);
	held->count = held->dropped = 0;
}

void held_last(struct held *held, char *text, size_t size)
{
	pthread_mutex_lock(&held->lock);
	snprintf(text, size, "%s", held->last);
	pthread_mutex_unlock(&held->lock);
}
