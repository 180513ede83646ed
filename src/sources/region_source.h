/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes that L3 caches read and write, by region of memory (DRAM or CXL memory, of this socket or
 * of others). The counters always run: the source writes no register.
 */
#ifndef CXLMON_SOURCES_REGION_SOURCE_H
#define CXLMON_SOURCES_REGION_SOURCE_H

#include "sources/source.h"
#include "uncore/rdt/region_counters.h"

#define REGION_GROUP "region" /* group of the metrics of regions */

extern const struct formula region_rate; /* its only input, in MB/s; cells show source "rmbm" */

struct region_source {
	struct source base;
	struct region_counters counters;
};

/*
 * Opens the counters, and reads them once. Returns 0 or a negative errno:
 * - ERROR_NO_UNIT: the machine has no such counters, or no region is known as DRAM or CXL memory,
 * - ERROR_FAILED: a firmware table is broken, or memory is short,
 * - ERROR_PERMISSION: the tables or the counters may not be read.
 * After an error nothing needs to be closed.
 */
int region_source_open(struct region_source *regions, struct platform *p,
		       const struct topology *topology, struct error *err);

#endif
