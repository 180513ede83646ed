/* SPDX-License-Identifier: BSD-3-Clause */
/* Intervals. An accepted one is within the bounds, and unchanged when it is printed and read. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/times.h"
#include "fuzz.h"

#define LEAST UINT64_C(100000)		  /* 100 us */
#define MOST  UINT64_C(31536000000000000) /* a year */
#define EXACT (UINT64_C(1) << 51)	  /* up to here a double holds halves of ns */
#define S     UINT64_C(1000000000)	  /* ns */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	char *text = input_text(&in), again[64];
	struct error err = {0};
	uint64_t ns = 0, same = 0;
	int rc = interval_parse(text, &ns, &err);

	if (rc) {
		fuzz_check_usage(rc, &err);
	} else {
		fuzz_require(ns >= LEAST && ns <= MOST);
		snprintf(again, sizeof(again), "%" PRIu64 ".%09" PRIu64, ns / S, ns % S);
		fuzz_require(!interval_parse(again, &same, NULL));
		fuzz_require(ns > EXACT || same == ns);
	}
	free(text);
	return 0;
}
