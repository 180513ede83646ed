/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RECORD_WORDS 4 /* the stride: larger than a record, as the format allows */

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

static void write_record(uint64_t *words, const struct sim_unit *unit)
{
	words[0] = unit->counters | unit->control_offset << 8 | SIM_COUNTER_BITS << 16 |
		   (uint64_t)unit->counter_offset << 24 | (uint64_t)unit->access << 62;
	words[1] = packed_address(unit);
	words[2] = unit->type | unit->id << 16;
}

/* One record of each invalid kind that tables of real firmware have. Returns how many. */
static unsigned write_invalid_records(uint64_t *words, const struct sim_unit *valid)
{
	/* the first one is empty, the last one is the same unit once more */
	uint64_t records[6][RECORD_WORDS] = {{0}};

	memset(records[1], 0xff, sizeof(records[1]));
	for (unsigned i = 2; i < 6; i++)
		write_record(records[i], valid);
	records[2][1] = 0;		    /* no control address */
	records[3][0] &= ~UINT64_C(0xff00); /* no offset of the controls */
	records[4][0] |= UINT64_C(3) << 62; /* unknown access type */
	memcpy(words, records, sizeof(records));
	return 6;
}

/* Behind the last CHA of a table, whose addresses no unit has. Returns how many. */
static unsigned write_extra_chas(uint64_t *words, const struct sim_unit *last, unsigned count)
{
	for (unsigned i = 1; i <= count; i++) {
		struct sim_unit extra = *last;

		extra.id += i;
		extra.address += (uint64_t)SIM_MSR_STEP * i;
		write_record(words + RECORD_WORDS * (i - 1), &extra);
	}
	return count;
}

int sim_add_table(struct sim *sim, const struct sim_table *table)
{
	uint64_t *words = calloc(1, SIM_TABLE_BYTES);
	const struct sim_unit *first = NULL, *cha = NULL;
	unsigned records = 0;

	if (!words)
		return -ENOMEM;
	for (size_t u = 0; u < sim->unit_count; u++) {
		const struct sim_unit *unit = &sim->units[u];

		if (unit->socket != table->socket || unit->die != table->die)
			continue;
		first = first ? first : unit;
		cha = unit->type == PMU_CHA ? unit : cha;
		write_record(words + RECORD_WORDS * ++records, unit);
	}
	if (first && table->broken_type) {
		uint64_t *broken = words + RECORD_WORDS * ++records;

		write_record(broken, first);
		broken[2] = table->broken_type;
	}
	if (cha)
		records += write_extra_chas(words + RECORD_WORDS * (records + 1), cha,
					    sim->spec.extra_chas);
	if (first && sim->spec.invalid)
		records += write_invalid_records(words + RECORD_WORDS * (records + 1), first);
	words[0] = (uint64_t)RECORD_WORDS << 8 | (uint64_t)records << 16 |
		   (uint64_t)table->control_access << 62;
	words[1] = table->control;
	sim_add_region(sim, table->phys, SIM_TABLE_BYTES, words);
	return 0;
}
