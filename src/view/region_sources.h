/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes by region of memory, for cells of metrics that have a region: those that the L3 caches of a
 * socket read and write, whose memory it ever is. Nothing is programmed or written.
 */
#ifndef CXLMON_VIEW_REGION_SOURCES_H
#define CXLMON_VIEW_REGION_SOURCES_H

#include "platform/rdt.h"
#include "uncore/rdt/region_counters.h"

struct formula;
struct inputs;

#define REGION_GROUP "region"

extern const struct formula region_rate;

/* What a cell is of: an L3 domain; SIZE_MAX: a socket; -1: those of a number list, or all (NULL).
 */
struct region_cell {
	enum memory_region region;
	size_t domain;
	int socket;
	const char *sockets;
};

/* False: it is not known, and *out stays as it is. */
bool region_sources_inputs(const struct region_counters *counters, const struct region_cell *cell,
			   struct inputs *out);

#endif
