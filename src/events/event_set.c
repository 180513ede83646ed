/* SPDX-License-Identifier: BSD-3-Clause */
#include "events/event_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void event_set_free(struct event_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		free(set->events[i]);
	free(set->events);
	*set = (struct event_set){0};
}

/* The event and its texts in one allocation. */
static struct event *copy_event(const struct event *event)
{
	const size_t name = strlen(event->name) + 1;
	const size_t help = event->help ? strlen(event->help) + 1 : 0;
	struct event *copy = malloc(sizeof(*copy) + name + help);

	if (!copy)
		return NULL;
	char *texts = (char *)(copy + 1);
	*copy = *event;
	copy->name = memcpy(texts, event->name, name);
	copy->help = help ? memcpy(texts + name, event->help, help) : NULL;
	return copy;
}

/* The capacity is the power of two not below the count. */
static int reserve(struct event_set *set, size_t more)
{
	size_t capacity = 1;

	while (capacity < set->count + more)
		capacity *= 2;
	struct event **events = realloc(set->events, capacity * sizeof(*events));
	if (!events)
		return -ENOMEM;
	set->events = events;
	return 0;
}

int event_set_add(struct event_set *set, const struct event *event, const struct event **out,
		  struct error *err)
{
	struct event *copy = copy_event(event);

	if (!copy || reserve(set, 1)) {
		free(copy);
		return error_no_memory(err);
	}
	set->events[set->count++] = copy;
	if (out)
		*out = copy;
	return 0;
}

int event_set_move(struct event_set *to, struct event_set *from, struct error *err)
{
	if (from->count) {
		if (reserve(to, from->count))
			return error_no_memory(err);
		memcpy(to->events + to->count, from->events, from->count * sizeof(*from->events));
		to->count += from->count;
	}
	free(from->events);
	*from = (struct event_set){0};
	return 0;
}
