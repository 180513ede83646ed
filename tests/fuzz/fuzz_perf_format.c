/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats of a PMU's fields. A value in a field can be read back, and all else is unchanged. */
#include <errno.h>
#include <stdlib.h>

#include "fuzz.h"
#include "platform/perf.h"

/* Returns the field's bits of a word, as one number. */
static uint64_t gather(uint64_t word, uint64_t bits)
{
	uint64_t value = 0;

	for (unsigned bit = 64; bit-- > 0;)
		if (bits >> bit & 1)
			value = value << 1 | (word >> bit & 1);
	return value;
}

static void check_field(struct perf_format *format, uint64_t value, uint64_t before)
{
	const struct perf_pmu pmu = {.name = "pmu", .formats = format, .format_count = 1};
	struct perf_event event = {.config = {before, before, before}};
	struct error err = {0};
	const int rc = perf_set_field(&pmu, format->name, value, &event, &err);
	const uint64_t field = gather(UINT64_MAX, format->bits);

	fuzz_require(rc == (value & ~field ? -ERANGE : 0));
	fuzz_require(gather(event.config[format->word], format->bits) == (value & field));
	for (unsigned w = 0; w < PERF_CONFIG_WORDS; w++)
		fuzz_require(!((event.config[w] ^ before) &
			       (w == format->word ? ~format->bits : UINT64_MAX)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	struct perf_format format = {.name = "field"};
	uint64_t value, before;

	input_bytes(&in, &value, sizeof(value));
	input_bytes(&in, &before, sizeof(before));
	char *text = input_text(&in);
	if (perf_parse_format(text, &format)) {
		fuzz_require(format.bits && format.word < PERF_CONFIG_WORDS);
		check_field(&format, value, before);
	}
	free(text);
	return 0;
}
