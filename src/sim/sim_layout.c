/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The address map, for socket s and die d of it:
 *   bus 0x1e + 0x20 s            PMON functions; discovery devices: 0.0, of further dies 30.d-1
 *   bus 0x1f + 0x20 s + port     the memory device behind a port
 *   0x20_0000_0000 + s * 256 MiB
 *                  + d * 32 MiB  BAR 0 of the discovery device: the table (64 KiB)
 *   ... + 16 MiB                 BAR 2 of the same: CXLCM and CXLDP, a page each (1 MiB)
 *   0xf000_0000 + s * 8 MiB      iMCs, in no BAR, 16 KiB apart (on Granite Rapids: the SCF BAR)
 *   ... + 4 MiB                  channels of HBM, likewise
 *
 * The units of each type are shared out evenly among the dies, in order. Ids go on from die to die,
 * but those of CXLCM and CXLDP begin anew on each: both kinds of numbering are met.
 */
#include "sim/sim_layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MMIO_BASE   UINT64_C(0x2000000000)
#define MMIO_STRIDE UINT64_C(0x10000000)
#define DIE_STRIDE  UINT64_C(0x2000000)
#define TABLE_BYTES UINT64_C(0x10000)
#define CXL_OFFSET  UINT64_C(0x1000000)
#define CXL_BYTES   UINT64_C(0x100000)
#define CXL_PAGE    UINT64_C(0x1000)
#define IMC_BASE    UINT64_C(0xF0000000)
#define IMC_STRIDE  UINT64_C(0x800000)
#define IMC_STEP    UINT64_C(0x4000)
#define HBM_BASE    (IMC_BASE + UINT64_C(0x400000))

/* Configuration space of the UBOX: where a socket's memory controllers are. Source: Intel PCM. */
#define UBOX_MMIO_BASE	    0xD0 /* bits 28:0 << 23 */
#define UBOX_SCF_OFFSET	    0xD4 /* bits 10:0 << 12 */
#define UBOX_MEMORY_OFFSETS 0xD8 /* one for each iMC, likewise */
#define UBOX_IMCS	    8
#define MEMORY_OFFSET	    UINT64_C(0x400000)

#define CHA_MSR	    0x2000
#define OTHER_UNITS 64 /* of a socket, at most: beside CHAs, iMCs and ports */

#define RECORD_WORDS 4	/* the stride: larger than a record, as the format allows */
#define FUNCTIONS    48 /* of a socket, at most */

#define MEMORY_DEVICE 0x0D93 /* PCI device id of the memory device behind a port */
#define MEMORY_BYTES  (UINT64_C(256) << 30)

enum {
	BOX_CHA = 0,
	BOX_IMC = 6,
	BOX_CXLCM = 12,
	BOX_CXLDP = 13,
	BOX_HBM = 14,
};

static const struct sim_model_facts *facts_of(const struct sim *sim)
{
	return sim_model_facts(sim->spec.model);
}

static uint64_t mmio_base(unsigned socket, unsigned die)
{
	return MMIO_BASE + socket * MMIO_STRIDE + die * DIE_STRIDE;
}

static uint8_t pmon_bus(unsigned socket)
{
	return (uint8_t)(0x1e + 0x20 * socket);
}

static struct pci_location pmon_function(unsigned socket, uint8_t device, uint8_t function)
{
	return (struct pci_location){
		.bus = pmon_bus(socket), .device = device, .function = function};
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

static struct sim_unit *add_unit(struct sim *sim, unsigned type, unsigned socket, unsigned index,
				 unsigned id)
{
	struct sim_unit *unit = &sim->units[sim->unit_count++];

	unit->type = type;
	unit->id = id;
	unit->socket = socket;
	unit->index = index;
	return unit;
}

static void add_region(struct sim *sim, uint64_t phys, uint64_t length, uint64_t *words)
{
	sim->regions[sim->region_count++] =
		(struct sim_region){.phys = phys, .length = length, .words = words};
}

static void add_msr_units(struct sim *sim, unsigned socket, const struct sim_msr_units *units)
{
	for (unsigned i = 0; i < units->count; i++) {
		struct sim_unit *unit = add_unit(sim, units->type, socket, i, i);

		unit->die = die_of(sim, i, units->count);
		unit->access = SIM_ACCESS_MSR;
		unit->address = units->first + SIM_MSR_STEP * i;
		unit->counters = units->counters;
		unit->control_offset = 2;
		unit->control_step = 1;
		unit->counter_offset = 8;
		unit->counter_step = 1;
	}
}

static void add_chas(struct sim *sim, unsigned socket)
{
	const struct sim_msr_units chas = {BOX_CHA, CHA_MSR, sim->spec.chas, 4};

	add_msr_units(sim, socket, &chas);
}

/* iMCs, or channels of HBM, whose registers are alike. */
static void add_channels(struct sim *sim, unsigned type, unsigned socket, uint64_t base,
			 unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct sim_unit *unit = add_unit(sim, type, socket, i, i);

		unit->die = die_of(sim, i, count);
		unit->access = SIM_ACCESS_MMIO;
		unit->address = base + socket * IMC_STRIDE + i * IMC_STEP;
		unit->counters = 4;
		unit->control_offset = 0x40;
		unit->control_step = 4;
		unit->counter_offset = 0x08;
		unit->counter_step = 8;
	}
}

static void add_memory(struct sim *sim, unsigned socket)
{
	const struct sim_model_facts *facts = facts_of(sim);

	add_channels(sim, BOX_IMC, socket, IMC_BASE + facts->scf_offset + facts->imc_offset,
		     sim->spec.imcs);
	add_channels(sim, BOX_HBM, socket, HBM_BASE + facts->imc_offset, sim->spec.hbms);
	add_region(sim, IMC_BASE + socket * IMC_STRIDE, IMC_STRIDE, NULL);
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
	struct sim_unit *cm = add_unit(sim, BOX_CXLCM, socket, port, port_id(nth));
	struct sim_unit *dp = add_unit(sim, BOX_CXLDP, socket, port, port_id(nth) + 1);

	cm->address = base + 2 * nth * CXL_PAGE;
	cm->counters = 8;
	dp->address = base + (2 * nth + 1) * CXL_PAGE;
	dp->counters = 4;
	for (struct sim_unit *unit = cm; unit <= dp; unit++) {
		unit->die = die;
		unit->access = SIM_ACCESS_MMIO;
		unit->control_offset = 0x10;
		unit->control_step = 8;
		unit->counter_offset = 0x58;
		unit->counter_step = 8;
	}
}

static void add_ports(struct sim *sim, unsigned socket)
{
	for (unsigned port = 0; port < sim->spec.ports; port++)
		add_port(sim, socket, port);
	for (unsigned die = 0; die < sim->spec.dies; die++)
		add_region(sim, mmio_base(socket, die) + CXL_OFFSET, CXL_BYTES, NULL);
}

static unsigned pci_unit_count(const struct sim *sim, const struct sim_pci_units *units)
{
	return units->per_imc && sim->spec.imcs < units->count ? sim->spec.imcs : units->count;
}

static struct pci_location pci_unit_location(const struct sim_pci_units *units, unsigned socket,
					     unsigned index)
{
	return pmon_function(socket, (uint8_t)(units->device + index / units->functions),
			     (uint8_t)(units->function + index % units->functions));
}

/* Their registers are in configuration space. */
static void add_pci_units(struct sim *sim, unsigned socket, const struct sim_pci_units *units)
{
	for (unsigned i = 0; i < pci_unit_count(sim, units); i++) {
		struct sim_unit *unit = add_unit(sim, units->type, socket, i, i);

		unit->die = die_of(sim, i, pci_unit_count(sim, units));
		unit->access = SIM_ACCESS_PCI;
		unit->address = units->control;
		unit->pci = pci_unit_location(units, socket, i);
		unit->counters = 4;
		unit->control_offset = units->control_offset;
		unit->control_step = 8;
		unit->counter_offset = units->counter_offset;
		unit->counter_step = 8;
	}
}

static void add_other_units(struct sim *sim, unsigned socket)
{
	const struct sim_model_facts *facts = facts_of(sim);

	for (const struct sim_msr_units *units = facts->msr_units; units->count; units++)
		add_msr_units(sim, socket, units);
	for (const struct sim_pci_units *units = facts->pci_units; units->count; units++)
		add_pci_units(sim, socket, units);
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
	unsigned n = 0;
	uint64_t *at = words;

	at[0] = 0; /* empty */
	at = words + RECORD_WORDS * ++n;
	memset(at, 0xff, RECORD_WORDS * 8);
	at = words + RECORD_WORDS * ++n;
	write_record(at, valid);
	at[1] = 0; /* no control address */
	at = words + RECORD_WORDS * ++n;
	write_record(at, valid);
	at[0] &= ~UINT64_C(0xff00); /* no offset of the controls */
	at = words + RECORD_WORDS * ++n;
	write_record(at, valid);
	at[0] |= UINT64_C(3) << 62; /* unknown access type */
	at = words + RECORD_WORDS * ++n;
	write_record(at, valid); /* the same unit once more */
	at[2] = valid->type | valid->id << 16;
	return n + 1;
}

/* A die without a unit has a table without a record. */
static int add_table(struct sim *sim, unsigned socket, unsigned die)
{
	uint64_t *words = calloc(1, TABLE_BYTES);
	const struct sim_unit *first = NULL;
	unsigned records = 0;

	if (!words)
		return -ENOMEM;
	for (size_t u = 0; u < sim->unit_count; u++) {
		const struct sim_unit *unit = &sim->units[u];

		if (unit->socket != socket || unit->die != die)
			continue;
		first = first ? first : unit;
		write_record(words + RECORD_WORDS * ++records, unit);
	}
	if (first && sim->spec.invalid)
		records += write_invalid_records(words + RECORD_WORDS * (records + 1), first);
	words[0] = (uint64_t)RECORD_WORDS << 8 | (uint64_t)records << 16;
	words[1] = SIM_GLOBAL_CONTROL_MSR;
	add_region(sim, mmio_base(socket, die), TABLE_BYTES, words);
	return 0;
}

static void put16(uint8_t *config, unsigned offset, uint16_t value)
{
	memcpy(config + offset, &value, sizeof(value));
}

static void put32(uint8_t *config, unsigned offset, uint32_t value)
{
	memcpy(config + offset, &value, sizeof(value));
}

static void put_bar64(struct sim_function *f, unsigned index, uint64_t address, uint64_t size)
{
	put32(f->config, 0x10 + 4 * index, (uint32_t)address | 0x4); /* 64-bit memory */
	put32(f->config, 0x10 + 4 * (index + 1), (uint32_t)(address >> 32));
	f->info.bar_size[index] = size;
}

static struct sim_function *add_function(struct sim *sim, unsigned socket, struct pci_location at,
					 uint16_t device_id)
{
	struct sim_function *f = &sim->functions[sim->function_count++];

	f->info = (struct pci_function){
		.at = at,
		.vendor = 0x8086,
		.device = device_id,
		.numa_node = (int)socket,
	};
	put16(f->config, 0x00, 0x8086);
	put16(f->config, 0x02, device_id);
	put16(f->config, 0x04, 0x0002); /* command: memory space */
	put16(f->config, 0x06, 0x0010); /* status: there is a list of capabilities */
	put16(f->config, 0x0A, 0x0880); /* class: system peripheral */
	f->config[0x34] = 0x40;
	f->config[0x40] = 0x10; /* PCI Express, version 2, root complex integrated endpoint */
	put16(f->config, 0x42, 0x0092);
	return f;
}

/* An extended capability: header, DVSEC header, entry id, and the BAR of the table. */
static void put_dvsec(uint8_t *config, unsigned offset, unsigned next, unsigned entry_id,
		      unsigned bar)
{
	put32(config, offset, 0x0023 | 1U << 16 | next << 20);
	put32(config, offset + 4, 0x8086 | 0x10U << 20);
	put32(config, offset + 8, entry_id | 1U << 16 | 0x18U << 24);
	put32(config, offset + 12, bar);
}

/* Of further dies behind all others: function 1 of device 0 is the UBOX. */
static struct pci_location discovery_function(unsigned socket, unsigned die)
{
	return die ? pmon_function(socket, 30, (uint8_t)(die - 1)) : pmon_function(socket, 0, 0);
}

static void add_discovery_device(struct sim *sim, unsigned socket, unsigned die)
{
	struct sim_function *f = add_function(sim, socket, discovery_function(socket, die), 0x09A7);

	if (sim->spec.dies > 1)
		f->config[0x0E] = 0x80; /* header type: a device of several functions */
	put_bar64(f, 0, mmio_base(socket, die), TABLE_BYTES);
	put_bar64(f, 2, mmio_base(socket, die) + CXL_OFFSET, CXL_BYTES);
	put32(f->config, 0x100, 0x000B | 1U << 16 | 0x120U << 20); /* vendor specific */
	put32(f->config, 0x104, 0x0001 | 0x010U << 20);
	put_dvsec(f->config, 0x120, 0x140, 2, 0); /* not an entry of PMON */
	put_dvsec(f->config, 0x140, 0, 1, 0);
}

/* Numbered by socket and port. Each has its own NUMA node, after those of the sockets. */
static void add_device(struct sim *sim, const struct sim_function *f)
{
	const unsigned number = (unsigned)sim->device_count++;
	struct cxl_device *device = &sim->devices[number];

	*device = (struct cxl_device){
		.path = {f->info.at},
		.depth = 1,
		.near_node = f->info.numa_node,
		.node = (int)(sim->spec.sockets + number),
		.bytes = MEMORY_BYTES,
	};
	snprintf(device->name, sizeof(device->name), "mem%u", number);
}

/* A type 3 device: class 0502, memory controller of CXL. */
static void add_memory_device(struct sim *sim, unsigned socket, unsigned port)
{
	const struct pci_location at = {.bus = (uint8_t)(pmon_bus(socket) + 1 + port)};
	struct sim_function *f = add_function(sim, socket, at, MEMORY_DEVICE);

	put16(f->config, 0x0A, 0x0502);
	f->config[0x09] = 0x10;
	add_device(sim, f);
}

/* Programs that walk the platform find the memory controllers' registers by this function alone. */
static void add_ubox_bars(struct sim *sim, unsigned socket)
{
	struct sim_function *f = add_function(sim, socket, pmon_function(socket, 0, 1), 0x3251);
	const uint64_t base = IMC_BASE + socket * IMC_STRIDE;

	put32(f->config, UBOX_MMIO_BASE, (uint32_t)(base >> 23));
	put32(f->config, UBOX_SCF_OFFSET, facts_of(sim)->scf_offset >> 12);
	for (unsigned i = 0; i < UBOX_IMCS; i++)
		put32(f->config, UBOX_MEMORY_OFFSETS + 4 * i,
		      (uint32_t)((MEMORY_OFFSET + i * IMC_STEP) >> 12));
}

static void add_functions(struct sim *sim, unsigned socket)
{
	for (unsigned die = 0; die < sim->spec.dies; die++)
		add_discovery_device(sim, socket, die);
	for (unsigned port = 0; port < sim->spec.ports; port++)
		add_memory_device(sim, socket, port);
	for (const struct sim_pci_units *units = facts_of(sim)->pci_units; units->count; units++)
		for (unsigned i = 0; i < pci_unit_count(sim, units); i++)
			add_function(sim, socket, pci_unit_location(units, socket, i),
				     units->device_id);
	add_function(sim, socket, pmon_function(socket, 8, 0), 0x3250); /* UBOX */
	if (facts_of(sim)->scf_offset)
		add_ubox_bars(sim, socket);
}

static int allocate(struct sim *sim)
{
	const struct sim_spec *spec = &sim->spec;
	const size_t units = spec->chas + spec->imcs + spec->hbms + 2 * spec->ports + OTHER_UNITS;

	sim->socket_count = spec->sockets;
	sim->sockets = calloc(spec->sockets, sizeof(*sim->sockets));
	sim->devices = calloc(spec->sockets * (size_t)spec->ports, sizeof(*sim->devices));
	sim->units = calloc(spec->sockets * units, sizeof(*sim->units));
	sim->core_count = (size_t)spec->sockets * spec->cpus;
	sim->cores = calloc(sim->core_count, sizeof(*sim->cores));
	sim->functions = calloc(spec->sockets * (size_t)FUNCTIONS, sizeof(*sim->functions));
	/* of each die its table and its CXL units, of each socket its iMCs */
	sim->regions = calloc(spec->sockets * (2 * (size_t)spec->dies + 1), sizeof(*sim->regions));
	return sim->sockets && sim->units && sim->cores && sim->functions && sim->regions &&
			       sim->devices
		       ? 0
		       : -ENOMEM;
}

int sim_generate(struct sim *sim)
{
	int rc = allocate(sim);

	for (unsigned s = 0; !rc && s < sim->spec.sockets; s++) {
		add_chas(sim, s);
		add_memory(sim, s);
		add_ports(sim, s);
		add_other_units(sim, s);
		for (unsigned die = 0; !rc && die < sim->spec.dies; die++)
			rc = add_table(sim, s, die);
		add_functions(sim, s);
	}
	for (size_t i = 0; !rc && i < sim->core_count; i++) {
		sim->cores[i].socket = (unsigned)(i / sim->spec.cpus);
		sim->cores[i].node = (int)sim->cores[i].socket;
		sim->cores[i].online = true;
		sim->cores[i].first_thread = (unsigned)(i - i % sim->spec.cpus % sim->spec.threads);
		sim->cores[i].misc_enable = UINT64_C(1) << 7;
		/* as the kernel leaves it: everything enabled, nothing programmed */
		sim->cores[i].global_ctrl = UINT64_C(0xF000000FF);
	}
	return rc;
}
