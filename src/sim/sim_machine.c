/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_machine.h"

#include <errno.h>
#include <stdlib.h>

#include "linux/clock.h"
#include "snapshot/snapshot.h"

void sim_free_machine(struct sim *sim)
{
	for (size_t i = 0; i < sim->region_count; i++)
		free(sim->regions[i].words);
	sim_loads_free(&sim->loads);
	free(sim->sockets);
	free(sim->units);
	free(sim->cores);
	free(sim->functions);
	free(sim->regions);
	free(sim->table_controls);
	free(sim->devices);
	memory_layout_free(&sim->memory);
	free(sim->cpmus);
	free(sim->mbm.caches);
	free(sim->clearings);
	if (sim->snapshot)
		snapshot_free(sim->snapshot);
	free(sim->snapshot);
}

bool sim_is_locked_down(const struct sim *sim)
{
	return sim->spec.lockdown != SIM_LOCKDOWN_NONE;
}

bool sim_die_online(const struct sim *sim, unsigned socket, unsigned die)
{
	for (size_t i = 0; i < sim->core_count; i++)
		if (sim->cores[i].online && sim->cores[i].socket == socket &&
		    sim->cores[i].die == die)
			return true;
	return false;
}

const struct sim_region *sim_find_region(const struct sim *sim, uint64_t phys, uint64_t length)
{
	for (size_t i = 0; i < sim->region_count; i++) {
		const struct sim_region *r = &sim->regions[i];

		if (phys >= r->phys && length <= r->length && phys - r->phys <= r->length - length)
			return r;
	}
	return NULL;
}

const struct sim_function *sim_find_function(const struct sim *sim, struct pci_location at)
{
	for (size_t i = 0; i < sim->function_count; i++)
		if (!pci_location_compare(&sim->functions[i].info.at, &at))
			return &sim->functions[i];
	return NULL;
}

unsigned sim_device_port(const struct sim *sim, size_t device)
{
	unsigned port = 0;

	for (size_t before = 0; before < device; before++)
		port += sim->devices[before].near_node == sim->devices[device].near_node;
	return port;
}

unsigned sim_swapped_port(const struct sim *sim, unsigned port)
{
	return sim->spec.swap && (port ^ 1) < sim->spec.ports ? port ^ 1 : port;
}

uint64_t sim_now(const struct sim *sim)
{
	return sim->spec.virtual_clock ? sim->virtual_now : clock_monotonic() - sim->start;
}

uint64_t sim_time_of(const struct sim *sim, uint64_t wall_ns)
{
	const uint64_t start = SIM_EPOCH_NS + sim->suspended;

	return !sim->spec.virtual_clock ? sim_now(sim) : wall_ns > start ? wall_ns - start : 0;
}

/* The error that any access to an MSR of this CPU fails with; 0: none. */
static int access_error(const struct sim *sim, unsigned cpu)
{
	if (!sim_core_pmu(sim)->general || cpu >= sim->core_count)
		return -ENOENT;
	return sim->cores[cpu].online ? 0 : -ENXIO;
}

int sim_msr_read(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	int rc = access_error(sim, cpu);
	if (rc)
		return rc;

	struct sim_unit *unit = sim_find_msr_unit(sim, cpu, msr);
	if (unit)
		return sim_unit_read(sim, unit, msr - unit->address, value) ? 0 : -EIO;
	return sim_core_read(sim, cpu, msr, value);
}

int sim_msr_may_write(const struct sim *sim)
{
	return sim_is_locked_down(sim) ? -EPERM : 0;
}

int sim_msr_write(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	int rc = access_error(sim, cpu);

	if (!rc)
		rc = sim_msr_may_write(sim);
	if (rc)
		return rc;

	struct sim_unit *unit = sim_find_msr_unit(sim, cpu, msr);
	if (!unit)
		return sim_core_write(sim, cpu, msr, value);
	if (value & sim_unit_reserved(unit, msr - unit->address))
		return -EIO;
	sim_unit_write(sim, unit, msr - unit->address, value);
	return 0;
}
