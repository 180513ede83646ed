/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uncore/cpmu.h"
#include "uncore/cpmu_unit.h"
#include "uncore/cpmus.h"

/* "cxl_pmu_mem0.1": of the second CPMU of mem0. */
static const struct perf_pmu *find_pmu(const struct perf_pmus *pmus, const struct cpmu *cpmu)
{
	char name[PERF_NAME_SIZE];

	if (!cpmu->device || snprintf(name, sizeof(name), PERF_CXL_PREFIX "%s.%u",
				      cpmu->device->name, cpmu->index) >= (int)sizeof(name))
		return NULL;
	return perf_find_pmu(pmus, name);
}

int cpmus_leave_to_kernel(struct machine *m, struct error *err)
{
	struct perf_pmus pmus;
	int rc;

	if (!m->cpmu_count || !m->platform->ops->perf_pmus)
		return 0;
	rc = m->platform->ops->perf_pmus(m->platform, &pmus, err);
	if (rc && rc != -ENOMEM) {
		log_write(&m->platform->log, LEVEL_DETAIL,
			  "cannot check whether the kernel counts on CPMUs: %s", err->text);
		return 0;
	}
	for (size_t i = 0; !rc && i < m->cpmu_count; i++) {
		struct cpmu *cpmu = &m->cpmus[i];
		const struct perf_pmu *pmu = find_pmu(&pmus, cpmu);

		if (!pmu)
			continue;
		memcpy(cpmu->kernel_pmu, pmu->name, PERF_NAME_SIZE);
		cpmu->first_group_alone = cpmu_driver_takes_first_group(pmus.kernel);
	}
	if (!rc)
		perf_pmus_free(&pmus);
	return rc;
}

/* The device of "cxl_pmu_mem0.1"; NULL: not known. */
static const struct cxl_device *find_device(const struct machine *m, const char *pmu)
{
	const char *name = pmu + strlen(PERF_CXL_PREFIX);
	const size_t length = strcspn(name, ".");

	for (size_t i = 0; i < m->device_count; i++)
		if (strlen(m->devices[i].name) == length &&
		    !strncmp(m->devices[i].name, name, length))
			return &m->devices[i];
	return NULL;
}

/* Adds the events of one that the kernel names to those of its group. */
static void add_events(struct cpmu *cpmu, uint16_t vendor, uint16_t id, uint32_t events)
{
	unsigned g = 0;

	while (g < cpmu->group_count &&
	       (cpmu->groups[g].vendor != vendor || cpmu->groups[g].id != id))
		g++;
	if (g == CPMU_MAX_GROUPS)
		return;
	if (g == cpmu->group_count)
		cpmu->groups[cpmu->group_count++] = (struct cpmu_group){.vendor = vendor, .id = id};
	cpmu->groups[g].events |= events;
}

/* What is known of one whose registers can't be read. */
static struct cpmu from_events(const struct machine *m, const struct perf_pmu *pmu)
{
	struct cpmu cpmu = {.node = -1, .device = find_device(m, pmu->name)};
	const char *index = strrchr(pmu->name, '.');

	cpmu.index = index ? (unsigned)strtoul(index + 1, NULL, 10) : 0;
	if (cpmu.device) {
		cpmu.pci = cpmu.device->path[cpmu.device->depth - 1];
		pci_location_text(cpmu.pci, cpmu.pci_text);
	}
	for (size_t i = 0; i < pmu->alias_count; i++) {
		const uint64_t *config = pmu->aliases[i].config;

		add_events(&cpmu, (uint16_t)perf_get_field(pmu, "vid", config),
			   (uint16_t)perf_get_field(pmu, "gid", config),
			   (uint32_t)perf_get_field(pmu, "mask", config));
	}
	return cpmu;
}

/* Whether the kernel counts on all CPMUs of a function that were found by their registers. */
static bool counts_on_all(const struct machine *m, const struct cpmu *cpmu)
{
	for (size_t i = 0; i < m->cpmu_count; i++)
		if (!strcmp(m->cpmus[i].pci_text, cpmu->pci_text) &&
		    !find_pmu(&m->pmus, &m->cpmus[i]))
			return false;
	return true;
}

static struct cpmu make_cpmu(const struct machine *m, const struct perf_pmu *pmu)
{
	struct cpmu cpmu;
	size_t i = 0;

	while (i < m->cpmu_count && find_pmu(&m->pmus, &m->cpmus[i]) != pmu)
		i++;
	cpmu = i < m->cpmu_count ? m->cpmus[i] : from_events(m, pmu);
	memcpy(cpmu.kernel_pmu, pmu->name, sizeof(cpmu.kernel_pmu));
	cpmu.is_part |= !counts_on_all(m, &cpmu);
	return cpmu;
}

/* Of others than the first group only counters of fixed function are right. */
static void keep_first_group(struct cpmu *cpmu)
{
	for (unsigned g = 1; g < cpmu->group_count; g++)
		if (!cpmu->groups[g].is_fixed)
			cpmu->groups[g].events = 0;
}

/*
 * Of one that was found by its registers: why the kernel doesn't count on it. The driver takes none
 * whose counters can't be set.
 */
static void set_no_pmu(struct machine *m, const struct cpmu *cpmu, bool is_loaded)
{
	struct error *why = &m->cpmu_error;

	if (is_loaded || !cpmu->is_writable) {
		error_set(why, EXIT_NO_UNIT, -ENODEV,
			  "CPMU of %s: the kernel's driver cxl_pmu does not count on it; "
			  "--backend=raw counts with registers",
			  cpmu->pci_text);
		return;
	}
	error_set(why, EXIT_PERMISSION, -ENODEV,
		  "CPMU of %s: --backend=perf needs the kernel's driver cxl_pmu, which is not "
		  "loaded (" CPMU_COMMAND_LOAD "); --backend=raw counts with registers",
		  cpmu->pci_text);
	error_hint(why, CPMU_COMMAND_LOAD);
}

static void find_without_pmu(struct machine *m, size_t pmus)
{
	for (size_t i = 0; i < m->cpmu_count; i++)
		if (!find_pmu(&m->pmus, &m->cpmus[i])) {
			set_no_pmu(m, &m->cpmus[i], pmus > 0);
			return;
		}
}

int cpmus_use_perf(struct machine *m, struct error *err)
{
	struct cpmu *cpmus = calloc(m->pmus.count + 1, sizeof(*cpmus));
	size_t count = 0;

	if (!cpmus)
		return error_no_memory(err);
	for (size_t i = 0; i < m->pmus.count; i++) {
		const struct perf_pmu *pmu = &m->pmus.items[i];

		if (strncmp(pmu->name, PERF_CXL_PREFIX, strlen(PERF_CXL_PREFIX)) || !pmu->cpu_count)
			continue;
		struct cpmu *cpmu = &cpmus[count];
		*cpmu = make_cpmu(m, pmu);
		cpmu->first_group_alone = cpmu_driver_takes_first_group(m->pmus.kernel);
		if (cpmu->address && cpmu->first_group_alone)
			keep_first_group(cpmu);
		cpmu->unit = cpmu_perf_unit(cpmu, (unsigned)count, cpmu_place(m, cpmu), pmu);
		count++;
	}
	find_without_pmu(m, count);
	free(m->cpmus);
	m->cpmus = cpmus;
	m->cpmu_count = count;
	return 0;
}

void cpmus_report_driver(const struct machine *m)
{
	const struct cpmu *first = NULL;
	char name[UNIT_NAME_SIZE], limits[CPMU_LIMITS_SIZE], others[64] = "";
	size_t count = 0;

	for (size_t i = 0; i < m->cpmu_count; i++) {
		const struct cpmu *cpmu = &m->cpmus[i];

		if (!cpmu->unit.open || !cpmu->first_group_alone)
			continue;
		first = count++ ? first : cpmu;
	}
	if (!first)
		return;
	if (count > 1)
		snprintf(others, sizeof(others), "; so with %zu other%s", count - 1,
			 count == 2 ? "" : "s");
	log_write(&m->platform->log, LEVEL_NOTE, "%s: %s%s", unit_name(&first->unit, name),
		  cpmu_driver_limits(first, limits), others);
}
