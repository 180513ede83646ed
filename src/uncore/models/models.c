/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/models/models.h"

#include <string.h>

#include "uncore/models/models_private.h"
#include "uncore/units/core_unit.h"
#include "uncore/units/cpmu_events.h"

/* The supported processors, one per line, in the order of model_list(): model_NAME. */
#define FOR_EACH_MODEL(DO)                                                                         \
	DO(spr)                                                                                    \
	DO(emr)                                                                                    \
	DO(gnr)                                                                                    \
	DO(gnr_d)                                                                                  \
	DO(srf)                                                                                    \
	DO(cwf)                                                                                    \
	DO(dmr)                                                                                    \
	DO(turin)                                                                                  \
	DO(venice_a0)                                                                              \
	DO(venice)                                                                                 \
	DO(genoa)                                                                                  \
	DO(bergamo)                                                                                \
	DO(vera)

#define DECLARE_MODEL(name) extern const struct model model_##name;
FOR_EACH_MODEL(DECLARE_MODEL)

#define LIST_MODEL(name) &model_##name,
static const struct model *const models[] = {FOR_EACH_MODEL(LIST_MODEL) NULL};

const struct model *const *model_list(void)
{
	return models;
}

const char *model_vendor(const struct model *model)
{
	return model->vendor ? model->vendor : "GenuineIntel";
}

/*
 * Returns true for AMD's processors whose CPUs count other events than model_amd has. Source: the
 * kernel's bsp_init_amd(), and amd_pmu_event_map(), which has other tables for them.
 */
static bool is_amd_before_zen4(const struct cpu_identity *cpu)
{
	if (strcmp(cpu->vendor, model_vendor(&model_amd)) != 0 || cpu->family > 0x19)
		return false;
	return cpu->family < 0x19 || cpu->model < 0x10 || (cpu->model > 0x1F && cpu->model < 0x60);
}

static bool is_of_arm(const struct model *model, const struct cpu_identity *cpu)
{
	return cpu->implementer == model->implementer && cpu->part == model->part;
}

static bool is_of_x86(const struct model *model, const struct cpu_identity *cpu)
{
	return !strcmp(model_vendor(model), cpu->vendor) && model->family == cpu->family &&
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
		if (!strcmp(model_vendor(others[i]), cpu->vendor) && !is_amd_before_zen4(cpu))
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

const struct pmu_type *model_pmu_type_of(const struct model *model, const struct event *event)
{
	return event->type == PMU_CORE	 ? &core_pmu_type
	       : event->type == PMU_CPMU ? &cpmu_pmu_type
					 : model_pmu_type(model, event->type);
}
