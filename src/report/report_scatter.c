/* SPDX-License-Identifier: BSD-3-Clause */
/* Scatter plots of latency over bandwidth. */
#include <math.h>
#include <string.h>

#include "output/html.h"
#include "report/report_chart.h"

static const struct {
	const char *bandwidth, *latency, *title, *help;
} pairs[] = {
	{"cxl_mem_read_MBps", "cxl_read_latency_ns", "CXL latency by bandwidth",
	 "Latency of CXL reads at the CXL.mem read bandwidth of the same sample"},
	{"dram_read_MBps", "ddr_local_read_latency_ns", "DRAM latency by bandwidth",
	 "Latency of local DRAM reads at the DRAM read bandwidth of the same sample"},
};

#define PAIRS (sizeof(pairs) / sizeof(pairs[0]))

/* Pairs of series of the same row; the system's is used only if there is no other. */
struct scatter {
	const struct series *bandwidth[CHART_MAX_LINES];
	struct chart latency;
};

static void choose_rows(const struct report *r, size_t x, size_t y, struct scatter *out)
{
	struct chart *chart = &out->latency;

	for (size_t row = 0; row < r->view->row_count && chart->count < CHART_MAX_LINES; row++) {
		const struct series *bandwidth = report_series(r, row, x);
		const struct series *latency = report_series(r, row, y);

		if (!bandwidth->values || !latency->values ||
		    (latency->row->scope == SCOPE_SYSTEM && chart->count))
			continue;
		out->bandwidth[chart->count] = bandwidth;
		chart->lines[chart->count++] = (struct chart_line){.report = r, .series = latency};
	}
}

static int put_scatter(const struct report *r, const struct scatter *scatter, FILE *out)
{
	const struct chart *chart = &scatter->latency;
	char name[LOCATION_SIZE], class_name[CHART_CLASS_SIZE], title[64];
	double bandwidth = 0, latency = 0;
	int rc = 0;

	for (size_t i = 0; i < chart->count; i++) {
		bandwidth = fmax(bandwidth, scatter->bandwidth[i]->statistics.max);
		latency = fmax(latency, chart->lines[i].series->statistics.max);
	}
	const struct plot plot = {.out = out,
				  .x = axis_of_values("MB/s", bandwidth),
				  .y = axis_of_values("ns", latency)};
	html_print(out, "<figure class=\"chart scatter\" data-metric=\"%t\">", chart->name);
	chart_head(chart, plot.y.unit, out);
	fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\">", PLOT_WIDTH, PLOT_HEIGHT);
	html_print(out, "<title>%t</title><desc>%t</desc>", chart->title, chart->help);
	snprintf(title, sizeof(title), "read bandwidth, %s", plot.x.unit);
	plot_frame(&plot, title);
	for (size_t i = 0; !rc && i < chart->count; i++) {
		const struct plot_mark mark = {chart_class("dots", i, chart->count, class_name),
					       chart_line_name(&chart->lines[i], name),
					       (unsigned)i};

		rc = plot_points(&plot, scatter->bandwidth[i]->values,
				 chart->lines[i].series->values, r->samples, &mark);
	}
	fputs("</svg>", out);
	chart_legend(chart, out);
	return rc;
}

int charts_of_latency(const struct report *r, FILE *out)
{
	bool begun = false;
	int rc = 0;

	for (size_t i = 0; !rc && i < PAIRS; i++) {
		const size_t x = view_find_column(r->view, pairs[i].bandwidth);
		const size_t y = view_find_column(r->view, pairs[i].latency);
		struct scatter scatter = {
			.latency = {.name = pairs[i].latency,
				    .title = pairs[i].title,
				    .help = pairs[i].help},
		};

		if (x == SIZE_MAX || y == SIZE_MAX)
			continue;
		choose_rows(r, x, y, &scatter);
		if (!scatter.latency.count)
			continue;
		if (!begun)
			fputs("<h2>Latency against bandwidth</h2>\n<div class=\"charts\">\n", out);
		begun = true;
		rc = put_scatter(r, &scatter, out);
	}
	if (begun)
		fputs("</div>\n", out);
	return rc;
}
