/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "platform/cxl.h"
#include "platform/pci.h"
#include "sim/sim_cpmu.h"

#define MEMORY_DEVICE 0x0D93 /* PCI device id of the memory device behind a port */
/* PCI device id of the root port above it; programs check its class */
#define ROOT_PORT	0x14AB
#define VENDOR_AMD	0x1022
#define VENDOR_ARM	0x13B5
#define VENDOR_NVIDIA	0x10DE
#define MEMORY_BYTES	(UINT64_C(256) << 30)
#define FLEX_BUS_BEHIND 0x180U /* a CPMU's register locator, in extended configuration space */
#define END_GTPS	32 /* speed of both ends of a link: PCIe 5.0, unless the link is faster */

/*
 * Distance of the buses of two sockets; with eight sockets, 16 ports of the last one also need
 * buses.
 */
#define FIRST_BUS	  0x1e
#define BUS_STRIDE	  0x20
#define NARROW_BUS_STRIDE 0x1c

static uint8_t pmon_bus(const struct sim *sim, unsigned socket)
{
	const unsigned stride = sim->spec.sockets < 8 ? BUS_STRIDE : NARROW_BUS_STRIDE;

	return (uint8_t)(FIRST_BUS + stride * socket);
}

static uint8_t memory_bus(const struct sim *sim, unsigned socket, unsigned port)
{
	return (uint8_t)(pmon_bus(sim, socket) + 1 + port);
}

struct pci_location sim_pmon_function(const struct sim *sim, unsigned socket, uint8_t device,
				      uint8_t function)
{
	return (struct pci_location){
		.bus = pmon_bus(sim, socket), .device = device, .function = function};
}

static void put16(uint8_t *config, unsigned offset, uint16_t value)
{
	memcpy(config + offset, &value, sizeof(value));
}

void sim_put32(uint8_t *config, unsigned offset, uint32_t value)
{
	memcpy(config + offset, &value, sizeof(value));
}

static void put_bar64(struct sim_function *f, unsigned index, uint64_t address, uint64_t size)
{
	sim_put32(f->config, 0x10 + 4 * index, (uint32_t)address | 0x4); /* 64-bit memory */
	sim_put32(f->config, 0x10 + 4 * (index + 1), (uint32_t)(address >> 32));
	f->info.bar_size[index] = size;
}

struct sim_function *sim_add_function(struct sim *sim, unsigned socket, struct pci_location at,
				      uint16_t vendor, uint16_t device_id)
{
	struct sim_function *f = &sim->functions[sim->function_count++];

	f->info = (struct pci_function){
		.at = at,
		.vendor = vendor,
		.device = device_id,
		.numa_node = (int)socket,
	};
	put16(f->config, 0x00, vendor);
	put16(f->config, 0x02, device_id);
	put16(f->config, 0x04, 0x0002); /* command: memory space */
	put16(f->config, 0x06, 0x0010); /* status: there is a list of capabilities */
	put16(f->config, 0x0A, 0x0880); /* class: system peripheral */
	f->config[0x34] = 0x40;
	f->config[0x40] = 0x10; /* PCI Express, version 2, root complex integrated endpoint */
	put16(f->config, 0x42, 0x0092);
	f->config[0x41] = 0x80; /* the next capability: power management, state D0 */
	put16(f->config, 0x80, 0x0001);
	put16(f->config, 0x82, 0x0003); /* version 1.2 */
	return f;
}

/* Writes an extended capability: header, DVSEC header, and entry id; the table is in BAR 0. */
static void put_dvsec(uint8_t *config, unsigned offset, unsigned next, unsigned entry_id)
{
	sim_put32(config, offset, 0x0023 | 1U << 16 | next << 20);
	sim_put32(config, offset + 4, 0x8086 | 0x10U << 20);
	sim_put32(config, offset + 8, entry_id | 1U << 16 | 0x18U << 24);
}

/*
 * Adds the discovery device of a die. Dies after the first have device 31, because function 1 of
 * device 0 is the UBOX.
 */
void sim_add_discovery_device(struct sim *sim, unsigned socket, unsigned die, uint16_t device_id,
			      const uint64_t bars[2], uint64_t unit_bytes)
{
	const struct pci_location at = die ? sim_pmon_function(sim, socket, 31, (uint8_t)(die - 1))
					   : sim_pmon_function(sim, socket, 0, 0);
	struct sim_function *f = sim_add_function(sim, socket, at, SIM_VENDOR_INTEL, device_id);

	if (sim->spec.dies > 1)
		f->config[0x0E] = 0x80; /* header type: a device of several functions */
	put_bar64(f, 0, bars[0], SIM_TABLE_BYTES);
	put_bar64(f, 2, bars[1], unit_bytes);
	sim_put32(f->config, 0x100, 0x000B | 1U << 16 | 0x120U << 20); /* vendor specific */
	sim_put32(f->config, 0x104, 0x0001 | 0x010U << 20);
	put_dvsec(f->config, 0x120, 0x140, 2); /* another DVSEC, without an entry of PMON */
	put_dvsec(f->config, 0x140, 0, 1);
}

/* Adds a device, numbered by socket and port. root_port is NULL if it has none. */
static void add_device(struct sim *sim, const struct sim_function *f,
		       const struct sim_function *root_port)
{
	const unsigned number = (unsigned)sim->device_count++, ports = sim->spec.ports;
	struct cxl_device *device = &sim->devices[number];

	*device = (struct cxl_device){
		.path = {f->info.at},
		.depth = 1,
		.near_node = f->info.numa_node,
		.node = sim_node_of_device(&sim->spec, number / ports, number % ports),
		.bytes = MEMORY_BYTES,
	};
	if (root_port) {
		device->path[0] = root_port->info.at;
		device->path[device->depth++] = f->info.at;
	}
	cxl_device_set_hops(device);
	device->hops[0].now = (struct pci_link){sim->spec.link_speed, sim->spec.link_width};
	if (root_port)
		device->hops[0].possible = (struct pci_link){fmax(END_GTPS, sim->spec.link_speed),
							     sim->spec.link_max_width};
	snprintf(device->name, sizeof(device->name), "mem%u", number);
}

/* The register locator DVSEC: component, device and CPMU registers in BAR 0. */
static void add_cpmu(struct sim *sim, struct sim_function *f, unsigned socket, unsigned port)
{
	static const uint8_t blocks[] = {1, 3, 4, 4}; /* identifiers, 64 KiB each */
	const unsigned count = 2 + sim_add_cpmus(sim, f->info.at, socket, port);

	put_bar64(f, 0, sim_cpmu_bar(socket, port), SIM_CPMU_BAR_BYTES);
	sim_put32(f->config, 0x100, 0x0023 | 1U << 16 | FLEX_BUS_BEHIND << 20);
	sim_put32(f->config, 0x104, 0x1E98 | (0x0C + 8 * count) << 20);
	sim_put32(f->config, 0x108, 8);
	for (unsigned i = 0; i < count; i++)
		sim_put32(f->config, 0x10C + 8 * i, (uint32_t)blocks[i] << 8 | i << 16);
}

/* NVIDIA's DVSEC: bus, segment, root port, root complex, socket. */
static void put_root_complex(struct sim_function *f, unsigned socket, unsigned port)
{
	sim_put32(f->config, 0x140, 0x0023 | 1U << 16);
	sim_put32(f->config, 0x144, VENDOR_NVIDIA | 0x14U << 20);
	sim_put32(f->config, 0x148, 4);
	sim_put32(f->config, 0x14C, (uint32_t)f->info.at.bus | port << 24);
	sim_put32(f->config, 0x150, socket);
}

/* A bridge from the root bus, with the DVSEC of CXL extensions for ports. */
static struct sim_function *add_root_port(struct sim *sim, unsigned socket, unsigned port)
{
	const struct pci_location at = sim_pmon_function(sim, socket, (uint8_t)(1 + port), 1);
	static const uint16_t vendors[] = {
		[SIM_INTEL] = SIM_VENDOR_INTEL, [SIM_AMD] = VENDOR_AMD, [SIM_ARM] = VENDOR_ARM};
	const bool nvidia = sim->spec.model->kernel_counts;
	const uint16_t vendor = nvidia ? VENDOR_NVIDIA : vendors[sim->spec.facts->vendor];
	struct sim_function *f = sim_add_function(sim, socket, at, vendor, ROOT_PORT);

	put16(f->config, 0x0A, 0x0604);
	f->config[0x0E] = 0x01; /* header type */
	f->config[0x18] = at.bus;
	f->config[0x19] = f->config[0x1A] = memory_bus(sim, socket, port);
	put16(f->config, 0x42, 0x0042); /* version 2, root port */
	/* the last extended capability, or the one before it */
	sim_put32(f->config, 0x100, 0x0023 | 1U << 16 | (nvidia ? 0x140U << 20 : 0));
	sim_put32(f->config, 0x104, 0x1E98 | 0x28U << 20);
	sim_put32(f->config, 0x108, 3);
	if (nvidia)
		put_root_complex(f, socket, port);
	return f;
}

/* A type 3 device: class 0502, memory controller of CXL. */
void sim_add_memory_device(struct sim *sim, unsigned socket, unsigned port)
{
	const struct pci_location at = {.bus = memory_bus(sim, socket, port)};
	const bool has_root_port =
		sim->spec.facts->vendor != SIM_INTEL || sim->spec.facts->no_uncore;
	const struct sim_function *root_port =
		has_root_port ? add_root_port(sim, socket, port) : NULL;
	struct sim_function *f = sim_add_function(sim, socket, at, SIM_VENDOR_INTEL, MEMORY_DEVICE);
	const unsigned flex_bus = sim->spec.cpmu ? FLEX_BUS_BEHIND : 0x100;
	const unsigned trained = 0x6 | (root_port ? 0x20 : 0);

	put16(f->config, 0x0A, 0x0502);
	f->config[0x09] = 0x10;
	if (root_port)
		put16(f->config, 0x42, 0x0002); /* version 2, endpoint */
	if (sim->spec.cpmu)
		add_cpmu(sim, f, socket, port);
	/* The Flex Bus DVSEC: CXL.io and CXL.mem, and, of a device that is not of CXL 1.1, flits of
	 * 68 bytes. */
	sim_put32(f->config, flex_bus, 0x0023 | 2U << 16); /* the last extended capability */
	sim_put32(f->config, flex_bus + 4, 0x1E98 | 2U << 16 | 0x20U << 20);
	sim_put32(f->config, flex_bus + 8, 7 | trained << 16);
	sim_put32(f->config, flex_bus + 12, trained | trained << 16);
	add_device(sim, f, root_port);
}
