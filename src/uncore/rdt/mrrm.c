/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/rdt/region_tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "uncore/rdt/rdt_private.h"

#define COUNT_OFFSET   36
#define FLAGS_OFFSET   37
#define ENTRIES_OFFSET 64
#define ASSIGNED_BY_OS 1U /* in the table's flags */

#define TYPE_RANGE	0
#define ENTRY_BYTES	32
#define ENTRY_BASE	8
#define ENTRY_LENGTH	16
#define ENTRY_FLAGS	24
#define ENTRY_LOCAL	26
#define ENTRY_REMOTE	27
#define LOCAL_IS_VALID	1U
#define REMOTE_IS_VALID 2U

static int region_of(const struct mrrm *out, const uint8_t *bytes, size_t offset, bool valid,
		     int *region, struct error *err)
{
	*region = valid ? bytes[offset] : MRRM_NO_REGION;
	return *region < (int)out->region_count
		       ? 0
		       : acpi_table_broken(err, MRRM_SIGNATURE, offset,
					   "region %d, but the table has %u", *region,
					   out->region_count);
}

static int check_overlap(const struct mrrm *out, const struct mrrm_range *range, size_t offset,
			 struct error *err)
{
	for (size_t i = 0; i < out->count; i++)
		if (range->first <= out->ranges[i].last && out->ranges[i].first <= range->last)
			return acpi_table_broken(err, MRRM_SIGNATURE, offset + ENTRY_BASE,
						 "the range 0x%" PRIx64 " to 0x%" PRIx64
						 " overlaps an earlier one",
						 range->first, range->last);
	return 0;
}

static int add_range(struct mrrm *out, const uint8_t *bytes, size_t offset, struct error *err)
{
	const uint64_t base = acpi_u64(bytes + offset + ENTRY_BASE);
	const uint64_t length = acpi_u64(bytes + offset + ENTRY_LENGTH);
	const unsigned flags = acpi_u16(bytes + offset + ENTRY_FLAGS);
	struct mrrm_range range = {.first = base, .last = base + length - 1};

	if (!length || range.last < base)
		return acpi_table_broken(err, MRRM_SIGNATURE, offset + ENTRY_LENGTH,
					 "a range of 0x%" PRIx64 " bytes at 0x%" PRIx64, length,
					 base);
	int rc = region_of(out, bytes, offset + ENTRY_LOCAL, flags & LOCAL_IS_VALID, &range.local,
			   err);
	if (!rc)
		rc = region_of(out, bytes, offset + ENTRY_REMOTE, flags & REMOTE_IS_VALID,
			       &range.remote, err);
	if (!rc)
		rc = check_overlap(out, &range, offset, err);
	if (!rc)
		out->ranges[out->count++] = range;
	return rc;
}

int mrrm_parse(const uint8_t *bytes, size_t size, struct mrrm *out, struct error *err)
{
	size_t end = 0;

	*out = (struct mrrm){.count = 0};
	const int rc = acpi_table_check(bytes, size, MRRM_SIGNATURE, ENTRIES_OFFSET, &end, err);
	if (rc)
		return rc;
	if (bytes[FLAGS_OFFSET] & ASSIGNED_BY_OS)
		return error_set(err, ERROR_NO_UNIT, -ENOTSUP,
				 "ACPI table " MRRM_SIGNATURE ": offset %d: the operating system "
				 "assigns regions of memory, so the table does not have them",
				 FLAGS_OFFSET);
	out->region_count = bytes[COUNT_OFFSET];
	out->ranges = calloc((end - ENTRIES_OFFSET) / ENTRY_BYTES + 1, sizeof(*out->ranges));
	if (!out->ranges)
		return error_no_memory(err);
	for (size_t at = ENTRIES_OFFSET; at < end;) {
		const bool is_range = end - at >= 2 && acpi_u16(bytes + at) == TYPE_RANGE;
		const int length = acpi_entry_length(bytes, MRRM_SIGNATURE, at, end,
						     is_range ? ENTRY_BYTES : 0, err);
		const int added = length > 0 && is_range ? add_range(out, bytes, at, err) : 0;

		if (length < 0 || added)
			return length < 0 ? length : added;
		at += (size_t)length;
	}
	return 0;
}

void mrrm_free(struct mrrm *mrrm)
{
	free(mrrm->ranges);
	*mrrm = (struct mrrm){.count = 0};
}
