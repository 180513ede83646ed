/* SPDX-License-Identifier: BSD-3-Clause */
/* MRRM. Ranges of an accepted table do not overlap, and name existing regions. */
#include <stdlib.h>

#include "acpi_table.h"
#include "fuzz.h"
#include "uncore/rdt/region_tables.h"

static void check_range(const struct mrrm *mrrm, size_t i)
{
	const struct mrrm_range *range = &mrrm->ranges[i];

	fuzz_require(range->first <= range->last);
	fuzz_require(range->local >= MRRM_NO_REGION && range->remote >= MRRM_NO_REGION);
	fuzz_require(range->local < (int)mrrm->region_count);
	fuzz_require(range->remote < (int)mrrm->region_count);
	for (size_t j = 0; j < i; j++)
		fuzz_require(range->last < mrrm->ranges[j].first ||
			     mrrm->ranges[j].last < range->first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	struct error err = {0};
	struct mrrm mrrm;
	size_t length;
	uint8_t *bytes = input_acpi_table(&in, MRRM_SIGNATURE, &length);
	const int rc = mrrm_parse(bytes, length, &mrrm, &err);

	if (rc)
		fuzz_check_error(rc, &err);
	for (size_t i = 0; !rc && i < mrrm.count; i++)
		check_range(&mrrm, i);
	mrrm_free(&mrrm);
	free(bytes);
	return 0;
}
