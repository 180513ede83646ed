/* SPDX-License-Identifier: BSD-3-Clause */
/* ACPI tables for tests, byte by byte. */
#ifndef CXLMON_TEST_ACPI_BYTES_H
#define CXLMON_TEST_ACPI_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct acpi_bytes {
	uint8_t bytes[8192];
	size_t size;
};

/* Sets a little-endian number at an existing offset. */
static inline void acpi_set(struct acpi_bytes *table, size_t offset, size_t width, uint64_t value)
{
	for (size_t i = 0; i < width; i++)
		table->bytes[offset + i] = (uint8_t)(value >> 8 * i);
}

/* Appends a little-endian number. */
static inline void acpi_put(struct acpi_bytes *table, size_t width, uint64_t value)
{
	table->size += width;
	acpi_set(table, table->size - width, width, value);
}

/* Begins a table: a header of revision 1. */
static inline void acpi_begin(struct acpi_bytes *table, const char *signature)
{
	memset(table, 0, sizeof(*table));
	memcpy(table->bytes, signature, 4);
	table->bytes[8] = 1;
	table->size = 36;
}

/* Sets the sum. */
static inline void acpi_seal(struct acpi_bytes *table)
{
	uint8_t sum = 0;

	table->bytes[9] = 0;
	for (size_t i = 0; i < table->size; i++)
		sum = (uint8_t)(sum + table->bytes[i]);
	table->bytes[9] = (uint8_t)-sum;
}

/* Sets the length and the sum. */
static inline void acpi_end(struct acpi_bytes *table)
{
	acpi_set(table, 4, 4, table->size);
	acpi_seal(table);
}

#endif
