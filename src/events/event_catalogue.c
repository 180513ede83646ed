/* SPDX-License-Identifier: BSD-3-Clause */
#include "events/event_catalogue.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "events/event_rules.h"
#include "platform/text.h"
#include "uncore/models/models.h"

void catalogue_init(struct event_catalogue *catalogue, const struct model *model)
{
	*catalogue = (struct event_catalogue){.model = model};
}

void catalogue_free(struct event_catalogue *catalogue)
{
	event_set_free(&catalogue->extras);
}

/* How far a search is: in the events from files, then in the tables. */
struct cursor {
	size_t extra, table, row;
};

/* The next event, including those hidden by another of the same name. NULL: that was the last. */
static const struct event *next_event(const struct event_catalogue *catalogue, struct cursor *at)
{
	const struct model *model = catalogue->model;
	const struct event *const tables[] = {model ? model->events : NULL,
					      model_core(model)->events, cpmu_events};

	if (at->extra < catalogue->extras.count)
		return catalogue->extras.events[at->extra++];
	for (; at->table < sizeof(tables) / sizeof(tables[0]); at->table++, at->row = 0)
		while (tables[at->table] && tables[at->table][at->row].name) {
			const struct event *event = &tables[at->table][at->row++];

			if (model_lists(model, event))
				return event;
		}
	return NULL;
}

const struct event *catalogue_find(const struct event_catalogue *catalogue, const char *name)
{
	struct cursor at = {0};
	const struct event *event;

	while ((event = next_event(catalogue, &at)))
		if (!strcasecmp(event->name, name))
			break;
	return event;
}

bool catalogue_find_elsewhere(const struct event_catalogue *catalogue, const char *name, char *text,
			      size_t size)
{
	text[0] = '\0';
	for (const struct model *const *m = model_list(); *m && catalogue->model; m++) {
		const struct event_catalogue other = {.model = *m};

		if (!(*m)->vendor == !catalogue->model->vendor && catalogue_find(&other, name))
			text_list(text, size, "%s", (*m)->name);
	}
	return *text;
}

/* An event and its place in the search order. */
struct placed_event {
	const struct event *event;
	size_t place;
};

static int compare_names(const void *a, const void *b)
{
	const struct placed_event *x = a, *y = b;
	const int names = strcasecmp(x->event->name, y->event->name);

	return names ? names : (x->place > y->place) - (x->place < y->place);
}

/* Sets those to NULL that follow another of the same name. */
static int drop_hidden(const struct event **events, size_t count)
{
	struct placed_event *sorted = calloc(count + 1, sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		sorted[i] = (struct placed_event){events[i], i};
	qsort(sorted, count, sizeof(*sorted), compare_names);
	for (size_t i = 1; i < count; i++)
		if (!strcasecmp(sorted[i].event->name, sorted[i - 1].event->name))
			events[sorted[i].place] = NULL;
	free(sorted);
	return 0;
}

const struct event **catalogue_events(const struct event_catalogue *catalogue, size_t *count)
{
	const struct event **events;
	struct cursor at = {0};
	size_t all = 0;

	while (next_event(catalogue, &at))
		all++;
	events = calloc(all + 1, sizeof(*events));
	at = (struct cursor){0};
	*count = 0;
	for (size_t i = 0; events && i < all; i++)
		events[i] = next_event(catalogue, &at);
	if (!events || drop_hidden(events, all)) {
		free(events);
		return NULL;
	}
	for (size_t i = 0; i < all; i++)
		if (events[i])
			events[(*count)++] = events[i];
	return events;
}

const struct event *catalogue_find_encoding(const struct event_catalogue *catalogue,
					    const struct event *like)
{
	struct cursor at = {0};
	const struct event *event;

	while ((event = next_event(catalogue, &at)))
		if (event->box == like->box && event->code == like->code &&
		    event->umask == like->umask && event->umask_ext == like->umask_ext)
			break;
	return event;
}

const char *catalogue_nearest(const struct event_catalogue *catalogue, const char *name)
{
	struct text_nearest nearest = text_nearest_start(name);
	struct cursor at = {0};
	const struct event *event;

	while ((event = next_event(catalogue, &at)))
		text_nearest_add(&nearest, event->name);
	return nearest.name;
}
