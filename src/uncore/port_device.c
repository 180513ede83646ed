/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/port_device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "pci/config.h"

#define MAX_CAPABILITIES 48 /* that fit between 0x40 and 0xff */

/* A way out of a socket: the function on its root bus. */
struct slot {
	struct pci_location at;
	const struct cxl_device *device; /* the only one behind it; NULL: none, or several */
	size_t devices;
};

struct search {
	struct machine *m;
	struct pci_function *functions;
	size_t function_count;
	struct slot *slots; /* room for each function and device */
};

static const struct pci_function *find_function(const struct search *s, struct pci_location at)
{
	for (size_t i = 0; i < s->function_count; i++)
		if (!pci_location_compare(&s->functions[i].at, &at))
			return &s->functions[i];
	return NULL;
}

static bool bar_holds(struct platform *p, const struct pci_function *f, uint64_t phys)
{
	uint64_t base;

	for (unsigned i = 0; i < PCI_BAR_COUNT; i++)
		if (f->bar_size[i] && !pci_bar_address(p, f->at, i, &base) && phys >= base &&
		    phys - base < f->bar_size[i])
			return true;
	return false;
}

static bool on_the_way(const struct search *s, const struct cxl_device *device,
		       const struct unit *unit)
{
	for (size_t i = 0; unit && unit->access == ACCESS_MMIO && i < device->depth; i++) {
		const struct pci_function *f = find_function(s, device->path[i]);

		if (f && bar_holds(s->m->platform, f, unit->control))
			return true;
	}
	return false;
}

static void pair_by_address(const struct search *s, struct port *port)
{
	const struct cxl_device *found = NULL;
	size_t count = 0;

	for (size_t i = 0; i < s->m->device_count; i++) {
		const struct cxl_device *device = &s->m->devices[i];

		if (!on_the_way(s, device, port->cxlcm) && !on_the_way(s, device, port->cxldp))
			continue;
		found = device;
		count++;
	}
	if (count == 1)
		port->device = found;
}

/* Where the kernel doesn't know NUMA, there is a choice only where there are several sockets. */
static int socket_of(const struct machine *m, int node)
{
	if (node < 0)
		return m->socket_count == 1 ? m->sockets[0] : -1;
	return topology_socket_of_node(&m->topology, node);
}

/* The device type in the PCI Express capability says that this is a root port. */
static bool is_root_port(struct platform *p, struct pci_location at)
{
	uint32_t word;

	if (p->ops->pci_read(p, at, PCI_HEADER_TYPE, &word) ||
	    (word >> 16 & 0x7f) != PCI_HEADER_BRIDGE ||
	    p->ops->pci_read(p, at, PCI_CAPABILITIES, &word))
		return false;
	for (unsigned i = 0, offset = word & 0xfc; offset && i < MAX_CAPABILITIES; i++) {
		if (p->ops->pci_read(p, at, offset, &word))
			return false;
		if ((word & 0xff) == PCI_CAPABILITY_EXPRESS)
			return (word >> 20 & 0xf) == PCI_EXPRESS_ROOT_PORT;
		offset = word >> 8 & 0xfc;
	}
	return false;
}

static bool speaks_cxl(struct platform *p, struct pci_location at)
{
	unsigned offset;
	uint32_t word;

	for (unsigned nth = 0; !pci_find_extended(p, at, PCI_EXTENDED_ID_DVSEC, nth, &offset);
	     nth++)
		if (!p->ops->pci_read(p, at, offset + DVSEC_HEADER, &word) &&
		    (word & 0xffff) == CXL_DVSEC_VENDOR)
			return true;
	return false;
}

/* The slot at this address, made where there is none yet. */
static struct slot *slot_at(struct slot *slots, size_t *count, struct pci_location at)
{
	for (size_t i = 0; i < *count; i++)
		if (!pci_location_compare(&slots[i].at, &at))
			return &slots[i];
	slots[*count] = (struct slot){.at = at};
	return &slots[(*count)++];
}

static bool is_taken(const struct machine *m, const struct cxl_device *device)
{
	for (size_t i = 0; i < m->port_count; i++)
		if (m->ports[i].device == device)
			return true;
	return false;
}

static bool slot_is_taken(const struct machine *m, struct pci_location at)
{
	for (size_t i = 0; i < m->device_count; i++)
		if (!pci_location_compare(&m->devices[i].path[0], &at) &&
		    is_taken(m, &m->devices[i]))
			return true;
	return false;
}

static int compare(const void *a, const void *b)
{
	return pci_location_compare(&((const struct slot *)a)->at, &((const struct slot *)b)->at);
}

/* Those of a socket that lead to no device which a port has, sorted. Returns how many. */
static size_t list_slots(const struct search *s, int socket, bool empty_ones)
{
	struct machine *m = s->m;
	size_t count = 0;

	for (size_t i = 0; i < m->device_count; i++) {
		const struct cxl_device *device = &m->devices[i];

		if (socket_of(m, device->near_node) != socket || slot_is_taken(m, device->path[0]))
			continue;
		struct slot *slot = slot_at(s->slots, &count, device->path[0]);
		slot->device = slot->devices++ ? NULL : device;
	}
	for (size_t i = 0; empty_ones && i < s->function_count; i++) {
		const struct pci_function *f = &s->functions[i];

		if (f->vendor == DISCOVERY_VENDOR_INTEL && socket_of(m, f->numa_node) == socket &&
		    is_root_port(m->platform, f->at) && speaks_cxl(m->platform, f->at) &&
		    !slot_is_taken(m, f->at))
			slot_at(s->slots, &count, f->at);
	}
	qsort(s->slots, count, sizeof(*s->slots), compare);
	return count;
}

static void pair_by_order(const struct search *s, int socket)
{
	struct machine *m = s->m;
	size_t ports = 0;

	for (size_t i = 0; i < m->port_count; i++)
		ports += m->ports[i].socket == socket && !m->ports[i].device;
	size_t slots = ports ? list_slots(s, socket, true) : 0;
	if (slots != ports)
		slots = list_slots(s, socket, false);
	if (slots != ports) {
		log_write(
			&m->platform->log, LEVEL_DETAIL,
			"socket %d: %zu CXL port%s, but memory devices behind %zu root port%s: which "
			"belong together is not known",
			socket, ports, ports == 1 ? "" : "s", slots, slots == 1 ? "" : "s");
		return;
	}
	const struct slot *slot = s->slots;
	for (size_t i = 0; i < m->port_count; i++)
		if (m->ports[i].socket == socket && !m->ports[i].device)
			m->ports[i].device = slot++->device;
}

/* A BAR that holds the units of several ports tells none of them apart. */
static void drop_shared(struct machine *m)
{
	for (size_t d = 0; d < m->device_count; d++) {
		size_t ports = 0;

		for (size_t i = 0; i < m->port_count; i++)
			ports += m->ports[i].device == &m->devices[d];
		for (size_t i = 0; ports > 1 && i < m->port_count; i++)
			if (m->ports[i].device == &m->devices[d])
				m->ports[i].device = NULL;
	}
}

static void say(const struct machine *m, const struct port *port, const char *how)
{
	const struct cxl_device *device = port->device;
	char node[32] = "no NUMA node";

	if (device->node >= 0)
		snprintf(node, sizeof(node), "NUMA node %d", device->node);
	log_write(&m->platform->log, LEVEL_DETAIL,
		  "socket %d port %u: %s at %s, %.4g GiB, %s (by %s)", port->socket, port->number,
		  device->name, port->pci, (double)device->bytes / (1 << 30), node, how);
}

/* Gives the ports that have a device by now, and had none before, its address. */
static void name_ports(struct machine *m, const char *how)
{
	for (size_t i = 0; i < m->port_count; i++) {
		struct port *port = &m->ports[i];

		if (!port->device || *port->pci)
			continue;
		pci_location_text(port->device->path[port->device->depth - 1], port->pci);
		say(m, port, how);
	}
}

static void pair(const struct search *s)
{
	struct machine *m = s->m;

	for (size_t i = 0; i < m->port_count; i++)
		pair_by_address(s, &m->ports[i]);
	drop_shared(m);
	name_ports(m, "the address of its registers");
	for (size_t i = 0; i < m->socket_count; i++)
		pair_by_order(s, m->sockets[i]);
	name_ports(m, "the order of PCI addresses");
}

int port_devices_find(struct machine *m, struct error *err)
{
	struct search s = {.m = m};
	struct platform *p = m->platform;
	int rc = p->ops->cxl_devices(p, &m->devices, &m->device_count, err);

	if (rc || !m->device_count || !m->port_count)
		return rc;
	rc = p->ops->pci_list(p, &s.functions, &s.function_count, err);
	if (rc)
		return rc;
	s.slots = calloc(s.function_count + m->device_count, sizeof(*s.slots));
	if (s.slots)
		pair(&s);
	else
		rc = error_no_memory(err);
	free(s.slots);
	free(s.functions);
	return rc;
}
