/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report_chart.h"

#include <math.h>
#include <string.h>

#include "output/html.h"

#define COLOURS 8

static const struct {
	const char *group, *title;
} titles[] = {
	{"cxl", "CXL bandwidth"},
	{"latency", "Read latency"},
	{"dram", "DRAM bandwidth"},
	{"queue", "Queues of the ports"},
	{"link", "Links"},
	{"core", "Cores"},
	{"tiering", "NUMA nodes"},
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

const char *chart_class(const char *kind, size_t line, size_t lines, char text[CHART_CLASS_SIZE])
{
	if (lines > COLOURS)
		snprintf(text, CHART_CLASS_SIZE, "%s many", kind);
	else
		snprintf(text, CHART_CLASS_SIZE, "%s c%zu", kind, line % COLOURS);
	return text;
}

void chart_key(const char *class_name, FILE *out)
{
	html_print(out,
		   "<svg class=\"%t\" viewBox=\"0 0 22 4\" aria-hidden=\"true\">"
		   "<path d=\"M2 2h18\"/></svg>",
		   class_name);
}

const char *chart_line_name(const struct chart_line *line, char text[LOCATION_SIZE])
{
	return line->name ? line->name : location_with_unit(line->series->row, true, text);
}

/* What all lines have in common; their list is opened by a click, without the script, too. */
static void begin_many(const struct chart *chart, FILE *out)
{
	char text[LOCATION_SIZE];

	fputs("<details><summary>", out);
	chart_key("key many", out);
	fprintf(out, "%zu lines, ", chart->count);
	html_print(out, "%t to ", chart_line_name(&chart->lines[0], text));
	html_print(out, "%t</summary>", chart_line_name(&chart->lines[chart->count - 1], text));
}

void chart_legend(const struct chart *chart, FILE *out)
{
	const bool many = chart->count > COLOURS;
	char text[LOCATION_SIZE], class_name[CHART_CLASS_SIZE];

	if (many)
		begin_many(chart, out);
	fputs("<ul class=\"legend\">", out);
	for (size_t i = 0; i < chart->count; i++) {
		fputs("<li>", out);
		chart_key(chart_class("key", i, chart->count, class_name), out);
		html_print(out, "%t<b></b></li>", chart_line_name(&chart->lines[i], text));
	}
	fputs(many ? "</ul></details></figure>\n" : "</ul></figure>\n", out);
}

void chart_head(const struct chart *chart, const char *unit, FILE *out)
{
	html_print(out, "<figcaption><h3>%t <small>%t</small></h3><p>%t</p></figcaption>",
		   chart->title, unit, chart->help);
}

static double largest(const struct chart *chart)
{
	double max = 0;

	for (size_t i = 0; i < chart->count; i++)
		max = fmax(max, chart->lines[i].series->statistics.max);
	return max;
}

/* Of the longest recording. */
static double duration(const struct chart *chart)
{
	double seconds = 0;

	for (size_t i = 0; i < chart->count; i++) {
		const struct report *r = chart->lines[i].report;

		if (r->samples)
			seconds = fmax(seconds, r->times[r->samples - 1]);
	}
	return seconds;
}

/* Text for screen readers. */
static void describe(const struct chart *chart, const struct axis *y, FILE *out)
{
	char text[LOCATION_SIZE];

	html_print(out, "<title>%t over time</title><desc>", chart->title);
	for (size_t i = 0; i < chart->count && i < COLOURS; i++) {
		const struct statistics *s = &chart->lines[i].series->statistics;

		html_print(out, "%t: ", chart_line_name(&chart->lines[i], text));
		fprintf(out, "mean %.4g, at most %.4g ", s->mean * y->factor, s->max * y->factor);
		html_print(out, "%t. ", y->unit);
	}
	fputs("</desc>", out);
}

/* Many lines, which are of one recording, have one band together, as large as a single one. */
static void put_common_band(const struct chart *chart, const struct plot *plot)
{
	const struct report *report = chart->lines[0].report;
	const double *values[CHART_MAX_LINES];
	char class_name[CHART_CLASS_SIZE];
	const struct plot_mark mark = {chart_class("band", 0, chart->count, class_name),
				       "all lines", CHART_MAX_LINES};

	for (size_t i = 0; i < chart->count; i++)
		values[i] = chart->lines[i].series->values;
	plot_band(plot, report->times, values, chart->count, report->samples, &mark);
}

/* Below all lines. */
static void put_bands(const struct chart *chart, const struct plot *plot)
{
	char name[LOCATION_SIZE], class_name[CHART_CLASS_SIZE];

	if (chart->count > COLOURS) {
		put_common_band(chart, plot);
		return;
	}
	for (size_t i = 0; i < chart->count; i++) {
		const struct chart_line *line = &chart->lines[i];
		const double *values = line->series->values;
		const struct plot_mark mark = {chart_class("band", i, chart->count, class_name),
					       chart_line_name(line, name), (unsigned)i};

		plot_band(plot, line->report->times, &values, 1, line->report->samples, &mark);
	}
}

static void put_lines(const struct chart *chart, const struct plot *plot)
{
	char name[LOCATION_SIZE], class_name[CHART_CLASS_SIZE];

	for (size_t i = 0; i < chart->count; i++) {
		const struct chart_line *line = &chart->lines[i];
		const struct plot_mark mark = {chart_class("line", i, chart->count, class_name),
					       chart_line_name(line, name), (unsigned)i};

		plot_line(plot, line->report->times, line->series->values, line->report->samples,
			  &mark);
	}
}

void chart_over_time(const struct chart *chart, FILE *out)
{
	const struct plot plot = {.out = out,
				  .x = axis_of_time(duration(chart)),
				  .y = axis_of_values(chart->unit, largest(chart))};
	char title[64];

	html_print(out,
		   "<figure class=\"chart time\" data-metric=\"%t\" data-unit=\"%t\" "
		   "data-xunit=\"%t\"",
		   chart->name, plot.y.unit, plot.x.unit);
	fprintf(out, " data-x=\"%.9g\" data-y=\"%.9g\">", plot.x.max, plot.y.max);
	chart_head(chart, plot.y.unit, out);
	fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\">", PLOT_WIDTH, PLOT_HEIGHT);
	describe(chart, &plot.y, out);
	snprintf(title, sizeof(title), "time since the start, %s", plot.x.unit);
	plot_frame(&plot, title);
	plot_begin_lines(&plot);
	put_bands(chart, &plot);
	put_lines(chart, &plot);
	plot_end_lines(&plot);
	fputs("</svg>", out);
	chart_legend(chart, out);
}

static void add_line(struct chart *chart, const struct report *r, const struct series *s)
{
	if (chart->count == CHART_MAX_LINES)
		chart->left_out++;
	else
		chart->lines[chart->count++] = (struct chart_line){.report = r, .series = s};
}

struct chart chart_of_metric(const struct metric *metric)
{
	return (struct chart){
		.name = metric->name,
		.title = metric->heading ? metric->heading : metric->name,
		.unit = metric->unit ? metric->unit : "",
		.help = metric->family.help ? metric->family.help : "",
	};
}

/* Selects the rows of the finest scope with known values; none if there are none. */
static void choose_lines(const struct report *r, size_t column, struct chart *chart)
{
	enum scope scope = SCOPE_COUNT;

	for (size_t row = 0; row < r->view->row_count; row++)
		if (report_series(r, row, column)->values && r->view->rows[row].scope < scope)
			scope = r->view->rows[row].scope;
	for (size_t row = 0; row < r->view->row_count; row++) {
		const struct series *s = report_series(r, row, column);

		if (s->values && s->row->scope == scope)
			add_line(chart, r, s);
	}
}

static void put_left_out(size_t count, const char *what, FILE *out)
{
	if (count)
		fprintf(out, "<p class=\"note\">%zu more %s not drawn; the table has them.</p>",
			count, what);
}

static void charts_of_metrics(const struct report *r, FILE *out)
{
	const char *group = NULL;

	for (size_t c = 0; c < r->view->column_count; c++) {
		const struct metric *m = r->view->columns[c];
		struct chart chart = chart_of_metric(m);

		choose_lines(r, c, &chart);
		if (!chart.count)
			continue;
		if (!group || strcmp(group, m->group)) {
			fputs(group ? "</div>\n" : "", out);
			html_print(out, "<h2>%t</h2>\n<div class=\"charts\">\n",
				   chart_group_title(m->group));
		}
		group = m->group;
		chart_over_time(&chart, out);
		put_left_out(chart.left_out, "lines are", out);
	}
	fputs(group ? "</div>\n" : "", out);
}

/* The rows of an event are consecutive. */
static size_t choose_units(const struct report *r, size_t first, struct chart *chart)
{
	size_t row = first;

	for (; row < r->view->row_count && r->view->rows[row].event == r->view->rows[first].event;
	     row++) {
		const struct series *s = report_event_series(r, row);

		if (s->values)
			add_line(chart, r, s);
	}
	return row;
}

static void charts_of_events(const struct report *r, FILE *out)
{
	size_t drawn = 0, left_out = 0;

	fputs("<h2>Events</h2>\n<div class=\"charts\">\n", out);
	for (size_t row = view_metric_rows(r->view); row < r->view->row_count;) {
		struct chart chart = {.name = r->view->rows[row].event->name,
				      .title = r->view->rows[row].event->name,
				      .unit = "1/s",
				      .help = "Events a second"};

		row = choose_units(r, row, &chart);
		if (chart.count && drawn++ < CHART_MAX) {
			chart_over_time(&chart, out);
			put_left_out(chart.left_out, "lines are", out);
		} else {
			left_out += chart.count > 0;
		}
	}
	fputs("</div>\n", out);
	put_left_out(left_out, "events are", out);
}

void charts_over_time(const struct report *report, FILE *out)
{
	charts_of_metrics(report, out);
	if (report->view->event_rows)
		charts_of_events(report, out);
}
