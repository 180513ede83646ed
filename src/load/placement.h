/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of one NUMA node. */
#ifndef CXLMON_LOAD_PLACEMENT_H
#define CXLMON_LOAD_PLACEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "platform/error.h"

struct placement {
	char *base;   /* aligned to a huge page */
	size_t bytes; /* a multiple of huge pages */
	void *map;    /* as mmap() returned it */
	size_t map_bytes;
};

#define PLACEMENT_HUGE_PAGE (UINT64_C(2) << 20) /* as x86-64 has it */

/* As load_memory_for(). */
int placement_size(int node, uint64_t *bytes, struct error *err);

/*
 * Reserves memory that comes from the node and from nowhere else, in huge pages where the kernel
 * gives them. Not a page is there yet. EXIT_FAILED: there is no such node, or less is free.
 */
int placement_reserve(struct placement *placement, int node, uint64_t bytes, struct error *err);

/* After it was written to: asks the kernel where each page lies. EXIT_FAILED: on another node. */
int placement_verify(const struct placement *placement, int node, struct error *err);

void placement_free(struct placement *placement);

#endif
