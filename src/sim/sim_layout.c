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
#include "sim/sim_layout.h"

#include <errno.h>
#include <stdlib.h>

#include "sim/sim_cpmu.h"
#include "sim/sim_machine.h"

#define DIE_STRIDE UINT64_C(0x2000000)
#define CXL_OFFSET UINT64_C(0x1000000)
#define CXL_BYTES  UINT64_C(0x100000)
#define CXL_PAGE   UINT64_C(0x1000)
#define HBM_BASE   (SIM_IMC_BASE + UINT64_C(0x400000))

#define CHA_MSR	    0x2000
#define OTHER_UNITS 80 /* of a socket, at most: beside CHAs, iMCs and ports */

#define FUNCTIONS 48 /* of a socket, at most, with those that tests add */

enum {
	PMU_CHA = 0,
	PMU_IMC = 6,
	PMU_CXLCM = 12,
	PMU_CXLDP = 13,
	PMU_HBM = 14,
};

static uint64_t mmio_base(unsigned socket, unsigned die)
{
	return SIM_MMIO_BASE + socket * SIM_MMIO_STRIDE + die * DIE_STRIDE;
}

/* The die of the unit at index among count of a socket, and the index of the first unit there. */
static unsigned die_of(const struct sim *sim, unsigned index, unsigned count)
{
	return index * sim->spec.dies / count;
}

static unsigned first_of_die(const struct sim *sim, unsigned die, unsigned count)
{
	return (die * count + sim->spec.dies - 1) / sim->spec.dies;
}

static void set_registers(struct sim_unit *unit, unsigned counters, unsigned control_offset,
			  unsigned control_step, unsigned counter_offset, unsigned counter_step)
{
	unit->counters = counters;
	unit->control_offset = control_offset;
	unit->control_step = control_step;
	unit->counter_offset = counter_offset;
	unit->counter_step = counter_step;
}

static void add_msr_units(struct sim *sim, unsigned socket, const struct sim_msr_units *units)
{
	for (unsigned i = 0; i < units->count; i++) {
		struct sim_unit *unit = sim_add_unit(sim, units->type, socket, i, i);

		unit->die = die_of(sim, i, units->count);
		unit->access = SIM_ACCESS_MSR;
		unit->address = units->first + SIM_MSR_STEP * i;
		set_registers(unit, units->counters, 2, 1, 8, 1);
	}
}

static void add_chas(struct sim *sim, unsigned socket)
{
	const struct sim_msr_units chas = {PMU_CHA, CHA_MSR, sim->spec.chas, 4};

	add_msr_units(sim, socket, &chas);
}

/* iMCs, or channels of HBM, whose registers are alike. */
static void add_channels(struct sim *sim, unsigned type, unsigned socket, uint64_t base,
			 unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct sim_unit *unit = sim_add_unit(sim, type, socket, i, i);

		unit->die = die_of(sim, i, count);
		unit->access = SIM_ACCESS_MMIO;
		unit->address = base + socket * SIM_IMC_STRIDE + i * SIM_IMC_STEP;
		set_registers(unit, 4, 0x40, 4, 0x08, 8);
	}
}

static void add_memory(struct sim *sim, unsigned socket)
{
	const struct sim_model_facts *facts = sim->spec.facts;

	add_channels(sim, PMU_IMC, socket, SIM_IMC_BASE + facts->scf_offset + facts->imc_offset,
		     sim->spec.imcs);
	add_channels(sim, PMU_HBM, socket, HBM_BASE + facts->imc_offset, sim->spec.hbms);
	sim_add_region(sim, SIM_IMC_BASE + socket * SIM_IMC_STRIDE, SIM_IMC_STRIDE, NULL);
}

/* Box ids of CXLCM as on Sapphire Rapids; those of further ports follow. */
static unsigned port_id(unsigned port)
{
	static const unsigned seen[] = {2, 4, 6, 8, 16, 18};
	const unsigned count = sizeof(seen) / sizeof(seen[0]);

	return port < count ? seen[port] : seen[count - 1] + 2 * (port - count + 1);
}

static void add_port(struct sim *sim, unsigned socket, unsigned port)
{
	const unsigned die = die_of(sim, port, sim->spec.ports);
	const unsigned nth = port - first_of_die(sim, die, sim->spec.ports);
	const uint64_t base = mmio_base(socket, die) + CXL_OFFSET;
	struct sim_unit *cm = sim_add_unit(sim, PMU_CXLCM, socket, port, port_id(nth));
	struct sim_unit *dp = sim_add_unit(sim, PMU_CXLDP, socket, port, port_id(nth) + 1);

	cm->address = base + 2 * nth * CXL_PAGE;
	dp->address = base + (2 * nth + 1) * CXL_PAGE;
	for (struct sim_unit *unit = cm; unit <= dp; unit++) {
		unit->die = die;
		unit->access = SIM_ACCESS_MMIO;
		set_registers(unit, unit == cm ? 8 : 4, 0x10, 8, 0x58, 8);
	}
}

static void add_ports(struct sim *sim, unsigned socket)
{
	for (unsigned port = 0; port < sim->spec.ports; port++)
		add_port(sim, socket, port);
	for (unsigned die = 0; die < sim->spec.dies; die++)
		sim_add_region(sim, mmio_base(socket, die) + CXL_OFFSET, CXL_BYTES, NULL);
}

static unsigned pci_unit_count(const struct sim *sim, const struct sim_pci_units *units)
{
	return units->per_imc && sim->spec.imcs < units->count ? sim->spec.imcs : units->count;
}

static struct pci_location pci_unit_location(const struct sim *sim,
					     const struct sim_pci_units *units, unsigned socket,
					     unsigned index)
{
	return sim_pmon_function(sim, socket, (uint8_t)(units->device + index / units->functions),
				 (uint8_t)(units->function + index % units->functions));
}

/* Their registers are in configuration space. */
static void add_pci_units(struct sim *sim, unsigned socket, const struct sim_pci_units *units)
{
	for (unsigned i = 0; i < pci_unit_count(sim, units); i++) {
		struct sim_unit *unit = sim_add_unit(sim, units->type, socket, i, i);

		unit->die = die_of(sim, i, pci_unit_count(sim, units));
		unit->access = SIM_ACCESS_PCI;
		unit->address = units->control;
		unit->pci = pci_unit_location(sim, units, socket, i);
		set_registers(unit, 4, units->control_offset, 8, units->counter_offset, 8);
	}
}

static void add_other_units(struct sim *sim, unsigned socket)
{
	const struct sim_model_facts *facts = sim->spec.facts;

	for (const struct sim_msr_units *units = facts->msr_units; units->count; units++)
		add_msr_units(sim, socket, units);
	for (const struct sim_pci_units *units = facts->pci_units; units->count; units++)
		add_pci_units(sim, socket, units);
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
	for (const struct sim_pci_units *units = sim->spec.facts->pci_units; units->count; units++)
		for (unsigned i = 0; i < pci_unit_count(sim, units); i++)
			sim_add_function(sim, socket, pci_unit_location(sim, units, socket, i),
					 units->device_id);
}

static int allocate(struct sim *sim)
{
	const struct sim_spec *spec = &sim->spec;
	const size_t units = spec->chas + spec->imcs + spec->hbms + 2 * spec->ports + OTHER_UNITS;

	sim->socket_count = spec->sockets;
	sim->devices = calloc(spec->sockets * (size_t)spec->ports, sizeof(*sim->devices));
	sim->units = calloc(spec->sockets * units, sizeof(*sim->units));
	sim->core_count = (size_t)spec->sockets * spec->cpus;
	sim->cores = calloc(sim->core_count, sizeof(*sim->cores));
	sim->functions = calloc(spec->sockets * (size_t)FUNCTIONS, sizeof(*sim->functions));
	/* of each table itself and its units, of each socket its iMCs */
	const size_t tables = spec->dies + (size_t)SIM_IMHS;
	/* and of each memory device the BAR with its CPMU */
	sim->regions =
		calloc(spec->sockets * (2 * tables + 1 + spec->ports), sizeof(*sim->regions));
	sim->cpmus =
		calloc(SIM_CPMU_BLOCKS * spec->sockets * (size_t)spec->ports, sizeof(*sim->cpmus));
	return sim->units && sim->cores && sim->functions && sim->regions && sim->devices &&
			       sim->cpmus
		       ? sim_add_globals(sim, spec->sockets * tables)
		       : -ENOMEM;
}

/* For a table without CPUs, such as that of an IO die, those of the socket's first die stand in. */
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
	int rc = 0;

	if (sim->spec.facts->no_uncore) {
		for (unsigned port = 0; port < sim->spec.ports; port++)
			sim_add_memory_behind_root_port(sim, socket, port);
		return 0;
	}
	if (sim->spec.facts->vendor == SIM_AMD) {
		sim_layout_amd(sim, socket);
		return 0;
	}
	if (sim->spec.facts->dies_have_tables)
		return sim_layout_dmr(sim, socket);
	add_chas(sim, socket);
	add_memory(sim, socket);
	add_ports(sim, socket);
	add_other_units(sim, socket);
	/* a die without a unit has a table without a record */
	for (unsigned die = 0; !rc && die < sim->spec.dies; die++)
		rc = sim_add_table(sim, &(struct sim_table){.socket = socket,
							    .die = die,
							    .phys = mmio_base(socket, die),
							    .control = SIM_GLOBAL_CONTROL_MSR});
	add_functions(sim, socket);
	return rc;
}

static void add_cpus(struct sim *sim)
{
	for (size_t i = 0; i < sim->core_count; i++) {
		sim->cores[i].socket = (unsigned)(i / sim->spec.cpus);
		sim->cores[i].node = (int)sim->cores[i].socket;
		sim->cores[i].die =
			(unsigned)(i % sim->spec.cpus * sim->spec.dies / sim->spec.cpus);
		sim->cores[i].online = true;
		sim->cores[i].first_thread = (unsigned)(i - i % sim->spec.cpus % sim->spec.threads);
		sim->cores[i].misc_enable = UINT64_C(1) << 7;
		sim->cores[i].l3 = -1;
		sim->cores[i].global_ctrl = sim_core_pmu(sim)->global_all;
	}
}

int sim_generate(struct sim *sim)
{
	int rc = allocate(sim);

	if (!rc)
		add_cpus(sim);
	for (unsigned s = 0; !rc && s < sim->spec.sockets; s++)
		rc = generate_socket(sim, s);
	set_cpu_dies(sim);
	return rc ? rc : sim_lay_out_memory(sim);
}
