/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/state.h"

#include <stdio.h>

#include "platform/guard.h"
#include "sim/sim_cpmu.h"
#include "sim/sim_machine.h"
#include "sim/sim_perf.h"
#include "uncore/rdt/region_tables.h"

static void visit_unit(const struct sim_unit *unit, sim_visitor *visit, void *context)
{
	const uint8_t bytes = unit->control_step < 8 ? 4 : 8;
	struct reg reg = {
		.space = unit->access == SIM_ACCESS_MMIO ? REG_MMIO : REG_PCI,
		.bytes = bytes,
		.pci = unit->pci,
		.address = unit->address,
	};

	visit(context, &reg, SIM_UNIT_CONTROL);
	for (unsigned i = 0; i < unit->counters; i++) {
		reg.bytes = bytes;
		reg.address = unit->address + unit->control_offset + unit->control_step * i;
		visit(context, &reg, SIM_CONTROL);
		reg.bytes = 8;
		reg.address = unit->address + unit->counter_offset + unit->counter_step * i;
		visit(context, &reg, SIM_COUNTER);
	}
}

static void visit_filters(const struct sim_cpmu *cpmu, unsigned i, sim_visitor *visit,
			  void *context)
{
	for (unsigned f = 0; f < SIM_CPMU_FILTERS; f++) {
		const struct reg reg = {.space = REG_MMIO,
					.bytes = 4,
					.address = cpmu->address + SIM_REG_FILTERS +
						   4 * (SIM_CPMU_FILTERS * i + f)};

		if (cpmu->capability >> (32 + f) & 1)
			visit(context, &reg, SIM_CONTROL);
	}
}

static void visit_cpmu(const struct sim_cpmu *cpmu, sim_visitor *visit, void *context)
{
	const struct {
		unsigned first, count;
	} registers[] = {{SIM_REG_FREEZE, 1},
			 {SIM_REG_CAPABILITY, 1},
			 {SIM_REG_OVERFLOW, 1},
			 {SIM_REG_GROUPS, cpmu->group_count},
			 {SIM_REG_CONFIGURATIONS, cpmu->counter_count},
			 {SIM_REG_COUNTERS, cpmu->counter_count}};

	for (size_t r = 0; r < sizeof(registers) / sizeof(registers[0]); r++)
		for (unsigned i = 0; i < registers[r].count; i++) {
			const struct reg reg = {.space = REG_MMIO,
						.bytes = 8,
						.address =
							cpmu->address + registers[r].first + 8 * i};

			visit(context, &reg, r ? SIM_CONTROL : SIM_UNIT_CONTROL);
		}
	for (unsigned i = 0; i < cpmu->counter_count; i++)
		visit_filters(cpmu, i, visit, context);
}

/* Visits counters of bytes by region of memory: those of RMIDs that are in use. */
static void visit_domain(const struct sim *sim, const struct sim_rdt *domain, sim_visitor *visit,
			 void *context)
{
	struct reg reg = {.space = REG_MMIO, .bytes = 8, .address = domain->address + 0x10000};

	visit(context, &reg, SIM_UNIT_CONTROL);
	for (unsigned region = 0; region < 4; region++)
		for (unsigned rmid = 0; rmid <= sim->spec.region_groups; rmid++) {
			reg.address = domain->address + erdt_counter_offset(rmid, region);
			visit(context, &reg, SIM_CONTROL);
		}
}

void sim_for_each_register(struct sim *sim, sim_visitor *visit, void *context)
{
	for (size_t i = 0; i < sim->unit_count; i++)
		if (sim->units[i].access != SIM_ACCESS_MSR)
			visit_unit(&sim->units[i], visit, context);
	for (size_t i = sim->socket_count; i < sim->global_count; i++) {
		const struct reg reg = {
			.space = REG_MMIO, .bytes = 4, .address = sim->globals[i].phys};

		visit(context, &reg, SIM_UNIT_CONTROL);
	}
	for (size_t i = 0; i < sim->cpmu_count; i++)
		visit_cpmu(&sim->cpmus[i], visit, context);
	for (size_t i = 0; i < sim->rdt_count; i++)
		visit_domain(sim, &sim->rdt[i], visit, context);
}

bool sim_cpu_online(const struct sim *sim, unsigned cpu)
{
	return cpu < sim->core_count && sim->cores[cpu].online;
}

struct state {
	sim_state_visitor *visit;
	void *context;
};

/*
 * Visits a value. part names the unit or core; index is its number among several of this kind, or
 * -1.
 */
static void visit_value(const struct state *s, const char *part, const char *name, int index,
			uint64_t value)
{
	char full[SIM_STATE_NAME_SIZE];

	if (index < 0)
		snprintf(full, sizeof(full), "%s %s", part, name);
	else
		snprintf(full, sizeof(full), "%s %s%d", part, name, index);
	s->visit(s->context, full, value);
}

static void visit_unit_state(const struct state *s, const struct sim_unit *unit, size_t number)
{
	char part[64];

	snprintf(part, sizeof(part), "unit%zu type=0x%x id=%u", number, unit->type, unit->id);
	if (sim_unit_rules(unit)->unit_control)
		visit_value(s, part, "unit_ctl", -1, unit->control);
	for (unsigned i = 0; i < unit->counters; i++) {
		visit_value(s, part, "ctl", (int)i, unit->controls[i]);
		visit_value(s, part, "ctr", (int)i, unit->counter[i].base);
	}
}

static void visit_cpmu_state(const struct state *s, const struct sim_cpmu *cpmu, size_t number)
{
	char part[64];

	snprintf(part, sizeof(part), "cpmu%zu", number);
	for (int w = 0; w < SIM_CPMU_WORDS; w++)
		if (cpmu->words[w])
			visit_value(s, part, "word", w, cpmu->words[w]);
	for (unsigned i = 0; i < cpmu->counter_count; i++)
		visit_value(s, part, "ctr", (int)i, cpmu->counters[i].base);
}

static void visit_core_state(const struct state *s, const struct sim_core *core, size_t number)
{
	char part[64];

	snprintf(part, sizeof(part), "cpu%zu", number);
	visit_value(s, part, "global_ctrl", -1, core->global_ctrl);
	visit_value(s, part, "global_status", -1, core->global_status);
	visit_value(s, part, "fixed_ctr_ctrl", -1, core->fixed_ctr_ctrl);
	for (int r = 0; r < OFFCORE_REGISTERS; r++)
		visit_value(s, part, "offcore_rsp", r, core->offcore[r]);
	for (int x = 0; x < SIM_GENERAL_COUNTERS; x++) {
		visit_value(s, part, "perfevtsel", x, core->perfevtsel[x]);
		visit_value(s, part, "pmc", x, core->general[x].base);
	}
	for (int n = 0; n < SIM_FIXED_COUNTERS; n++)
		visit_value(s, part, "fixed_ctr", n, core->fixed[n].base);
}

void sim_for_each_state(struct sim *sim, sim_state_visitor *visit, void *context)
{
	const struct state s = {visit, context};

	sim_perf_catch_up(sim);
	for (size_t i = 0; i < sim->global_count; i++)
		visit_value(&s, "machine", "global_control", (int)i, sim->globals[i].value);
	for (size_t u = 0; u < sim->unit_count; u++)
		visit_unit_state(&s, &sim->units[u], u);
	for (size_t i = 0; i < sim->cpmu_count; i++)
		visit_cpmu_state(&s, &sim->cpmus[i], i);
	for (size_t c = 0; c < sim->core_count; c++)
		visit_core_state(&s, &sim->cores[c], c);
}

/* Hashes a value by FNV-1a, byte by byte. */
static void hash_value(void *context, const char *name, uint64_t value)
{
	uint64_t *hash = context;

	(void)name;
	for (unsigned i = 0; i < 8; i++)
		*hash = (*hash ^ (value >> (8 * i) & 0xff)) * UINT64_C(0x100000001b3);
}

uint64_t sim_state_hash(struct sim *sim)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	sim_for_each_state(sim, hash_value, &hash);
	return hash;
}
