/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/model/model.h"

#include <string.h>

bool pmu_type_is_cxlcm(uint16_t type)
{
	return type == PMU_CXLCM || type == PMU_CXLCM_DMR;
}

const struct control_layout *pmu_type_layout(const struct pmu_type *pmu_type)
{
	return pmu_type && pmu_type->layout ? pmu_type->layout : &control_generic;
}

const struct pmu_type *model_pmu_type(const struct model *model, uint16_t type)
{
	for (const struct pmu_type *pmu_type = model->pmu_types; pmu_type->name; pmu_type++)
		if (pmu_type->type == type)
			return pmu_type;
	return NULL;
}

/* Returns true if the model has the event of a table of several models. */
static bool model_lists(const struct model *model, const struct event *event)
{
	return !event->models || event->models & model->event_list;
}

/* Returns the table that has the event as a row: the last of those that begin before it. */
static const struct event *const *table_of(const struct model *model, const struct event *event)
{
	const struct event *const *found = model->events;

	for (const struct event *const *table = found; *table; table++)
		if ((uintptr_t)*table <= (uintptr_t)event &&
		    ((uintptr_t)*table > (uintptr_t)*found || (uintptr_t)*found > (uintptr_t)event))
			found = table;
	return found;
}

const struct event *model_next_event(const struct model *model, const struct event *event)
{
	const struct event *const *table = model->events;

	if (!table)
		return NULL;
	if (event)
		table = table_of(model, event++);
	else
		event = *table;
	while (event && !(event->name && model_lists(model, event)))
		event = event->name ? event + 1 : *++table;
	return event;
}

static bool ends_with(const char *name, const char *end)
{
	const size_t length = strlen(name), end_length = strlen(end);

	return length >= end_length && !strcmp(name + length - end_length, end);
}

const struct event *model_clock(const struct model *model, uint16_t type)
{
	const struct event *event = NULL;

	while ((event = model_next_event(model, event))) {
		if (event->type == type &&
		    (ends_with(event->name, "_CLOCKTICKS") || ends_with(event->name, ".cycles")))
			return event;
	}
	return NULL;
}

const char *model_why_not(const struct model *model, const char *metric)
{
	if (!model->pmu_types->name)
		return "cxlmon does not support this processor";
	if (!model->events)
		return "no event list is published for this processor";
	if (model->unreliable_metric && !strcmp(model->unreliable_metric, metric))
		return "its event is not known to count correctly on this processor";
	return "no event that counts it is published for this processor";
}
