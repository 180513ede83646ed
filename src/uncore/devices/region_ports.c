/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/devices/ports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pci/config.h"
#include "platform/cpus.h"
#include "platform/cxl.h"
#include "platform/memory.h"
#include "platform/pci.h"
#include "platform/reg.h"

/* Added to a unit's id, the number of its root complex, for each further range. */
#define ID_STEP 64

#define NOT_KNOWN (-1)

size_t address_blocks(uint64_t base, uint64_t bytes, struct address_block *out, size_t room)
{
	size_t count = 0;

	if (!base || bytes - 1 > UINT64_MAX - base)
		return 0;
	while (bytes) {
		const uint64_t aligned = base & -base;
		const uint64_t fits = UINT64_C(1) << (63 - __builtin_clzll(bytes));
		const uint64_t size = aligned < fits ? aligned : fits;

		if (count < room)
			out[count] = (struct address_block){.base = base, .mask = ~(size - 1)};
		count++;
		base += size;
		bytes -= size;
	}
	return count;
}

/* Returns the root complex of a root port, or NOT_KNOWN. */
static int read_root_complex(struct platform *p, struct pci_location at)
{
	unsigned offset;
	uint32_t header, id, place;

	for (unsigned nth = 0; !pci_find_extended(p, at, PCI_EXTENDED_ID_DVSEC, nth, &offset);
	     nth++)
		if (!reg_read_pci(p, at, offset + DVSEC_HEADER, &header) &&
		    (header & 0xffff) == ROOT_COMPLEX_DVSEC_VENDOR &&
		    !reg_read_pci(p, at, offset + DVSEC_ID, &id) &&
		    (id & 0xffff) == ROOT_COMPLEX_DVSEC_ID &&
		    !reg_read_pci(p, at, offset + ROOT_COMPLEX_DVSEC_PLACE, &place))
			return (int)(place >> 24);
	return NOT_KNOWN;
}

static bool is_in(const struct cxl_region *region, const struct cxl_device *device)
{
	for (size_t i = 0; i < region->device_count; i++)
		if (!strcmp(region->devices[i], device->name))
			return true;
	return false;
}

static bool is_on(const struct machine *m, const struct cxl_device *device, int socket)
{
	return topology_socket_of_device(&m->topology, device->near_node) == socket;
}

/* The devices and regions of a unit's root complex. */
struct root_complex {
	const struct cxl_device *device; /* its only device that has a region; NULL: several */
	size_t devices;
	struct address_block blocks[ROOT_COMPLEX_BLOCKS];
	size_t block_count; /* 0: unknown, or more than it can count */
};

/*
 * Adds the region's devices that are below a unit to its root complex. Returns true if there are
 * any.
 */
static bool add_devices(const struct machine *m, const int *numbers, const struct unit *unit,
			const struct cxl_region *region, struct root_complex *rc)
{
	bool found = false;

	for (size_t d = 0; d < m->device_count; d++) {
		const struct cxl_device *device = &m->devices[d];

		if (numbers[d] != unit->id || !is_on(m, device, unit->socket) ||
		    !is_in(region, device))
			continue;
		found = true;
		if (rc->device != device)
			rc->devices++;
		rc->device = device;
	}
	return found;
}

/* Finds the regions of a unit's root complex; numbers has the root complex of each device. */
static struct root_complex find_regions(const struct machine *m, const int *numbers,
					const struct unit *unit)
{
	struct root_complex rc = {.devices = 0};
	bool is_known = true;

	for (size_t r = 0; r < m->memory.region_count; r++) {
		const struct cxl_region *region = &m->memory.regions[r];

		if (!add_devices(m, numbers, unit, region, &rc))
			continue;
		const size_t room = ROOT_COMPLEX_BLOCKS - rc.block_count;
		const size_t count = address_blocks(region->base, region->bytes,
						    &rc.blocks[rc.block_count], room);
		is_known &= count && count <= room;
		rc.block_count += count <= room ? count : 0;
	}
	if (!is_known)
		rc.block_count = 0;
	if (rc.devices > 1)
		rc.device = NULL;
	return rc;
}

static void report_port(const struct machine *m, const struct port *port, unsigned root_complex)
{
	char blocks[96];

	if (port->tgt_count)
		snprintf(blocks, sizeof(blocks), "by %zu range%s of addresses", port->tgt_count,
			 port->tgt_count == 1 ? "" : "s");
	else
		snprintf(blocks, sizeof(blocks),
			 "not counted: the addresses of its CXL regions are unknown, or are more "
			 "than %d ranges",
			 ROOT_COMPLEX_BLOCKS);
	log_write(&m->platform->log, LEVEL_DETAIL, "socket %d port %u: root complex %u, %s, %s",
		  port->socket, port->number, root_complex,
		  port->device ? port->device->name : "several devices", blocks);
}

/* Adds the port of a root complex, and its units after the existing ones. */
static void add_port(struct machine *m, const struct unit *unit, const struct root_complex *rc)
{
	struct port *port = &m->ports[m->port_count], *before = m->port_count ? port - 1 : NULL;

	*port = (struct port){.socket = unit->socket,
			      .device = rc->device,
			      .tgt = &m->discovery.units[m->discovery.unit_count],
			      .tgt_count = rc->block_count};
	if (before && before->socket == port->socket)
		port->number = before->number + 1;
	if (rc->device)
		pci_location_text(rc->device->path[rc->device->depth - 1], port->pci);
	for (size_t i = 0; i < rc->block_count; i++) {
		struct unit *added = &m->discovery.units[m->discovery.unit_count++];

		*added = *unit;
		added->id = (uint16_t)(unit->id + ID_STEP * i);
		added->perf.block = rc->blocks[i];
	}
	m->port_count++;
	report_port(m, port, unit->id);
}

/*
 * Returns true if the socket may have a region: one whose devices are unknown may be on any socket.
 */
static bool has_region(const struct machine *m, int socket)
{
	for (size_t r = 0; r < m->memory.region_count; r++) {
		const struct cxl_region *region = &m->memory.regions[r];

		if (!region->device_count)
			return true;
		for (size_t d = 0; d < m->device_count; d++)
			if (is_in(region, &m->devices[d]) && is_on(m, &m->devices[d], socket))
				return true;
	}
	return false;
}

static void make_ports(struct machine *m, const struct discovery *all, const int *numbers)
{
	for (size_t i = 0; i < all->unit_count; i++) {
		const struct unit *unit = &all->units[i];

		if (unit->type == PMU_PCIE_TGT) {
			const struct root_complex rc = find_regions(m, numbers, unit);

			if (rc.devices)
				add_port(m, unit, &rc);
			continue;
		}
		struct unit *kept = &m->discovery.units[m->discovery.unit_count++];
		*kept = *unit;
		kept->no_region = !has_region(m, unit->socket);
	}
}

static void read_root_complexes(const struct machine *m, int *numbers)
{
	bool is_known = false;

	for (size_t d = 0; d < m->device_count; d++) {
		numbers[d] = read_root_complex(m->platform, m->devices[d].path[0]);
		is_known |= numbers[d] != NOT_KNOWN;
	}
	if (m->device_count && !is_known)
		log_write(&m->platform->log, LEVEL_NOTE,
			  "CXL bytes are not counted by device: their root complexes are in the "
			  "configuration space of root ports, which only root can read");
}

int region_ports_find(struct machine *m, struct error *err)
{
	struct discovery all = m->discovery;

	if (!m->model->kernel_counts)
		return 0;
	free(m->ports);
	m->discovery.unit_count = 0;
	m->discovery.units = calloc(all.unit_count * ROOT_COMPLEX_BLOCKS + 1, sizeof(*all.units));
	m->ports = calloc(all.unit_count + 1, sizeof(*m->ports));
	int *numbers = calloc(m->device_count + 1, sizeof(*numbers));
	int rc = m->discovery.units && m->ports && numbers ? 0 : error_no_memory(err);
	if (!rc)
		read_root_complexes(m, numbers);
	if (!rc)
		make_ports(m, &all, numbers);
	free(numbers);
	free(all.units);
	return rc;
}
