/* SPDX-License-Identifier: BSD-3-Clause */
/* Faults and states that tests set. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/sim.h"
#include "sim/sim_cpmu.h"
#include "sim/sim_machine.h"
#include "sim/sim_perf.h"
#include "sim/sim_unit.h"

/* To a unit's control: both resets, without freezing. */
#define UNIT_RESETS UINT64_C(0x300)

void sim_set_access_time(struct sim *sim, uint64_t ns)
{
	sim->access_time = ns;
}

static struct sim_unit *find_by_id(struct sim *sim, unsigned socket, unsigned type, unsigned id)
{
	for (size_t i = 0; i < sim->unit_count; i++) {
		struct sim_unit *unit = &sim->units[i];

		if (unit->socket == socket && unit->type == type && unit->id == id)
			return unit;
	}
	return NULL;
}

int sim_set_unit_dead(struct sim *sim, unsigned socket, unsigned type, unsigned id, bool dead)
{
	struct sim_unit *unit = find_by_id(sim, socket, type, id);

	if (!unit)
		return -ENOENT;
	sim_perf_catch_up(sim);
	unit->dead = dead;
	return 0;
}

int sim_set_counter(struct sim *sim, unsigned socket, unsigned type, unsigned id, unsigned counter,
		    uint64_t value)
{
	struct sim_unit *unit = find_by_id(sim, socket, type, id);

	if (!unit || counter >= unit->counters)
		return -ENOENT;
	sim_perf_catch_up(sim);
	return sim_unit_write(sim, unit, unit->counter_offset + unit->counter_step * counter, value)
		       ? 0
		       : -ENOENT;
}

int sim_set_cpmu_dead(struct sim *sim, size_t index, bool dead)
{
	if (index >= sim->cpmu_count)
		return -ENOENT;
	sim_perf_catch_up(sim);
	sim->cpmus[index].dead = dead;
	return 0;
}

void sim_set_msr_fault(struct sim *sim, uint32_t msr, int code)
{
	sim->faults.msr = msr;
	sim->faults.msr_code = code;
}

void sim_set_writes_refused(struct sim *sim, bool refused)
{
	sim->faults.writes_refused = refused;
}

/* uncore_box_init() of the kernel, for all units of a die. AMD's driver does nothing of that. */
static void reset_die(struct sim *sim, unsigned socket, unsigned die)
{
	for (size_t u = 0; u < sim->unit_count; u++)
		if (sim->units[u].socket == socket && sim->units[u].cpu_die == die &&
		    sim_unit_has_control(&sim->units[u]))
			sim_unit_write(sim, &sim->units[u], 0, UNIT_RESETS);
}

void sim_set_perf_denied(struct sim *sim, bool denied)
{
	sim->faults.perf_denied = denied;
}

void sim_set_cpu_online(struct sim *sim, unsigned cpu, bool online)
{
	if (cpu >= sim->core_count)
		return;
	const unsigned socket = sim->cores[cpu].socket, die = sim->cores[cpu].die;
	const bool first = online && !sim_die_online(sim, socket, die);

	sim_perf_catch_up(sim);
	sim->cores[cpu].online = online;
	if (!online)
		sim_perf_cpu_offline(sim, cpu);
	if (first && sim->faults.driver_loaded)
		reset_die(sim, socket, die);
}

void sim_load_driver(struct sim *sim)
{
	sim_perf_catch_up(sim);
	sim->faults.driver_loaded = true;
	for (unsigned socket = 0; socket < sim->socket_count; socket++)
		for (unsigned die = 0; die < sim->spec.dies; die++)
			if (sim_die_online(sim, socket, die))
				reset_die(sim, socket, die);
}

/* Registers after power was off: all 0, except those that firmware sets. */
void sim_suspend(struct sim *sim, uint64_t ns)
{
	sim_perf_catch_up(sim);
	const uint64_t at = sim->now;

	sim->suspended += ns;
	for (unsigned s = 0; s < sim->socket_count; s++)
		sim_set_global_control(sim, s, 0);
	for (size_t i = 0; i < sim->table_control_count; i++)
		sim->table_controls[i].value = sim->table_controls[i].frozen_at_power_on;
	for (size_t u = 0; u < sim->unit_count; u++) {
		struct sim_unit *unit = &sim->units[u];

		unit->control = 0;
		memset(unit->controls, 0, sizeof(unit->controls));
		for (unsigned i = 0; i < SIM_MAX_COUNTERS; i++)
			unit->counter[i] = (struct sim_counter){.since = at};
	}
	for (size_t i = 0; i < sim->cpmu_count; i++)
		sim_reset_cpmu(sim, &sim->cpmus[i]);
	for (size_t c = 0; c < sim->core_count; c++) {
		struct sim_core *core = &sim->cores[c];

		*core = (struct sim_core){
			.socket = core->socket,
			.node = core->node,
			.die = core->die,
			.l3 = core->l3,
			.table = core->table,
			.online = core->online,
			.first_thread = core->first_thread,
			.misc_enable = core->misc_enable,
		};
		for (unsigned x = 0; x < SIM_GENERAL_COUNTERS; x++)
			core->general[x].since = at;
		for (unsigned n = 0; n < SIM_FIXED_COUNTERS; n++)
			core->fixed[n].since = at;
	}
}

void sim_set_hypervisor(struct sim *sim, const char *name)
{
	snprintf(sim->hypervisor, sizeof(sim->hypervisor), "%s", name);
}

void sim_set_msr_absent(struct sim *sim, bool absent)
{
	sim->faults.msr_absent = absent;
}

void sim_set_memory_denied(struct sim *sim, uint64_t phys, uint64_t length)
{
	sim->faults.denied_phys = phys;
	sim->faults.denied_length = length;
}
