/* SPDX-License-Identifier: BSD-3-Clause */
#include "events/event_catalogue.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/text.h"
#include "msr/core_pmu.h"
#include "uncore/models/models.h"
#include "uncore/units/core_unit.h"
#include "uncore/units/cpmu_events.h"
#include "uncore/units/pmon_unit.h"

/*
 * Counters of events by code. Sources: the Counter fields of Intel's published event lists
 * (perfmon) for CXLCM and for the CHA's TOR occupancy, and the kernel's uncore_snbep.c for the
 * number of counters and (commit 171b5292a82d) for Diamond Rapids, and its amd/uncore.c. Other
 * events are assumed to work on every counter of their PMU type.
 */
static const struct rule {
	uint16_t type;
	uint8_t first, last; /* event codes */
	uint32_t counters;
} rules[] = {
	{PMU_CXLCM, 0x02, 0x02, CXLCM_TX}, /* TxC_PACK_BUF_INSERTS */
	{PMU_CXLCM, 0x05, 0x05, CXLCM_TX}, /* TxC_FLITS */
	{PMU_CXLCM, 0x40, 0x40, CXLCM_RX}, /* RxC_MISC */
	{PMU_CXLCM, 0x41, 0x41, CXLCM_RX}, /* RxC_PACK_BUF_INSERTS */
	{PMU_CXLCM, 0x42, 0x42, CXLCM_RX}, /* RxC_PACK_BUF_NE */
	{PMU_CXLCM, 0x43, 0x43, CXLCM_RX}, /* RxC_AGF_INSERTS */
	{PMU_CXLCM, 0x4B, 0x4B, CXLCM_RX}, /* RxC_FLITS */
	{PMU_CXLCM, 0x52, 0x52, CXLCM_RX}, /* RxC_PACK_BUF_FULL */
	{PMU_CHA, 0x36, 0x36, 0x01},	   /* TOR_OCCUPANCY */
	{PMU_CXLCM_DMR, 0x01, 0x24, CXLCM_TX}, {PMU_CXLCM_DMR, 0x41, 0x41, CXLCM_RX},
	{PMU_CXLCM_DMR, 0x50, 0x5E, CXLCM_RX}, {PMU_CXLCM_DMR, 0x60, 0x61, CXLCM_RX},
	{PMU_CBO, 0x11, 0x11, ONLY_0},	       {PMU_CBO, 0x19, 0x1A, ONLY_0},
	{PMU_CBO, 0x1F, 0x1F, ONLY_0},	       {PMU_CBO, 0x21, 0x21, ONLY_0},
	{PMU_CBO, 0x25, 0x25, ONLY_0},	       {PMU_CBO, 0x36, 0x36, ONLY_0},
	{PMU_SBO, 0x1F, 0x1F, ONLY_0},	       {PMU_SBO, 0x25, 0x25, ONLY_0},
};

/* Events of fixed counters, which have no modifiers except usr and os: Intel SDM vol. 3B. */
static const struct {
	uint8_t code, umask;
	enum fixed_counter fixed;
} fixed_events[] = {
	{0xC0, 0x00, FIXED_INSTRUCTIONS},
	{0x3C, 0x00, FIXED_CYCLES},
};

unsigned rules_counter_count(uint16_t pmu_type)
{
	switch (pmu_type) {
	case PMU_CORE:
		return CORE_COUNTER_TSC - CORE_COUNTER_GENERAL;
	case PMU_CXLCM:
	case PMU_CXLCM_DMR:
		return 8;
	case PMU_DF:
		return 16;
	case PMU_L3:
		return 6;
	case PMU_CPMU:
		return UNIT_MAX_COUNTERS;
	default:
		return 4;
	}
}

static uint32_t core_counters(const struct event *event)
{
	uint32_t counters = CORE_COUNTERS_GENERAL;

	for (size_t i = 0; i < sizeof(fixed_events) / sizeof(fixed_events[0]); i++)
		if (event->code == fixed_events[i].code && event->umask == fixed_events[i].umask &&
		    event->modifiers == (PERFEVTSEL_USR | PERFEVTSEL_OS))
			counters |= CORE_FIXED(fixed_events[i].fixed);
	return counters;
}

uint32_t rules_counters(const struct event *event)
{
	if (event->type == PMU_CORE)
		return core_counters(event);
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (event->type == rules[i].type && event->code >= rules[i].first &&
		    event->code <= rules[i].last)
			return rules[i].counters;
	return UINT32_MAX >> (32 - rules_counter_count(event->type));
}

bool rules_find_pmu_type(const struct model *model, const char *name, uint16_t *type)
{
	if (!strcasecmp(name, core_pmu_type.name) || !strcasecmp(name, cpmu_pmu_type.name)) {
		*type = strcasecmp(name, core_pmu_type.name) ? PMU_CPMU : PMU_CORE;
		return true;
	}
	for (const struct pmu_type *pmu_type = model ? model->pmu_types : NULL;
	     pmu_type && pmu_type->name; pmu_type++) {
		if (!strcasecmp(name, pmu_type->name)) {
			*type = pmu_type->type;
			return true;
		}
	}
	return false;
}

void event_set_truncate(struct event_set *set, size_t count)
{
	while (set->count > count)
		free(set->events[--set->count]);
}

void event_set_free(struct event_set *set)
{
	event_set_truncate(set, 0);
	free(set->events);
	*set = (struct event_set){0};
}

/* Copies the event and its strings into one allocation. */
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

int event_set_add(struct event_set *set, const struct event *event, const struct event **out,
		  struct error *err)
{
	struct event *copy = copy_event(event);

	if (!copy || array_room(&set->events, set->count, 1, sizeof(*set->events))) {
		free(copy);
		return error_no_memory(err);
	}
	set->events[set->count++] = copy;
	if (out)
		*out = copy;
	return 0;
}

void catalogue_init(struct event_catalogue *catalogue, const struct model *model)
{
	*catalogue = (struct event_catalogue){.model = model};
}

void catalogue_free(struct event_catalogue *catalogue)
{
	event_set_free(&catalogue->extras);
	event_set_free(&catalogue->left_out);
}

/* Position of a search: in the events from files, then in the model's, then in these tables. */
struct cursor {
	size_t extra;
	const struct event *listed;
	bool all_listed;
	size_t table, row;
};

/* Returns the next event, including events hidden by another of the same name. NULL: no more. */
static const struct event *next_event(const struct event_catalogue *catalogue, struct cursor *at)
{
	const struct model *model = catalogue->model;
	const struct event *const tables[] = {model_core(model)->events, cpmu_events};

	if (at->extra < catalogue->extras.count)
		return catalogue->extras.events[at->extra++];
	if (model && !at->all_listed) {
		at->listed = model_next_event(model, at->listed);
		at->all_listed = !at->listed;
	}
	if (at->listed)
		return at->listed;
	for (; at->table < sizeof(tables) / sizeof(tables[0]); at->table++, at->row = 0)
		if (tables[at->table] && tables[at->table][at->row].name)
			return &tables[at->table][at->row++];
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

const char *catalogue_obstacle(const struct event_catalogue *catalogue, const char *name)
{
	for (size_t i = 0; i < catalogue->left_out.count; i++)
		if (!strcasecmp(catalogue->left_out.events[i]->name, name))
			return catalogue->left_out.events[i]->help;
	return NULL;
}

bool catalogue_find_elsewhere(const struct event_catalogue *catalogue, const char *name, char *text,
			      size_t size)
{
	text[0] = '\0';
	for (const struct model *const *m = model_list(); *m && catalogue->model; m++) {
		const struct event_catalogue other = {.model = *m};

		if (!strcmp(model_vendor(*m), model_vendor(catalogue->model)) &&
		    catalogue_find(&other, name))
			text_list(text, size, "%s", (*m)->name);
	}
	return *text;
}

const struct event **catalogue_events(const struct event_catalogue *catalogue, size_t *count)
{
	struct cursor at = {0};
	const struct event *event;
	size_t most = 1;

	while (next_event(catalogue, &at))
		most++;
	const struct event **events = calloc(most, sizeof(*events));
	at = (struct cursor){0};
	*count = 0;
	while (events && (event = next_event(catalogue, &at)))
		if (catalogue_find(catalogue, event->name) == event)
			events[(*count)++] = event;
	return events;
}

const struct event *catalogue_find_encoding(const struct event_catalogue *catalogue,
					    const struct event *like)
{
	struct cursor at = {0};
	const struct event *event;

	while ((event = next_event(catalogue, &at)))
		if (event->type == like->type && event->code == like->code &&
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
