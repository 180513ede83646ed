/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/rdt/rdt_private.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LENGTH_OFFSET	4
#define REVISION_OFFSET 8
#define REVISION	1
#define ENTRY_HEADER	4 /* type and length */

int acpi_table_broken(struct error *err, const char *signature, size_t offset, const char *format,
		      ...)
{
	char what[256];
	va_list list;

	va_start(list, format);
	vsnprintf(what, sizeof(what), format, list);
	va_end(list);
	return error_set(err, ERROR_FAILED, -EBADMSG, "ACPI table %s is broken: offset %zu: %s",
			 signature, offset, what);
}

static uint8_t sum_of(const uint8_t *bytes, size_t length)
{
	uint8_t sum = 0;

	for (size_t i = 0; i < length; i++)
		sum = (uint8_t)(sum + bytes[i]);
	return sum;
}

int acpi_table_check(const uint8_t *bytes, size_t size, const char *signature, size_t least,
		     size_t *length, struct error *err)
{
	if (size < least)
		return acpi_table_broken(err, signature, size,
					 "the table ends here, expected %zu bytes or more", least);
	if (memcmp(bytes, signature, 4) != 0)
		return acpi_table_broken(err, signature, 0, "its signature is wrong");
	*length = acpi_u32(bytes + LENGTH_OFFSET);
	if (*length < least || *length > size)
		return acpi_table_broken(err, signature, LENGTH_OFFSET,
					 "its length is %zu, expected %zu to %zu", *length, least,
					 size);
	if (bytes[REVISION_OFFSET] != REVISION)
		return acpi_table_broken(err, signature, REVISION_OFFSET,
					 "its revision is %u, expected %u", bytes[REVISION_OFFSET],
					 REVISION);
	if (sum_of(bytes, *length))
		return acpi_table_broken(err, signature, REVISION_OFFSET + 1,
					 "the sum of its bytes is not 0");
	return 0;
}

int acpi_entry_length(const uint8_t *bytes, const char *signature, size_t offset, size_t end,
		      size_t least, struct error *err)
{
	if (end - offset < ENTRY_HEADER)
		return acpi_table_broken(err, signature, offset,
					 "%zu bytes are left, too few for an entry", end - offset);
	const size_t length = acpi_u16(bytes + offset + 2);
	if (length < ENTRY_HEADER || length < least)
		return acpi_table_broken(err, signature, offset + 2,
					 "the length of the entry is %zu, expected %zu or more",
					 length, least > ENTRY_HEADER ? least : ENTRY_HEADER);
	if (length > end - offset)
		return acpi_table_broken(err, signature, offset + 2,
					 "the length of the entry is %zu, but only %zu bytes are "
					 "left for it",
					 length, end - offset);
	return (int)length;
}
