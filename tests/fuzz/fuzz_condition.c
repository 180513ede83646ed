/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes of --fail-if. An accepted one names a metric, a statistic and a finite limit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "show/compare/comparison.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	char *text = input_text(&in);
	struct condition condition;
	struct error err = {0};
	const int rc = condition_parse(text, &condition, &err);

	if (rc) {
		fuzz_check_usage(rc, &err);
	} else {
		const size_t length = strlen(condition.name);

		fuzz_require(length && length < sizeof(condition.name));
		fuzz_require(!strncmp(text, condition.name, length) && text[length] == '.');
		fuzz_require(condition.statistic < STATISTICS && isfinite(condition.limit));
	}
	free(text);
	return 0;
}
