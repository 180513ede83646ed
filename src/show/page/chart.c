/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/page/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "table/spell.h"

#define LEVEL_SIZE 64

static const struct {
	const char *group, *title;
} titles[] = {
	{"cxl", "CXL bandwidth"},
	{"latency", "Read latency"},
	{"dram", "DRAM bandwidth"},
	{"upi", "Bandwidth between sockets"},
	{"upilink", "Links between sockets"},
	{"stall", "What cores wait for"},
	{"path", "Loads by supplier, CXL requests by kind"},
	{"region", "Bandwidth by region of memory"},
	{"resctrl", "What groups of tasks wait for"},
	{"queue", "Queues of the ports"},
	{"link", "Links"},
	{"core", "Cores"},
	{"tiering", "NUMA nodes"},
	{"port", "Links, and errors on the way to devices"},
	{"health", "Health of the CXL devices"},
	{"device", "Counted by the CXL devices"},
	{"custom", "Custom metrics"},
};

const char *chart_group_title(const char *group)
{
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		if (!strcmp(titles[i].group, group))
			return titles[i].title;
	return group;
}

static const char *line_name(const struct chart_line *line, char text[LOCATION_SIZE])
{
	return line->name ? line->name : location_with_unit(line->series->row, true, text);
}

/*
 * Returns an axis from 0 to the largest value; for a latency, which is never near 0, it begins
 * higher.
 */
static struct axis axis_of(const struct chart *chart, const char *unit)
{
	const bool latency = !strcmp(unit, "ns");
	double max = 0, min = INFINITY;

	for (size_t i = 0; i < chart->count; i++) {
		const struct plotted *s = chart->lines[i].series;

		max = fmax(max, s->statistics.max);
		for (size_t k = 0; latency && k < chart->lines[i].samples; k++)
			min = fmin(min, s->values[k]);
	}
	return axis_of_range(unit, latency ? min : 0, max);
}

static void put_last(const struct chart *chart, const struct chart_line *line, FILE *out)
{
	const struct axis y = axis_of(chart, chart->unit);
	const double last = line->samples ? line->series->values[line->samples - 1] : NAN;

	html_three_digits(out, last * y.factor);
}

static void put_legend(const struct chart *chart, FILE *out)
{
	char text[LOCATION_SIZE];

	for (size_t i = 0; i < chart->count; i++) {
		fputs("<li>", out);
		plot_key(out, i, chart->count);
		html_print(out, "%s<b>", line_name(&chart->lines[i], text));
		if (chart->live)
			put_last(chart, &chart->lines[i], out);
		fputs("</b></li>", out);
	}
}

void chart_end(const struct chart *chart, FILE *out)
{
	const bool many = chart->count > PLOT_COLOURS;
	char text[LOCATION_SIZE], last[LOCATION_SIZE];

	fputs("</svg>", out);
	if (many) { /* a click opens their list, also without the script */
		fputs("<details><summary>", out);
		plot_key(out, 0, chart->count);
		html_print(out, "%zu lines, %s to %s</summary>", chart->count,
			   line_name(&chart->lines[0], text),
			   line_name(&chart->lines[chart->count - 1], last));
	}
	fputs("<ul class=\"legend\">", out);
	put_legend(chart, out);
	fputs(many ? "</ul></details></figure>\n" : "</ul></figure>\n", out);
}

static const char *level_text(const struct chart *chart, const struct axis *y, size_t i,
			      char text[LEVEL_SIZE])
{
	const double level = chart->levels[i] * y->factor;
	char number[NUMBER_SIZE];

	snprintf(text, LEVEL_SIZE, "firmware: %.40s %s",
		 number_grouped(level, level < 100 ? 1 : 0, number), y->unit);
	return text;
}

void chart_begin(const struct chart *chart, const struct plot *plot)
{
	char text[LEVEL_SIZE];

	html_print(plot->out, "<figcaption><h3>%s <small>%s</small></h3><p>%s", chart->title,
		   plot->y.unit, chart->help);
	for (size_t i = 0; i < chart->level_count; i++)
		html_print(plot->out, "; %s", level_text(chart, &plot->y, i, text));
	html_print(plot->out, "</p></figcaption><svg viewBox=\"0 0 %d %d\" role=\"img\">",
		   PLOT_WIDTH, PLOT_HEIGHT);
}

/* Writes a description for screen readers. */
static void describe_chart(const struct chart *chart, const struct axis *y, FILE *out)
{
	char text[LOCATION_SIZE];

	html_print(out, "<title>%s over time</title><desc>", chart->title);
	for (size_t i = 0; i < chart->count && i < PLOT_COLOURS; i++) {
		const struct statistics *s = &chart->lines[i].series->statistics;

		html_print(out, "%s: mean %.4g, maximum %.4g %s. ",
			   line_name(&chart->lines[i], text), s->mean * y->factor,
			   s->max * y->factor, y->unit);
	}
	fputs("</desc>", out);
}

/* Draws one band for many lines of a recording, as large as a single line's. */
static void put_common_band(const struct chart *chart, const struct plot *plot)
{
	const struct plot_mark mark = {"band", "all lines", CHART_MAX_LINES, chart->count};
	const struct chart_line *first = &chart->lines[0];
	const double *values[CHART_MAX_LINES];

	for (size_t i = 0; i < chart->count; i++)
		values[i] = chart->lines[i].series->values;
	plot_band(plot, first->x, values, chart->count, first->samples, &mark);
}

/* Draws lines, with all bands below them. */
static void put_lines(const struct chart *chart, const struct plot *plot, bool bands)
{
	char name[LOCATION_SIZE];

	for (size_t i = 0; i < chart->count; i++) {
		const struct chart_line *line = &chart->lines[i];
		const double *values = line->series->values;
		const struct plot_mark mark = {bands ? "band" : "line", line_name(line, name), i,
					       chart->count};

		if (bands)
			plot_band(plot, line->x, &values, 1, line->samples, &mark);
		else
			plot_line(plot, line->x, values, line->samples, &mark);
	}
}

void chart_over_time(const struct chart *chart, FILE *out)
{
	const struct report *r = chart->report;
	char text[LEVEL_SIZE], line[MARK_LINE_SIZE], title[LEVEL_SIZE];
	double seconds = 0; /* length of the longest recording */

	for (size_t i = 0; i < chart->count; i++)
		if (chart->lines[i].samples)
			seconds = fmax(seconds, chart->lines[i].x[chart->lines[i].samples - 1]);
	const struct plot plot = {
		.out = out, .x = axis_of_time(seconds), .y = axis_of(chart, chart->unit)};

	html_print(out,
		   "<figure class=\"chart time\" data-metric=\"%s\" data-unit=\"%s\" "
		   "data-xunit=\"%s\" data-x=\"%.9g\" data-from=\"%.9g\" data-y=\"%.9g\">",
		   chart->name, plot.y.unit, plot.x.unit, plot.x.max, plot.y.from, plot.y.max);
	chart_begin(chart, &plot);
	describe_chart(chart, &plot.y, out);
	snprintf(title, sizeof(title), "time since %s", chart->since ? chart->since : "the start");
	plot_frame(&plot, title);
	for (size_t i = 0; i < chart->level_count; i++)
		plot_level(&plot, chart->levels[i], level_text(chart, &plot.y, i, text));
	plot_begin_lines(&plot);
	if (chart->count > PLOT_COLOURS)
		put_common_band(chart, &plot);
	else
		put_lines(chart, &plot, true);
	put_lines(chart, &plot, false);
	for (size_t i = 0; r && i < r->mark_count && i < CHART_MARKS; i++)
		plot_moment(&plot, report_mark_time(r, &r->marks[i]),
			    mark_line(&r->marks[i], line));
	plot_end_lines(&plot);
	chart_end(chart, out);
}

void chart_add(struct chart *chart, const struct report *report, const struct plotted *series,
	       const char *name)
{
	if (chart->count == CHART_MAX_LINES)
		chart->left_out++;
	else
		chart->lines[chart->count++] =
			(struct chart_line){series, report->times, report->samples, name};
}

void chart_set_title(struct chart *chart)
{
	const struct plotted *series = chart->lines[0].series;
	const struct metric *metric = series->metric;

	chart->name = plotted_name(series);
	chart->title = plotted_title(series);
	chart->unit = plotted_unit(series);
	chart->help = metric ? metric->family.help : "Events per second";
	chart->help = chart->help ? chart->help : "";
}

void chart_scatter(const struct chart *chart, double bandwidth, FILE *out)
{
	const struct plot plot = {
		.out = out, .x = axis_of_range("MB/s", 0, bandwidth), .y = axis_of(chart, "ns")};
	char name[LOCATION_SIZE];

	html_print(out, "<figure class=\"chart scatter\" data-metric=\"%s\">", chart->name);
	chart_begin(chart, &plot);
	html_print(out, "<title>%s</title><desc>%s</desc>", chart->title, chart->help);
	plot_frame(&plot, "read bandwidth");
	for (size_t i = 0; i < chart->count; i++) {
		const struct chart_line *line = &chart->lines[i];
		const struct plot_mark mark = {"dots", line_name(line, name), i, chart->count};

		plot_points(&plot, line->x, line->series->values, line->samples, &mark);
	}
	chart_end(chart, out);
}

void chart_put_left_out(size_t count, const char *what, FILE *out)
{
	if (count)
		fprintf(out, "<p class=\"note\">%zu more %s not drawn; the table has them.</p>",
			count, what);
}
