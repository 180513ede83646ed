/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_machine.h"

#include <stdlib.h>

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
	free(sim->cpmus);
	if (sim->snapshot)
		snapshot_free(sim->snapshot);
	free(sim->snapshot);
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
