/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_private.h"

#include <errno.h>
#include <stdlib.h>

void sim_add_unit(struct sim *sim, const struct sim_unit *unit)
{
	sim->units[sim->unit_count++] = *unit;
}

void sim_add_region(struct sim *sim, uint64_t phys, uint64_t length, uint64_t *words)
{
	sim->regions[sim->region_count++] =
		(struct sim_region){.phys = phys, .length = length, .words = words};
}

int sim_add_globals(struct sim *sim, size_t tables)
{
	sim->globals = calloc(sim->socket_count + tables, sizeof(*sim->globals));
	for (unsigned s = 0; sim->globals && s < sim->socket_count; s++)
		sim->globals[sim->global_count++] =
			(struct sim_global_control){.socket = s, .die = SIM_ALL_DIES};
	return sim->globals ? 0 : -ENOMEM;
}

static uint64_t packed_address(const struct sim_unit *unit)
{
	const struct pci_location *at = &unit->pci;

	if (unit->access != SIM_ACCESS_PCI)
		return unit->address;
	return UINT64_C(1) << 31 | (uint64_t)at->domain << 28 | (uint64_t)at->bus << 20 |
	       (uint64_t)at->device << 15 | (uint64_t)at->function << 12 | unit->address;
}

void sim_write_record(uint64_t *words, const struct sim_unit *unit)
{
	words[0] = unit->counters | unit->control_offset << 8 | SIM_COUNTER_BITS << 16 |
		   (uint64_t)unit->counter_offset << 24 | (uint64_t)unit->access << 62;
	words[1] = packed_address(unit);
	words[2] = unit->type | unit->id << 16;
}

int sim_add_table(struct sim *sim, const struct sim_table *table)
{
	uint64_t *words = calloc(1, SIM_TABLE_BYTES);
	const struct sim_unit *first = NULL;
	unsigned records = 0;

	if (!words)
		return -ENOMEM;
	for (size_t u = 0; u < sim->unit_count; u++) {
		const struct sim_unit *unit = &sim->units[u];

		if (unit->socket != table->socket || unit->die != table->die)
			continue;
		first = first ? first : unit;
		sim_write_record(words + SIM_RECORD_WORDS * ++records, unit);
	}
	if (first && table->broken_type) {
		uint64_t *broken = words + SIM_RECORD_WORDS * ++records;

		sim_write_record(broken, first);
		broken[2] = table->broken_type;
	}
	words[0] = (uint64_t)SIM_RECORD_WORDS << 8 | (uint64_t)records << 16 |
		   (uint64_t)table->control_access << 62;
	words[1] = table->control;
	sim_add_region(sim, table->phys, SIM_TABLE_BYTES, words);
	return 0;
}
