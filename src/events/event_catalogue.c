/* SPDX-License-Identifier: BSD-3-Clause */
#include "events/event_catalogue.h"

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

const char *catalogue_nearest(const struct event_catalogue *catalogue, const char *name)
{
	struct text_nearest nearest = text_nearest_start(name);
	const struct event *event;

	for (size_t i = 0; (event = event_at(catalogue, i)); i++)
		text_nearest_add(&nearest, event->name);
	return nearest.name;
}
