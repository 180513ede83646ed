/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ACPI tables ERDT and MRRM of a machine say, without a look at a counter. */
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
 * ERDT, the ACPI table of Intel RDT: for each L3 domain, where its counters of bytes by region of
 * memory are, and how a count becomes bytes. They are in memory, and only read.
 *
 * A counter is of a region (mrrm.c) and of a RMID, by which the kernel tells groups of
 * tasks apart; 0 is that of all tasks that are in no group.
 *
 * Source: Intel Resource Director Technology Architecture Specification, 356688-002US; ACPICA's
 * actbl1.h; intel-cmt-cat.
 */

#define ERDT_SIGNATURE "ERDT"

#define ERDT_REGIONS	  4    /* that there can be counters of */
#define ERDT_RMIDS	  1024 /* likewise */
#define ERDT_COUNTER_BITS 62   /* of a count, at most */
#define ERDT_NOT_KNOWN	  (UINT64_C(1) << 63)
#define ERDT_OVERFLOW	  (UINT64_C(1) << 62) /* cleared by reading */

/* In the control register: counts are of all memory, and those by region mean nothing. */
#define ERDT_CONTROL_TOTAL (UINT64_C(1) << 2)

/* An L3 cache, and the CPUs that share it. */
struct erdt_domain {
	uint16_t id;
	uint32_t max_rmid;
	uint64_t control;   /* physical address of its control register */
	uint32_t *apic_ids; /* x2APIC, of its CPUs */
	size_t apic_count;
	/* Counters of bytes; base 0: the domain has none. */
	uint64_t base; /* physical address */
	uint64_t bytes;
	unsigned counter_width;
	uint64_t up_scale;
	uint32_t *factors; /* none; one of all RMIDs; or one of each up to max_rmid */
	size_t factor_count;
};

struct erdt {
	struct erdt_domain *domains;
	size_t count;
};

/* -EBADMSG: the table is broken, and *err says where. Freed by erdt_free(), also after failure. */
int erdt_parse(const uint8_t *bytes, size_t size, struct erdt *out, struct error *err);
void erdt_free(struct erdt *erdt);

/* Of a counter behind .base. region is below ERDT_REGIONS, rmid below ERDT_RMIDS. */
uint64_t erdt_counter_offset(unsigned rmid, unsigned region);

/* From .base to the end of the last counter of that many RMIDs and one. */
uint64_t erdt_counters_size(uint32_t max_rmid);

/* Bytes that a counter of rmid has counted between two readings; it has wrapped once at most. */
double erdt_bytes(const struct erdt_domain *domain, unsigned rmid, uint64_t before, uint64_t now);

/*
 * mrrm.c
 *
 * MRRM, the ACPI table of memory ranges: which addresses belong to which of the regions of memory
 * that Intel RDT counts.
 *
 * Source: Intel Resource Director Technology Architecture Specification, 356688-002US; ACPICA's
 * actbl2.h.
 */

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

/* region_tables.c */

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
