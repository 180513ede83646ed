/* SPDX-License-Identifier: BSD-3-Clause */
/* Names, values and times as text. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "formula/custom_metric.h"
#include "output/fields.h"
#include "show/screen/screen_draw.h"
#include "table/spell.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

__attribute__((format(printf, 1, 2))) static struct scaled_text text(const char *format, ...)
{
	struct scaled_text t;
	va_list args;

	va_start(args, format);
	vsnprintf(t.text, sizeof(t.text), format, args);
	va_end(args);
	return t;
}

/*
 * Returns the decimals for a number of significant digits, at most four, after rounding: 9.9995 is
 * 10.00.
 */
static int decimals_for(double number, int digits)
{
	static const double tens[] = {1, 10, 100, 1000};

	for (int decimals = digits - 1; decimals > 0; decimals--)
		if (number < tens[digits - decimals] - 0.5 / tens[decimals])
			return decimals;
	return 0;
}

static int decimals_of_number(double number)
{
	return decimals_for(number, 4);
}

static struct scaled_text bandwidth_text(double MBps, double like, bool binary, int digits)
{
	static const char *const units[][5] = {
		{"B/s", "kB/s", "MB/s", "GB/s", "TB/s"},
		{"B/s", "KiB/s", "MiB/s", "GiB/s", "TiB/s"},
	};
	static const double most[] = {[2] = 999, [3] = 9999, [4] = 99999};
	const double factor = binary ? 1024 : 1000;
	double number = MBps * 1e6, unit_of = fmax(like, MBps) * 1e6;
	size_t unit = 0;

	for (; unit + 1 < COUNT_OF(units[0]) && unit_of >= 999.95; unit++) {
		number /= factor;
		unit_of /= factor;
	}
	return text("%.*f %s", unit ? decimals_for(unit_of, digits) : 0, fmin(number, most[digits]),
		    units[binary][unit]);
}

/* Uses four significant digits, or three with longer units. */
struct scaled_text scale_bandwidth(double MBps, double like, bool binary)
{
	return bandwidth_text(MBps, like, binary, 4 - binary);
}

/* Scales a latency: "320 ns", "12.3 us" */
static struct scaled_text scale_latency(double ns)
{
	if (ns < 9999.5)
		return text("%.0f ns", ns);
	return ns < 99950 ? text("%.1f us", ns / 1e3) : text("%.0f us", fmin(ns / 1e3, 9999));
}

static struct scaled_text scale_percent(double pct)
{
	return text("%.*f%%", pct < 999.95 ? 1 : 0, fmin(pct, 99999));
}

/* Scales a rate: "0/s", "12.5k/s"; "<.001/s" is more than 0 */
static struct scaled_text scale_rate(double per_s)
{
	static const char *const units[] = {"", "k", "M", "G", "T"};
	size_t unit = 0;

	for (; unit + 1 < COUNT_OF(units) && per_s >= 999.5; unit++)
		per_s /= 1e3;
	if (per_s > 0 && per_s < 0.0005)
		return text("<.001/s");
	if (per_s > 0 && per_s < 0.0995)
		return text("%.3f/s", per_s);
	return text("%.3g%s/s", fmin(per_s, 999), units[unit]);
}

/*
 * Scales other values: "1.234", "23.36 Gxyz", or whole: "16 lanes"; units are cut after six
 * characters
 */
static struct scaled_text scale_other(double number, const char *unit, bool whole)
{
	static const char prefixes[] = " kMGTPE";
	size_t prefix = 0;

	for (; prefixes[prefix + 1] && number >= 99999.5; prefix++)
		number /= 1e3;
	if (!prefix)
		return text("%.*f%s%.6s", whole ? 0 : decimals_of_number(number), number,
			    *unit ? " " : "", unit);
	return text("%.*f %c%.6s", decimals_of_number(number), number, prefixes[prefix], unit);
}

static struct scaled_text scale_frequency(double MHz)
{
	return text("%.3f GHz", fmin(MHz / 1e3, 9.999));
}

struct scaled_text scale_memory(double MiB)
{
	static const char *const units[] = {"MiB", "GiB", "TiB", "PiB"};
	size_t unit = 0;

	for (; unit + 1 < COUNT_OF(units) && MiB >= 1023.95; unit++)
		MiB /= 1024;
	return text("%.*f %s", decimals_of_number(MiB), fmin(MiB, 99999), units[unit]);
}

struct scaled_text scale_duration(double seconds)
{
	const unsigned whole = (unsigned)round(fmax(fmin(seconds, 1e9), 0));

	if (seconds < 9.95)
		return text("%g s", round(seconds * 10) / 10);
	if (whole < 120)
		return text("%u s", whole);
	return whole < 7200 ? text("%u min", whole / 60) : text("%u h", whole / 3600);
}

struct scaled_text scale_interval(uint64_t ns)
{
	if (ns < 1000000)
		return text("%g us", (double)ns / 1e3);
	if (ns < 1000000000)
		return text("%g ms", (double)ns / 1e6);
	return text("%g s", (double)ns / 1e9);
}

const char *screen_label(const struct metric *metric)
{
	return metric->heading && strcmp(metric->group, CUSTOM_GROUP) != 0 ? metric->heading
									   : metric->name;
}

static const struct kind {
	const char *unit;
	struct scaled_text (*scale)(double number); /* NULL: scale_bandwidth() */
	int width;
} kinds[] = {
	{"MB/s", NULL, BANDWIDTH_WIDTH},	   {"ns", scale_latency, LATENCY_WIDTH},
	{"%", scale_percent, PERCENT_WIDTH},	   {"1/s", scale_rate, RATE_WIDTH},
	{"MHz", scale_frequency, FREQUENCY_WIDTH}, {"MiB", scale_memory, MEMORY_WIDTH},
};

static const struct kind *kind_of(const struct metric *metric)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (metric->unit && !strcmp(metric->unit, kinds[i].unit))
			return &kinds[i];
	return NULL;
}

int screen_value_width(const struct metric *metric)
{
	const struct kind *kind = kind_of(metric);

	return kind ? kind->width : OTHER_WIDTH;
}

bool screen_is_bandwidth(const struct metric *metric)
{
	const struct kind *kind = kind_of(metric);

	return kind && !kind->scale;
}

struct scaled_text scale_sampled(double MBps, bool binary)
{
	return isnan(MBps) ? text("-")
			   : text("~%.22s", bandwidth_text(MBps, MBps, binary, 3 - binary).text);
}

/* Writes a value; "~" marks an estimate. */
static struct scaled_text value_text(const struct scene *scene, const struct metric *metric,
				     double number, double like, bool scaled)
{
	const struct kind *kind = kind_of(metric);
	struct scaled_text found;

	if (!isfinite(number))
		return text("-");
	if (screen_is_bandwidth(metric))
		found = scale_bandwidth(number, like, scene->state->binary);
	else if (kind)
		found = kind->scale(number);
	else
		found = scale_other(number, unit_text(metric), !metric->decimals);
	return text("%s%.22s", scaled ? "~" : "", found.text);
}

struct scaled_text screen_value_text(const struct scene *scene, const struct metric *metric,
				     double number)
{
	return value_text(scene, metric, number, number, false);
}

struct scaled_text screen_column_text(const struct scene *scene, const struct panel *p,
				      size_t column, double like)
{
	const double value = panel_value(p, column, scene->back);

	return value_text(scene, scene->panels->table->columns[column].metric, value, like,
			  !scene->back && p->row->values[column].scaled);
}

uint64_t screen_wall_ns(const struct scene *scene)
{
	return scene->panels->wall_ns -
	       (uint64_t)(panels_ago(scene->panels, scene->back) * NS_PER_S);
}

const char *screen_clock(uint64_t wall_ns, char text[SCREEN_CLOCK_SIZE])
{
	char full[FIELD_TIME_SIZE];

	snprintf(text, SCREEN_CLOCK_SIZE, "%.8s", field_clock_text(full, wall_ns));
	return text;
}
