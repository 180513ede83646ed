/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that the files of this folder share:
 *
 *   acpi_table.c  checks that all ACPI tables need
 *   regions.c     the memory of each region
 */
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
 * Checks the header of a table of revision 1, whose own fields end at byte least: its length, its
 * sum, and its signature ("ERDT"). Sets *length to the table's, at most size.
 */
int acpi_table_check(const uint8_t *bytes, size_t size, const char *signature, size_t least,
		     size_t *length, struct error *err);

/*
 * Makes an ERROR_FAILED with "ERDT: offset 36: " and the fault there. Returns -EBADMSG.
 */
__attribute__((format(printf, 4, 5))) int acpi_table_broken(struct error *err,
							    const char *signature, size_t offset,
							    const char *format, ...);

/*
 * Returns the length of the entry at offset, which begins with its type and its length, 2 bytes
 * each. An entry may not be shorter than least bytes, nor end after end. A negative errno: it is
 * broken.
 */
int acpi_entry_length(const uint8_t *bytes, const char *signature, size_t offset, size_t end,
		      size_t least, struct error *err);

/*
 * regions.c
 *
 * The kind of memory of MRRM's regions: DRAM, or CXL memory.
 */

struct log;
struct topology;

/* Physical memory of one kind. */
struct memory_piece {
	uint64_t first, last; /* inclusive */
	bool is_cxl;
};

/*
 * Lists physical memory that the kernel knows. A NUMA node is CXL memory if it has no CPU, and is
 * the node of a CXL device or a CXL region; the addresses of CXL regions also are. *out is freed by
 * the caller.
 */
int memory_pieces(struct platform *p, const struct topology *topology, struct memory_piece **out,
		  size_t *count, struct error *err);

/*
 * Finds the memory that each region counts. REGION_NONE: it is unknown, or the region counts both
 * kinds of memory, or accesses from both its own socket and others; the latter two are logged.
 */
void regions_find(const struct mrrm *mrrm, const struct memory_piece *pieces, size_t count,
		  const struct log *log, enum memory_region out[ERDT_REGIONS]);

#endif
