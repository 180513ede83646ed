/* SPDX-License-Identifier: BSD-3-Clause */
#include "events/event_catalogue.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "events/event_rules.h"
#include "platform/text.h"
#include "uncore/core_unit.h"

void catalogue_init(struct event_catalogue *catalogue, const struct model *model)
{
	*catalogue = (struct event_catalogue){.model = model};
	while (model && model->events[catalogue->rows].name)
		catalogue->rows++;
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
	return i < core_event_count ? &core_events[i] : NULL;
}

const struct event *catalogue_find(const struct event_catalogue *catalogue, const char *name)
{
	const struct event *event;

	for (size_t i = 0; (event = event_at(catalogue, i)); i++)
		if (!strcasecmp(event->name, name))
			break;
	return event;
}

const struct event *catalogue_next(const struct event_catalogue *catalogue, size_t *at)
{
	const struct event *event;

	do
		event = event_at(catalogue, (*at)++);
	while (event && catalogue_find(catalogue, event->name) != event);
	return event;
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

static unsigned min_unsigned(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Levenshtein distance, ignoring case; b is shorter than EVENT_NAME_SIZE. */
static unsigned distance(const char *a, const char *b)
{
	const size_t length = strlen(b);
	unsigned row[EVENT_NAME_SIZE]; /* [j]: distance from the current prefix of a to the first j
					  characters of b */

	for (size_t j = 0; j <= length; j++)
		row[j] = (unsigned)j;
	for (; *a; a++) {
		unsigned diagonal = row[0]++;

		for (size_t j = 1; j <= length; j++) {
			const bool same =
				tolower((unsigned char)*a) == tolower((unsigned char)b[j - 1]);
			const unsigned replaced = diagonal + !same;

			diagonal = row[j];
			row[j] = min_unsigned(replaced, min_unsigned(row[j], row[j - 1]) + 1);
		}
	}
	return row[length];
}

const char *catalogue_nearest(const struct event_catalogue *catalogue, const char *name)
{
	const size_t length = strlen(name);
	unsigned best = (unsigned)(length / 3) + 1; /* at most a third of the name may differ */
	const char *nearest = NULL;
	const struct event *event;

	if (length >= EVENT_NAME_SIZE)
		return NULL;
	for (size_t i = 0; (event = event_at(catalogue, i)); i++) {
		const unsigned d = distance(event->name, name);

		if (d < best) {
			best = d;
			nearest = event->name;
		}
	}
	return nearest;
}
