/* SPDX-License-Identifier: BSD-3-Clause */
/* Contents of a machine's ACPI tables ERDT and MRRM, read without access to a counter. */
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
 * A counter belongs to a region (mrrm.c) and an RMID, by which the kernel tells control and
 * monitoring groups of resctrl apart; 0 is the RMID of all tasks outside of groups.
 *
 * Source: Intel Resource Director Technology Architecture Specification, 356688-002US; ACPICA's
 * actbl1.h; intel-cmt-cat.
 */

#define ERDT_SIGNATURE "ERDT"

#define ERDT_REGIONS	  4    /* the most regions with counters */
#define ERDT_RMIDS	  1024 /* the most RMIDs with counters */
#define ERDT_COUNTER_BITS 62   /* the most bits of a count */
#define ERDT_NOT_KNOWN	  (UINT64_C(1) << 63)
#define ERDT_OVERFLOW	  (UINT64_C(1) << 62) /* cleared by reading */

/* Bit of the control register: counts are of all memory, and counts by region mean nothing. */
#define ERDT_CONTROL_TOTAL (UINT64_C(1) << 2)

/* An L3 cache, and the CPUs that share it. */
struct erdt_domain {
	uint16_t id;
	uint32_t max_rmid;
	uint64_t control;   /* physical address of its control register */
	uint32_t *apic_ids; /* x2APIC ids of its CPUs */
	size_t apic_count;
	/* Counters of bytes; base 0: the domain has none. */
	uint64_t base; /* physical address */
	uint64_t bytes;
	unsigned counter_width;
	uint64_t up_scale;
	uint32_t *factors; /* none; one for all RMIDs; or one for each up to max_rmid */
	size_t factor_count;
};

struct erdt {
	struct erdt_domain *domains;
	size_t count;
};

/*
 * Parses the table. -EBADMSG: it is broken, and *err says where. Freed by erdt_free(), also after
 * failure.
 */
int erdt_parse(const uint8_t *bytes, size_t size, struct erdt *out, struct error *err);
void erdt_free(struct erdt *erdt);

/*
 * Returns the offset of a counter from .base. region is below ERDT_REGIONS, rmid below ERDT_RMIDS.
 */
uint64_t erdt_counter_offset(unsigned rmid, unsigned region);

/* Returns the bytes from .base to the end of the last counter of RMIDs 0 to max_rmid. */
uint64_t erdt_counters_size(uint32_t max_rmid);

/*
 * Returns the bytes that a counter of rmid has counted between two readings; it has wrapped at most
 * once.
 */
double erdt_bytes(const struct erdt_domain *domain, unsigned rmid, uint64_t before, uint64_t now);

/*
 * mrrm.c
 *
 * MRRM, the ACPI table of memory ranges: the addresses of the regions of memory that Intel RDT
 * counts.
 *
 * Source: Intel Resource Director Technology Architecture Specification, 356688-002US; ACPICA's
 * actbl2.h.
 */

#define MRRM_SIGNATURE "MRRM"

#define MRRM_NO_REGION (-1)

struct mrrm_range {
	uint64_t first, last; /* physical addresses, inclusive */
	/* regions that count accesses by its own socket, and by others; or MRRM_NO_REGION */
	int local, remote;
};

struct mrrm {
	unsigned region_count; /* regions are numbered from 0 */
	struct mrrm_range *ranges;
	size_t count;
};

/*
 * Parses the table. -EBADMSG: it is broken, and *err says where. -ENOTSUP: the system assigns the
 * regions, so the table does not tell them. Freed by mrrm_free(), also after failure.
 */
int mrrm_parse(const uint8_t *bytes, size_t size, struct mrrm *out, struct error *err);
void mrrm_free(struct mrrm *mrrm);

/* region_tables.c */

struct region_tables {
	struct erdt erdt;
	struct mrrm mrrm;
	enum memory_region kinds[ERDT_REGIONS]; /* by region */
};

/*
 * Reads both tables. -ENODEV, ERROR_NO_UNIT: firmware has no such table. ERROR_FAILED: a table is
 * broken. ERROR_PERMISSION. Freed by region_tables_free(), also after failure.
 */
int region_tables_read(struct platform *p, const struct topology *topology,
		       struct region_tables *out, struct error *err);
void region_tables_free(struct region_tables *tables);

/* Returns "CXL", "remote CXL", "DRAM" or "remote DRAM"; NULL: unknown. */
const char *region_tables_name(const struct region_tables *tables, int region);

#endif
