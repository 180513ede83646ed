/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The address map, for socket s and die d of it:
 *   bus 0x1e + 0x20 s            PMON functions; discovery devices: 0.0, of further dies 30.d-1
 *   bus 0x1f + 0x20 s + port     the memory device behind a port; 0x1c s on eight sockets
 *   0x20_0000_0000 + s * 256 MiB
 *                  + d * 32 MiB  BAR 0 of the discovery device: the table (64 KiB)
 *   ... + 16 MiB                 BAR 2 of the same: CXLCM and CXLDP, a page each (1 MiB)
 *   0x28_0000_0000 + (16 s + port)
 *                  * 1 MiB      BAR 0 of a memory device with a CPMU (256 KiB)
 *   0xf000_0000 + s * 8 MiB      iMCs, in no BAR, 16 KiB apart (on Granite Rapids: the SCF BAR)
 *   ... + 4 MiB                  channels of HBM, likewise
 *
 * The units of each type are shared out evenly among the dies, in order. Ids go on from die to die,
 * but those of CXLCM and CXLDP begin anew on each: both kinds of numbering are met.
 */
#include "sim/sim_private.h"

#include <errno.h>
#include <stdlib.h>

#include "platform/cxl.h"
#include "sim/sim_cpmu.h"
#include "uncore/model/model.h"

#define DIE_STRIDE UINT64_C(0x2000000)
#define CXL_OFFSET UINT64_C(0x1000000)
#define CXL_BYTES  UINT64_C(0x100000)
#define CXL_PAGE   UINT64_C(0x1000)
#define HBM_OFFSET UINT64_C(0x400000) /* offset from the iMCs */

#define CHA_MSR	    0x2000
#define OTHER_UNITS 80 /* units per socket, at most, besides CHAs, iMCs and ports */

#define FUNCTIONS 48 /* functions per socket, at most, with those that tests add */

static uint64_t mmio_base(unsigned socket, unsigned die)
{
	return SIM_MMIO_BASE + socket * SIM_MMIO_STRIDE + die * DIE_STRIDE;
}

/* Returns the die of the unit at index among count of a socket. */
static unsigned die_of(const struct sim *sim, unsigned index, unsigned count)
{
	return index * sim->spec.dies / count;
}

/* Returns the index of the first unit of a die. */
static unsigned first_of_die(const struct sim *sim, unsigned die, unsigned count)
{
	return (die * count + sim->spec.dies - 1) / sim->spec.dies;
}

/* Adds units like the first one, shared out among the dies. */
static void add_units(struct sim *sim, struct sim_unit unit, unsigned count, uint64_t step)
{
	for (unsigned i = 0; i < count; i++, unit.address += step) {
		unit.index = unit.id = i;
		unit.die = die_of(sim, i, count);
		sim_add_unit(sim, &unit);
	}
}

static void add_msr_units(struct sim *sim, unsigned socket, const struct sim_msr_units *units)
{
	const struct sim_unit first = {
		.type = units->type,
		.socket = socket,
		.access = SIM_ACCESS_MSR,
		.address = units->first,
		.counters = units->counters,
		.control_offset = 2,
		.control_step = 1,
		.counter_offset = 8,
		.counter_step = 1,
	};

	add_units(sim, first, units->count, SIM_MSR_STEP);
}

/* iMCs, and channels of HBM, whose registers are alike. */
static void add_memory(struct sim *sim, unsigned socket)
{
	const struct sim_model *facts = sim->spec.facts;
	const uint64_t base = SIM_IMC_BASE + socket * SIM_IMC_STRIDE;
	struct sim_unit first = {
		.type = PMU_IMC,
		.socket = socket,
		.access = SIM_ACCESS_MMIO,
		.address = base + facts->scf_offset + facts->imc_offset,
		.counters = 4,
		.control_offset = 0x40,
		.control_step = 4,
		.counter_offset = 0x08,
		.counter_step = 8,
	};

	add_units(sim, first, sim->spec.imcs, SIM_IMC_STEP);
	first.type = PMU_HBM;
	first.address = base + HBM_OFFSET + facts->imc_offset;
	add_units(sim, first, sim->spec.hbms, SIM_IMC_STEP);
	sim_add_region(sim, base, SIM_IMC_STRIDE, NULL);
}

/* Ids of CXLCM as on Sapphire Rapids; ids of further ports follow. */
static unsigned port_id(unsigned port)
{
	static const unsigned seen[] = {2, 4, 6, 8, 16, 18};
	const unsigned count = sizeof(seen) / sizeof(seen[0]);

	return port < count ? seen[port] : seen[count - 1] + 2 * (port - count + 1);
}

static void add_ports(struct sim *sim, unsigned socket)
{
	for (unsigned port = 0; port < sim->spec.ports; port++) {
		const unsigned die = die_of(sim, port, sim->spec.ports);
		const unsigned nth = port - first_of_die(sim, die, sim->spec.ports);
		struct sim_unit unit = {
			.type = PMU_CXLCM,
			.socket = socket,
			.index = port,
			.id = port_id(nth),
			.die = die,
			.access = SIM_ACCESS_MMIO,
			.address = mmio_base(socket, die) + CXL_OFFSET + 2 * nth * CXL_PAGE,
			.counters = 8,
			.control_offset = 0x10,
			.control_step = 8,
			.counter_offset = 0x58,
			.counter_step = 8,
		};

		sim_add_unit(sim, &unit);
		unit.type = PMU_CXLDP;
		unit.id++;
		unit.address += CXL_PAGE;
		unit.counters = 4;
		sim_add_unit(sim, &unit);
	}
	for (unsigned die = 0; die < sim->spec.dies; die++)
		sim_add_region(sim, mmio_base(socket, die) + CXL_OFFSET, CXL_BYTES, NULL);
}

/* Their registers are in configuration space. */
static void add_pci_units(struct sim *sim, unsigned socket, const struct sim_pci_units *units)
{
	const bool fewer = units->per_imc && sim->spec.imcs < units->count;
	const unsigned count = fewer ? sim->spec.imcs : units->count;

	for (unsigned i = 0; i < count; i++)
		sim_add_unit(sim,
			     &(struct sim_unit){
				     .type = units->type,
				     .socket = socket,
				     .index = i,
				     .id = i,
				     .die = die_of(sim, i, count),
				     .access = SIM_ACCESS_PCI,
				     .address = units->control,
				     .pci = sim_pmon_function(
					     sim, socket,
					     (uint8_t)(units->device + i / units->functions),
					     (uint8_t)(units->function + i % units->functions)),
				     .counters = 4,
				     .control_offset = units->control_offset,
				     .control_step = 8,
				     .counter_offset = units->counter_offset,
				     .counter_step = 8,
			     });
}

static void add_functions(struct sim *sim, unsigned socket)
{
	for (unsigned die = 0; die < sim->spec.dies; die++) {
		const uint64_t base = mmio_base(socket, die);

		sim_add_discovery_device(sim, socket, die, 0x09A7,
					 (uint64_t[]){base, base + CXL_OFFSET}, CXL_BYTES);
	}
	for (unsigned port = 0; port < sim->spec.ports; port++)
		sim_add_memory_device(sim, socket, port);
	for (const struct sim_pci_units *units = sim->spec.facts->pci_units; units && units->count;
	     units++)
		for (size_t i = 0; i < sim->unit_count; i++)
			if (sim->units[i].socket == socket && sim->units[i].type == units->type)
				sim_add_function(sim, socket, sim->units[i].pci, SIM_VENDOR_INTEL,
						 units->device_id);
}

static int generate_intel(struct sim *sim, unsigned socket)
{
	const struct sim_model *facts = sim->spec.facts;
	const struct sim_msr_units chas = {PMU_CHA, CHA_MSR, sim->spec.chas, 4};
	int rc = 0;

	add_msr_units(sim, socket, &chas);
	add_memory(sim, socket);
	add_ports(sim, socket);
	for (const struct sim_msr_units *units = facts->msr_units; units && units->count; units++)
		add_msr_units(sim, socket, units);
	for (const struct sim_pci_units *units = facts->pci_units; units && units->count; units++)
		add_pci_units(sim, socket, units);
	/* a die without a unit has a table without a record */
	for (unsigned die = 0; !rc && die < sim->spec.dies; die++)
		rc = sim_add_table(sim, &(struct sim_table){.socket = socket,
							    .die = die,
							    .phys = mmio_base(socket, die),
							    .control = SIM_GLOBAL_CONTROL_MSR});
	add_functions(sim, socket);
	return rc;
}

/*
 * AMD's processors: every unit's registers are MSRs, pairs of a control and its counter. The MSRs
 * of the data fabric and of the memory controllers are reached through any CPU of the socket, the
 * MSRs of an L3 cache through the CPUs that share it.
 *
 * Bus 0x1e + 0x20 s of socket s has its root ports, 1.1 and on. The memory devices of CXL ports
 * are on the following buses, one each.
 *
 * Source of the registers: the kernel's arch/x86/events/amd/uncore.c.
 */

#define DF_PERF_CTL  0xC0010240
#define L3_PERF_CTL  0xC0010230
#define UMC_PERF_CTL 0xC0010800

#define L3_COUNTERS 6

/*
 * Returns the number of a socket's first L3 cache. The kernel numbers caches by APIC ids, so that
 * each socket begins at a multiple of 2^n.
 */
static unsigned first_l3(const struct sim *sim, unsigned socket)
{
	unsigned stride = 1;

	while (stride < sim_l3_count(sim->spec.cpus))
		stride *= 2;
	return socket * stride;
}

static void generate_amd(struct sim *sim, unsigned socket)
{
	const unsigned first = first_l3(sim, socket), first_cpu = socket * sim->spec.cpus;
	/* pairs of a control and its counter */
	struct sim_unit unit = {
		.type = PMU_DF,
		.socket = socket,
		.access = SIM_ACCESS_MSR,
		.address = DF_PERF_CTL,
		.counters = SIM_DF_COUNTERS,
		.control_step = 2,
		.counter_offset = 1,
		.counter_step = 2,
	};

	sim_add_unit(sim, &unit);
	unit.type = PMU_UMC;
	unit.address = UMC_PERF_CTL;
	unit.counters = SIM_UMC_COUNTERS;
	struct sim_unit l3 = unit;
	l3.type = PMU_L3;
	l3.address = L3_PERF_CTL;
	l3.counters = L3_COUNTERS;
	for (l3.index = 0; l3.index < sim_l3_count(sim->spec.cpus); l3.index++) {
		l3.id = first + l3.index;
		l3.l3 = (int)l3.id;
		sim_add_unit(sim, &l3);
	}
	for (unsigned i = 0; i < sim->spec.cpus; i++)
		sim->cores[first_cpu + i].l3 = (int)(first + i / SIM_L3_CPUS);
	add_units(sim, unit, sim->spec.imcs, UINT64_C(2) * SIM_UMC_COUNTERS);
}

/*
 * Vera: only the kernel can access a unit's registers. Here they are pairs in memory that no
 * region has. Each port has a root complex.
 */
static void generate_vera(struct sim *sim, unsigned socket)
{
	struct sim_unit unit = {
		.socket = socket,
		.access = SIM_ACCESS_MMIO,
		.address = mmio_base(socket, 0),
		.counters = SIM_VERA_COUNTERS,
		.control_step = 8,
		.counter_offset = 8 * SIM_VERA_COUNTERS,
		.counter_step = 8,
	};
	static const unsigned types[] = {PMU_UCF, PMU_CMEM, PMU_NVDLINK};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		unit.type = types[i];
		sim_add_unit(sim, &unit);
		unit.address += CXL_PAGE;
	}
	unit.type = PMU_PCIE_TGT;
	add_units(sim, unit, sim->spec.ports, CXL_PAGE);
}

static int allocate_registers(struct sim *sim)
{
	const struct sim_spec *spec = &sim->spec;
	const size_t units = spec->chas + spec->imcs + spec->hbms + 2 * spec->ports + OTHER_UNITS;

	sim->socket_count = spec->sockets;
	sim->devices = calloc(spec->sockets * (size_t)spec->ports, sizeof(*sim->devices));
	sim->units = calloc(spec->sockets * units, sizeof(*sim->units));
	sim->core_count = (size_t)spec->sockets * spec->cpus;
	sim->cores = calloc(sim->core_count, sizeof(*sim->cores));
	sim->functions = calloc(spec->sockets * (size_t)FUNCTIONS, sizeof(*sim->functions));
	/* for each table: the table, its units and its L3 domain; for each socket: its iMCs */
	const size_t tables = spec->dies + (size_t)SIM_IMHS;
	/* for each memory device: the BAR with its CPMU */
	sim->regions =
		calloc(spec->sockets * (3 * tables + 1 + spec->ports), sizeof(*sim->regions));
	sim->cpmus =
		calloc(SIM_CPMU_BLOCKS * spec->sockets * (size_t)spec->ports, sizeof(*sim->cpmus));
	return sim->units && sim->cores && sim->functions && sim->regions && sim->devices &&
			       sim->cpmus
		       ? sim_add_globals(sim, spec->sockets * tables)
		       : -ENOMEM;
}

/*
 * Sets the dies through whose CPUs the kernel accesses units. A table without CPUs, such as an IO
 * die's, uses those of the socket's first die.
 */
static void set_cpu_dies(struct sim *sim)
{
	const unsigned io_dies = sim->spec.facts->dies_have_tables ? SIM_IMHS : 0;

	for (size_t i = 0; i < sim->unit_count; i++) {
		struct sim_unit *unit = &sim->units[i];
		const unsigned die = unit->die < io_dies ? 0 : unit->die - io_dies;

		unit->cpu_die = sim_die_online(sim, unit->socket, die) ? die : 0;
	}
}

static int generate_socket(struct sim *sim, unsigned socket)
{
	const struct sim_model *facts = sim->spec.facts;

	if (facts->vendor == SIM_AMD && !facts->no_uncore)
		generate_amd(sim, socket);
	else if (facts->vendor == SIM_ARM && !facts->no_uncore)
		generate_vera(sim, socket);
	else if (facts->dies_have_tables)
		return sim_layout_dmr(sim, socket);
	else if (!facts->no_uncore)
		return generate_intel(sim, socket);
	for (unsigned port = 0; port < sim->spec.ports; port++)
		sim_add_memory_device(sim, socket, port);
	return 0;
}

static void add_cpus(struct sim *sim)
{
	for (size_t i = 0; i < sim->core_count; i++) {
		const unsigned socket = (unsigned)(i / sim->spec.cpus);
		const unsigned in_socket = (unsigned)(i % sim->spec.cpus);

		sim->cores[i] = (struct sim_core){
			.socket = socket,
			.node = (int)socket,
			.die = in_socket * sim->spec.dies / sim->spec.cpus,
			.online = true,
			.first_thread = (unsigned)i - in_socket % sim->spec.threads,
			.misc_enable = MISC_ENABLE_PERFMON_AVAILABLE,
			.l3 = -1,
			.global_ctrl = sim_core_pmu(sim)->global_all,
		};
	}
}

int sim_generate(struct sim *sim)
{
	int rc = allocate_registers(sim);

	if (!rc)
		add_cpus(sim);
	for (unsigned s = 0; !rc && s < sim->spec.sockets; s++)
		rc = generate_socket(sim, s);
	set_cpu_dies(sim);
	return rc ? rc : sim_lay_out_memory(sim);
}
