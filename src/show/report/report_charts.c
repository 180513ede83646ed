/* SPDX-License-Identifier: BSD-3-Clause */
/* Charts of the report: over time, of latency over bandwidth, and of the predicted slowdown. */
#include <math.h>
#include <string.h>

#include "platform/memory.h"
#include "show/page/chart.h"
#include "show/report/report_page.h"

/* Selects the rows of the finest scope with known values; none if there are none. */
static void choose_lines(const struct report *r, size_t column, struct chart *chart)
{
	enum scope scope = SCOPE_COUNT;

	for (size_t row = 0; row < r->table->row_count; row++)
		if (report_series(r, row, column)->values &&
		    row_scope(&r->table->rows[row]) < scope)
			scope = row_scope(&r->table->rows[row]);
	for (size_t row = 0; row < r->table->row_count; row++) {
		const struct plotted *s = report_series(r, row, column);

		if (s->values && row_scope(s->row) == scope)
			chart_add(chart, r, s, NULL);
	}
}

/*
 * Adds the numbers that firmware reports for a region's node; a device has a part of the bandwidth.
 */
static void add_levels(const struct report *r, struct chart *chart)
{
	const struct memory_layout *memory = &r->info->memory;

	for (size_t i = 0; i < memory->region_count; i++) {
		const struct cxl_region *region = &memory->regions[i];
		const struct memory_node *node = memory_layout_node(memory, region->node);
		const unsigned ways = region->ways ? region->ways : 1;
		double level = 0;
		size_t known = 0;

		if (!node)
			continue;
		if (!strcmp(chart->name, "cxl_mem_read_MBps"))
			level = node->read_MBps / ways;
		else if (!strcmp(chart->name, "cxl_mem_write_MBps"))
			level = node->write_MBps / ways;
		else if (!strcmp(chart->name, "cxl_read_latency_ns"))
			level = node->read_ns;
		while (known < chart->level_count && chart->levels[known] != level)
			known++;
		if (level > 0 && known == chart->level_count && known < CHART_LEVELS)
			chart->levels[chart->level_count++] = level;
	}
}

static void charts_of_metrics(const struct report *r, FILE *out)
{
	const char *group = NULL;

	for (size_t c = 0; c < r->table->column_count; c++) {
		const struct metric *m = r->table->columns[c].metric;
		struct chart chart = {.report = r};

		choose_lines(r, c, &chart);
		if (!chart.count)
			continue;
		chart_set_title(&chart);
		add_levels(r, &chart);
		if (!group || strcmp(group, m->group)) {
			fputs(group ? "</div>\n" : "", out);
			html_print(out, "<h2>%s</h2>\n<div class=\"charts\">\n",
				   chart_group_title(m->group));
		}
		group = m->group;
		chart_over_time(&chart, out);
		chart_put_left_out(chart.left_out, "lines are", out);
	}
	fputs(group ? "</div>\n" : "", out);
}

/* Adds the rows of an event, which are consecutive. */
static size_t choose_units(const struct report *r, size_t first, struct chart *chart)
{
	size_t row = first;

	for (;
	     row < r->table->row_count && r->table->rows[row].event == r->table->rows[first].event;
	     row++) {
		const struct plotted *s = report_event_series(r, row);

		if (s->values)
			chart_add(chart, r, s, NULL);
	}
	return row;
}

static void charts_of_events(const struct report *r, FILE *out)
{
	size_t drawn = 0, left_out = 0;

	fputs("<h2>Events</h2>\n<div class=\"charts\">\n", out);
	for (size_t row = table_metric_rows(r->table); row < r->table->row_count;) {
		struct chart chart = {.report = r};

		row = choose_units(r, row, &chart);
		if (chart.count && drawn++ < CHART_MAX) {
			chart_set_title(&chart);
			chart_over_time(&chart, out);
			chart_put_left_out(chart.left_out, "lines are", out);
		} else {
			left_out += chart.count > 0;
		}
	}
	fputs("</div>\n", out);
	chart_put_left_out(left_out, "events are", out);
}

void charts_over_time(const struct report *report, FILE *out)
{
	charts_of_metrics(report, out);
	if (report->table->event_rows)
		charts_of_events(report, out);
}

static const struct {
	const char *bandwidth, *latency, *title, *help;
} pairs[] = {
	{"cxl_mem_read_MBps", "cxl_read_latency_ns", "CXL latency by bandwidth",
	 "Latency of CXL reads at the CXL.mem read bandwidth of the same sample"},
	{"dram_read_MBps", "ddr_local_read_latency_ns", "DRAM latency by bandwidth",
	 "Latency of local DRAM reads at the DRAM read bandwidth of the same sample"},
};

#define PAIRS (sizeof(pairs) / sizeof(pairs[0]))

/* Adds the rows that have both metrics; the system's only if there is no other. */
static void choose_rows(const struct report *r, size_t x, size_t y, struct chart *chart,
			double *bandwidth)
{
	for (size_t row = 0; row < r->table->row_count && chart->count < CHART_MAX_LINES; row++) {
		const struct plotted *below = report_series(r, row, x);
		const struct plotted *latency = report_series(r, row, y);

		if (!below->values || !latency->values ||
		    (latency->row->place.kind == ROW_SYSTEM && chart->count))
			continue;
		*bandwidth = fmax(*bandwidth, below->statistics.max);
		chart_add(chart, r, latency, NULL);
		chart->lines[chart->count - 1].x = below->values;
	}
}

void charts_of_latency(const struct report *r, FILE *out)
{
	bool begun = false;

	for (size_t i = 0; i < PAIRS; i++) {
		const size_t x = table_find(r->table, pairs[i].bandwidth);
		const size_t y = table_find(r->table, pairs[i].latency);
		struct chart chart = {
			.name = pairs[i].latency, .title = pairs[i].title, .help = pairs[i].help};
		double bandwidth = 0;

		if (x == SIZE_MAX || y == SIZE_MAX)
			continue;
		choose_rows(r, x, y, &chart, &bandwidth);
		if (!chart.count)
			continue;
		if (!begun)
			fputs("<h2>Latency against bandwidth</h2>\n<div class=\"charts\">\n", out);
		begun = true;
		chart_scatter(&chart, bandwidth, out);
	}
	if (begun)
		fputs("</div>\n", out);
}

#define POINTS (1 + PREDICTED_SHARES) /* all memory in DRAM, and the predicted shares */

struct lines {
	double shares[POINTS], values[POINTS], low[POINTS], high[POINTS];
};

static struct lines lines_of(const struct what_if_result *p)
{
	struct lines lines = {.values = {1}, .low = {1}, .high = {1}};

	for (size_t i = 0; i < PREDICTED_SHARES; i++) {
		const struct slowdown_part times =
			slowdown_at(&p->all.total, predicted_shares[i], 1);

		lines.shares[i + 1] = 100 * predicted_shares[i];
		lines.values[i + 1] = times.value;
		lines.low[i + 1] = times.low;
		lines.high[i + 1] = times.high;
	}
	return lines;
}

static void put_item(const char *sentence, FILE *out)
{
	html_print(out, "<li>%s</li>\n", sentence);
}

void report_what_if(const struct report *r, FILE *out)
{
	static const struct chart chart = {
		.title = "Slowdown by share in CXL",
		.help = "Estimated, without load on CXL memory. Area: 9 of 10 programs, if they "
			"differ from the model as the microbenchmarks of the calibration do",
	};
	const struct plot_mark line = {"line", "estimate", 0, 1}, band = {"band", "9 of 10", 0, 1};

	if (!r->predicted)
		return;
	const struct lines lines = lines_of(r->predicted);
	const struct plot plot = {
		.out = out,
		.x = axis_of_range("%", 0, 100),
		.y = axis_of_range("times as long", 1, lines.high[POINTS - 1]),
	};
	fputs("<h2>With its memory in CXL</h2>\n<ul class=\"findings\"><li>", out);
	what_if_sentence(r->predicted, out);
	fputs("</li>\n", out);
	what_if_doubts(r->predicted, put_item, out);
	fputs("</ul>\n<div class=\"charts\">\n<figure class=\"chart\">", out);
	chart_begin(&chart, &plot);
	html_print(out, "<title>%s</title><desc>%s</desc>", chart.title, chart.help);
	plot_frame(&plot, "share in CXL");
	plot_area(&plot, lines.shares, lines.low, lines.high, POINTS, &band);
	plot_line(&plot, lines.shares, lines.values, POINTS, &line);
	fputs("</svg></figure></div>\n", out);
}
