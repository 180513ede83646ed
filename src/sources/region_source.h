/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes that the L3 caches of a socket read and write, by region of memory (DRAM or CXL memory, of
 * any socket). Counters run already: the source writes no register.
 */
#ifndef CXLMON_SOURCES_REGION_SOURCE_H
#define CXLMON_SOURCES_REGION_SOURCE_H

#include "sources/source.h"
#include "uncore/rdt/region_counters.h"

#define REGION_GROUP "region" /* metric group of these metrics */

extern const struct formula region_rate; /* MB/s, source "rmbm" */

struct region_source {
	struct source base;
	struct region_counters counters;
};

/*
 * Opens the counters, and reads them once. ERROR_NO_UNIT: the machine has none, or no region is
 * known to be DRAM or CXL memory. ERROR_FAILED: a firmware table is broken, or memory is short.
 * ERROR_PERMISSION. Frees all after an error.
 */
int region_source_open(struct region_source *regions, struct platform *p,
		       const struct topology *topology, struct error *err);

#endif
