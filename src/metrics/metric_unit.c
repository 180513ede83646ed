/* SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metric_unit.h"

#include <stdio.h>
#include <string.h>

#include "platform/text.h"

/* An end stands behind any longer one that ends with it. */
static const struct metric_unit units[] = {
	{"MB/s", "_MBps", {1, -1}, 6, 3, "bytes_per_second", true},
	{"GB/s", "_GBps", {1, -1}, 9, 3, "bytes_per_second", true},
	{"1/s", "_per_s", {0, -1}, 0, 3, "per_second", false},
	{"MHz", "_MHz", {0, -1}, 6, 1, "hertz", true},
	{"GHz", "_GHz", {0, -1}, 9, 3, "hertz", true},
	{"ns", "_ns", {0, 1}, -9, 1, "seconds", true},
	{"us", "_us", {0, 1}, -6, 3, "seconds", true},
	{"ms", "_ms", {0, 1}, -3, 3, "seconds", true},
	{"s", "_s", {0, 1}, 0, 3, "seconds", true},
	{"%", "_pct", {0, 0}, -2, 3, "ratio", true},
	{"ratio", "_ratio", {0, 0}, 0, 3, "ratio", true},
	{"clocks", "_clocks", {0, 0}, 0, 1, "clocks", false},
	{"bytes", "_bytes", {1, 0}, 0, 1, "bytes", true},
	{"MB", "_MB", {1, 0}, 6, 3, "bytes", true},
	{"GB", "_GB", {1, 0}, 9, 3, "bytes", true},
};

static const struct number_unit number_units[] = {
	{"bytes", {1, 0}, 0, 1},  {"byte", {1, 0}, 0, 1},      {"B", {1, 0}, 0, 1},
	{"kB", {1, 0}, 3, 1},	  {"MB", {1, 0}, 6, 1},	       {"GB", {1, 0}, 9, 1},
	{"KiB", {1, 0}, 0, 1024}, {"MiB", {1, 0}, 0, 1 << 20}, {"GiB", {1, 0}, 0, 1 << 30},
	{"s", {0, 1}, 0, 1},	  {"ms", {0, 1}, -3, 1},       {"us", {0, 1}, -6, 1},
	{"ns", {0, 1}, -9, 1},	  {"Hz", {0, -1}, 0, 1},       {"kHz", {0, -1}, 3, 1},
	{"MHz", {0, -1}, 6, 1},	  {"GHz", {0, -1}, 9, 1},
};

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

const struct metric_unit *metric_unit_named(const char *name)
{
	for (size_t i = 0; i < COUNT_OF(units); i++)
		if (!strcmp(units[i].name, name))
			return &units[i];
	return NULL;
}

const struct metric_unit *metric_unit_of(const char *metric_name)
{
	const size_t length = strlen(metric_name);

	for (size_t i = 0; i < COUNT_OF(units); i++) {
		const size_t end = strlen(units[i].end);

		if (length > end && !strcmp(metric_name + length - end, units[i].end))
			return &units[i];
	}
	return NULL;
}

const struct number_unit *number_unit_find(const char *name, size_t length)
{
	for (size_t i = 0; i < COUNT_OF(number_units); i++)
		if (strlen(number_units[i].name) == length &&
		    !strncmp(number_units[i].name, name, length))
			return &number_units[i];
	return NULL;
}

void metric_unit_names(char *text, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0; i < COUNT_OF(units); i++)
		text_list(text, size, "%s", units[i].name);
}

bool dimension_equal(struct dimension a, struct dimension b)
{
	return a.bytes == b.bytes && a.seconds == b.seconds;
}

/* " bytes^2" */
static void put_power(char *text, const char *before, const char *name, int power)
{
	text_append(text, DIMENSION_TEXT_SIZE, power == 1 ? "%s%s" : "%s%s^%d", before, name,
		    power);
}

const char *dimension_text(struct dimension d, char text[DIMENSION_TEXT_SIZE])
{
	if (!d.bytes && !d.seconds)
		return "a plain number";
	strcpy(text, d.bytes > 0 || d.seconds > 0 ? "" : "1");
	if (d.bytes > 0)
		put_power(text, "", "bytes", d.bytes);
	if (d.seconds > 0)
		put_power(text, *text ? " " : "", "s", d.seconds);
	if (d.bytes < 0)
		put_power(text, "/", "bytes", -d.bytes);
	if (d.seconds < 0)
		put_power(text, "/", "s", -d.seconds);
	return text;
}
