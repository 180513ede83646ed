/* SPDX-License-Identifier: BSD-3-Clause */
/* Sockets of PCI functions, and units that are PCI functions: for files of discovery. */
#ifndef CXLMON_UNCORE_DISCOVERY_DISCOVERY_PRIVATE_H
#define CXLMON_UNCORE_DISCOVERY_DISCOVERY_PRIVATE_H

#include "uncore/discovery/discovery.h"

#define PACKAGE_MAP_MOST 8 /* the most packages in a map */

/*
 * The UBOX of a package: a PCI function whose registers give the package's number. It is used for
 * functions whose NUMA node the kernel does not give.
 */
struct package_place {
	struct pci_location ubox;
	int package; /* the kernel's physical_package_id: cpu_location.socket */
};

/* All PCI functions of a machine, in the order of their addresses. */
struct discovery_functions {
	struct platform *platform;
	const struct model *model;
	const struct topology *topology;
	struct pci_function *items;
	size_t count;
	struct package_place packages[PACKAGE_MAP_MOST]; /* in the same order */
	size_t package_count;
};

/*
 * Sets .packages and .package_count. The count is 0 if the model has no .packages, the package of a
 * UBOX is unknown, or two UBOXes give the same package.
 */
void discovery_find_packages(struct discovery_functions *all);

/* Source of a PCI function's socket. */
enum socket_source {
	SOCKET_OF_NODE,	   /* the kernel gives its NUMA node */
	SOCKET_OF_PACKAGE, /* the UBOX on its bus or on the next one that has a UBOX */
	SOCKET_BY_ORDER,   /* unknown: only the order of functions may tell it */
};

/*
 * Finds a function's socket, and returns the source. *socket is -1 if no CPU of the NUMA node or
 * package is online, or the result is SOCKET_BY_ORDER.
 */
enum socket_source discovery_find_socket(const struct discovery_functions *all,
					 const struct pci_function *f, int *socket);

/*
 * Appends to out->units the units on the table's socket that are PCI functions, by
 * pmu_type.functions. Does nothing unless table->die is 0, so that each unit is added once. Returns
 * 0 or -ENOMEM.
 */
int discovery_functions_add(const struct discovery_functions *all,
			    const struct discovery_table *table, struct discovery *out);

/* Compares two struct unit by type and id, for qsort(). */
int discovery_compare_units(const void *a, const void *b);

#endif
