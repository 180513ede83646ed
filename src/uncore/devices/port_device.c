/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/devices/ports.h"

#include <stdio.h>
#include <stdlib.h>

#include "pci/config.h"
#include "platform/cpus.h"
#include "platform/cxl.h"
#include "platform/pci.h"
#include "platform/reg.h"
#include "uncore/units/pmon_unit.h"

/* A root port: the function on the root bus. */
struct root_port {
	struct pci_location at;
	const struct cxl_device *device; /* its only memory device; NULL: none, or several */
	size_t devices;
};

struct search {
	struct machine *m;
	struct pci_function *functions;
	size_t function_count;
	struct root_port *root_ports; /* room for each function and device */
	struct port **open_ports;     /* room for each port */
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

static bool is_on_path(const struct search *s, const struct cxl_device *device,
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

		if (!is_on_path(s, device, port->cxlcm) && !is_on_path(s, device, port->cxldp))
			continue;
		found = device;
		count++;
	}
	if (count == 1)
		port->device = found;
}

/*
 * Returns true if the device type in the PCI Express capability is root port; *express is the
 * capability's offset.
 */
static bool is_root_port(struct platform *p, struct pci_location at, unsigned *express)
{
	uint32_t word;

	return !reg_read_pci(p, at, PCI_HEADER_TYPE, &word) &&
	       (word >> 16 & 0x7f) == PCI_HEADER_BRIDGE &&
	       !pci_find_capability(p, at, PCI_CAPABILITY_EXPRESS, express, &word) && *express &&
	       (word >> 20 & 0xf) == PCI_EXPRESS_ROOT_PORT;
}

static bool link_is_up(struct platform *p, struct pci_location at, unsigned express)
{
	uint32_t word;

	return !reg_read_pci(p, at, express + PCI_EXPRESS_LINK, &word) &&
	       word & PCI_EXPRESS_LINK_ACTIVE;
}

static bool has_cxl_dvsec(struct platform *p, struct pci_location at)
{
	unsigned offset;
	uint32_t word;

	for (unsigned nth = 0; !pci_find_extended(p, at, PCI_EXTENDED_ID_DVSEC, nth, &offset);
	     nth++)
		if (!reg_read_pci(p, at, offset + DVSEC_HEADER, &word) &&
		    (word & 0xffff) == CXL_DVSEC_VENDOR)
			return true;
	return false;
}

/* Returns the root port at this address; adds it if the list lacks it. */
static struct root_port *get_root_port(struct root_port *root_ports, size_t *count,
				       struct pci_location at)
{
	for (size_t i = 0; i < *count; i++)
		if (!pci_location_compare(&root_ports[i].at, &at))
			return &root_ports[i];
	root_ports[*count] = (struct root_port){.at = at};
	return &root_ports[(*count)++];
}

static bool root_port_is_matched(const struct machine *m, struct pci_location at)
{
	for (size_t i = 0; i < m->port_count; i++)
		if (m->ports[i].device && !pci_location_compare(&m->ports[i].device->path[0], &at))
			return true;
	return false;
}

static int compare_root_ports(const void *a, const void *b)
{
	return pci_location_compare(&((const struct root_port *)a)->at,
				    &((const struct root_port *)b)->at);
}

/* Root ports without a memory device that are also listed. */
enum with_empty { NONE, WITH_LINK, ALL };

/* Lists the root ports of a socket without matched devices, sorted. Returns their number. */
static size_t list_root_ports(const struct search *s, int socket, enum with_empty with_empty)
{
	struct machine *m = s->m;
	size_t count = 0;

	for (size_t i = 0; i < m->device_count; i++) {
		const struct cxl_device *device = &m->devices[i];

		if (topology_socket_of_device(&m->topology, device->near_node) != socket ||
		    root_port_is_matched(m, device->path[0]))
			continue;
		struct root_port *root_port = get_root_port(s->root_ports, &count, device->path[0]);
		root_port->device = root_port->devices++ ? NULL : device;
	}
	for (size_t i = 0; with_empty && i < s->function_count; i++) {
		const struct pci_function *f = &s->functions[i];
		unsigned express;

		if (topology_socket_of_device(&m->topology, f->numa_node) == socket &&
		    is_root_port(m->platform, f->at, &express) &&
		    has_cxl_dvsec(m->platform, f->at) && !root_port_is_matched(m, f->at) &&
		    (with_empty == ALL || link_is_up(m->platform, f->at, express)))
			get_root_port(s->root_ports, &count, f->at);
	}
	qsort(s->root_ports, count, sizeof(*s->root_ports), compare_root_ports);
	return count;
}

/*
 * Lists the ports of a socket without a device in s->open_ports; with responding, only those whose
 * link side responds. Returns their number.
 */
static size_t list_open_ports(const struct search *s, int socket, bool responding)
{
	struct machine *m = s->m;
	size_t count = 0;

	for (size_t i = 0; i < m->port_count; i++) {
		struct port *port = &m->ports[i];

		if (port->socket == socket && !port->device &&
		    (!responding || !port->cxlcm || pmon_unit_responds(m->platform, port->cxlcm)))
			s->open_ports[count++] = port;
	}
	return count;
}

/*
 * Pairs of lists that are tried in this order: all ports with root ports that speak CXL, or only
 * with those that have memory; then ports that respond with root ports whose link is up, or that
 * have memory.
 */
static const struct {
	bool responding;
	enum with_empty with_empty;
} orders[] = {{false, ALL}, {false, NONE}, {true, WITH_LINK}, {true, NONE}};

static void pair_by_order(const struct search *s, int socket)
{
	struct machine *m = s->m;
	size_t ports = 0, root_ports = 0;

	for (size_t o = 0; o < sizeof(orders) / sizeof(orders[0]); o++) {
		ports = list_open_ports(s, socket, orders[o].responding);
		root_ports = ports ? list_root_ports(s, socket, orders[o].with_empty) : 0;
		if (ports != root_ports)
			continue;
		for (size_t i = 0; i < ports; i++)
			s->open_ports[i]->device = s->root_ports[i].device;
		return;
	}
	log_write(&m->platform->log, LEVEL_DETAIL,
		  "socket %d: %zu CXL port%s, but %zu root port%s with memory devices: cannot "
		  "match them",
		  socket, ports, ports == 1 ? "" : "s", root_ports, root_ports == 1 ? "" : "s");
}

/*
 * Removes a device that was matched by address to several ports from all of them, because it is
 * ambiguous.
 */
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

/* Sets and logs the PCI address of newly matched ports. */
static void set_addresses(struct machine *m, const char *how)
{
	for (size_t i = 0; i < m->port_count; i++) {
		struct port *port = &m->ports[i];
		const struct cxl_device *device = port->device;
		char node[32] = "no NUMA node";

		if (!device || *port->pci)
			continue;
		pci_location_text(device->path[device->depth - 1], port->pci);
		if (device->node >= 0)
			snprintf(node, sizeof(node), "NUMA node %d", device->node);
		log_write(&m->platform->log, LEVEL_DETAIL,
			  "socket %d port %u: %s at %s, %.4g GiB, %s (matched by %s)", port->socket,
			  port->number, device->name, port->pci, (double)device->bytes / (1 << 30),
			  node, how);
	}
}

static void pair_devices(const struct search *s)
{
	struct machine *m = s->m;

	for (size_t i = 0; i < m->port_count; i++)
		pair_by_address(s, &m->ports[i]);
	drop_shared(m);
	set_addresses(m, "register address");
	for (size_t i = 0; i < m->socket_count; i++)
		pair_by_order(s, m->sockets[i]);
	set_addresses(m, "PCI order");
}

int port_devices_find(struct machine *m, struct error *err)
{
	struct search s = {.m = m};
	struct platform *p = m->platform;
	int rc = p->ops->cxl->devices(p, &m->devices, &m->device_count, err);

	/* no register's address, nor any document, relates the data fabric's ports to root ports */
	if (rc || !m->device_count || !m->port_count || m->model->ports_of_df)
		return rc;
	rc = p->ops->pci->list(p, &s.functions, &s.function_count, err);
	if (rc)
		return rc;
	s.root_ports = calloc(s.function_count + m->device_count, sizeof(*s.root_ports));
	s.open_ports = calloc(m->port_count, sizeof(struct port *));
	if (s.root_ports && s.open_ports)
		pair_devices(&s);
	else
		rc = error_no_memory(err);
	free(s.root_ports);
	free(s.open_ports);
	free(s.functions);
	return rc;
}
