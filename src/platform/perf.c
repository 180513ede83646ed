/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/perf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void perf_pmus_free(struct perf_pmus *pmus)
{
	for (size_t i = 0; i < pmus->count; i++) {
		free(pmus->items[i].cpus);
		free(pmus->items[i].formats);
	}
	free(pmus->items);
	*pmus = (struct perf_pmus){0};
}

const struct perf_pmu *perf_find_pmu(const struct perf_pmus *pmus, const char *name)
{
	for (size_t i = 0; i < pmus->count; i++)
		if (!strcmp(pmus->items[i].name, name))
			return &pmus->items[i];
	return NULL;
}

const struct perf_format *perf_find_format(const struct perf_pmu *pmu, const char *name)
{
	for (size_t i = 0; i < pmu->format_count; i++)
		if (!strcmp(pmu->formats[i].name, name))
			return &pmu->formats[i];
	return NULL;
}

/* A bit number at *text, which is moved behind it. */
static bool parse_bit(const char **text, unsigned *out)
{
	char *end;
	const unsigned long bit = strtoul(*text, &end, 10);

	if (**text < '0' || **text > '9' || bit > 63)
		return false;
	*text = end;
	*out = (unsigned)bit;
	return true;
}

static bool parse_range(const char **text, uint64_t *bits)
{
	unsigned first, last;

	if (!parse_bit(text, &first))
		return false;
	last = first;
	if (**text == '-') {
		++*text;
		if (!parse_bit(text, &last))
			return false;
	}
	if (last < first)
		return false;
	*bits |= UINT64_MAX >> (63 - last) & UINT64_MAX << first;
	return true;
}

bool perf_parse_format(const char *text, struct perf_format *out)
{
	static const char *const words[PERF_CONFIG_WORDS] = {"config:", "config1:", "config2:"};

	for (unsigned w = 0; w < PERF_CONFIG_WORDS; w++) {
		const size_t length = strlen(words[w]);

		if (strncmp(text, words[w], length))
			continue;
		text += length;
		out->word = w;
		out->bits = 0;
		for (; parse_range(&text, &out->bits); text++)
			if (*text != ',')
				return !*text || !strcmp(text, "\n");
		return false;
	}
	return false;
}

int perf_set_field(const struct perf_pmu *pmu, const char *field, uint64_t value,
		   struct perf_event *event, struct error *err)
{
	const struct perf_format *format = perf_find_format(pmu, field);
	uint64_t left = value;

	if (!format)
		return error_set(err, EXIT_NO_UNIT, -ENOTSUP,
				 "%s: this kernel has no field '%s' (needed: 0x%" PRIx64 ")",
				 pmu->name, field, value);
	event->config[format->word] &= ~format->bits;
	for (unsigned bit = 0; bit < 64; bit++) {
		if (!(format->bits >> bit & 1))
			continue;
		event->config[format->word] |= (left & 1) << bit;
		left >>= 1;
	}
	if (left)
		return error_set(err, EXIT_NO_UNIT, -ERANGE,
				 "%s: this kernel's field '%s' does not take 0x%" PRIx64, pmu->name,
				 field, value);
	return 0;
}
