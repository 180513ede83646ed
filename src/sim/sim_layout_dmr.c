/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Diamond Rapids: two IMHs (memory and IO), to whose discovery tables PCI functions point, and
 * core building blocks (CBB), to whose tables MSR 0x710 of their CPUs points.
 *
 * Source of the types, the pointers to tables, the ids of the second IMH and the frozen CBBs: as in
 * src/uncore/models/dmr.c. No address is published. All units are in memory, a page
 * each; for socket s and table t of it (0 and 1 the IMHs, then the CBBs):
 *   0x20_0000_0000 + s * 256 MiB + t * 16 MiB   the table (64 KiB)
 *   0x20_0F00_0000 + s * 256 MiB + die * 128 KiB  counters of bytes by region: sim_rdt.c
 *   ... + 8 MiB                                 a page with the table's global control, then
 *                                               the units: BAR 2 of an IMH, in no BAR of a CBB
 */
#include "sim/sim_private.h"

#define TABLE_STRIDE UINT64_C(0x1000000)
#define UNITS_OFFSET UINT64_C(0x800000)
#define UNITS_BYTES  UINT64_C(0x400000)
#define PAGE	     UINT64_C(0x1000)

#define DISCOVERY_DEVICE 0x09A1
#define SECOND_IMH_IDS	 0x8000
#define BROKEN_IMH	 0x13
#define BROKEN_CBB	 0x25

enum { IMC = 6, CXLCM = 24, CBO = 31 };

/* One unit each: PCU, UBOX, SCA, HAMVF, ULA, UBR, PCIE4, CRS, CPC, ITC, OTC, CMS, PCIE6; and
 * SANTA, CNCU, SNCU, DDA, SBO. */
static const unsigned imh_types[] = {4, 5, 23, 30, 35, 43, 45, 46, 47, 48, 49, 50, 51};
static const unsigned cbb_types[] = {32, 33, 34, 36, 38};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A table while its units are added. */
struct block {
	unsigned socket, table;
	uint64_t base, next_page;
	unsigned first_id;
};

static struct block make_block(unsigned socket, unsigned table)
{
	const uint64_t base = SIM_MMIO_BASE + socket * SIM_MMIO_STRIDE + table * TABLE_STRIDE;

	return (struct block){
		.socket = socket,
		.table = table,
		.base = base,
		.next_page = base + UNITS_OFFSET + PAGE,
		.first_id = table == 1 ? SECOND_IMH_IDS : 0,
	};
}

/*
 * Adds a unit. index is its number among the socket's units of this type, nth its number in the
 * block.
 */
static void add_block(struct sim *sim, struct block *block, unsigned type, unsigned index,
		      unsigned nth)
{
	const unsigned counters = type == CXLCM ? 8 : 4;

	sim_add_unit(sim,
		     &(struct sim_unit){
			     .type = type,
			     .socket = block->socket,
			     .index = index,
			     .id = block->first_id + nth,
			     .die = block->table,
			     .access = SIM_ACCESS_MMIO,
			     .address = block->next_page,
			     .counters = counters,
			     .control_offset = 0x20, /* after an iMC's fixed control and counter */
			     .control_step = 8,
			     .counter_offset = 0x20 + 8 * counters,
			     .counter_step = 8,
		     });
	block->next_page += PAGE;
}

/* Adds the units of this type that are in the nth of blocks. */
static void add_share(struct sim *sim, struct block *block, unsigned type, unsigned count,
		      unsigned nth, unsigned blocks)
{
	const unsigned first = count * nth / blocks, end = count * (nth + 1) / blocks;

	for (unsigned i = first; i < end; i++)
		add_block(sim, block, type, i, i - first);
}

static int finish_block(struct sim *sim, const struct block *block, unsigned broken_type)
{
	const struct sim_table table = {
		.socket = block->socket,
		.die = block->table,
		.phys = block->base,
		.control_access = SIM_ACCESS_MMIO,
		.control = block->base + UNITS_OFFSET,
		.broken_type = broken_type,
	};
	const bool frozen = block->table >= SIM_IMHS;

	sim->globals[sim->global_count++] = (struct sim_global_control){
		.socket = block->socket,
		.die = (int)block->table,
		.phys = table.control,
		.value = frozen,
	};
	sim_add_region(sim, block->base + UNITS_OFFSET, UNITS_BYTES, NULL);
	return sim_add_table(sim, &table);
}

static int add_imh(struct sim *sim, unsigned socket, unsigned nth)
{
	struct block block = make_block(socket, nth);

	add_share(sim, &block, IMC, sim->spec.imcs, nth, SIM_IMHS);
	add_share(sim, &block, CXLCM, sim->spec.ports, nth, SIM_IMHS);
	for (size_t i = 0; i < COUNT(imh_types); i++)
		add_block(sim, &block, imh_types[i], nth, 0);
	sim_add_discovery_device(sim, socket, nth, DISCOVERY_DEVICE,
				 (uint64_t[]){block.base, block.base + UNITS_OFFSET}, UNITS_BYTES);
	return finish_block(sim, &block, BROKEN_IMH);
}

/* Adds a CBB, which cannot be found without a CPU. */
static int add_cbb(struct sim *sim, unsigned socket, unsigned nth)
{
	const struct sim_spec *spec = &sim->spec;
	struct block block = make_block(socket, SIM_IMHS + nth);

	add_share(sim, &block, CBO, spec->chas, nth, spec->dies);
	for (size_t i = 0; i < COUNT(cbb_types); i++)
		add_block(sim, &block, cbb_types[i], nth, 0);
	for (unsigned i = 0; i < spec->cpus; i++) {
		struct sim_core *core = &sim->cores[socket * spec->cpus + i];

		if (core->die == nth)
			core->table = block.base;
	}
	return finish_block(sim, &block, BROKEN_CBB);
}

int sim_layout_dmr(struct sim *sim, unsigned socket)
{
	int rc = 0;

	for (unsigned i = 0; !rc && i < SIM_IMHS; i++)
		rc = add_imh(sim, socket, i);
	for (unsigned i = 0; !rc && i < sim->spec.dies; i++)
		rc = add_cbb(sim, socket, i);
	if (!rc)
		rc = sim_rdt_add(sim, socket);
	for (unsigned port = 0; port < sim->spec.ports; port++)
		sim_add_memory_device(sim, socket, port);
	return rc;
}
