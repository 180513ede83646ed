/* SPDX-License-Identifier: BSD-3-Clause */
/* Sockets of PCI functions, and units that are PCI functions: for files of discovery. */
#ifndef CXLMON_UNCORE_DISCOVERY_DISCOVERY_PRIVATE_H
#define CXLMON_UNCORE_DISCOVERY_DISCOVERY_PRIVATE_H

#include "uncore/discovery/discovery.h"

#define PACKAGE_MAP_MOST 8 /* the most packages in a map */

/* The UBOX of a package (socket): a PCI function whose registers give the package's number. */
struct package_place {
	struct pci_location ubox;
	int package; /* the kernel's physical_package_id: cpu_location.socket */
};

/* All PCI functions of a machine, and its UBOXes, both in the order of their addresses. */
struct discovery_functions {
	struct platform *platform;
	const struct model *model;
	const struct topology *topology;
	struct pci_function *items;
	size_t count;
	struct package_place packages[PACKAGE_MAP_MOST];
	size_t package_count;
};

/*
 * Sets .packages and .package_count. The count is 0 if model.packages is NULL, a UBOX does not give
 * its package, or two UBOXes give the same.
 */
void discovery_find_packages(struct discovery_functions *all);

/*
 * Finds a function's socket by its NUMA node, which the kernel gives, or else by the UBOX on its
 * bus or on the next one that has a UBOX. *socket is -1 if no CPU of the node or package is online.
 * Returns false, with *socket -1, if there is neither: the caller may derive the socket from the
 * order of functions.
 */
bool discovery_find_socket(const struct discovery_functions *all, const struct pci_function *f,
			   int *socket);

/*
 * If table is the first of its socket, appends to out->units the socket's units that are PCI
 * functions: pmu_type.functions. Returns 0 or -ENOMEM.
 */
int discovery_functions_add(const struct discovery_functions *all,
			    const struct discovery_table *table, struct discovery *out);

/* Compares two struct unit by type and id, for qsort(). */
int discovery_compare_units(const void *a, const void *b);

#endif
