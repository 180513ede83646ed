/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/report/report_chart.h"
#include "show/report/report_page.h"

#define POINTS (1 + PREDICTED_SHARES) /* with all in DRAM, and what is predicted */

struct lines {
	double shares[POINTS], values[POINTS], low[POINTS], high[POINTS];
};

static struct lines lines_of(const struct predicted *p)
{
	struct lines lines = {.values = {1}, .low = {1}, .high = {1}};

	for (size_t i = 0; i < PREDICTED_SHARES; i++) {
		const struct slowdown_part *total = &p->of_share[i].total;

		lines.shares[i + 1] = 100 * predicted_shares[i];
		lines.values[i + 1] = total->value;
		lines.low[i + 1] = total->low;
		lines.high[i + 1] = total->high;
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
		.help = "Estimated, without load on CXL memory. Area: where 9 of 10 programs are that "
			"differ from the model as the kernels of the calibration do",
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
