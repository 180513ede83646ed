/* SPDX-License-Identifier: BSD-3-Clause */
/* ERDT. An accepted table has counters within its memory, and factors for each RMID. */
#include <stdlib.h>
#include <string.h>

#include "acpi_table.h"
#include "fuzz.h"
#include "uncore/rdt/region_tables.h"

static void check_domain(const struct erdt_domain *d)
{
	if (!d->base)
		return;
	for (unsigned rmid = 0; rmid <= d->max_rmid; rmid++) {
		fuzz_require(erdt_counter_offset(rmid, ERDT_REGIONS - 1) < d->bytes);
		fuzz_require(erdt_bytes(d, rmid, 1, 1) == 0 && erdt_bytes(d, rmid, 1, 0) >= 0);
	}
	fuzz_require(d->base <= UINT64_MAX - d->bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	struct error err = {0};
	struct erdt erdt;
	size_t length;
	uint8_t *bytes = input_acpi_table(&in, ERDT_SIGNATURE, &length);
	const int rc = erdt_parse(bytes, length, &erdt, &err);

	if (rc)
		fuzz_check_error(rc, &err);
	for (size_t i = 0; !rc && i < erdt.count; i++)
		check_domain(&erdt.domains[i]);
	erdt_free(&erdt);
	free(bytes);
	return 0;
}
