/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/selftest/selftest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "platform/cpus.h"
#include "platform/pci.h"
#include "probe/load/load.h"

static struct selftest_node *find_node(const struct selftest_result *result, int node)
{
	for (size_t i = 0; i < result->node_count; i++)
		if (result->nodes[i].node == node)
			return &result->nodes[i];
	return NULL;
}

static bool is_chosen(const struct selftest_choice *choice, int node, const char *memdev)
{
	return (choice->node < 0 || choice->node == node) &&
	       (!choice->device || !strcmp(choice->device, memdev));
}

static void add_port(struct selftest_result *result, const struct row *row)
{
	struct selftest_node *node = find_node(result, row->node);

	if (!node) {
		node = &result->nodes[result->node_count++];
		*node = (struct selftest_node){.node = row->node, .socket = row->socket};
		snprintf(node->memdev, sizeof(node->memdev), "%s", row->memdev);
	}
	/* a device whose port is not known has a row of its own */
	if (row->port >= 0 && node->port_count < SELFTEST_PORTS)
		node->ports[node->port_count++] =
			(struct selftest_port){.socket = row->socket, .port = row->port};
}

/* The ports of a socket whose devices are not known: the node is behind one of them. */
static void add_possible_ports(struct selftest_node *node, const struct view *view)
{
	node->port_unknown = true;
	for (size_t r = 0; r < view->row_count && node->port_count < SELFTEST_PORTS; r++) {
		const struct row *row = &view->rows[r];

		if (row->scope == SCOPE_PORT && row->socket == node->socket && row->port >= 0 &&
		    !row->port_name && row->node < 0)
			node->ports[node->port_count++] =
				(struct selftest_port){.socket = row->socket, .port = row->port};
	}
}

/*
 * The memory of a device whose port is not known. If no counter is that of a port (Venice), counts
 * of the socket are compared.
 */
static void add_device(struct selftest_result *result, const struct machine *machine,
		       const struct view *view, const struct cxl_device *device)
{
	struct selftest_node added = {
		.node = device->node,
		.socket = topology_socket_of_device(&machine->topology, device->near_node)};
	struct selftest_node *node = find_node(result, device->node);

	if (node && node->port_count)
		return;
	snprintf(added.memdev, sizeof(added.memdev), "%s", device->name);
	add_possible_ports(&added, view);
	if (!node)
		node = &result->nodes[result->node_count++];
	*node = added;
}

static int none_found(const struct selftest_choice *choice, struct error *err)
{
	if (choice->node >= 0)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--node=%d: no such node with memory behind a CXL port, or with "
				 "CPUs (see numactl -H)",
				 choice->node);
	if (choice->device)
		return error_set(
			err, ERROR_USAGE, -EINVAL,
			"--device=%s: no such memory device is known behind a CXL port, or "
			"its memory is no NUMA node (see cxlmon info)",
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

/* Where PCI functions can't be read, devices stay unknown. */
static void find_pci_devices(struct selftest_result *result, const struct machine *machine)
{
	struct platform *p = machine->platform;
	struct pci_function *functions;
	struct error why;
	size_t count;

	if (p->ops->pci->list(p, &functions, &count, &why))
		return;
	for (size_t n = 0; n < result->node_count; n++) {
		struct selftest_node *node = &result->nodes[n];
		const struct pci_location *at = device_location(machine, node->memdev);

		for (size_t i = 0; i < count && at; i++)
			if (!pci_location_compare(&functions[i].at, at))
				snprintf(node->device, sizeof(node->device), "%04x:%04x",
					 functions[i].vendor, functions[i].device);
	}
	free(functions);
}

int selftest_find_nodes(struct selftest_result *result, const struct machine *machine,
			const struct view *view, const struct selftest_choice *choice,
			struct error *err)
{
	const struct topology *topology = &machine->topology;
	const size_t most = view->row_count + topology->count + machine->device_count;

	result->nodes = calloc(most + 1, sizeof(*result->nodes));
	if (!result->nodes)
		return error_no_memory(err);
	for (size_t r = 0; r < view->row_count; r++) {
		const struct row *row = &view->rows[r];

		if (row->scope == SCOPE_PORT && row->node >= 0 &&
		    is_chosen(choice, row->node, row->memdev))
			add_port(result, row);
	}
	for (size_t i = 0; i < machine->device_count; i++)
		if (machine->devices[i].node >= 0 &&
		    is_chosen(choice, machine->devices[i].node, machine->devices[i].name))
			add_device(result, machine, view, &machine->devices[i]);
	for (size_t i = 0; i < topology->count; i++) {
		const struct cpu_location *cpu = &topology->cpus[i];

		/* without NUMA, nodes are not known: there is one */
		const int node = cpu->node < 0 ? 0 : cpu->node;
		if (!find_node(result, node) && is_chosen(choice, node, ""))
			result->nodes[result->node_count++] = (struct selftest_node){
				.node = node, .dram = true, .socket = cpu->socket};
	}
	/* one that has too little memory is left out */
	for (size_t i = 0; i < result->node_count; i++)
		load_memory_for(machine->platform, result->nodes[i].node,
				&result->nodes[i].memory_bytes, &result->nodes[i].skipped);
	find_pci_devices(result, machine);
	return result->node_count ? 0 : none_found(choice, err);
}

static bool has_core(const struct topology *topology, const unsigned *cpus, size_t count,
		     const struct cpu_location *cpu)
{
	for (size_t i = 0; i < topology->count && cpu->core >= 0; i++)
		for (size_t c = 0; c < count; c++)
			if (topology->cpus[i].cpu == cpus[c] &&
			    topology->cpus[i].core == cpu->core &&
			    topology->cpus[i].die == cpu->die)
				return true;
	return false;
}

size_t selftest_cpus(const struct topology *topology, int socket, unsigned cpus[SELFTEST_CPUS])
{
	size_t count = 0;

	for (size_t i = 0; i < topology->count && count < SELFTEST_CPUS; i++) {
		const struct cpu_location *cpu = &topology->cpus[i];

		if (cpu->socket == socket && !has_core(topology, cpus, count, cpu))
			cpus[count++] = cpu->cpu;
	}
	return count;
}
