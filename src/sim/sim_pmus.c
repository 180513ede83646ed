/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_pmus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim_cxl_pmu.h"
#include "sim/sim_layout.h"
#include "sim/sim_unit.h"
#include "uncore/model.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define PMU_TYPE_CPU   4  /* PERF_TYPE_RAW */
#define PMU_TYPE_FIRST 10 /* of those that are numbered as they are registered */

/* From which version on intel_uncore knows a processor, and its CXL units (and HBM). */
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
#define KERNEL_UMC	 SIM_KERNEL(6, 7) /* the first one that knows AMD's memory controllers */

/* Types that the driver calls otherwise than src/uncore/models, on models as bits; NULL: nothing.
 */
static const struct {
	unsigned models;
	uint16_t type;
	const char *name;
} other_names[] = {
	{SIM_SPR_EMR, PMU_UBOX, NULL},
	{SIM_GNR_ON, PMU_MDF_GNR, "mdf_sbo"},
	{SIM_GNR_ON, PMU_PCIE5_X16, "pciex16"},
	{SIM_GNR_ON, PMU_PCIE5_X8, "pciex8"},
};

static bool is_amd(const struct sim *sim)
{
	return sim_model_facts(sim->spec.model)->vendor == SIM_AMD;
}

static bool since(const struct sim *sim, unsigned version)
{
	return sim->spec.kernel >= version;
}

/*
 * Whether the driver finds the unit. One that doesn't know the processor looks for discovery tables
 * behind PCI functions only. Units whose records are wrong it finds without the tables: these are
 * not simulated.
 */
static bool is_found(const struct sim *sim, const struct sim_unit *unit)
{
	const struct pmu_type *pmu_type = sim_pmu_type(sim, unit->type);

	if (is_amd(sim))
		return unit->type != PMU_UMC || since(sim, KERNEL_UMC);
	return !(pmu_type && pmu_type->ignored) &&
	       (since(sim, supports[sim->spec.model].named) ||
		!sim_model_facts(sim->spec.model)->dies_have_tables || unit->die < SIM_IMHS);
}

/* Whether one PMU counts on both: on Intel on all of a type that have the same id, on AMD on all of
 * a type, but on each memory controller for itself. */
static bool shares_pmu(const struct sim *sim, const struct sim_unit *a, const struct sim_unit *b)
{
	if (a->type != b->type)
		return false;
	return is_amd(sim) ? a->type != PMU_UMC || (a->id == b->id && a->socket == b->socket)
			   : a->id == b->id;
}

/* What the driver calls a type of Intel's unit; NULL: it doesn't know it. */
static const char *type_name(const struct sim *sim, unsigned type)
{
	const struct support *support = &supports[sim->spec.model];
	const struct pmu_type *pmu_type = sim_pmu_type(sim, type);
	const bool late = type == PMU_CXLCM || type == PMU_CXLDP || type == PMU_HBM;
	const bool knows_late = since(sim, support->cxl) ||
				(support->backported && sim->spec.kernel == KERNEL_BACKPORTS);

	if (!since(sim, support->named) || (late && !knows_late))
		return NULL;
	for (size_t i = 0; i < COUNT(other_names); i++)
		if (other_names[i].type == type && other_names[i].models >> sim->spec.model & 1)
			return other_names[i].name;
	return pmu_type ? pmu_type->name : NULL;
}

/* How many PMUs are of that type of unit, before the one at end. */
static unsigned count_of_type(const struct sim_pmus *pmus, unsigned type, const struct sim_pmu *end)
{
	unsigned count = 0;

	for (const struct sim_pmu *pmu = pmus->items; pmu < end; pmu++)
		count += pmu->unit->type == type;
	return count;
}

/* Without the id where there is one unit of that type. */
static void name_intel_pmu(const struct sim *sim, const struct sim_pmus *pmus, struct sim_pmu *pmu)
{
	const unsigned unit_type = pmu->unit->type;
	const char *name = type_name(sim, unit_type);
	char type[PERF_NAME_SIZE / 2];

	pmu->known = name != NULL;
	if (name)
		snprintf(type, sizeof(type), "%s", name);
	else
		snprintf(type, sizeof(type), "type_%u", unit_type & 0xffff);
	if (count_of_type(pmus, unit_type, pmus->items + pmus->count) == 1)
		snprintf(pmu->name, sizeof(pmu->name), "uncore_%s", type);
	else
		snprintf(pmu->name, sizeof(pmu->name), "uncore_%s_%u", type,
			 pmu->unit->id & 0xffff);
}

static void name_amd_pmu(const struct sim_pmus *pmus, struct sim_pmu *pmu)
{
	pmu->known = true;
	if (pmu->unit->type == PMU_UMC)
		snprintf(pmu->name, sizeof(pmu->name), "amd_umc_%u",
			 count_of_type(pmus, PMU_UMC, pmu));
	else
		snprintf(pmu->name, sizeof(pmu->name),
			 pmu->unit->type == PMU_DF ? "amd_df" : "amd_l3");
}

static void add_unit_pmus(const struct sim *sim, struct sim_pmus *out)
{
	for (size_t u = 0; u < sim->unit_count; u++) {
		const struct sim_unit *unit = &sim->units[u];
		size_t i = 0;

		while (i < out->count && !shares_pmu(sim, out->items[i].unit, unit))
			i++;
		if (i == out->count && is_found(sim, unit))
			out->items[out->count++] =
				(struct sim_pmu){.kind = SIM_PMU_UNCORE, .unit = unit};
	}
	for (size_t i = 0; i < out->count; i++)
		if (is_amd(sim))
			name_amd_pmu(out, &out->items[i]);
		else
			name_intel_pmu(sim, out, &out->items[i]);
}

static int compare_names(const void *a, const void *b)
{
	const struct sim_pmu *x = a, *y = b;

	return strcmp(x->name, y->name);
}

int sim_pmus_make(const struct sim *sim, struct sim_pmus *out)
{
	out->count = 0;
	out->items = calloc(sim->unit_count + sim->cpmu_count + 2, sizeof(*out->items));
	if (!out->items)
		return -ENOMEM;
	add_unit_pmus(sim, out);
	sim_cxl_pmus(sim, out);
	if (sim_model_facts(sim->spec.model)->vendor != SIM_ARM) {
		out->items[out->count++] = (struct sim_pmu){.name = "cpu", .kind = SIM_PMU_CORE};
		out->items[out->count++] = (struct sim_pmu){.name = "msr", .kind = SIM_PMU_MSR};
	}
	qsort(out->items, out->count, sizeof(*out->items), compare_names);
	for (size_t i = 0; i < out->count; i++)
		out->items[i].type = out->items[i].kind == SIM_PMU_CORE
					     ? PMU_TYPE_CPU
					     : PMU_TYPE_FIRST + (uint32_t)i;
	return 0;
}

void sim_pmus_free(struct sim_pmus *pmus)
{
	free(pmus->items);
	*pmus = (struct sim_pmus){0};
}

struct sim_unit *sim_pmu_unit(const struct sim *sim, const struct sim_pmu *pmu, unsigned cpu)
{
	for (size_t i = 0; i < sim->unit_count; i++) {
		struct sim_unit *unit = &sim->units[i];

		if (shares_pmu(sim, unit, pmu->unit) && is_found(sim, unit) &&
		    sim_unit_is_served(unit, &sim->cores[cpu]))
			return unit;
	}
	return NULL;
}

/* One CPU of each die that has the PMU's unit; out has room for all. Returns how many. */
static size_t list_unit_cpus(const struct sim *sim, const struct sim_pmu *pmu, unsigned *out)
{
	size_t count = 0;

	for (size_t u = 0; u < sim->unit_count; u++) {
		const struct sim_unit *unit = &sim->units[u];
		const int cpu =
			shares_pmu(sim, unit, pmu->unit) ? sim_unit_first_cpu(sim, unit) : -1;
		size_t i = count;

		if (cpu < 0 || sim_pmu_unit(sim, pmu, (unsigned)cpu) != unit)
			continue;
		for (; i && out[i - 1] > (unsigned)cpu; i--)
			out[i] = out[i - 1];
		out[i] = (unsigned)cpu;
		count++;
	}
	return count;
}

/* Of a CPMU, the first one that is online; of the CPUs' PMUs, none is said. */
static size_t list_cpus(const struct sim *sim, const struct sim_pmu *pmu, unsigned *out)
{
	unsigned first = 0;

	if (pmu->kind == SIM_PMU_UNCORE)
		return list_unit_cpus(sim, pmu, out);
	while (first < sim->core_count && !sim->cores[first].online)
		first++;
	*out = first;
	return pmu->kind == SIM_PMU_CXL && first < sim->core_count;
}

/* In a virtual machine the uncore driver refuses to load. */
static bool is_shown(const struct sim *sim, const struct sim_pmu *pmu)
{
	return pmu->kind != SIM_PMU_UNCORE || !*sim->hypervisor;
}

const struct sim_pmu *sim_find_pmu(const struct sim *sim, const struct sim_pmus *pmus,
				   uint32_t type)
{
	for (size_t i = 0; i < pmus->count; i++)
		if (pmus->items[i].type == type && is_shown(sim, &pmus->items[i]))
			return &pmus->items[i];
	return NULL;
}

uint64_t sim_pmu_config_bits(const struct sim *sim, const struct sim_pmu *pmu)
{
	struct perf_format formats[SIM_MAX_FORMATS];
	const size_t count = sim_formats(sim, pmu, formats);
	uint64_t bits = 0;

	for (size_t i = 0; i < count; i++)
		bits |= formats[i].word ? 0 : formats[i].bits;
	return bits;
}

static int copy_pmu(const struct sim *sim, const struct sim_pmu *pmu, struct perf_pmu *out)
{
	memcpy(out->name, pmu->name, sizeof(out->name));
	out->type = pmu->type;
	out->formats = calloc(SIM_MAX_FORMATS, sizeof(*out->formats));
	out->cpus = calloc(sim->core_count, sizeof(*out->cpus));
	if (!out->formats || !out->cpus)
		return -ENOMEM;
	out->format_count = sim_formats(sim, pmu, out->formats);
	out->cpu_count = list_cpus(sim, pmu, out->cpus);
	return pmu->cpmu ? sim_cxl_aliases(pmu->cpmu, out) : 0;
}

int sim_pmus_list(const struct sim *sim, const struct sim_pmus *pmus, struct perf_pmus *out)
{
	int rc = 0;

	out->count = 0;
	out->kernel = sim->spec.kernel;
	out->items = calloc(pmus->count + 1, sizeof(*out->items));
	if (!out->items)
		return -ENOMEM;
	for (size_t i = 0; !rc && i < pmus->count; i++) {
		const struct sim_pmu *pmu = &pmus->items[i];
		struct perf_pmu *copy = &out->items[out->count];
		const bool on_dies = pmu->kind == SIM_PMU_UNCORE || pmu->kind == SIM_PMU_CXL;

		if (!is_shown(sim, pmu))
			continue;
		rc = copy_pmu(sim, pmu, copy);
		if (rc || copy->cpu_count || !on_dies)
			out->count++;
		else
			perf_pmu_free(copy); /* all its dies are offline */
	}
	if (rc)
		perf_pmus_free(out);
	return rc;
}
