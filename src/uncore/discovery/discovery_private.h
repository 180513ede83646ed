/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts that the files of discovery share. */
#ifndef CXLMON_UNCORE_DISCOVERY_DISCOVERY_PRIVATE_H
#define CXLMON_UNCORE_DISCOVERY_DISCOVERY_PRIVATE_H

#include "uncore/discovery/discovery.h"

#define PACKAGE_MAP_MOST 8 /* the most packages in a map */

/* The UBOX of a package, independent of the kernel's NUMA nodes. */
struct package_place {
	struct pci_location ubox;
	int package; /* the kernel's physical_package_id: cpu_location.socket */
};

/* All PCI functions of a machine, by PCI address. */
struct discovery_functions {
	struct platform *platform;
	const struct model *model;
	const struct topology *topology;
	struct pci_function *items;
	size_t count;
	struct package_place packages[PACKAGE_MAP_MOST]; /* by PCI address */
	size_t package_count;
};

/* Sets .packages, if the model has a map and all UBOXes agree on it. */
void discovery_find_packages(struct discovery_functions *all);

/* Source of a PCI function's socket. */
enum socket_source {
	SOCKET_OF_NODE,	   /* the kernel gives its NUMA node */
	SOCKET_OF_PACKAGE, /* the UBOX of its bus names the package */
	SOCKET_BY_ORDER,   /* only its place among the other functions */
};

/*
 * Finds a function's socket; *socket is -1 if none of its CPUs is online, or if only the order is
 * known.
 */
enum socket_source discovery_find_socket(const struct discovery_functions *all,
					 const struct pci_function *f, int *socket);

/*
 * Appends the units of the table's socket that are PCI functions, with its first table. Returns 0
 * or -ENOMEM.
 */
int discovery_functions_add(const struct discovery_functions *all,
			    const struct discovery_table *table, struct discovery *out);

/* Compares units by type and id. */
int discovery_compare_units(const void *a, const void *b);

#endif
