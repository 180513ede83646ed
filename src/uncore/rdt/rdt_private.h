/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that the files of this folder share. */
#ifndef CXLMON_UNCORE_RDT_RDT_PRIVATE_H
#define CXLMON_UNCORE_RDT_RDT_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "platform/rdt.h"
#include "uncore/rdt/region_tables.h"

/*
 * acpi_table.c
 *
 * The common format of ACPI tables: a header of 36 bytes, and numbers in little-endian order that
 * need not be aligned.
 *
 * Source: ACPI 6.5, 5.2.6 "System Description Table Header".
 */

#define ACPI_HEADER_BYTES 36

static inline uint16_t acpi_u16(const uint8_t *at)
{
	return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t acpi_u32(const uint8_t *at)
{
	return acpi_u16(at) | (uint32_t)acpi_u16(at + 2) << 16;
}

static inline uint64_t acpi_u64(const uint8_t *at)
{
	return acpi_u32(at) | (uint64_t)acpi_u32(at + 4) << 32;
}

/*
 * Checks a table in size bytes, and sets *length to the length in its header. The signature
 * ("ERDT") must be the given one, the length from least to size, the revision 1, and the sum of its
 * bytes 0. least is at least ACPI_HEADER_BYTES. Returns 0 or acpi_table_broken().
 */
int acpi_table_check(const uint8_t *bytes, size_t size, const char *signature, size_t least,
		     size_t *length, struct error *err);

/*
 * Returns -EBADMSG, and sets *err to ERROR_FAILED with "ACPI table ERDT is broken: offset 36: " and
 * the formatted text.
 */
__attribute__((format(printf, 4, 5))) int acpi_table_broken(struct error *err,
							    const char *signature, size_t offset,
							    const char *format, ...);

/*
 * Returns the length in bytes of the entry at offset, which begins with its type and its length, 2
 * bytes each. Returns acpi_table_broken() if the entry is shorter than least, or ends after the
 * offset end.
 */
int acpi_entry_length(const uint8_t *bytes, const char *signature, size_t offset, size_t end,
		      size_t least, struct error *err);

/*
 * regions.c
 *
 * Finds the kind of memory, DRAM or CXL memory, of each region of Intel RDT.
 */

struct log;
struct topology;

/* Physical memory of one kind. */
struct memory_piece {
	uint64_t first, last; /* inclusive */
	bool is_cxl;
};

/*
 * Lists the physical memory of known kind. CXL regions are CXL memory. A range of the kernel's map
 * with a known NUMA node is CXL memory if the node has no online CPU, and is the node of a CXL
 * device or region; otherwise it is DRAM. Returns 0 or the error of reading these. The caller frees
 * *out, which is NULL after an error.
 */
int memory_pieces(struct platform *p, const struct topology *topology, struct memory_piece **out,
		  size_t *count, struct error *err);

/*
 * Sets out[region] to the kind of each region. It is REGION_NONE if
 *   the kind of its memory is unknown
 *   it has both kinds of memory; logs a warning
 *   it counts accesses from the memory's own socket and also from others; logs a warning
 */
void regions_find(const struct mrrm *mrrm, const struct memory_piece *pieces, size_t count,
		  const struct log *log, enum memory_region out[ERDT_REGIONS]);

#endif
