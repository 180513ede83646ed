/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/load/under_load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "platform/cpus.h"
#include "platform/pci.h"

static struct load_node *find_node(const struct load_nodes *nodes, int node)
{
	for (size_t i = 0; i < nodes->count; i++)
		if (nodes->at[i].node == node)
			return &nodes->at[i];
	return NULL;
}

static bool is_chosen(const struct load_choice *choice, int node, const char *memdev)
{
	return (choice->node < 0 || choice->node == node) &&
	       (!choice->device || !strcmp(choice->device, memdev));
}

static void add_port(struct load_nodes *nodes, const struct row *row)
{
	struct load_node *node = find_node(nodes, row->place.node);

	if (!node) {
		node = &nodes->at[nodes->count++];
		*node = (struct load_node){.node = row->place.node, .socket = row->place.socket};
		snprintf(node->memdev, sizeof(node->memdev), "%s", row->place.memdev);
	}
	/* a device whose port is unknown has a row of its own */
	if (row->place.port >= 0 && node->port_count < LOAD_NODE_PORTS)
		node->ports[node->port_count++] =
			(struct load_port){.socket = row->place.socket, .port = row->place.port};
}

/* Adds the ports of a socket whose devices are unknown: the node is behind one of them. */
static void add_possible_ports(struct load_node *node, const struct view *view)
{
	node->port_unknown = true;
	for (size_t r = 0; r < view->table.row_count && node->port_count < LOAD_NODE_PORTS; r++) {
		const struct row *row = &view->table.rows[r];

		if (row->place.kind == ROW_PORT && row->place.socket == node->socket &&
		    !row->place.port_name && row->place.node < 0)
			node->ports[node->port_count++] = (struct load_port){
				.socket = row->place.socket, .port = row->place.port};
	}
}

/*
 * Adds the memory of a device whose port is unknown. If no counter is a port's (Venice), counts of
 * the socket are compared.
 */
static void add_device(struct load_nodes *nodes, const struct machine *machine,
		       const struct view *view, const struct cxl_device *device)
{
	struct load_node added = {
		.node = device->node,
		.socket = topology_socket_of_device(&machine->topology, device->near_node)};
	struct load_node *node = find_node(nodes, device->node);

	if (node && node->port_count)
		return;
	snprintf(added.memdev, sizeof(added.memdev), "%s", device->name);
	add_possible_ports(&added, view);
	if (!node)
		node = &nodes->at[nodes->count++];
	*node = added;
}

static int none_found(const struct load_choice *choice, struct error *err)
{
	if (choice->node >= 0)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--node=%d: no such node with memory behind a CXL port, or with "
				 "CPUs (see numactl -H)",
				 choice->node);
	if (choice->device)
		return error_set(
			err, ERROR_USAGE, -EINVAL,
			"--device=%s: no such memory device is known behind a CXL port, or its "
			"memory is not a NUMA node (see cxlmon info)",
			quoted(choice->device).text);
	return error_set(err, ERROR_NO_UNIT, -ENODEV,
			 "no NUMA node has memory behind a CXL port or of a socket");
}

static const struct pci_location *device_location(const struct machine *machine, const char *name)
{
	for (size_t i = 0; i < machine->device_count; i++) {
		const struct cxl_device *device = &machine->devices[i];

		if (*name && !strcmp(device->name, name))
			return &device->path[device->depth - 1];
	}
	return NULL;
}

/* Finds the PCI ids of devices; unknown if PCI functions are unreadable. */
static void find_pci_devices(struct load_nodes *nodes, const struct machine *machine)
{
	struct platform *p = machine->platform;
	struct pci_function *functions;
	struct error why;
	size_t count;

	if (p->ops->pci->list(p, &functions, &count, &why))
		return;
	for (size_t n = 0; n < nodes->count; n++) {
		struct load_node *node = &nodes->at[n];
		const struct pci_location *at = device_location(machine, node->memdev);

		for (size_t i = 0; i < count && at; i++)
			if (!pci_location_compare(&functions[i].at, at))
				snprintf(node->device, sizeof(node->device), "%04x:%04x",
					 functions[i].vendor, functions[i].device);
	}
	free(functions);
}

int load_nodes_find(struct load_nodes *out, const struct machine *machine, const struct view *view,
		    const struct load_choice *choice, struct error *err)
{
	const struct topology *topology = &machine->topology;
	const size_t most = view->table.row_count + topology->count + machine->device_count;

	out->at = calloc(most + 1, sizeof(*out->at));
	if (!out->at)
		return error_no_memory(err);
	for (size_t r = 0; r < view->table.row_count; r++) {
		const struct row *row = &view->table.rows[r];

		if (place_is_of_port(&row->place) && row->place.node >= 0 &&
		    is_chosen(choice, row->place.node, row->place.memdev))
			add_port(out, row);
	}
	for (size_t i = 0; i < machine->device_count; i++)
		if (machine->devices[i].node >= 0 &&
		    is_chosen(choice, machine->devices[i].node, machine->devices[i].name))
			add_device(out, machine, view, &machine->devices[i]);
	for (size_t i = 0; i < topology->count; i++) {
		const struct cpu_location *cpu = &topology->cpus[i];

		/* without NUMA support there is one node */
		const int node = cpu->node < 0 ? 0 : cpu->node;
		if (!find_node(out, node) && is_chosen(choice, node, ""))
			out->at[out->count++] = (struct load_node){
				.node = node, .dram = true, .socket = cpu->socket};
	}
	/* nodes with too little memory are left out */
	for (size_t i = 0; i < out->count; i++)
		load_memory_for(machine->platform, out->at[i].node, &out->at[i].memory_bytes,
				&out->at[i].skipped);
	find_pci_devices(out, machine);
	return out->count ? 0 : none_found(choice, err);
}

void load_nodes_free(struct load_nodes *nodes)
{
	free(nodes->at);
	*nodes = (struct load_nodes){.at = NULL};
}

bool load_has_core(const struct topology *topology, const unsigned *cpus, size_t count,
		   const struct cpu_location *cpu)
{
	for (size_t i = 0; i < topology->count && cpu->core >= 0; i++)
		for (size_t c = 0; c < count; c++)
			if (topology->cpus[i].cpu == cpus[c] &&
			    topology->cpus[i].core == cpu->core &&
			    topology->cpus[i].die == cpu->die &&
			    topology->cpus[i].socket == cpu->socket)
				return true;
	return false;
}

size_t load_node_cpus(const struct topology *topology, int socket, unsigned cpus[LOAD_NODE_CPUS])
{
	size_t count = 0;

	for (size_t i = 0; i < topology->count && count < LOAD_NODE_CPUS; i++) {
		const struct cpu_location *cpu = &topology->cpus[i];

		if (cpu->socket == socket && !load_has_core(topology, cpus, count, cpu))
			cpus[count++] = cpu->cpu;
	}
	return count;
}

const char *load_node_name(const struct load_node *node, char text[LOAD_NODE_NAME_SIZE])
{
	const struct load_port *port = &node->ports[0];

	if (node->dram)
		snprintf(text, LOAD_NODE_NAME_SIZE, "node %d (DRAM of socket %d)", node->node,
			 node->socket);
	else if (!node->port_count || node->port_unknown)
		snprintf(text, LOAD_NODE_NAME_SIZE, "node %d (%s, socket %d)", node->node,
			 node->memdev, node->socket);
	else if (node->port_count > 1)
		snprintf(text, LOAD_NODE_NAME_SIZE, "node %d (socket %d, %zu ports)", node->node,
			 node->socket, node->port_count);
	else
		snprintf(text, LOAD_NODE_NAME_SIZE, "node %d (%s, socket %d port %d)", node->node,
			 node->memdev, port->socket, port->port);
	return text;
}
