/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/tables.h"

#include <string.h>

#include "sim/sim_private.h"

#define WORDS SIM_RECORD_WORDS

/* A table to which records are added. */
struct grown {
	uint64_t *words;
	const struct sim_unit *first, *cha; /* its first unit, and its last CHA; NULL: none */
};

static struct grown find_units(const struct sim *sim, unsigned socket, unsigned die,
			       uint64_t *words)
{
	struct grown table = {.words = words};

	for (size_t u = 0; u < sim->unit_count; u++) {
		const struct sim_unit *unit = &sim->units[u];

		if (unit->socket != socket || unit->die != die)
			continue;
		table.first = table.first ? table.first : unit;
		table.cha = unit->type == PMU_CHA ? unit : table.cha;
	}
	return table;
}

/* Returns the words of a record that is added. */
static uint64_t *next_record(struct grown *table)
{
	const uint64_t count = (table->words[0] >> 16 & 0xffff) + 1;

	table->words[0] += UINT64_C(1) << 16;
	return table->words + WORDS * count;
}

/* Adds records of CHAs after the last CHA, at addresses that no unit has. */
static void add_chas(struct grown *table, unsigned count)
{
	for (unsigned i = 1; i <= count; i++) {
		struct sim_unit extra = *table->cha;

		extra.id += i;
		extra.address += (uint64_t)SIM_MSR_STEP * i;
		sim_write_record(next_record(table), &extra);
	}
}

/* Adds one record of each invalid kind that tables of real firmware have. */
static void add_invalid(struct grown *table)
{
	/* the first one is empty, the last one repeats a unit */
	uint64_t records[6][WORDS] = {{0}};

	memset(records[1], 0xff, sizeof(records[1]));
	for (unsigned i = 2; i < 6; i++)
		sim_write_record(records[i], table->first);
	records[2][1] = 0;		    /* without an address of the control */
	records[3][0] &= ~UINT64_C(0xff00); /* without an offset of the counters' controls */
	records[4][0] |= UINT64_C(3) << 62; /* unknown access type */
	for (unsigned i = 0; i < 6; i++)
		memcpy(next_record(table), records[i], sizeof(records[i]));
}

/*
 * Adds records to each table. Tables are regions with content, in the order of sockets and of
 * their dies.
 */
void tables_add_records(struct sim *sim, unsigned extra_chas, bool invalid)
{
	size_t tables = 0, number = 0;

	for (size_t r = 0; r < sim->region_count; r++)
		tables += sim->regions[r].words != NULL;
	for (size_t r = 0; r < sim->region_count; r++) {
		if (!sim->regions[r].words)
			continue;
		const size_t dies = tables / sim->socket_count;
		struct grown table = find_units(sim, (unsigned)(number / dies),
						(unsigned)(number % dies), sim->regions[r].words);

		if (table.cha)
			add_chas(&table, extra_chas);
		if (table.first && invalid)
			add_invalid(&table);
		number++;
	}
}
