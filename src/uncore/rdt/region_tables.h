/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine's ACPI tables ERDT and MRRM, which describe the counters of bytes by region of memory.
 * No counter is accessed here.
 */
#ifndef CXLMON_UNCORE_RDT_REGION_TABLES_H
#define CXLMON_UNCORE_RDT_REGION_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "platform/rdt.h"

/*
 * erdt.c
 *
 * ERDT, the ACPI table of Intel RDT: for each L3 domain, the place of its counters of bytes by
 * region of memory, and the factors from counts to bytes. The counters are in memory, and only
 * read.
 *
 * A counter belongs to a region (mrrm.c) and an RMID, the number by which the processor tells
 * control and monitoring groups of resctrl apart. All tasks outside of groups have RMID 0.
 *
 * Source: Intel Resource Director Technology Architecture Specification, 356688-002US; ACPICA's
 * actbl1.h; intel-cmt-cat.
 */

#define ERDT_SIGNATURE "ERDT"

#define ERDT_REGIONS	  4    /* the most regions with counters */
#define ERDT_RMIDS	  1024 /* the most RMIDs with counters */
#define ERDT_COUNTER_BITS 62   /* the most bits of a count */
/* Bits of a counter's value. */
#define ERDT_NOT_KNOWN (UINT64_C(1) << 63) /* the count is not available */
#define ERDT_OVERFLOW  (UINT64_C(1) << 62) /* the count has wrapped; reading clears this bit */

/* Bit of the control register: counts are of all memory, and counts by region mean nothing. */
#define ERDT_CONTROL_TOTAL (UINT64_C(1) << 2)

/* An L3 cache, and the CPUs that share it. */
struct erdt_domain {
	uint16_t id;
	uint32_t max_rmid;  /* the last RMID, below ERDT_RMIDS */
	uint64_t control;   /* physical address of its control register */
	uint32_t *apic_ids; /* x2APIC ids of its CPUs */
	size_t apic_count;
	uint64_t base;		/* physical address of its counters; 0: it has none */
	uint64_t bytes;		/* size of their memory */
	unsigned counter_width; /* bits of a count, at most ERDT_COUNTER_BITS */
	uint64_t up_scale;	/* bytes per count, after its factor has been applied */
	uint32_t *factors;	/* factors of counts, in 1 / 2^16; 0 leaves a count unchanged */
	size_t factor_count;	/* 0, 1 (for all RMIDs), or one for each RMID */
};

struct erdt {
	struct erdt_domain *domains;
	size_t count;
};

/*
 * Parses the table. -EBADMSG (ERROR_FAILED): it is broken; the message has the offset. Freed by
 * erdt_free(), also after failure.
 */
int erdt_parse(const uint8_t *bytes, size_t size, struct erdt *out, struct error *err);
void erdt_free(struct erdt *erdt);

/*
 * Returns the offset of a counter from .base in bytes. region is below ERDT_REGIONS, rmid below
 * ERDT_RMIDS.
 */
uint64_t erdt_counter_offset(unsigned rmid, unsigned region);

/* Returns the bytes from .base to the end of the last counter of RMIDs 0 to max_rmid. */
uint64_t erdt_counters_size(uint32_t max_rmid);

/*
 * Returns the bytes that a counter of rmid has counted between two values of its register, if it
 * has wrapped at most once. The caller checks ERDT_NOT_KNOWN and ERDT_OVERFLOW, which are ignored.
 */
double erdt_bytes(const struct erdt_domain *domain, unsigned rmid, uint64_t before, uint64_t now);

/*
 * mrrm.c
 *
 * MRRM, the ACPI table of memory ranges: the addresses of each region of memory that Intel RDT
 * counts.
 *
 * Source: Intel Resource Director Technology Architecture Specification, 356688-002US; ACPICA's
 * actbl2.h.
 */

#define MRRM_SIGNATURE "MRRM"

#define MRRM_NO_REGION (-1)

struct mrrm_range {
	uint64_t first, last; /* physical addresses, inclusive */
	/* regions that count accesses from its own socket, and from others; or MRRM_NO_REGION */
	int local, remote;
};

struct mrrm {
	unsigned region_count; /* regions are numbered from 0 */
	struct mrrm_range *ranges;
	size_t count;
};

/*
 * Parses the table. -EBADMSG (ERROR_FAILED): it is broken; the message has the offset. -ENOTSUP
 * (ERROR_NO_UNIT): the operating system assigns the regions, and the table lacks them. Freed by
 * mrrm_free(), also after failure.
 */
int mrrm_parse(const uint8_t *bytes, size_t size, struct mrrm *out, struct error *err);
void mrrm_free(struct mrrm *mrrm);

/* region_tables.c */

struct region_tables {
	struct erdt erdt;
	struct mrrm mrrm;
	enum memory_region kinds[ERDT_REGIONS]; /* by region: see regions_find(), rdt_private.h */
};

/*
 * Reads both tables. ERROR_NO_UNIT: firmware has no such table, or the operating system assigns the
 * regions. ERROR_FAILED: a table is broken. ERROR_PERMISSION: tables may not be read. Freed by
 * region_tables_free(), also after failure.
 */
int region_tables_read(struct platform *p, const struct topology *topology,
		       struct region_tables *out, struct error *err);
void region_tables_free(struct region_tables *tables);

/* Returns a region's accesses: "CXL", "remote CXL", "DRAM" or "remote DRAM"; NULL: unknown. */
const char *region_tables_name(const struct region_tables *tables, int region);

#endif
