/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_machine.h"

#include "linux/kernel/clock.h"
#include "platform/cxl.h"
#include "platform/pci.h"

int sim_package(const struct sim *sim, unsigned socket)
{
	return sim->packages ? sim->packages[socket] : (int)socket;
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
	return sim->swapped && (port ^ 1) < sim->spec.ports ? port ^ 1 : port;
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
