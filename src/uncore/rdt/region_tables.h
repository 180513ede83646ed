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
 * ERDT, the ACPI table of Intel RDT: for each L3 domain (the CPUs that share an L3 cache), the
 * place of its counters of bytes by region of memory, and the factors from counts to bytes.
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
/* Bits of a counter's register besides the count. */
#define ERDT_NOT_KNOWN (UINT64_C(1) << 63) /* the count is not available */
#define ERDT_OVERFLOW  (UINT64_C(1) << 62) /* the count has wrapped; reading clears this bit */

/* Bit of the control register: counters count all memory together, not by region. */
#define ERDT_CONTROL_TOTAL (UINT64_C(1) << 2)

/* An L3 domain. Bytes are count * factor / 2^16 * .up_scale; a factor of 0 is not applied. */
struct erdt_domain {
	uint16_t id;
	uint32_t max_rmid;  /* the last RMID, below ERDT_RMIDS */
	uint64_t control;   /* physical address of its control register */
	uint32_t *apic_ids; /* x2APIC ids of its CPUs */
	size_t apic_count;
	uint64_t base;		/* physical address of its counters; 0: it has none */
	uint64_t bytes;		/* size of the memory with its counters */
	unsigned counter_width; /* bits of a count, at most ERDT_COUNTER_BITS */
	uint64_t up_scale;
	uint32_t *factors;
	size_t factor_count; /* 0: no factor; 1: for all RMIDs; else one for each RMID */
};

struct erdt {
	struct erdt_domain *domains;
	size_t count;
};

/*
 * Parses the table. Returns 0; -EBADMSG (ERROR_FAILED): it is broken, and the message has the
 * offset; or -ENOMEM. *out is freed by erdt_free(), also after an error.
 */
int erdt_parse(const uint8_t *bytes, size_t size, struct erdt *out, struct error *err);
void erdt_free(struct erdt *erdt);

/*
 * Returns the bytes from erdt_domain.base to a counter. region is below ERDT_REGIONS, rmid below
 * ERDT_RMIDS.
 */
uint64_t erdt_counter_offset(unsigned rmid, unsigned region);

/* Returns the bytes from erdt_domain.base to the end of the counters of RMIDs 0 to max_rmid. */
uint64_t erdt_counters_size(uint32_t max_rmid);

/*
 * Returns the bytes that a counter of rmid has counted between two values of its register. It must
 * not have wrapped more than once. Ignores ERDT_NOT_KNOWN and ERDT_OVERFLOW, which the caller
 * checks.
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
	int local;  /* region that counts accesses from the range's own socket; or MRRM_NO_REGION */
	int remote; /* region that counts accesses from other sockets; or MRRM_NO_REGION */
};

struct mrrm {
	unsigned region_count; /* regions are numbered from 0 */
	struct mrrm_range *ranges;
	size_t count;
};

/*
 * Parses the table. Returns 0, or -EBADMSG and -ENOMEM as erdt_parse(). -ENOTSUP (ERROR_NO_UNIT):
 * the operating system assigns the regions, so that the table lacks them. *out is freed by
 * mrrm_free(), also after an error.
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
 * Reads both tables, and finds the kinds of regions. *out is freed by region_tables_free(), also
 * after an error:
 *   ERROR_NO_UNIT     firmware lacks a table, or the operating system assigns the regions
 *   ERROR_FAILED      a table is broken, the memory's kinds cannot be read, or memory is lacking
 *   ERROR_PERMISSION  tables may not be read
 */
int region_tables_read(struct platform *p, const struct topology *topology,
		       struct region_tables *out, struct error *err);
void region_tables_free(struct region_tables *tables);

/* Returns the kind of a region: "CXL", "remote CXL", "DRAM" or "remote DRAM"; NULL: unknown. */
const char *region_tables_name(const struct region_tables *tables, int region);

#endif
