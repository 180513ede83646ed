/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens a machine with files that each find one kind of its parts. They store the parts in the
 * struct machine of machine.h, and so need that header.
 */
#include "uncore/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "msr/core_pmu.h"
#include "platform/cpus.h"
#include "platform/cxl.h"
#include "platform/guard.h"
#include "uncore/devices/cpmus.h"
#include "uncore/devices/ports.h"
#include "uncore/discovery/amd_units.h"
#include "uncore/discovery/discovery.h"
#include "uncore/discovery/perf_units.h"
#include "uncore/models/models.h"
#include "uncore/units/amd_unit.h"
#include "uncore/units/core_unit.h"

static int refuse_processor(const struct cpu_identity *id, const struct model *model,
			    struct error *err)
{
	char text[ERROR_COMMAND_SIZE], names[256] = "";

	if (*id->vendor)
		snprintf(text, sizeof(text), "%s family %u model %u", id->vendor, id->family,
			 id->model);
	else
		snprintf(text, sizeof(text), "%s", *id->name ? id->name : "which has no CPUID");
	for (const struct model *const *m = model_list(); *m; m++)
		text_list(names, sizeof(names), "%s", (*m)->name);
	return error_set(
		err, ERROR_NO_UNIT, -ENODEV,
		"this processor (%s) is not supported; cxlmon supports %s; on others it measures "
		"%smemory by NUMA node (-m tiering) and counters of CXL 3 devices (-m device)",
		text, names, model_has_core(model) ? "cores (-m core), " : "");
}

static void identify_arm(struct platform *p, struct cpu_identity *id)
{
	if (p->ops->cpus->processor_name)
		p->ops->cpus->processor_name(p, id->name);
	if (p->ops->cpus->arm_part)
		p->ops->cpus->arm_part(p, &id->implementer, &id->part);
}

int machine_identify(struct platform *p, unsigned cpu, struct cpu_identity *id,
		     const struct model **model, struct error *err)
{
	uint32_t leaf0[CPUID_REGS], leaf1[CPUID_REGS];
	struct error why;
	int rc = p->ops->cpus->cpuid(p, cpu, 0, 0, leaf0, &why);

	*id = (struct cpu_identity){.vendor = ""};
	if (!rc)
		rc = p->ops->cpus->cpuid(p, cpu, 1, 0, leaf1, &why);
	if (!rc) {
		cpuid_decode_identity(leaf0, leaf1, id);
	} else if (rc != -EOPNOTSUPP) {
		if (err)
			*err = why;
		return rc;
	} else {
		identify_arm(p, id);
	}
	*model = model_find(id);
	if (!rc && !(*model)->pmu_types->name)
		cpuid_brand(p, cpu, id->name, NULL); /* stays empty if that fails */
	return 0;
}

const char *machine_processor(const struct machine *m)
{
	return m->model->pmu_types->name || !*m->cpu.name ? m->model->name : m->cpu.name;
}

int machine_find_model(struct platform *p, struct cpu_identity *id, const struct model **model,
		       struct error *err)
{
	struct topology topology;
	int rc = p->ops->cpus->topology(p, &topology, err);

	if (rc)
		return rc;
	rc = machine_identify(p, topology.cpus[0].cpu, id, model, err);
	topology_free(&topology);
	return rc;
}

int machine_find_units(struct platform *p, const struct model *model,
		       const struct topology *topology, struct discovery *out, struct error *err)
{
	return (model->units_by_cpuid ? amd_units_find : discovery_read)(p, model, topology, out,
									 err);
}

/*
 * Finds the units on which the kernel should count. Only root may read the tables, so nothing is
 * logged about them.
 */
static void read_tables(struct machine *m, struct discovery *out)
{
	struct platform *p = m->platform;
	const struct log log = p->log;
	struct error why;

	*out = (struct discovery){.tables = NULL};
	if (m->model->units_by_cpuid || m->model->kernel_counts)
		return;
	p->log = (struct log){.write = NULL};
	const int rc = discovery_read(p, m->model, &m->topology, out, &why);
	p->log = log;
	if (rc)
		log_write(&log, LEVEL_DETAIL,
			  "cannot check whether the kernel counts on all units: %s", why.text);
}

static int find_by_perf(struct machine *m, struct error *err)
{
	struct discovery tables;

	read_tables(m, &tables);
	const int rc = perf_units_find(m->platform, m->model, &m->topology, &m->pmus, &tables,
				       &m->discovery, err);
	m->topology.has_offline_socket = tables.has_offline_socket;
	discovery_free(&tables);
	if (!rc && m->model->units_by_cpuid)
		amd_units_report_missing(m->platform, &m->topology, &m->discovery);
	return rc;
}

/*
 * Finds the units of the uncore. Core PMUs can be used without them, so only a failed read is an
 * error.
 */
static int find_units(struct machine *m, bool by_perf, struct error *err)
{
	struct error *why = &m->uncore_error;
	int rc = m->model->pmu_types->name ? 0 : refuse_processor(&m->cpu, m->model, why);

	if (!rc)
		rc = by_perf ? find_by_perf(m, why)
			     : machine_find_units(m->platform, m->model, &m->topology,
						  &m->discovery, why);
	m->topology.has_offline_socket |= m->discovery.has_offline_socket;
	return rc && why->kind == ERROR_FAILED ? error_set(err, why->kind, rc, "%s", why->text) : 0;
}

static int list_cpus(struct machine *m, struct error *err)
{
	struct unit (*const make)(const struct cpu_location *place) =
		m->model->units_by_cpuid ? amd_core_unit : core_unit;

	m->cpus = calloc(m->topology.count, sizeof(*m->cpus));
	if (!m->cpus)
		return error_no_memory(err);
	if (!model_has_core(m->model))
		return 0;
	for (; m->cpu_count < m->topology.count; m->cpu_count++)
		m->cpus[m->cpu_count] = make(&m->topology.cpus[m->cpu_count]);
	return 0;
}

static int find_topology(struct platform *p, struct machine *out, struct error *err)
{
	*out = (struct machine){.platform = p};
	const int rc = p->ops->cpus->topology(p, &out->topology, err);

	if (rc)
		return rc;
	if (!out->topology.count)
		return error_set(err, ERROR_FAILED, -ENODEV, "no CPU is online");
	if (p->reader_cpus && !topology_name_readers(&out->topology, p->reader_cpus))
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "no CPU of --cpus=%s is online; lscpu -e lists those that are",
				 p->reader_cpus);
	return 0;
}

static int find_memory(struct machine *m, struct error *err)
{
	struct platform *p = m->platform;

	return p->ops->memory ? p->ops->memory->layout(p, &m->memory, err) : 0;
}

int machine_no_uncore(const struct machine *m, struct error *err)
{
	const struct error *uncore = &m->uncore_error, *cpmu = &m->cpmu_error;

	*err = *uncore;
	if (uncore->kind != ERROR_NO_UNIT || !cpmu->code || !strcmp(uncore->text, cpmu->text))
		return err->code;
	const struct error *decides = cpmu->kind == ERROR_PERMISSION ? cpmu : uncore;
	error_set(err, decides->kind, decides->code, "%s; %s", uncore->text, cpmu->text);
	error_hint(err, cpmu->command);
	return err->code;
}

static int list_pmus(struct platform *p, struct machine *m, struct error *err)
{
	if (p->ops->perf)
		return p->ops->perf->pmus(p, &m->pmus, err);
	return error_set(err, ERROR_NO_UNIT, -EOPNOTSUPP, "this machine has no kernel that counts");
}

/* Finds the parts other than units of the tables; each step needs the results of earlier ones. */
static int find_the_rest(struct machine *m, struct error *err)
{
	static int (*const steps[])(struct machine * m, struct error * err) = {
		ports_find,	   port_devices_find, find_memory,
		region_ports_find, list_cpus,	      cpmus_find,
	};
	int rc = 0;

	for (size_t i = 0; !rc && i < sizeof(steps) / sizeof(steps[0]); i++)
		rc = steps[i](m, err);
	return rc;
}

/* Finds all parts of a machine whose processor and CPUs are known. */
static int find_parts(struct machine *m, bool by_perf, struct error *err)
{
	int rc = by_perf ? list_pmus(m->platform, m, err) : 0;

	if (!rc)
		rc = find_units(m, by_perf, err);
	if (!rc)
		rc = find_the_rest(m, err);
	if (!rc)
		rc = by_perf ? cpmus_use_perf(m, err) : cpmus_leave_to_kernel(m, err);
	for (size_t i = 0; !rc && by_perf && i < m->cpu_count; i++)
		perf_unit_use_cpu(&m->cpus[i], m->model, &m->pmus);
	return rc;
}

/*
 * Sets .unsure_latency, the doubt about the unit of sampled latencies: all L3 caches of a machine
 * have one size.
 */
static void judge_latency_unit(struct machine *m)
{
	if (!m->model->sure_l3_bytes)
		return;
	m->l3_bytes = amd_l3_bytes(m->platform, m->topology.cpus[0].cpu);
	m->unsure_latency = m->l3_bytes < m->model->sure_l3_bytes;
}

static int open_machine(struct platform *p, struct machine *out, bool by_perf, struct error *err)
{
	int rc = find_topology(p, out, err);

	if (!rc)
		rc = machine_identify(p, out->topology.cpus[0].cpu, &out->cpu, &out->model, err);
	if (!rc)
		judge_latency_unit(out);
	if (!rc)
		rc = find_parts(out, by_perf || out->model->kernel_counts, err);
	if (rc || out->cpu_count || out->cpmu_count || out->discovery.unit_count)
		return rc;
	/* if a processor is unknown, only counts of its CXL devices are left */
	if (!out->model->kernel_counts)
		out->model = NULL;
	return machine_no_uncore(out, err);
}

int machine_open(struct platform *p, struct machine *out, struct error *err)
{
	return open_machine(p, out, false, err);
}

int machine_open_perf(struct platform *p, struct machine *out, struct error *err)
{
	return open_machine(p, out, true, err);
}

int machine_use_process(struct machine *m, unsigned pid, struct error *err)
{
	unsigned *threads;
	size_t count;

	if (!m->cpu_count)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "cxlmon does not know the counters of this processor's CPUs");
	int rc = m->platform->ops->perf->threads(m->platform, pid, &threads, &count, err);
	struct unit *units = rc ? NULL : calloc(count, sizeof(*units));
	if (rc)
		return rc;
	for (size_t i = 0; units && i < count; i++) {
		units[i] = m->cpus[0];
		units[i].perf.thread = threads[i];
	}
	free(threads);
	if (!units)
		return error_no_memory(err);
	free(m->cpus);
	m->cpus = units;
	m->cpu_count = count;
	return 0;
}

int machine_open_without_units(struct platform *p, struct machine *out, struct error *err)
{
	struct error unknown;
	int rc = find_topology(p, out, err);

	if (rc)
		return rc;
	if (machine_identify(p, out->topology.cpus[0].cpu, &out->cpu, &out->model, &unknown))
		out->model = model_find(&out->cpu);
	rc = ports_find(out, err);
	if (!rc)
		rc = p->ops->cxl->devices(p, &out->devices, &out->device_count, err);
	return rc ? rc : find_memory(out, err);
}

struct unit *machine_unit(const struct machine *machine, uint16_t type, size_t i)
{
	if (type == PMU_CORE)
		return i < machine->cpu_count ? &machine->cpus[i] : NULL;
	if (type == PMU_CPMU)
		return i < machine->cpmu_count ? &machine->cpmus[i].unit : NULL;
	return i < machine->discovery.unit_count ? &machine->discovery.units[i] : NULL;
}

struct unit *machine_find_unit(const struct machine *machine, const struct unit *unit)
{
	for (size_t i = 0; i < machine->discovery.unit_count; i++) {
		struct unit *found = &machine->discovery.units[i];

		if (found->type == unit->type && found->id == unit->id &&
		    found->socket == unit->socket && found->die == unit->die)
			return found;
	}
	return NULL;
}

/* Returns unit i of all units; NULL after the last. */
static struct unit *any_unit(const struct machine *m, size_t i)
{
	const size_t cpus = m->discovery.unit_count, cpmus = cpus + m->cpu_count;

	return i < cpus	   ? &m->discovery.units[i]
	       : i < cpmus ? &m->cpus[i - cpus]
			   : machine_unit(m, PMU_CPMU, i - cpmus);
}

void machine_close_units(struct machine *machine)
{
	struct unit *unit;

	for (size_t i = 0; (unit = any_unit(machine, i)); i++)
		unit_close(machine->platform, unit);
	for (size_t i = 0; i < machine->discovery.table_count; i++)
		table_control_close(machine->platform, &machine->discovery.tables[i]);
}

void machine_close(struct machine *machine)
{
	machine_close_units(machine);
	discovery_free(&machine->discovery);
	perf_pmus_free(&machine->pmus);
	topology_free(&machine->topology);
	free(machine->cpus);
	free(machine->ports);
	free(machine->devices);
	memory_layout_free(&machine->memory);
	free(machine->cpmus);
	free(machine->sockets);
	*machine = (struct machine){0};
}

void machine_set_ownership(struct machine *machine, enum ownership ownership)
{
	struct unit *unit;

	for (size_t i = 0; (unit = any_unit(machine, i)); i++)
		unit->ownership = ownership;
}

void machine_set_others(struct machine *machine, const struct undo *others)
{
	for (size_t i = 0; i < machine->cpmu_count; i++)
		machine->cpmus[i].others = others;
}

bool machine_find_use(const struct machine *machine, struct error *err)
{
	for (size_t i = 0; i < machine->discovery.unit_count; i++)
		if (unit_find_use(machine->platform, &machine->discovery.units[i], UINT32_MAX, err))
			return true;
	return false;
}

/* Allows the rule's bits in count MSRs; first 0: the model has none. */
static int allow_msrs(struct machine *machine, uint32_t first, unsigned count,
		      struct guard_rule rule, struct error *err)
{
	const struct reg reg = reg_msr(0, first);

	return first ? guard_allow_registers(&machine->platform->guard, &reg, count, rule, err) : 0;
}

int machine_allow_freeze(struct machine *machine, struct error *err)
{
	const struct guard_rule rule = {.mask = UNIT_CTL_FREEZE, .what = "uncore global control"};

	return allow_msrs(machine, machine->model->global_freeze_msr, 1, rule, err);
}

int machine_allow_offcore(struct machine *machine, struct error *err)
{
	const uint64_t bits = machine->model->offcore_rsp_bits;
	const struct guard_rule rule = {.mask = bits, .denied = ~bits, .what = "IA32_OFFCORE_RSP"};

	return allow_msrs(machine, bits ? IA32_OFFCORE_RSP_0 : 0, OFFCORE_REGISTERS, rule, err);
}

/* Allows registers that are only read, because msr-safe also has to allow them. */
static int allow_reads(struct machine *machine, struct error *err)
{
	const struct model *model = machine->model;
	int rc = allow_msrs(machine, model->discovery_msr, 1,
			    (struct guard_rule){.what = "address of a discovery table"}, err);

	for (const struct pmu_type *pmu_type = model->pmu_types; !rc && pmu_type->name; pmu_type++)
		rc = allow_msrs(machine, pmu_type->count_msr, 1,
				(struct guard_rule){.what = "number of CHAs"}, err);
	return rc;
}

int machine_allow_all(struct machine *machine, struct error *err)
{
	const struct discovery *discovery = &machine->discovery;
	int rc = machine_allow_freeze(machine, err);

	for (size_t i = 0; !rc && i < discovery->table_count; i++)
		if (table_has_control(&discovery->tables[i]))
			rc = table_control_allow(machine->platform, &discovery->tables[i], err);
	for (size_t i = 0; !rc && i < discovery->unit_count; i++) {
		const struct unit *unit = &discovery->units[i];

		/* other units have no known counter layout, and are never written */
		if (unit->pmu_type && unit->registers.control_step)
			rc = unit_allow(machine->platform, unit, err);
	}
	for (size_t i = 0; !rc && i < machine->cpmu_count; i++)
		rc = unit_allow(machine->platform, &machine->cpmus[i].unit, err);
	if (!rc)
		rc = machine_allow_offcore(machine, err);
	if (!rc)
		rc = allow_reads(machine, err);
	if (!rc && machine->cpu_count)
		rc = unit_allow(machine->platform, &machine->cpus[0], err);
	return rc == -ENODEV ? 0 : rc; /* -ENODEV: a CPU without an architectural PMU */
}

/* Returns the table that has this global control; NULL: none. */
static struct discovery_table *find_table(struct machine *machine, const struct reg *reg)
{
	for (size_t i = 0; i < machine->discovery.table_count; i++) {
		struct discovery_table *table = &machine->discovery.tables[i];

		if (table_has_control(table) && table_control(table).address == reg->address &&
		    table_control(table).bytes == reg->bytes)
			return table;
	}
	return NULL;
}

int machine_map_register(struct machine *machine, struct reg *reg, struct error *err)
{
	struct discovery_table *table = find_table(machine, reg);
	char name[REG_NAME_SIZE];
	struct unit *unit;

	if (reg->space != REG_MMIO)
		return 0;
	if (table) {
		reg->window = &table->control;
		return table_control_open(machine->platform, table, err);
	}
	for (size_t i = 0; (unit = any_unit(machine, i)); i++) {
		if (!unit->registers.control_step || !unit_contains(unit, reg))
			continue;
		reg->window = &unit->window;
		if (!unit->cpmu || !*unit->cpmu->kernel_pmu)
			return unit_open(machine->platform, unit, err);
		/* the kernel counts on it: maps it to restore the rest of an earlier run */
		const int rc = unit_map(machine->platform, unit, true, err);
		unit->open = !rc;
		return rc;
	}
	return error_set(err, ERROR_FAILED, -ENOENT,
			 "%s: does not belong to any uncore unit or CPMU of this machine",
			 reg_name(reg, name));
}
