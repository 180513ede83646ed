/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats that a scraper accepts. A header without OpenMetrics is never answered with it. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "show/http/http_private.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	char *text = input_text(&in);
	const enum exposition chosen = http_negotiate(text);

	fuzz_require(chosen == EXPOSITION_OPENMETRICS || chosen == EXPOSITION_PROMETHEUS);
	fuzz_require(chosen == EXPOSITION_PROMETHEUS ||
		     strcasestr(text, "application/openmetrics-text"));
	free(text);
	return 0;
}
