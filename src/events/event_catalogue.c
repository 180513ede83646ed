/* SPDX-License-Identifier: BSD-3-Clause */
#include "events/event_catalogue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "events/event_rules.h"
#include "platform/text.h"
#include "uncore/models/models.h"

void catalogue_init(struct event_catalogue *catalogue, const struct model *model)
{
	*catalogue = (struct event_catalogue){.model = model};
	while (model && model->events[catalogue->rows].name)
		catalogue->rows++;
	catalogue->core_rows = 0;
	while (model_core(model)->events[catalogue->core_rows].name)
		catalogue->core_rows++;
	while (cpmu_events[catalogue->cpmu_rows].name)
		catalogue->cpmu_rows++;
}

void catalogue_free(struct event_catalogue *catalogue)
{
	event_set_free(&catalogue->extras);
}

/* All events by index, including those hidden by another of the same name. */
static const struct event *event_at(const struct event_catalogue *catalogue, size_t i)
{
	if (i < catalogue->extras.count)
		return catalogue->extras.events[i];
	i -= catalogue->extras.count;
	if (i < catalogue->rows)
		return &catalogue->model->events[i];
	i -= catalogue->rows;
	if (i < catalogue->core_rows)
		return &model_core(catalogue->model)->events[i];
	i -= catalogue->core_rows;
	return i < catalogue->cpmu_rows ? &cpmu_events[i] : NULL;
}

const struct event *catalogue_find(const struct event_catalogue *catalogue, const char *name)
{
	const struct event *event;

	for (size_t i = 0; (event = event_at(catalogue, i)); i++)
		if (!strcasecmp(event->name, name))
			break;
	return event;
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

static size_t event_count(const struct event_catalogue *catalogue)
{
	return catalogue->extras.count + catalogue->rows + catalogue->core_rows +
	       catalogue->cpmu_rows;
}

const struct event **catalogue_events(const struct event_catalogue *catalogue, size_t *count)
{
	const size_t all = event_count(catalogue);
	const struct event **events = calloc(all + 1, sizeof(*events));

	*count = 0;
	for (size_t i = 0; events && i < all; i++)
		events[i] = event_at(catalogue, i);
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
	const struct event *event;

	for (size_t i = 0; (event = event_at(catalogue, i)); i++)
		if (event->box == like->box && event->code == like->code &&
		    event->umask == like->umask && event->umask_ext == like->umask_ext)
			break;
	return event;
}

const char *catalogue_nearest(const struct event_catalogue *catalogue, const char *name)
{
	struct text_nearest nearest = text_nearest_start(name);
	const struct event *event;

	for (size_t i = 0; (event = event_at(catalogue, i)); i++)
		text_nearest_add(&nearest, event->name);
	return nearest.name;
}
