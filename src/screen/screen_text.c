/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and values of metrics and the time as text, and how much of a text has room. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "metrics/custom_metric.h"
#include "platform/number.h"
#include "screen/scale.h"
#include "screen/screen_draw.h"

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

/* "~": an estimate. */
static struct scaled_text value_text(const struct scene *scene, const struct metric *metric,
				     double number, double like, bool scaled)
{
	const struct kind *kind = kind_of(metric);

	const struct scaled_text text =
		screen_is_bandwidth(metric) ? scale_bandwidth(number, like, scene->state->binary)
		: kind			    ? kind->scale(number)
		       : scale_other(number, metric->unit ? metric->unit : "", !metric->decimals);
	struct scaled_text out;

	snprintf(out.text, sizeof(out.text), "%s%.22s", scaled && isfinite(number) ? "~" : "",
		 text.text);
	return out;
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

	return value_text(scene, scene->panels->view->columns[column], value, like,
			  !scene->back && p->row->values[column].scaled);
}

uint64_t screen_wall_ns(const struct scene *scene)
{
	const struct history *times = &scene->panels->times;
	const double back = scene->back ? history_at(times, 0) - history_at(times, scene->back) : 0;

	return scene->panels->wall_ns - (uint64_t)(back * NS_PER_S);
}

const char *screen_clock(uint64_t wall_ns, char text[SCREEN_CLOCK_SIZE])
{
	const time_t now = (time_t)(wall_ns / NS_PER_S);
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(text, SCREEN_CLOCK_SIZE, "%H:%M:%S", &tm);
	return text;
}
