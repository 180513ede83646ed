/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-regions: the place of a counter of bytes by region of memory, and its counted bytes, by
 * the functions of cxlmon that read it. tests/region-formulas compares them with its own.
 *
 * Each line of standard input has decimal numbers: RMID, region, width, bytes per count, factor
 * (of all RMIDs; 0: none), and the values of two readings. The answer is a line: the counter's
 * offset, and the bytes as a hexadecimal floating-point number, so that no bit is lost.
 */
#include <inttypes.h>
#include <stdio.h>

#include "uncore/rdt/region_tables.h"

int main(void)
{
	struct erdt_domain domain = {.max_rmid = ERDT_RMIDS - 1};
	uint64_t before, now;
	unsigned rmid, region;
	uint32_t factor;

	domain.factors = &factor;
	while (scanf("%u %u %u %" SCNu64 " %" SCNu32 " %" SCNu64 " %" SCNu64, &rmid, &region,
		     &domain.counter_width, &domain.up_scale, &factor, &before, &now) == 7) {
		domain.factor_count = factor != 0;
		printf("%" PRIu64 " %a\n", erdt_counter_offset(rmid, region),
		       erdt_bytes(&domain, rmid, before, now));
	}
	return !feof(stdin);
}
