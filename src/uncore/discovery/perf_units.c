/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/discovery/perf_units.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/cpus.h"
#include "platform/perf.h"
#include "uncore/models/models.h"
#include "uncore/units/core_unit.h"
#include "uncore/units/perf_unit.h"

#define INTEL_PREFIX  "uncore_"
#define UNKNOWN_TYPE  "type_"
#define CPU_PMU	      "cpu"
#define TIMESTAMP_PMU "msr" /* its event 0 is the time stamp counter */

/*
 * Returns the length of the pattern's match at the beginning of name; * in it matches a number. 0:
 * no match.
 */
static size_t match_name(const char *name, const char *pattern)
{
	const char *at = name;

	for (; *pattern; pattern++) {
		const size_t length = *pattern == '*' ? strspn(at, "0123456789") : *at == *pattern;

		if (!length)
			return 0;
		at += length;
	}
	return (size_t)(at - name);
}

/* Reads the number 3 of "cha_3"; a single unit, "cha", has id 0. */
static bool parse_name(const char *name, const char *pmu_type, unsigned *id)
{
	const size_t length = match_name(name, pmu_type);
	const char *number = name + length + 1;
	char *end;

	*id = 0;
	if (!length || !name[length])
		return length;
	const unsigned long value = strtoul(number, &end, 10);
	*id = (unsigned)value;
	return name[length] == '_' && *number >= '0' && *number <= '9' && !*end &&
	       value <= UINT16_MAX;
}

static const struct pmu_type *find_pmu_type(const struct model *model, const char *name,
					    unsigned *id)
{
	const char *prefix = model->perf_prefix ? model->perf_prefix : INTEL_PREFIX;

	if (strncmp(name, prefix, strlen(prefix)))
		return NULL;
	name += strlen(prefix);
	for (const struct pmu_type *pmu_type = model->pmu_types; pmu_type->name; pmu_type++)
		if (parse_name(name, pmu_type->perf_name ? pmu_type->perf_name : pmu_type->name,
			       id) ||
		    (pmu_type->vendor_name && parse_name(name, pmu_type->vendor_name, id)))
			return pmu_type;
	return NULL;
}

/*
 * Returns every counter that some event uses, in the list of any processor that has the PMU type,
 * because some lists are short. A PMU type without events gets one counter, and counts one event at
 * a time: the kernel chooses its counter.
 */
static uint32_t counters_of(const struct pmu_type *pmu_type)
{
	uint32_t counters = 0;

	for (const struct model *const *model = model_list(); *model; model++)
		for (const struct event *event = NULL; (event = model_next_event(*model, event));)
			if (event->type == pmu_type->type)
				counters |= event->counters;
	return counters ? counters : 1;
}

/*
 * Checks that the unit counts. CPUID tells which counters a CPU has; the kernel shares them with
 * other programs.
 */
static int perf_open(struct platform *p, struct unit *unit, struct error *err)
{
	struct core_pmu_info info;
	char name[UNIT_NAME_SIZE];

	if (unit->still)
		return error_set(
			err, ERROR_FAILED, -ENODEV,
			"%s: its clock stands still as the kernel counts it, while others' run: its "
			"driver has not initialised it, or it does not exist",
			unit_name(unit, name));
	if (unit->type != PMU_CORE)
		return 0;
	if (!unit->perf.pmu)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "cpu %u: the kernel has no PMU '" CPU_PMU "'; a virtual machine "
				 "may hide it",
				 unit->cpu);
	int rc = unit->perf.core_model->identify(p, unit->cpu, &info, err);
	/* a thread's would count only while it runs, and so would not be time */
	if (!rc)
		unit->usable = core_unit_counters(&info) | (unit->perf.thread ? 0 : CORE_TSC);
	return rc;
}

static bool perf_can_count(const struct unit *unit, const struct event *event)
{
	struct perf_event encoded;
	struct error ignored;

	return !perf_unit_encode(unit, event, &encoded, &ignored);
}

/* Methods that write nothing, so that there is nothing to save, to program or to restore. */
static const struct unit_methods perf_methods = {
	.open = perf_open,
	.can_count = perf_can_count,
};

static const struct cpu_location *find_cpu(const struct topology *topology, unsigned cpu)
{
	for (size_t i = 0; i < topology->count; i++)
		if (topology->cpus[i].cpu == cpu)
			return &topology->cpus[i];
	return NULL;
}

static void add_units(const struct topology *topology, const struct perf_pmu *pmu,
		      const struct pmu_type *pmu_type, unsigned id, struct discovery *out)
{
	for (size_t i = 0; i < pmu->cpu_count; i++) {
		const struct cpu_location *cpu = find_cpu(topology, pmu->cpus[i]);
		const uint32_t usable = counters_of(pmu_type);

		if (!cpu)
			continue;
		out->units[out->unit_count++] = (struct unit){
			.methods = &perf_methods,
			.pmu_type = pmu_type,
			.type = pmu_type->type,
			.id = (uint16_t)id,
			.socket = cpu->socket,
			.die = (unsigned)cpu->die,
			.cpu = cpu->cpu,
			.access = ACCESS_PERF,
			.perf.pmu = pmu,
			.counters = (uint8_t)(32 - __builtin_clz(usable)),
			.width = 64, /* the kernel adds up in 64 bits */
			.usable = usable,
		};
	}
}

static int compare_units(const void *a, const void *b)
{
	const struct unit *x = a, *y = b;

	if (x->socket != y->socket)
		return x->socket < y->socket ? -1 : 1;
	if (x->die != y->die)
		return x->die < y->die ? -1 : 1;
	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

/*
 * Numbers units by socket and type. On AMD, one PMU has all L3 caches, each on a CPU of its own,
 * and PMUs of memory controllers are numbered through all sockets.
 */
static void number_by_socket(struct discovery *out)
{
	for (size_t i = 0; i < out->unit_count; i++) {
		struct unit *unit = &out->units[i];

		unit->id = 0;
		for (size_t k = 0; k < i; k++)
			unit->id += out->units[k].socket == unit->socket &&
				    out->units[k].type == unit->type;
	}
}

/* Adds a table for each die, because ports are numbered table by table. */
static void add_tables(struct discovery *out)
{
	for (size_t i = 0; i < out->unit_count; i++) {
		const struct unit *unit = &out->units[i], *before = i ? unit - 1 : NULL;

		if (!before || before->socket != unit->socket || before->die != unit->die)
			out->tables[out->table_count++] = (struct discovery_table){
				.socket = unit->socket,
				.die = unit->die,
				.cpu = unit->cpu,
				.global.access = ACCESS_PERF,
			};
		out->tables[out->table_count - 1].faults[RECORD_VALID]++;
	}
}

/*
 * Returns the first PMU of a type for which the kernel has no name, "uncore_type_12_3". NULL: none.
 */
static const char *find_unnamed(const struct perf_pmus *pmus, uint16_t type)
{
	char name[PERF_NAME_SIZE];
	unsigned id;

	snprintf(name, sizeof(name), INTEL_PREFIX UNKNOWN_TYPE "%u", type);
	for (size_t i = 0; i < pmus->count; i++)
		if (parse_name(pmus->items[i].name, name, &id))
			return pmus->items[i].name;
	return NULL;
}

static bool knows_type(const struct model *model, const struct perf_pmus *pmus, uint16_t type)
{
	const struct pmu_type *known;
	unsigned id;

	for (size_t i = 0; i < pmus->count; i++) {
		known = find_pmu_type(model, pmus->items[i].name, &id);
		if (known && known->type == type)
			return true;
	}
	return false;
}

bool perf_units_hide(const struct model *model, const struct perf_pmus *pmus, uint16_t type)
{
	if (!pmus->count || type == PMU_CORE)
		return false;
	return !knows_type(model, pmus, type) &&
	       (model->units_by_cpuid || model->kernel_counts || find_unnamed(pmus, type));
}

/*
 * Warns about CXL units that the kernel does not know: kernels before these units were described
 * space their controls wrongly, and count nonsense. HBM's units came with them, but there it is
 * unknown.
 */
static void report_unknown(struct platform *p, const struct model *model,
			   const struct perf_pmus *pmus)
{
	static const uint16_t types[] = {PMU_CXLCM, PMU_CXLDP, PMU_HBM};
	bool of_cxl = false;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		const struct pmu_type *pmu_type = model_pmu_type(model, types[i]);
		const char *pmu = find_unnamed(pmus, types[i]);
		const bool is_hbm = types[i] == PMU_HBM;

		if (!pmu || !pmu_type || (of_cxl && !is_hbm))
			continue;
		of_cxl = true;
		log_write(&p->log, LEVEL_WARNING,
			  "this kernel does not know the %s units (it calls them %s)%s, so %s; "
			  "needed: Linux %s or later",
			  pmu_type->name, pmu, is_hbm ? "" : " and counts wrongly on them",
			  is_hbm ? "DRAM bandwidth, which includes HBM, stays empty"
				 : "they are left out",
			  model->perf_kernel);
	}
}

/*
 * Returns true if the kernel, which shows count units, counts on a unit of the tables, or cannot
 * count on any of its type. The kernel gives the only unit of its type on a die no number, and so
 * 0.
 */
static bool is_counted(const struct discovery *tables, const struct unit *units, size_t count,
		       const struct unit *unit)
{
	size_t listed = 0, of_type = 0, found = 0, on_die = 0;
	bool has_id = false, is_0 = false;

	for (size_t i = 0; i < tables->unit_count; i++)
		listed += tables->units[i].type == unit->type &&
			  tables->units[i].socket == unit->socket;
	for (size_t i = 0; i < count; i++) {
		if (units[i].type != unit->type)
			continue;
		of_type++;
		if (units[i].socket != unit->socket)
			continue;
		found++;
		if (units[i].die != unit->die || units[i].uncounted)
			continue;
		on_die++;
		has_id |= units[i].id == unit->id;
		is_0 = !units[i].id;
	}
	return !of_type || found >= listed || has_id || (on_die == 1 && is_0);
}

/* Adds the units of the tables whose type the kernel knows, but on which it does not count. */
static void add_uncounted(const struct discovery *tables, struct discovery *out)
{
	for (size_t i = 0; i < tables->unit_count; i++) {
		const struct unit *unit = &tables->units[i];

		if (!unit->pmu_type || is_counted(tables, out->units, out->unit_count, unit))
			continue;
		out->units[out->unit_count++] = (struct unit){
			.methods = &perf_methods,
			.pmu_type = unit->pmu_type,
			.type = unit->type,
			.id = unit->id,
			.socket = unit->socket,
			.die = unit->die,
			.access = ACCESS_PERF,
			.uncounted = true,
		};
	}
}

int perf_units_find(struct platform *p, const struct model *model, const struct topology *topology,
		    const struct perf_pmus *pmus, const struct discovery *tables,
		    struct discovery *out, struct error *err)
{
	size_t room = tables->unit_count + 1;

	for (size_t i = 0; i < pmus->count; i++)
		room += pmus->items[i].cpu_count;
	out->units = calloc(room, sizeof(*out->units));
	out->tables = calloc(room, sizeof(*out->tables));
	if (!out->units || !out->tables)
		return error_no_memory(err);
	for (size_t i = 0; i < pmus->count; i++) {
		unsigned id = 0;
		const struct pmu_type *pmu_type = find_pmu_type(model, pmus->items[i].name, &id);

		/* spr_update_device_location() takes the first one's address for all units of a
		 * socket */
		if (pmu_type && pmu_type->functions)
			log_write(&p->log, LEVEL_DETAIL,
				  "%s is left out: from Linux 6.11 on, all PMUs of %s count the "
				  "first link of a socket",
				  pmus->items[i].name, pmu_type->name);
		else if (pmu_type)
			add_units(topology, &pmus->items[i], pmu_type, id, out);
	}
	if (model->perf_kernel)
		report_unknown(p, model, pmus);
	if (!out->unit_count)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "the kernel shows no uncore PMU of this processor in "
				 "/sys/bus/event_source/devices: its driver %s is not "
				 "loaded, does not know the processor, or this is a virtual "
				 "machine",
				 model->perf_driver ? model->perf_driver : "intel_uncore");
	add_uncounted(tables, out);
	qsort(out->units, out->unit_count, sizeof(*out->units), compare_units);
	if (model->units_by_cpuid)
		number_by_socket(out);
	add_tables(out);
	return 0;
}

void perf_unit_use_cpu(struct unit *unit, const struct model *model, const struct perf_pmus *pmus)
{
	unit->perf.core_model = model_core(model);
	unit->methods = &perf_methods;
	unit->has_pairs = false;
	unit->controlled = 0;
	unit->access = ACCESS_PERF;
	unit->width = 64;
	unit->perf.pmu = perf_find_pmu(pmus, CPU_PMU);
	unit->perf.timestamp = perf_find_pmu(pmus, TIMESTAMP_PMU);
}
