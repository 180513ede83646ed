/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a machine into a snapshot. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "msr/core_pmu.h"
#include "pci/config.h"
#include "platform/cpus.h"
#include "platform/cxl.h"
#include "platform/memory.h"
#include "platform/pci.h"
#include "platform/reg.h"
#include "sim/snapshot/snapshot.h"
#include "uncore/devices/ports.h"
#include "uncore/discovery/discovery.h"
#include "uncore/units/amd_unit.h"
#include "uncore/units/core_unit.h"

#define MAX_CAPABILITIES 48   /* as many as fit between 0x40 and 0xff */
#define DVSEC_WORDS	 4    /* its headers, the entry id, and the place of the table */
#define HEADER_WORDS	 0x10 /* words of the header of configuration space */

/* CPUID leaf 1 EBX bits 31:24: the APIC id of this CPU. Intel SDM vol. 2A */
#define LEAF1_EBX_APIC_ID UINT32_C(0xFF000000)

#define LEAF_EXTENDED UINT32_C(0x80000000) /* EAX: the highest of these leaves */
#define MOST_LEAVES   16

/* EAX: the APIC id of this CPU; EBX 7:0 and ECX 7:0: its core and its node. AMD's APM vol. 3 */
#define LEAF_AMD_PLACE UINT32_C(0x8000001E)
#define PLACE_NUMBER   UINT32_C(0xFF)

/* Clears fields that differ from one CPU to another. */
static void hide_place(struct snapshot_cpuid *row)
{
	if (row->leaf == 1)
		row->regs[CPUID_EBX] &= ~LEAF1_EBX_APIC_ID;
	if (row->leaf != LEAF_AMD_PLACE)
		return;
	row->regs[CPUID_EAX] = 0;
	row->regs[CPUID_EBX] &= ~PLACE_NUMBER;
	row->regs[CPUID_ECX] &= ~PLACE_NUMBER;
}

static int take_leaf(struct machine *m, uint32_t leaf, uint32_t subleaf, struct snapshot *out,
		     struct error *err)
{
	struct snapshot_cpuid *row = &out->leaves[out->leaf_count];
	int rc = m->platform->ops->cpus->cpuid(m->platform, m->topology.cpus[0].cpu, leaf, subleaf,
					       row->regs, err);

	if (rc)
		return rc;
	row->leaf = leaf;
	row->subleaf = subleaf;
	hide_place(row);
	out->leaf_count++;
	return 0;
}

/* Takes AMD's leaves: counters (80000001h and 80000022h), sizes, caches and their sharing. */
static int take_amd_leaves(struct machine *m, struct snapshot *out, struct error *err)
{
	static const struct {
		uint32_t leaf, subleaf;
	} leaves[] = {{0x80000001, 0}, {0x80000008, 0}, {0x8000001D, 0},     {0x8000001D, 1},
		      {0x8000001D, 2}, {0x8000001D, 3}, {LEAF_AMD_PLACE, 0}, {0x80000022, 0}};
	uint32_t regs[CPUID_REGS];
	int rc = m->platform->ops->cpus->cpuid(m->platform, m->topology.cpus[0].cpu, LEAF_EXTENDED,
					       0, regs, err);
	const uint32_t highest = rc ? 0 : regs[CPUID_EAX];

	for (size_t i = 0; !rc && i < sizeof(leaves) / sizeof(leaves[0]); i++)
		if (leaves[i].leaf <= highest)
			rc = take_leaf(m, leaves[i].leaf, leaves[i].subleaf, out, err);
	return rc;
}

/* Identity, core PMU and name of the processor; not leaf 3, a serial number on old ones. */
static int take_cpuid(struct machine *m, struct snapshot *out, struct error *err)
{
	static const uint32_t leaves[] = {0,	      1,	  0xA,	      0x40000000,
					  0x80000000, 0x80000002, 0x80000003, 0x80000004};
	int rc = 0;

	if (!*m->cpu.vendor)
		return 0;
	for (size_t i = 0; !rc && i < sizeof(leaves) / sizeof(leaves[0]); i++)
		if (leaves[i] != 0x40000000 || m->cpu.hypervisor)
			rc = take_leaf(m, leaves[i], 0, out, err);
	return rc || !m->model->units_by_cpuid ? rc : take_amd_leaves(m, out, err);
}

/* Reads words of configuration space; returns false if one cannot be read. */
static bool read_config(struct platform *p, struct snapshot_function *f, unsigned offset,
			unsigned words)
{
	for (unsigned at = offset; at < offset + 4 * words && at < PCI_CONFIG_BYTES; at += 4) {
		if (reg_read_pci(p, f->info.at, at, &f->config[at / 4]))
			return false;
		f->known[at / 4] = true;
	}
	return true;
}

static void read_capabilities(struct platform *p, struct snapshot_function *f)
{
	unsigned offset = f->config[PCI_CAPABILITIES / 4] & 0xfc;

	for (unsigned i = 0; offset && i < MAX_CAPABILITIES && read_config(p, f, offset, 1); i++)
		offset = f->config[offset / 4] >> 8 & 0xfc;
}

/*
 * Returns the words that are needed of a DVSEC. A register locator is needed whole: it has only
 * places of registers.
 */
static unsigned words_of(const uint32_t *dvsec)
{
	const bool locates = (dvsec[1] & 0xffff) == CXL_DVSEC_VENDOR &&
			     (dvsec[2] & 0xffff) == DVSEC_ID_REGISTER_LOCATOR;

	return locates ? DVSEC_LENGTH(dvsec[1]) / 4 : DVSEC_WORDS;
}

/*
 * Reads the extended capabilities. Returns true if one is the DVSEC of a discovery table or of
 * CXL.
 */
static bool read_extended_capabilities(struct platform *p, struct snapshot_function *f)
{
	unsigned offset = PCI_EXTENDED_CAPABILITIES;
	bool seen[PCI_CONFIG_BYTES / 4] = {false}, wanted = false;

	while (offset >= PCI_EXTENDED_CAPABILITIES && !seen[offset / 4] &&
	       read_config(p, f, offset, 1)) {
		const uint32_t header = f->config[offset / 4];

		seen[offset / 4] = true;
		if (!header || header == UINT32_MAX)
			break;
		if ((header & 0xffff) == PCI_EXTENDED_ID_DVSEC &&
		    offset + 4 * DVSEC_WORDS <= PCI_CONFIG_BYTES &&
		    read_config(p, f, offset, DVSEC_WORDS)) {
			const uint32_t *dvsec = &f->config[offset / 4];

			read_config(p, f, offset, words_of(dvsec));
			wanted = wanted || (dvsec[1] & 0xffff) == CXL_DVSEC_VENDOR ||
				 (dvsec[2] & 0xffff) == DVSEC_ENTRY_ID_PMON;
		}
		offset = header >> 20 & ~3U;
	}
	return wanted;
}

/* Returns true if the function has a unit or a CPMU, or is on the path to a CXL device. */
static bool is_used(const struct machine *m, struct pci_location at)
{
	for (size_t i = 0; i < m->discovery.unit_count; i++)
		if (m->discovery.units[i].access == ACCESS_PCI &&
		    !pci_location_compare(&m->discovery.units[i].pci, &at))
			return true;
	for (size_t i = 0; i < m->cpmu_count; i++)
		if (!pci_location_compare(&m->cpmus[i].pci, &at))
			return true;
	for (size_t i = 0; i < m->device_count; i++)
		for (size_t k = 0; k < m->devices[i].depth; k++)
			if (!pci_location_compare(&m->devices[i].path[k], &at))
				return true;
	return false;
}

/* Returns true if the function reports its package. */
static bool read_package(struct machine *m, struct snapshot_function *f)
{
	const struct package_map *map = m->model->packages;

	return map && f->info.vendor == DISCOVERY_VENDOR_INTEL && f->info.device == map->device &&
	       read_config(m->platform, f, map->node, 1) &&
	       read_config(m->platform, f, map->nodes, 1);
}

/* Reads a function. Returns true if it is needed; others are left out of the snapshot. */
static bool take_function(struct machine *m, const struct pci_function *info,
			  struct snapshot_function *f)
{
	struct platform *p = m->platform;

	*f = (struct snapshot_function){.info = *info};
	const bool wanted = is_used(m, info->at);
	if (!wanted && info->vendor != DISCOVERY_VENDOR_INTEL)
		return false;
	if (!read_config(p, f, 0, HEADER_WORDS))
		return wanted;
	read_capabilities(p, f);
	return read_extended_capabilities(p, f) || wanted || read_package(m, f) ||
	       info->device == discovery_device_id(m->model);
}

static int take_functions(struct machine *m, struct snapshot *out, struct error *err)
{
	struct pci_function *list;
	size_t count;
	int rc = m->platform->ops->pci->list(m->platform, &list, &count, err);

	if (rc)
		return rc;
	out->functions = calloc(count ? count : 1, sizeof(*out->functions));
	if (!out->functions)
		rc = error_no_memory(err);
	for (size_t i = 0; !rc && i < count; i++)
		out->function_count +=
			take_function(m, &list[i], &out->functions[out->function_count]);
	free(list);
	return rc;
}

static int take_table(struct platform *p, const struct discovery_table *from,
		      struct snapshot_table *to, struct error *err)
{
	struct mmio_window window;
	int rc = p->ops->registers->mmio_map(p, from->phys, from->bytes, false, &window, err);

	if (rc)
		return rc;
	*to = (struct snapshot_table){.phys = from->phys, .count = from->bytes / 8};
	to->words = calloc(to->count, sizeof(*to->words));
	if (!to->words)
		rc = error_no_memory(err);
	for (size_t i = 0; !rc && i < to->count; i++) {
		const struct reg word = reg_mmio(&window, 8 * i, 8);

		rc = reg_read(p, &word, &to->words[i], NULL);
	}
	p->ops->registers->mmio_unmap(p, &window);
	return rc;
}

static int take_tables(struct machine *m, struct snapshot *out, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < m->discovery.table_count; i++)
		rc = take_table(m->platform, &m->discovery.tables[i],
				&out->tables[out->table_count++], err);
	return rc;
}

/*
 * Reads the registers of a unit. They are left out if they cannot be read, or their layout is
 * unknown.
 */
static void take_registers(struct platform *p, struct unit *unit, struct snapshot_unit *to)
{
	struct error err;
	int rc = unit_open(p, unit, &err);

	to->dead = rc == -ENXIO;
	if (rc)
		return;
	const struct reg control = unit_control(unit);
	rc = unit->has_pairs ? 0 : reg_read(p, &control, &to->control, NULL);
	for (unsigned i = 0; !rc && i < unit->counters; i++) {
		const struct reg selects = unit_counter_control(unit, i);
		const struct reg counter = unit_counter(unit, i);

		rc = reg_read(p, &selects, &to->controls[i], NULL);
		if (!rc)
			rc = reg_read(p, &counter, &to->values[i], NULL);
	}
	to->counters = rc ? 0 : unit->counters;
	unit_close(p, unit);
}

static void take_units(struct machine *m, struct snapshot *out)
{
	for (size_t i = 0; i < m->discovery.unit_count; i++) {
		struct unit *unit = &m->discovery.units[i];
		struct snapshot_unit *to = &out->units[out->unit_count++];

		*to = (struct snapshot_unit){.socket = unit->socket,
					     .die = unit->die,
					     .type = unit->type,
					     .id = unit->id};
		take_registers(m->platform, unit, to);
	}
}

static void take_msr(struct platform *p, unsigned cpu, uint32_t msr, struct snapshot *out)
{
	struct snapshot_msr *row = &out->msrs[out->msr_count];

	*row = (struct snapshot_msr){.cpu = cpu, .msr = msr};
	const struct reg reg = reg_msr(cpu, msr);
	out->msr_count += !reg_read(p, &reg, &row->value, NULL);
}

/* AMD's controls of a CPU's counters. */
static void take_pairs(struct machine *m, const struct unit *cpu, struct snapshot *out)
{
	struct platform *p = m->platform;
	struct core_pmu_info pmu;

	if (m->model->core->identify(p, cpu->cpu, &pmu, NULL))
		return;
	take_msr(p, cpu->cpu, AMD_PERF_CNTR_GLOBAL_CTL, out);
	for (unsigned x = 0; x < pmu.general && x < CORE_PMU_MAX_GENERAL; x++)
		take_msr(p, cpu->cpu,
			 (uint32_t)unit_counter_control(cpu, CORE_COUNTER_GENERAL + x).address,
			 out);
}

/* Addresses of tables, core PMU controls of each CPU, and the global control of each socket. */
static void take_msrs(struct machine *m, struct snapshot *out)
{
	struct platform *p = m->platform;
	struct core_pmu_info pmu = {.version = 0};
	uint32_t leaf[CPUID_REGS];

	if (!p->ops->cpus->cpuid(p, m->topology.cpus[0].cpu, 0xA, 0, leaf, NULL))
		core_pmu_decode(leaf, &pmu);
	for (size_t i = 0; i < m->discovery.table_count; i++)
		if (m->discovery.tables[i].msr)
			take_msr(p, m->discovery.tables[i].cpu, m->discovery.tables[i].msr, out);
	for (size_t i = 0; i < m->topology.count; i++) {
		const struct cpu_location *at = &m->topology.cpus[i];

		if (topology_reader_cpu(&m->topology, at->socket) == (int)at->cpu &&
		    m->model->global_freeze_msr)
			take_msr(p, at->cpu, m->model->global_freeze_msr, out);
		if (m->model->core && i < m->cpu_count)
			take_pairs(m, &m->cpus[i], out);
		if (!pmu.version)
			continue;
		take_msr(p, at->cpu, IA32_MISC_ENABLE, out);
		take_msr(p, at->cpu, IA32_PERF_CAPABILITIES, out);
		take_msr(p, at->cpu, IA32_FIXED_CTR_CTRL, out);
		take_msr(p, at->cpu, IA32_PERF_GLOBAL_CTRL, out);
		for (unsigned x = 0; x < pmu.general; x++)
			take_msr(p, at->cpu, IA32_PERFEVTSEL0 + x, out);
	}
}

/* Registers of 8 bytes, or filters of 4, in a row. */
static int take_row(struct platform *p, const struct mmio_window *window, uint64_t offset,
		    uint8_t bytes, unsigned count, uint64_t *values)
{
	int rc = 0;

	for (unsigned i = 0; !rc && i < count; i++) {
		const struct reg reg = reg_mmio(window, offset + bytes * i, bytes);

		rc = reg_read(p, &reg, &values[i], NULL);
	}
	return rc;
}

static int take_cpmu_registers(struct platform *p, const struct mmio_window *window,
			       struct snapshot_cpmu *to)
{
	int rc = take_row(p, window, CPMU_CAPABILITY, 8, 1, &to->capability);
	const unsigned counters = cpmu_counters(to->capability);
	const struct {
		unsigned offset, bytes, count;
		uint64_t *values;
	} rows[] = {
		{CPMU_OVERFLOW_STATUS, 8, 1, &to->overflow},
		{CPMU_FREEZE, 8, to->capability & CPMU_CAP_FREEZE ? 1 : 0, &to->freeze},
		{CPMU_EVENT_CAPABILITY, 8, cpmu_groups(to->capability), to->groups},
		{CPMU_CONFIGURATION, 8, counters, to->configurations},
		{CPMU_COUNTER, 8, counters, to->counters},
		{CPMU_FILTER, 4, cpmu_filters(to->capability) ? counters * CPMU_FILTERS : 0,
		 to->filters},
	};

	for (size_t i = 0; !rc && i < sizeof(rows) / sizeof(rows[0]); i++)
		rc = take_row(p, window, rows[i].offset, rows[i].bytes, rows[i].count,
			      rows[i].values);
	return rc;
}

static void take_cpmus(struct machine *m, struct snapshot *out)
{
	struct platform *p = m->platform;

	for (size_t i = 0; i < m->cpmu_count; i++) {
		struct snapshot_cpmu *to = &out->cpmus[out->cpmu_count];
		struct mmio_window window;

		to->at = m->cpmus[i].pci;
		to->address = m->cpmus[i].address;
		if (p->ops->registers->mmio_map(p, to->address, CPMU_BLOCK_BYTES, false, &window,
						NULL))
			continue;
		out->cpmu_count += !take_cpmu_registers(p, &window, to);
		p->ops->registers->mmio_unmap(p, &window);
	}
}

/* Allocates room for everything except functions, and copies the parts that need no access. */
static int begin_snapshot(struct machine *m, struct snapshot *out, struct error *err)
{
	const size_t units = m->discovery.unit_count, tables = m->discovery.table_count;
	const size_t msrs = m->topology.count * (size_t)(CORE_PMU_MAX_GENERAL + 5) + tables;

	*out = (struct snapshot){.leaves = calloc(MOST_LEAVES, sizeof(*out->leaves)),
				 .topology.cpus =
					 calloc(m->topology.count + 1, sizeof(*out->topology.cpus)),
				 .tables = calloc(tables + 1, sizeof(*out->tables)),
				 .units = calloc(units + 1, sizeof(*out->units)),
				 .msrs = calloc(msrs + 1, sizeof(*out->msrs)),
				 .devices = calloc(m->device_count + 1, sizeof(*out->devices)),
				 .cpmus = calloc(m->cpmu_count + 1, sizeof(*out->cpmus))};
	if (!out->leaves || !out->topology.cpus || !out->tables || !out->units || !out->msrs ||
	    !out->devices || !out->cpmus || memory_layout_copy(&m->memory, &out->memory))
		return error_no_memory(err);
	strncpy(out->model, m->model->short_name, sizeof(out->model) - 1);
	for (; out->topology.count < m->topology.count; out->topology.count++)
		out->topology.cpus[out->topology.count] = m->topology.cpus[out->topology.count];
	for (; out->device_count < m->device_count; out->device_count++)
		out->devices[out->device_count] = m->devices[out->device_count];
	return 0;
}

/* Leaves out units without registers, which only the kernel counts on. */
static void leave_out_units(struct machine *machine)
{
	if (machine->model->kernel_counts)
		machine->discovery.unit_count = machine->discovery.table_count = 0;
}

int snapshot_take(struct machine *machine, struct snapshot *out, struct error *err)
{
	/* a processor without listed units has only the CPMUs of its CXL devices */
	const bool only_cpmus = !machine->model->pmu_types->name && machine->cpmu_count;
	int rc;

	*out = (struct snapshot){.leaves = NULL};
	if (machine->uncore_error.code && !only_cpmus) {
		*err = machine->uncore_error;
		return err->code;
	}
	leave_out_units(machine);
	rc = begin_snapshot(machine, out, err);
	if (!rc)
		rc = take_cpuid(machine, out, err);
	if (!rc)
		rc = take_functions(machine, out, err);
	if (!rc)
		rc = take_tables(machine, out, err);
	if (rc)
		return rc;
	take_units(machine, out);
	take_msrs(machine, out);
	take_cpmus(machine, out);
	return 0;
}

void snapshot_free(struct snapshot *snapshot)
{
	for (size_t i = 0; snapshot->tables && i < snapshot->table_count; i++)
		free(snapshot->tables[i].words);
	free(snapshot->leaves);
	topology_free(&snapshot->topology);
	free(snapshot->functions);
	free(snapshot->tables);
	free(snapshot->units);
	free(snapshot->msrs);
	free(snapshot->devices);
	memory_layout_free(&snapshot->memory);
	free(snapshot->cpmus);
	*snapshot = (struct snapshot){.leaves = NULL};
}
