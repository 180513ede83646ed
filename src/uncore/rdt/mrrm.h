/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MRRM, the ACPI table of memory ranges: which addresses belong to which of the regions of memory
 * that Intel RDT counts.
 *
 * Source: Intel Resource Director Technology Architecture Specification, 356688-002US; ACPICA's
 * actbl2.h.
 */
#ifndef CXLMON_UNCORE_RDT_MRRM_H
#define CXLMON_UNCORE_RDT_MRRM_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define MRRM_SIGNATURE "MRRM"

#define MRRM_NO_REGION (-1)

struct mrrm_range {
	uint64_t first, last; /* physical addresses, inclusive */
	/* Where accesses of its own socket are counted, and where those of others; or
	 * MRRM_NO_REGION. */
	int local, remote;
};

struct mrrm {
	unsigned region_count; /* regions are numbered from 0 */
	struct mrrm_range *ranges;
	size_t count;
};

/*
 * -EBADMSG: the table is broken, and *err says where. -ENOTSUP: the system assigns the regions, so
 * the table doesn't say which. Freed by mrrm_free(), also after failure.
 */
int mrrm_parse(const uint8_t *bytes, size_t size, struct mrrm *out, struct error *err);
void mrrm_free(struct mrrm *mrrm);

#endif
