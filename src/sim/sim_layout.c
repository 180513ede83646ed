/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The address map, for socket s:
 *   bus 0x1e + 0x20 s            PMON functions
 *   bus 0x1f + 0x20 s + port     the memory device behind a port
 *   0x20_0000_0000 + s * 256 MiB BAR 0 of the discovery device: the table (64 KiB)
 *   ... + 16 MiB                 BAR 2 of the same: CXLCM and CXLDP, a page each (1 MiB)
 *   0xf000_0000 + s * 8 MiB      iMCs, in no BAR, each 0x2800 into its 16 KiB
 */
#include "sim/sim_layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MMIO_BASE   UINT64_C(0x2000000000)
#define MMIO_STRIDE UINT64_C(0x10000000)
#define TABLE_BYTES UINT64_C(0x10000)
#define CXL_OFFSET  UINT64_C(0x1000000)
#define CXL_BYTES   UINT64_C(0x100000)
#define CXL_PAGE    UINT64_C(0x1000)
#define IMC_BASE    UINT64_C(0xF0000000)
#define IMC_STRIDE  UINT64_C(0x800000)
#define IMC_STEP    UINT64_C(0x4000)
#define IMC_OFFSET  UINT64_C(0x2800)

#define CHA_MSR	     0x2000
#define CHA_MSR_STEP 0x10

#define RECORD_WORDS 4	/* the stride: larger than a record, as the format allows */
#define FUNCTIONS    32 /* of a socket, at most */

#define MEMORY_DEVICE 0x0D93 /* PCI device id of the memory device behind a port */
#define MEMORY_BYTES  (UINT64_C(256) << 30)

enum {
	BOX_CHA = 0,
	BOX_IMC = 6,
	BOX_M2M = 7,
	BOX_UPI = 8,
	BOX_CXLCM = 12,
	BOX_CXLDP = 13,
	BOX_B2CMI = 16
};

static uint64_t mmio_base(unsigned socket)
{
	return MMIO_BASE + socket * MMIO_STRIDE;
}

static uint8_t pmon_bus(unsigned socket)
{
	return (uint8_t)(0x1e + 0x20 * socket);
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

static void add_chas(struct sim *sim, unsigned socket)
{
	for (unsigned i = 0; i < sim->spec.chas; i++) {
		struct sim_unit *unit = add_unit(sim, BOX_CHA, socket, i, i);

		unit->access = SIM_ACCESS_MSR;
		unit->address = CHA_MSR + CHA_MSR_STEP * i;
		unit->counters = 4;
		unit->control_offset = 2;
		unit->control_step = 1;
		unit->counter_offset = 8;
		unit->counter_step = 1;
	}
}

static void add_imcs(struct sim *sim, unsigned socket)
{
	for (unsigned i = 0; i < sim->spec.imcs; i++) {
		struct sim_unit *unit = add_unit(sim, BOX_IMC, socket, i, i);

		unit->access = SIM_ACCESS_MMIO;
		unit->address = IMC_BASE + socket * IMC_STRIDE + i * IMC_STEP + IMC_OFFSET;
		unit->counters = 4;
		unit->control_offset = 0x40;
		unit->control_step = 4;
		unit->counter_offset = 0x08;
		unit->counter_step = 8;
	}
	add_region(sim, IMC_BASE + socket * IMC_STRIDE, IMC_STRIDE, NULL);
}

/* Box ids of CXLCM as on Sapphire Rapids; those of further ports follow. */
static unsigned port_id(unsigned port)
{
	static const unsigned seen[] = {2, 4, 6, 8, 16, 18};
	const unsigned count = sizeof(seen) / sizeof(seen[0]);

	return port < count ? seen[port] : seen[count - 1] + 2 * (port - count + 1);
}

static void add_ports(struct sim *sim, unsigned socket)
{
	const uint64_t base = mmio_base(socket) + CXL_OFFSET;

	for (unsigned port = 0; port < sim->spec.ports; port++) {
		struct sim_unit *cm = add_unit(sim, BOX_CXLCM, socket, port, port_id(port));
		struct sim_unit *dp = add_unit(sim, BOX_CXLDP, socket, port, port_id(port) + 1);

		cm->address = base + 2 * port * CXL_PAGE;
		cm->counters = 8;
		dp->address = base + (2 * port + 1) * CXL_PAGE;
		dp->counters = 4;
		for (struct sim_unit *unit = cm; unit <= dp; unit++) {
			unit->access = SIM_ACCESS_MMIO;
			unit->control_offset = 0x10;
			unit->control_step = 8;
			unit->counter_offset = 0x58;
			unit->counter_step = 8;
		}
	}
	add_region(sim, base, CXL_BYTES, NULL);
}

/* M2M (B2CMI from Granite Rapids on) and UPI: their registers are in configuration space. */
static void add_pci_unit(struct sim *sim, unsigned type, unsigned socket, unsigned index,
			 unsigned device, uint64_t offset, unsigned controls, unsigned counters)
{
	struct sim_unit *unit = add_unit(sim, type, socket, index, index);

	unit->access = SIM_ACCESS_PCI;
	unit->address = offset;
	unit->pci = (struct pci_location){
		.bus = pmon_bus(socket), .device = (uint8_t)(device + index), .function = 0};
	unit->counters = 4;
	unit->control_offset = controls;
	unit->control_step = 8;
	unit->counter_offset = counters;
	unit->counter_step = 8;
}

static bool has_b2cmi(const struct sim *sim)
{
	return sim->spec.model == SIM_GNR || sim->spec.model == SIM_SRF;
}

static void add_pci_units(struct sim *sim, unsigned socket)
{
	for (unsigned i = 0; i < 4; i++)
		add_pci_unit(sim, has_b2cmi(sim) ? BOX_B2CMI : BOX_M2M, socket, i, 12, 0x438, 0x30,
			     0x08);
	for (unsigned i = 0; i < 3; i++)
		add_pci_unit(sim, BOX_UPI, socket, i, 1, 0x318, 0x38, 0x08);
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

static int add_table(struct sim *sim, unsigned socket, size_t first_unit)
{
	uint64_t *words = calloc(1, TABLE_BYTES);
	unsigned records = 0;

	if (!words)
		return -ENOMEM;
	for (size_t u = first_unit; u < sim->unit_count; u++)
		write_record(words + RECORD_WORDS * ++records, &sim->units[u]);
	records += write_invalid_records(words + RECORD_WORDS * (records + 1),
					 &sim->units[first_unit]);
	words[0] = (uint64_t)RECORD_WORDS << 8 | (uint64_t)records << 16;
	words[1] = SIM_GLOBAL_CONTROL_MSR;
	add_region(sim, mmio_base(socket), TABLE_BYTES, words);
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

static struct sim_function *add_function(struct sim *sim, unsigned socket, uint8_t device,
					 uint16_t device_id)
{
	struct sim_function *f = &sim->functions[sim->function_count++];

	f->info = (struct pci_function){
		.at = {.bus = pmon_bus(socket), .device = device},
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

static void add_discovery_device(struct sim *sim, unsigned socket)
{
	struct sim_function *f = add_function(sim, socket, 0, 0x09A7);

	put_bar64(f, 0, mmio_base(socket), TABLE_BYTES);
	put_bar64(f, 2, mmio_base(socket) + CXL_OFFSET, CXL_BYTES);
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
	struct sim_function *f = add_function(sim, socket, 0, MEMORY_DEVICE);

	f->info.at.bus = (uint8_t)(pmon_bus(socket) + 1 + port);
	put16(f->config, 0x0A, 0x0502);
	f->config[0x09] = 0x10;
	add_device(sim, f);
}

static void add_functions(struct sim *sim, unsigned socket)
{
	add_discovery_device(sim, socket);
	for (unsigned port = 0; port < sim->spec.ports; port++)
		add_memory_device(sim, socket, port);
	for (uint8_t i = 0; i < 3; i++)
		add_function(sim, socket, (uint8_t)(1 + i), 0x3241); /* UPI */
	add_function(sim, socket, 8, 0x3250);			     /* UBOX */
	for (uint8_t i = 0; i < 4; i++)
		add_function(sim, socket, (uint8_t)(12 + i), 0x324A); /* M2M */
}

static int allocate(struct sim *sim)
{
	const struct sim_spec *spec = &sim->spec;
	const size_t units = spec->chas + spec->imcs + 2 * spec->ports + 7;

	sim->socket_count = spec->sockets;
	sim->sockets = calloc(spec->sockets, sizeof(*sim->sockets));
	sim->devices = calloc(spec->sockets * (size_t)spec->ports, sizeof(*sim->devices));
	sim->units = calloc(spec->sockets * units, sizeof(*sim->units));
	sim->core_count = (size_t)spec->sockets * spec->cpus;
	sim->cores = calloc(sim->core_count, sizeof(*sim->cores));
	sim->functions = calloc(spec->sockets * (size_t)FUNCTIONS, sizeof(*sim->functions));
	sim->regions = calloc(spec->sockets * (size_t)4, sizeof(*sim->regions));
	return sim->sockets && sim->units && sim->cores && sim->functions && sim->regions &&
			       sim->devices
		       ? 0
		       : -ENOMEM;
}

int sim_generate(struct sim *sim)
{
	int rc = allocate(sim);

	for (unsigned s = 0; !rc && s < sim->spec.sockets; s++) {
		const size_t first_unit = sim->unit_count;

		add_chas(sim, s);
		add_imcs(sim, s);
		add_ports(sim, s);
		add_pci_units(sim, s);
		rc = add_table(sim, s, first_unit);
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
