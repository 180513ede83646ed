/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ACPI tables MRRM and ERDT of a machine say, without a look at a counter. */
#ifndef CXLMON_UNCORE_RDT_REGION_TABLES_H
#define CXLMON_UNCORE_RDT_REGION_TABLES_H

#include "platform/rdt.h"
#include "uncore/rdt/erdt.h"
#include "uncore/rdt/mrrm.h"

struct region_tables {
	struct erdt erdt;
	struct mrrm mrrm;
	enum memory_region kinds[ERDT_REGIONS]; /* by region */
};

/*
 * -ENODEV, ERROR_NO_UNIT: firmware has no such table. ERROR_FAILED: a table is broken.
 * ERROR_PERMISSION. Freed by region_tables_free(), also after failure.
 */
int region_tables_read(struct platform *p, const struct topology *topology,
		       struct region_tables *out, struct error *err);
void region_tables_free(struct region_tables *tables);

/* "CXL", "remote CXL", "DRAM" or "remote DRAM"; NULL: not known. */
const char *region_tables_name(const struct region_tables *tables, int region);

#endif
