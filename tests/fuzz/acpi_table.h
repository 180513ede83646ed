/* SPDX-License-Identifier: BSD-3-Clause */
/* Input bytes as a table of ACPI. */
#ifndef CXLMON_FUZZ_ACPI_TABLE_H
#define CXLMON_FUZZ_ACPI_TABLE_H

#include "fuzz.h"

/*
 * All that is left, and no byte longer. Where there is room for a header, it has this signature,
 * revision 1, and its true length and sum, so that the fuzzer sees what is behind it; unless the
 * first byte says otherwise. Freed by free().
 */
uint8_t *input_acpi_table(struct input *in, const char *signature, size_t *size);

#endif
