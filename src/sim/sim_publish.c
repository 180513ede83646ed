/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading the state of the machine: for publishing it as files, and for tests. */
#include "sim/sim.h"
#include "sim/sim_machine.h"

static void visit_unit(const struct sim_unit *unit, sim_visitor *visit, void *context)
{
	const uint8_t bytes = unit->control_step < 8 ? 4 : 8;
	struct reg reg = {
		.space = unit->access == SIM_ACCESS_MMIO ? REG_MMIO : REG_PCI,
		.bytes = bytes,
		.pci = unit->pci,
		.address = unit->address,
	};

	visit(context, &reg, true);
	for (unsigned i = 0; i < unit->counters; i++) {
		reg.bytes = bytes;
		reg.address = unit->address + unit->control_offset + unit->control_step * i;
		visit(context, &reg, false);
		reg.bytes = 8;
		reg.address = unit->address + unit->counter_offset + unit->counter_step * i;
		visit(context, &reg, false);
	}
}

void sim_for_each_register(struct sim *sim, sim_visitor *visit, void *context)
{
	for (size_t i = 0; i < sim->unit_count; i++)
		if (sim->units[i].access != SIM_ACCESS_MSR)
			visit_unit(&sim->units[i], visit, context);
	for (size_t i = 0; i < sim->table_control_count; i++) {
		const struct reg reg = {
			.space = REG_MMIO, .bytes = 4, .address = sim->table_controls[i].phys};

		visit(context, &reg, true);
	}
}

size_t sim_memory_count(const struct sim *sim)
{
	return sim->region_count;
}

struct sim_memory sim_memory(const struct sim *sim, size_t index)
{
	const struct sim_region *region = &sim->regions[index];

	return (struct sim_memory){
		.phys = region->phys, .length = region->length, .content = region->words};
}

const uint8_t *sim_config_space(const struct sim *sim, size_t index)
{
	return sim->functions[index].config;
}

bool sim_cpu_online(const struct sim *sim, unsigned cpu)
{
	return cpu < sim->core_count && sim->cores[cpu].online;
}

unsigned sim_cpu_die(const struct sim *sim, unsigned cpu)
{
	return sim->cores[cpu].die;
}

const struct sim_spec *sim_spec(const struct sim *sim)
{
	return &sim->spec;
}

/* FNV-1a, by bytes */
static void hash_value(uint64_t *hash, uint64_t value)
{
	for (unsigned i = 0; i < 8; i++)
		*hash = (*hash ^ (value >> (8 * i) & 0xff)) * UINT64_C(0x100000001b3);
}

uint64_t sim_state_hash(struct sim *sim)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (unsigned s = 0; s < sim->socket_count; s++)
		hash_value(&hash, sim->sockets[s].global_control);
	for (size_t i = 0; i < sim->table_control_count; i++)
		hash_value(&hash, sim->table_controls[i].value);
	for (size_t u = 0; u < sim->unit_count; u++) {
		const struct sim_unit *unit = &sim->units[u];

		hash_value(&hash, unit->control);
		for (unsigned i = 0; i < unit->counters; i++) {
			hash_value(&hash, unit->controls[i]);
			hash_value(&hash, unit->counter[i].base);
		}
	}
	for (size_t c = 0; c < sim->core_count; c++) {
		const struct sim_core *core = &sim->cores[c];

		hash_value(&hash, core->global_ctrl);
		hash_value(&hash, core->global_status);
		hash_value(&hash, core->fixed_ctr_ctrl);
		for (unsigned r = 0; r < OFFCORE_REGISTERS; r++)
			hash_value(&hash, core->offcore[r]);
		for (unsigned x = 0; x < SIM_GENERAL_COUNTERS; x++) {
			hash_value(&hash, core->perfevtsel[x]);
			hash_value(&hash, core->general[x].base);
		}
		for (unsigned n = 0; n < SIM_FIXED_COUNTERS; n++)
			hash_value(&hash, core->fixed[n].base);
	}
	return hash;
}
