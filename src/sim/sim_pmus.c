/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_pmus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim_event.h"
#include "sim/sim_unit.h"

#define PMU_TYPE_CPU   4  /* PERF_TYPE_RAW */
#define PMU_TYPE_FIRST 10 /* of those that are numbered as they are registered */

/* Of a vendor's units; NULL: there is none. */
struct driver {
	void (*list)(const struct sim *sim, struct sim_pmus *out);
	bool (*finds)(const struct sim *sim, const struct sim_unit *unit);
};

static struct driver driver_of(const struct sim *sim)
{
	static const struct driver drivers[] = {
		[SIM_INTEL] = {sim_pmus_intel, sim_intel_driver_finds},
		[SIM_AMD] = {sim_pmus_amd, sim_amd_driver_finds},
		[SIM_ARM] = {NULL, NULL},
	};
	const struct sim_model_facts *facts = sim_model_facts(sim->spec.model);

	return drivers[facts->no_uncore ? SIM_ARM : facts->vendor];
}

static void add_cpu_pmus(struct sim_pmus *pmus)
{
	pmus->items[pmus->count++] = (struct sim_pmu){.name = "cpu", .kind = SIM_PMU_CORE};
	pmus->items[pmus->count++] = (struct sim_pmu){.name = "msr", .kind = SIM_PMU_MSR};
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
	if (driver_of(sim).list)
		driver_of(sim).list(sim, out);
	sim_pmus_cxl(sim, out);
	if (sim_model_facts(sim->spec.model)->vendor != SIM_ARM)
		add_cpu_pmus(out);
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

static bool is_of_pmu(const struct sim *sim, const struct sim_unit *unit, const struct sim_pmu *pmu)
{
	return unit->type == pmu->unit_type && (pmu->any_id || unit->id == pmu->unit_id) &&
	       (!pmu->one_socket || unit->socket == pmu->socket) && driver_of(sim).finds(sim, unit);
}

struct sim_unit *sim_pmu_unit(const struct sim *sim, const struct sim_pmu *pmu, unsigned cpu)
{
	for (size_t i = 0; i < sim->unit_count; i++) {
		struct sim_unit *unit = &sim->units[i];

		if (is_of_pmu(sim, unit, pmu) && sim_unit_is_served(unit, &sim->cores[cpu]))
			return unit;
	}
	return NULL;
}

static void insert_sorted(unsigned *list, size_t *count, unsigned number)
{
	size_t i = (*count)++;

	for (; i && list[i - 1] > number; i--)
		list[i] = list[i - 1];
	list[i] = number;
}

/* One CPU of each die that has the unit; out has room for all CPUs. Returns how many. */
static size_t list_cpus(const struct sim *sim, const struct sim_pmu *pmu, unsigned *out)
{
	size_t count = 0;

	for (size_t i = 0; i < sim->unit_count; i++) {
		const struct sim_unit *unit = &sim->units[i];
		int cpu;

		if (!is_of_pmu(sim, unit, pmu))
			continue;
		cpu = sim_unit_first_cpu(sim, unit);
		if (cpu >= 0 && sim_pmu_unit(sim, pmu, (unsigned)cpu) == unit)
			insert_sorted(out, &count, (unsigned)cpu);
	}
	return count;
}

/* The first one that is online has the events of a CPMU, and of nothing else. */
static size_t first_cpu(const struct sim *sim, unsigned *out)
{
	for (unsigned i = 0; i < sim->core_count; i++)
		if (sim->cores[i].online) {
			*out = i;
			return 1;
		}
	return 0;
}

static bool has_cpumask(const struct sim_pmu *pmu)
{
	return pmu->kind == SIM_PMU_UNCORE || pmu->kind == SIM_PMU_CXL;
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
	struct perf_format formats[SIM_MAX_FORMATS];

	memcpy(out->name, pmu->name, sizeof(out->name));
	out->type = pmu->type;
	out->format_count = sim_formats(sim, pmu, formats);
	out->formats = calloc(out->format_count, sizeof(*out->formats));
	out->cpus = calloc(sim->core_count, sizeof(*out->cpus));
	if (!out->formats || !out->cpus)
		return -ENOMEM;
	memcpy(out->formats, formats, out->format_count * sizeof(*formats));
	if (pmu->kind == SIM_PMU_UNCORE)
		out->cpu_count = list_cpus(sim, pmu, out->cpus);
	if (pmu->kind != SIM_PMU_CXL)
		return 0;
	out->cpu_count = first_cpu(sim, out->cpus);
	return sim_cxl_aliases(sim, pmu, out);
}

int sim_pmus_list(const struct sim *sim, const struct sim_pmus *pmus, struct perf_pmus *out)
{
	out->count = 0;
	out->kernel = sim->spec.kernel;
	out->items = calloc(pmus->count + 1, sizeof(*out->items));
	if (!out->items)
		return -ENOMEM;
	for (size_t i = 0; i < pmus->count; i++) {
		struct perf_pmu *pmu = &out->items[out->count];

		if (!is_shown(sim, &pmus->items[i]))
			continue;
		if (copy_pmu(sim, &pmus->items[i], pmu)) {
			out->count++;
			perf_pmus_free(out);
			return -ENOMEM;
		}
		if (pmu->cpu_count || !has_cpumask(&pmus->items[i])) {
			out->count++;
			continue;
		}
		/* all its dies are offline */
		perf_pmu_free(pmu);
	}
	return 0;
}
