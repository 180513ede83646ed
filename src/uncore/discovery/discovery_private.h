/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of discovery share. */
#ifndef CXLMON_UNCORE_DISCOVERY_DISCOVERY_PRIVATE_H
#define CXLMON_UNCORE_DISCOVERY_DISCOVERY_PRIVATE_H

#include "uncore/discovery/discovery.h"

/* All PCI functions of a machine, by PCI address. */
struct discovery_functions {
	const struct topology *topology;
	struct pci_function *items;
	size_t count;
};

/*
 * Appends the units of the table's socket that are found as PCI functions, with its first table. 0
 * or -ENOMEM.
 */
int discovery_functions_add(const struct discovery_functions *all, const struct model *model,
			    const struct discovery_table *table, struct discovery *out);

/* By type and id. */
int discovery_compare_units(const void *a, const void *b);

#endif
