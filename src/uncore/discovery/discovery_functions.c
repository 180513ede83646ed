/* SPDX-License-Identifier: BSD-3-Clause */
/* Sockets of PCI functions, and units that are found as functions. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "platform/cpus.h"
#include "platform/pci.h"
#include "platform/reg.h"
#include "uncore/discovery/discovery_private.h"
#include "uncore/units/pmon_unit.h"

/*
 * The socket of a PCI function is the socket of its NUMA node's CPUs or, without a node, the one
 * that the UBOX of its socket tells.
 *
 * Source: the kernel's snbep_pci2phy_map_init(), which spr_uncore_pci_init() calls for Sapphire and
 * Emerald Rapids: the node id of a UBOX is looked up in a map of 3 bits per package, and a bus
 * belongs to the UBOX on the same or the next higher bus of its domain.
 */
#define NODE_BITS 3
#define NODE_MASK ((1U << NODE_BITS) - 1)

/* Returns the package of a UBOX; -1: unknown. */
static int read_package(struct platform *p, const struct package_map *map, struct pci_location at)
{
	uint32_t node, nodes;

	if (reg_read_pci(p, at, map->node, &node) || reg_read_pci(p, at, map->nodes, &nodes))
		return -1;
	for (unsigned package = 0; package < PACKAGE_MAP_MOST; package++)
		if ((nodes >> (NODE_BITS * package) & NODE_MASK) == (node & NODE_MASK))
			return (int)package;
	return -1;
}

/*
 * Returns true if a package already has a UBOX: then the machine has more packages than fit in the
 * map.
 */
static bool is_listed(const struct discovery_functions *all, int package)
{
	for (size_t i = 0; i < all->package_count; i++)
		if (all->packages[i].package == package)
			return true;
	return false;
}

void discovery_find_packages(struct discovery_functions *all)
{
	const struct package_map *map = all->model->packages;

	all->package_count = 0;
	for (size_t i = 0; map && i < all->count; i++) {
		const struct pci_function *f = &all->items[i];

		if (f->vendor != DISCOVERY_VENDOR_INTEL || f->device != map->device)
			continue;
		const int package = read_package(all->platform, map, f->at);
		if (package < 0 || is_listed(all, package)) {
			all->package_count = 0;
			return;
		}
		all->packages[all->package_count++] = (struct package_place){f->at, package};
	}
}

/*
 * Returns the package of a function's bus; functions and packages are in the order of their
 * addresses. -1: unknown.
 */
static int package_of(const struct discovery_functions *all, struct pci_location at)
{
	for (size_t i = 0; i < all->package_count; i++) {
		const struct pci_location *ubox = &all->packages[i].ubox;

		if (ubox->domain == at.domain && ubox->bus >= at.bus)
			return all->packages[i].package;
	}
	return -1;
}

bool discovery_find_socket(const struct discovery_functions *all, const struct pci_function *f,
			   int *socket)
{
	*socket = -1;
	if (f->numa_node >= 0) {
		*socket = topology_socket_of_node(all->topology, f->numa_node);
		return true;
	}
	const int package = package_of(all, f->at);
	if (package < 0)
		return false;
	if (topology_reader_cpu(all->topology, package) >= 0)
		*socket = package;
	return true;
}

/*
 * Units whose discovery records are wrong, found as PCI functions: pmu_type.functions.
 *
 * Source: the kernel's arch/x86/events/intel/uncore_snbep.c, spr_update_device_location().
 */

static bool is_unit(const struct pci_function *f, const struct pmu_functions *functions)
{
	return f->vendor == DISCOVERY_VENDOR_INTEL && f->device == functions->device &&
	       f->at.function == functions->function && f->at.device >= functions->first_device &&
	       f->at.device < functions->first_device + functions->most;
}

static bool share_bus(const struct pci_function *a, const struct pci_function *b)
{
	return a->at.domain == b->at.domain && a->at.bus == b->at.bus;
}

/*
 * Returns the socket of a function. All functions of a type on a bus belong to one socket. If it is
 * unknown, the nth such bus belongs to the nth socket, if there are as many of both.
 */
static int socket_of(const struct discovery_functions *all, const struct pmu_functions *functions,
		     const struct pci_function *of)
{
	const struct pci_function *last = NULL;
	size_t buses = 0, nth = 0, sockets;
	int found;

	if (discovery_find_socket(all, of, &found))
		return found;
	for (size_t i = 0; i < all->count; i++) {
		const struct pci_function *f = &all->items[i];

		if (!is_unit(f, functions))
			continue;
		buses += !last || !share_bus(last, f);
		nth = share_bus(f, of) ? buses - 1 : nth;
		last = f;
	}
	const int socket = topology_nth_socket(all->topology, nth, &sockets);
	return buses == sockets ? socket : -1;
}

static struct unit make_unit(const struct pmu_type *pmu_type, const struct discovery_table *table,
			     const struct pci_function *f, unsigned cpu)
{
	const struct pmu_functions *functions = pmu_type->functions;

	return (struct unit){
		.methods = &pmon_unit_methods,
		.pmu_type = pmu_type,
		.type = pmu_type->type,
		.id = (uint16_t)(f->at.device - functions->first_device),
		.socket = table->socket,
		.die = table->die,
		.cpu = cpu,
		.access = ACCESS_PCI,
		.control = functions->control,
		.pci = f->at,
		.nth = (uint16_t)(f->at.device - functions->first_device),
		.counters = functions->counters,
		.width = functions->width,
		.registers = {.control_offset = functions->control_offset,
			      .counter_offset = functions->counter_offset,
			      .control_step = 8,
			      .counter_step = 8},
		.usable = (UINT32_C(1) << functions->counters) - 1,
	};
}

int discovery_functions_add(const struct discovery_functions *all,
			    const struct discovery_table *table, struct discovery *out)
{
	const unsigned cpu = (unsigned)topology_reader_cpu(all->topology, table->socket);

	for (const struct pmu_type *type = all->model->pmu_types; !table->die && type->name; type++)
		for (size_t i = 0; type->functions && i < all->count; i++) {
			const struct pci_function *f = &all->items[i];

			if (!is_unit(f, type->functions) ||
			    socket_of(all, type->functions, f) != table->socket)
				continue;
			if (array_room(&out->units, out->unit_count, 1, sizeof(*out->units)))
				return -ENOMEM;
			out->units[out->unit_count++] = make_unit(type, table, f, cpu);
		}
	return 0;
}
