/* SPDX-License-Identifier: BSD-3-Clause */
/* Input bytes as a table of ACPI. */
#ifndef CXLMON_FUZZ_ACPI_TABLE_H
#define CXLMON_FUZZ_ACPI_TABLE_H

#include "fuzz.h"

/*
 * Returns the rest of the input as a table of the same length, which the caller frees by free().
 * Unless the first byte prevents it, or there is no room, the table gets a header with this
 * signature, revision 1, and its true length and sum, so that the fuzzer reaches the contents.
 */
uint8_t *input_acpi_table(struct input *in, const char *signature, size_t *size);

#endif
