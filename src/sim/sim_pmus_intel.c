/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>

#include "events/event_catalogue.h"
#include "sim/sim_layout.h"
#include "sim/sim_pmus.h"
#include "uncore/model.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* From which version on the driver knows a processor, and its CXL units (and HBM). */
static const struct support {
	unsigned named, cxl;
	bool backported; /* the CXL units to Debian's 6.12, too */
} supports[SIM_MODELS] = {
	[SIM_SPR] = {SIM_KERNEL(5, 14), SIM_KERNEL(6, 11), false},
	[SIM_EMR] = {SIM_KERNEL(6, 2), SIM_KERNEL(6, 11), false},
	[SIM_GNR] = {SIM_KERNEL(6, 8), SIM_KERNEL(6, 14), true},
	[SIM_GNR_D] = {SIM_KERNEL(6, 8), SIM_KERNEL(6, 14), true},
	[SIM_SRF] = {SIM_KERNEL(6, 8), SIM_KERNEL(6, 14), true},
	[SIM_CWF] = {SIM_KERNEL(6, 12), SIM_KERNEL(6, 14), true},
	[SIM_DMR] = {SIM_KERNEL(7, 0), SIM_KERNEL(7, 0), false},
};

#define KERNEL_BACKPORTS SIM_KERNEL(6, 12)

/* Types that the driver calls otherwise than src/uncore/models, on models as bits; NULL: nothing.
 */
#define SPR_EMR (1U << SIM_SPR | 1U << SIM_EMR)
#define GNR_ON	(1U << SIM_GNR | 1U << SIM_GNR_D | 1U << SIM_SRF | 1U << SIM_CWF)
static const struct {
	unsigned models;
	uint16_t type;
	const char *name;
} other_names[] = {
	{SPR_EMR, BOX_UBOX, NULL},
	{GNR_ON, BOX_MDF_GNR, "mdf_sbo"},
	{GNR_ON, BOX_PCIE5_X16, "pciex16"},
	{GNR_ON, BOX_PCIE5_X8, "pciex8"},
};

static bool since(const struct sim *sim, unsigned version)
{
	return sim->spec.kernel >= version;
}

static bool knows_cxl(const struct sim *sim)
{
	const struct support *s = &supports[sim->spec.model];

	return since(sim, s->cxl) || (s->backported && sim->spec.kernel == KERNEL_BACKPORTS);
}

/* What the driver calls a type of unit; NULL: it doesn't know it. */
static const char *type_name(const struct sim *sim, unsigned type)
{
	const struct box *box = sim_box(sim, type);
	const bool late = type == BOX_CXLCM || type == BOX_CXLDP || type == BOX_HBM;

	if (!since(sim, supports[sim->spec.model].named) || (late && !knows_cxl(sim)))
		return NULL;
	for (size_t i = 0; i < COUNT(other_names); i++)
		if (other_names[i].type == type && other_names[i].models >> sim->spec.model & 1)
			return other_names[i].name;
	return box ? box->name : NULL;
}

/*
 * A kernel that doesn't know the processor looks for discovery tables behind PCI functions only.
 * Units whose records are wrong it finds without the tables: these are not simulated.
 */
bool sim_intel_driver_finds(const struct sim *sim, const struct sim_unit *unit)
{
	const struct box *box = sim_box(sim, unit->type);

	if (box && box->ignored)
		return false;
	return since(sim, supports[sim->spec.model].named) ||
	       !sim_model_facts(sim->spec.model)->dies_have_tables || unit->die < SIM_IMHS;
}

static const struct sim_pmu *find_unit_pmu(const struct sim_pmus *pmus, const struct sim_unit *unit)
{
	for (size_t i = 0; i < pmus->count; i++)
		if (pmus->items[i].kind == SIM_PMU_UNCORE &&
		    pmus->items[i].unit_type == unit->type && pmus->items[i].unit_id == unit->id)
			return &pmus->items[i];
	return NULL;
}

static size_t count_of_type(const struct sim_pmus *pmus, unsigned type)
{
	size_t count = 0;

	for (size_t i = 0; i < pmus->count; i++)
		count += pmus->items[i].kind == SIM_PMU_UNCORE && pmus->items[i].unit_type == type;
	return count;
}

/* Without the id where there is one unit of that type. */
static void name_pmu(const struct sim *sim, const struct sim_pmus *pmus, struct sim_pmu *pmu)
{
	const char *name = type_name(sim, pmu->unit_type);
	char type[PERF_NAME_SIZE / 2];

	if (name)
		snprintf(type, sizeof(type), "%s", name);
	else
		snprintf(type, sizeof(type), "type_%u", pmu->unit_type & 0xffff);
	if (count_of_type(pmus, pmu->unit_type) == 1)
		snprintf(pmu->name, sizeof(pmu->name), "uncore_%s", type);
	else
		snprintf(pmu->name, sizeof(pmu->name), "uncore_%s_%u", type, pmu->unit_id & 0xffff);
	pmu->known = name != NULL;
}

void sim_pmus_intel(const struct sim *sim, struct sim_pmus *out)
{
	for (size_t i = 0; i < sim->unit_count; i++) {
		const struct sim_unit *unit = &sim->units[i];

		if (sim_intel_driver_finds(sim, unit) && !find_unit_pmu(out, unit))
			out->items[out->count++] = (struct sim_pmu){.kind = SIM_PMU_UNCORE,
								    .unit_type = unit->type,
								    .unit_id = unit->id};
	}
	for (size_t i = 0; i < out->count; i++)
		name_pmu(sim, out, &out->items[i]);
}

uint64_t sim_intel_driver_counters(const struct sim_pmu *pmu, const struct sim_unit *unit,
				   uint64_t config)
{
	const struct event event = {
		.box = (uint16_t)unit->type, .code = config & 0xff, .umask = config >> 8 & 0xff};
	const uint64_t all = (UINT64_C(1) << unit->counters) - 1;

	return pmu->known ? rules_counters(&event) & all : all;
}
