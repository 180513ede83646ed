/* SPDX-License-Identifier: BSD-3-Clause */
/* Sockets of PCI functions, and units that are PCI functions: for files of discovery. */
#ifndef CXLMON_UNCORE_DISCOVERY_DISCOVERY_PRIVATE_H
#define CXLMON_UNCORE_DISCOVERY_DISCOVERY_PRIVATE_H

#include "uncore/discovery/discovery.h"

#define PACKAGE_MAP_MOST 8 /* the most packages in a map */

/* The UBOX of a package: a PCI function that tells the package, without the kernel's NUMA nodes. */
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

/*
 * Sets .packages. There are none if the model has no .packages, or if a UBOX's package is unknown
 * or another UBOX's as well.
 */
void discovery_find_packages(struct discovery_functions *all);

/* Source of a PCI function's socket. */
enum socket_source {
	SOCKET_OF_NODE,	   /* the kernel gives its NUMA node */
	SOCKET_OF_PACKAGE, /* the UBOX of its bus tells the package */
	SOCKET_BY_ORDER,   /* unknown: only the order of functions may tell it */
};

/*
 * Finds a function's socket, and returns the source. *socket is -1 if no CPU of the socket is
 * online, or the result is SOCKET_BY_ORDER.
 */
enum socket_source discovery_find_socket(const struct discovery_functions *all,
					 const struct pci_function *f, int *socket);

/*
 * Appends the units of pmu_type.functions on the table's socket to out->units. Does nothing unless
 * .die of the table is 0, so that each unit is added once. Returns 0 or -ENOMEM.
 */
int discovery_functions_add(const struct discovery_functions *all,
			    const struct discovery_table *table, struct discovery *out);

/* Compares two struct unit by type and id, for qsort(). */
int discovery_compare_units(const void *a, const void *b);

#endif
