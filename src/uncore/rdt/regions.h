/* SPDX-License-Identifier: BSD-3-Clause */
/* Which kind of memory the regions of MRRM are: DRAM, or CXL memory. */
#ifndef CXLMON_UNCORE_RDT_REGIONS_H
#define CXLMON_UNCORE_RDT_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/rdt.h"
#include "uncore/rdt/erdt.h"
#include "uncore/rdt/mrrm.h"

struct log;
struct topology;

/* Physical memory of one kind. */
struct memory_piece {
	uint64_t first, last; /* inclusive */
	bool is_cxl;
};

/*
 * What the kernel knows of physical memory: a NUMA node is CXL memory if it has no CPU, and a CXL
 * device or a CXL region is of it; and so are the addresses of CXL regions. *out is freed by the
 * caller.
 */
int memory_pieces(struct platform *p, const struct topology *topology, struct memory_piece **out,
		  size_t *count, struct error *err);

/*
 * What each region counts. REGION_NONE: none of that is known, or it is of both kinds of memory, or
 * of accesses from both its own socket and others; these two are said in the log.
 */
void regions_find(const struct mrrm *mrrm, const struct memory_piece *pieces, size_t count,
		  const struct log *log, enum memory_region out[ERDT_REGIONS]);

#endif
