/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds a processor's table. This file alone knows the tables by name; they fill the struct model
 * of model.h, and so need that header.
 */
#include "uncore/model/model.h"

#include <string.h>

#include "uncore/models/list.h"
#include "uncore/models/models.h"

#define DECLARE_MODEL(name) extern const struct model model_##name;
FOR_EACH_MODEL(DECLARE_MODEL)

#define LIST_MODEL(name) &model_##name,
static const struct model *const models[] = {FOR_EACH_MODEL(LIST_MODEL) NULL};

const struct model *const *model_list(void)
{
	return models;
}

static const char *vendor_of(const struct model *model)
{
	return model->vendor ? model->vendor : "GenuineIntel";
}

/*
 * Their CPUs count other events than model_amd has. Source: the kernel's bsp_init_amd(), and
 * amd_pmu_event_map(), which has other tables for them.
 */
static bool is_amd_before_zen4(const struct cpu_identity *cpu)
{
	if (strcmp(cpu->vendor, vendor_of(&model_amd)) != 0 || cpu->family > 0x19)
		return false;
	return cpu->family < 0x19 || cpu->model < 0x10 || (cpu->model > 0x1F && cpu->model < 0x60);
}

static bool is_of_arm(const struct model *model, const struct cpu_identity *cpu)
{
	return cpu->implementer == model->implementer && cpu->part == model->part;
}

static bool is_of_x86(const struct model *model, const struct cpu_identity *cpu)
{
	return !strcmp(vendor_of(model), cpu->vendor) && model->family == cpu->family &&
	       (cpu->model == model->display_model ||
		(cpu->model > model->display_model && cpu->model <= model->last_model));
}

const struct model *model_find(const struct cpu_identity *cpu)
{
	static const struct model *const others[] = {&model_intel, &model_amd};

	for (const struct model *const *m = models; *m; m++)
		if ((*m)->part ? is_of_arm(*m, cpu) : is_of_x86(*m, cpu))
			return *m;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(vendor_of(others[i]), cpu->vendor) && !is_amd_before_zen4(cpu))
			return others[i];
	return &model_other;
}

const struct core_model *model_core(const struct model *model)
{
	return model && model->core ? model->core : &core_intel;
}

bool model_has_core(const struct model *model)
{
	return model_core(model)->events;
}

const struct model *model_by_name(const char *short_name)
{
	for (const struct model *const *m = models; *m; m++)
		if (!strcmp((*m)->short_name, short_name))
			return *m;
	return NULL;
}

const struct model *model_next_simulated(const struct model *model)
{
	static const struct model *const all[] = {FOR_EACH_MODEL(LIST_MODEL) & model_intel,
						  &model_amd, &model_other, NULL};
	const struct model *const *m = all;

	while (model && *m++ != model)
		;
	while (*m && !(*m)->simulated)
		m++;
	return *m;
}

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

const struct pmu_type *model_pmu_type_of(const struct model *model, const struct event *event)
{
	return event->type == PMU_CORE	 ? &core_pmu_type
	       : event->type == PMU_CPMU ? &cpmu_pmu_type
					 : model_pmu_type(model, event->type);
}

/* Of a table of several models. */
static bool lists(const struct model *model, const struct event *event)
{
	return !event->models || event->models & model->event_list;
}

/* Of which the event is a row: of all that begin before it, the last. */
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
	while (event && !(event->name && lists(model, event)))
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
