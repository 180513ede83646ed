/* SPDX-License-Identifier: BSD-3-Clause */
#include "acpi_table.h"

#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES 36

uint8_t *input_acpi_table(struct input *in, const char *signature, size_t *size)
{
	uint8_t *bytes;
	uint8_t sum = 0;

	*size = in->left;
	bytes = malloc(*size ? *size : 1);
	if (!bytes)
		abort();
	input_bytes(in, bytes, *size);
	if (*size < HEADER_BYTES || bytes[0] == 0xFF)
		return bytes;
	memcpy(bytes, signature, 4);
	for (unsigned i = 0; i < 4; i++)
		bytes[4 + i] = (uint8_t)(*size >> 8 * i);
	bytes[8] = 1;
	bytes[9] = 0;
	for (size_t i = 0; i < *size; i++)
		sum = (uint8_t)(sum + bytes[i]);
	bytes[9] = (uint8_t)-sum;
	return bytes;
}
