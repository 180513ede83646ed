/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-tsc: prints the frequency of this machine's TSC in kHz; an emulated machine has the same.
 * A guest whose host is busy measures it wrongly, and then has a wrong clock.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <x86intrin.h>

#include "linux/kernel/clock.h"

#define READINGS 1000 /* readings, of which the quickest one is exact */
/* an error of a tenth of a microsecond at each end is one part in a million */
#define APART_NS 100000000

struct reading {
	uint64_t tsc, ns;
};

static struct reading read_both(void)
{
	struct reading best = {0};
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < READINGS; i++) {
		const uint64_t before = __rdtsc(), ns = clock_monotonic(), after = __rdtsc();

		if (after - before >= least)
			continue;
		least = after - before;
		best = (struct reading){before + least / 2, ns};
	}
	return best;
}

int main(void)
{
	const struct reading from = read_both();

	clock_sleep_until(from.ns + APART_NS, NULL, NULL);
	const struct reading to = read_both();
	printf("%.0f\n", (double)(to.tsc - from.tsc) / (double)(to.ns - from.ns) * 1e6);
	return 0;
}
