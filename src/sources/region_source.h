/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes by region of memory, read and written by the L3 caches of a socket, to any memory. Nothing
 * is programmed or written.
 */
#ifndef CXLMON_SOURCES_REGION_SOURCE_H
#define CXLMON_SOURCES_REGION_SOURCE_H

#include "sources/source.h"
#include "uncore/rdt/region_counters.h"

#define REGION_GROUP "region"

extern const struct formula region_rate;

struct region_source {
	struct source base;
	struct region_counters counters;
};

/* Opens the counters as region_counters_open() does. */
int region_source_open(struct region_source *regions, struct platform *p,
		       const struct topology *topology, struct error *err);

#endif
