/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/perf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void perf_pmu_free(struct perf_pmu *pmu)
{
	free(pmu->cpus);
	free(pmu->formats);
	free(pmu->aliases);
	*pmu = (struct perf_pmu){.type = 0};
}

void perf_pmus_free(struct perf_pmus *pmus)
{
	for (size_t i = 0; i < pmus->count; i++)
		perf_pmu_free(&pmus->items[i]);
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

const struct perf_alias *perf_find_alias(const struct perf_pmu *pmu, const char *name)
{
	for (size_t i = 0; i < pmu->alias_count; i++)
		if (!strcmp(pmu->aliases[i].name, name))
			return &pmu->aliases[i];
	return NULL;
}

const struct perf_format *perf_find_format(const struct perf_pmu *pmu, const char *name)
{
	for (size_t i = 0; i < pmu->format_count; i++)
		if (!strcmp(pmu->formats[i].name, name))
			return &pmu->formats[i];
	return NULL;
}

bool perf_parse_format(const char *text, struct perf_format *out)
{
	static const char *const words[PERF_CONFIG_WORDS] = {"config:", "config1:", "config2:"};
	char list[NUMLIST_SIZE];
	unsigned *bits, w = 0;
	size_t count;

	while (w < PERF_CONFIG_WORDS && strncmp(text, words[w], strlen(words[w])))
		w++;
	if (w == PERF_CONFIG_WORDS)
		return false;
	snprintf(list, sizeof(list), "%s", text + strlen(words[w]));
	const size_t length = strlen(list);
	if (length && list[length - 1] == '\n')
		list[length - 1] = '\0';
	if (numlist_read(list, 64, &bits, &count))
		return false;
	out->word = w;
	out->bits = 0;
	for (size_t i = 0; i < count; i++)
		out->bits |= UINT64_C(1) << bits[i];
	free(bits);
	return true;
}

int perf_set_field(const struct perf_pmu *pmu, const char *field, uint64_t value,
		   struct perf_event *event, struct error *err)
{
	const struct perf_format *format = perf_find_format(pmu, field);
	uint64_t left = value;

	if (!format)
		return error_set(err, ERROR_NO_UNIT, -ENOTSUP,
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
		return error_set(err, ERROR_NO_UNIT, -ERANGE,
				 "%s: this kernel's field '%s' does not take 0x%" PRIx64, pmu->name,
				 field, value);
	return 0;
}

uint64_t perf_get_field(const struct perf_pmu *pmu, const char *field,
			const uint64_t config[PERF_CONFIG_WORDS])
{
	const struct perf_format *format = perf_find_format(pmu, field);
	uint64_t value = 0;
	unsigned taken = 0;

	for (unsigned bit = 0; format && bit < 64; bit++)
		if (format->bits >> bit & 1)
			value |= (config[format->word] >> bit & 1) << taken++;
	return value;
}

/* Sets "config", "config1" or "config2", or else a field. */
static int set_term(const struct perf_pmu *pmu, const char *name, uint64_t value,
		    struct perf_event *event)
{
	static const char *const words[PERF_CONFIG_WORDS] = {"config", "config1", "config2"};
	struct error ignored;

	for (unsigned w = 0; w < PERF_CONFIG_WORDS; w++)
		if (!strcmp(name, words[w])) {
			event->config[w] = value;
			return 0;
		}
	return perf_set_field(pmu, name, value, event, &ignored);
}

/* Parses a term "gid=0x25" at *text, and moves *text to its end. A field without a value is 1. */
static int parse_term(const struct perf_pmu *pmu, const char **text, struct perf_event *event)
{
	const size_t length = strcspn(*text, "=,\n");
	char name[PERF_NAME_SIZE], *end;
	uint64_t value = 1;

	if (!length || length >= sizeof(name))
		return -EINVAL;
	memcpy(name, *text, length);
	name[length] = '\0';
	*text += length;
	if (**text == '=') {
		if ((*text)[1] < '0' || (*text)[1] > '9')
			return -EINVAL;
		errno = 0;
		value = strtoull(*text + 1, &end, 0);
		if (errno)
			return -EINVAL;
		*text = end;
	}
	return set_term(pmu, name, value, event);
}

int perf_parse_alias(const struct perf_pmu *pmu, const char *text, struct perf_alias *out)
{
	struct perf_event event = {.leader = -1};
	int rc = parse_term(pmu, &text, &event);

	while (!rc && *text == ',') {
		text++;
		rc = parse_term(pmu, &text, &event);
	}
	if (!rc && *text && strcmp(text, "\n"))
		rc = -EINVAL;
	if (!rc)
		memcpy(out->config, event.config, sizeof(out->config));
	return rc;
}

unsigned perf_parse_kernel(const char *release)
{
	unsigned major, minor;

	if (*release < '0' || *release > '9' || sscanf(release, "%3u.%3u", &major, &minor) != 2)
		return 0;
	return PERF_KERNEL(major, minor);
}
