/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The socket of a PCI function: that of its NUMA node's CPUs, else what the UBOX of its socket
 * says.
 *
 * Source: the kernel's snbep_pci2phy_map_init(), which spr_uncore_pci_init() calls for Sapphire and
 * Emerald Rapids: the node id of a UBOX is looked up in a map of 3 bits per package, and a bus
 * belongs to the UBOX on the same or the next higher bus of its domain.
 */
#include "uncore/discovery/discovery_private.h"

#include "platform/cpus.h"
#include "platform/pci.h"
#include "platform/reg.h"

#define NODE_BITS 3
#define NODE_MASK ((1U << NODE_BITS) - 1)

/* Returns the package of a UBOX; -1: it says none. */
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

/* A map that gives one package to two UBOXes is of a machine with more packages than fit in it. */
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

/* Functions are in the order of their addresses, and so are packages. -1: not known. */
static int package_of(const struct discovery_functions *all, struct pci_location at)
{
	for (size_t i = 0; i < all->package_count; i++) {
		const struct pci_location *ubox = &all->packages[i].ubox;

		if (ubox->domain == at.domain && ubox->bus >= at.bus)
			return all->packages[i].package;
	}
	return -1;
}

enum socket_source discovery_find_socket(const struct discovery_functions *all,
					 const struct pci_function *f, int *socket)
{
	*socket = -1;
	if (f->numa_node >= 0) {
		*socket = topology_socket_of_node(all->topology, f->numa_node);
		return SOCKET_OF_NODE;
	}
	const int package = package_of(all, f->at);
	if (package < 0)
		return SOCKET_BY_ORDER;
	if (topology_reader_cpu(all->topology, package) >= 0)
		*socket = package;
	return SOCKET_OF_PACKAGE;
}
