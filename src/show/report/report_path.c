/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A picture from core to device: a bar for each supplier of loads or fills, with its share, and the
 * latency of reads if it is measured. The scale is logarithmic, because shares are from nearly all
 * to one in thousands.
 */
#include <math.h>

#include "show/page/chart.h"
#include "show/report/report_page.h"

struct supplier {
	const char *name, *share, *latency; /* metrics; latency NULL: not measured */
	/* not drawn if this metric is known, which tells the same in more detail; NULL: always */
	const char *unless;
	bool far; /* not drawn of a single socket, which has no other */
};

#define CXL_LATENCY "cxl_read_latency_ns"
#define DDR_LATENCY "ddr_local_read_latency_ns"
#define FAR_LATENCY "ddr_remote_read_latency_ns"

static const struct supplier load_suppliers[] = {
	{.name = "L1", .share = "load_l1_pct"},
	{.name = "LFB", .share = "load_lfb_pct"},
	{.name = "L2", .share = "load_l2_pct"},
	{.name = "L3", .share = "load_l3_pct"},
	{.name = "past L3", .share = "load_l3_miss_pct", .unless = "load_cxl_pct"},
	{.name = "DRAM", .share = "load_dram_pct", .latency = DDR_LATENCY},
	{.name = "other socket", .share = "load_remote_pct", .latency = FAR_LATENCY, .far = true},
	{.name = "CXL", .share = "load_cxl_pct", .latency = CXL_LATENCY},
	{.name = NULL},
};

static const struct supplier fill_suppliers[] = {
	{.name = "L2", .share = "fill_l2_pct"},
	{.name = "L3", .share = "fill_l3_pct"},
	{.name = "other L3", .share = "fill_other_l3_pct"},
	{.name = "DRAM", .share = "fill_dram_pct", .latency = DDR_LATENCY},
	{.name = "other node", .share = "fill_remote_pct", .latency = FAR_LATENCY},
	{.name = "CXL", .share = "fill_cxl_pct", .latency = CXL_LATENCY},
	{.name = NULL},
};

static const struct {
	struct chart chart;
	const struct supplier *suppliers;
} pictures[] = {
	{{.title = "Loads by supplier",
	  .unit = "%",
	  .help = "Mean share of retired loads. Each line of the scale is ten times the one before. "
		  "Latency: mean of reads"},
	 load_suppliers},
	{{.title = "Cache fills by source",
	  .unit = "%",
	  .help = "Mean share of demand fills of the L1D. Each line of the scale is ten times the "
		  "one before. Latency: mean of reads"},
	 fill_suppliers},
};

/* Places of the picture, in SVG units. */
#define BARS_LEFT	96
#define BARS_RIGHT	248
#define SHARES_RIGHT	316
#define LATENCIES_RIGHT PLOT_RIGHT
#define BAR_STEP	19
#define BAR_HEIGHT	12

/* The scale: from LEAST_SHARE percent, a line at each power of ten. */
#define LEAST_SHARE 0.01
#define DECADES	    4

/* Returns the mean of the whole system; NAN: unknown. */
static double mean_of(const struct report *r, const char *metric)
{
	const size_t column = metric ? table_find(r->table, metric) : SIZE_MAX;
	const size_t row = table_system_row(r->table);

	if (column == SIZE_MAX || row == SIZE_MAX)
		return NAN;
	const struct plotted *s = report_series(r, row, column);
	return s->values ? s->statistics.mean : NAN;
}

/* Returns true if a supplier has a bar, or a place where it is said that its share is unknown. */
static bool is_drawn(const struct report *r, const struct supplier *supplier)
{
	unsigned sockets = 0;

	for (size_t row = 0; row < table_metric_rows(r->table); row++)
		sockets += r->table->rows[row].place.kind == ROW_SOCKET;
	return table_find(r->table, supplier->share) != SIZE_MAX &&
	       isnan(mean_of(r, supplier->unless)) && (!supplier->far || sockets != 1);
}

static unsigned share_decimals(double share)
{
	return share >= 10 || share == 0 ? 1 : share >= 0.1 ? 2 : 3;
}

/* Writes "97.4 %", or "unknown". */
static void put_share(double share, FILE *out)
{
	html_number(out, share, share_decimals(share));
	fputs(isnan(share) ? "unknown" : " %", out);
}

static void put_latency(double ns, FILE *out)
{
	html_number(out, ns, 0);
	fputs(isnan(ns) ? "" : " ns", out);
}

static void describe_suppliers(const struct report *r, const struct supplier *suppliers, FILE *out)
{
	for (const struct supplier *s = suppliers; s->name; s++) {
		const double ns = mean_of(r, s->latency);

		if (!is_drawn(r, s))
			continue;
		html_print(out, "%s: ", s->name);
		put_share(mean_of(r, s->share), out);
		fputs(isnan(ns) ? "" : ", ", out);
		put_latency(ns, out);
		fputs(". ", out);
	}
}

static void put_text(FILE *out, int x, int y, const char *anchor)
{
	html_print(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">", x, y, anchor);
}

/* Draws the lines of the scale, and what the columns are. */
static void put_scale(int bottom, FILE *out)
{
	static const char *const labels[DECADES + 1] = {"0.01", "0.1", "1", "10", "100"};

	fputs("<g class=\"grid\">", out);
	for (int i = 0; i <= DECADES; i++)
		html_print(out, "<path d=\"M%d %dV%d\"/>",
			   BARS_LEFT + (BARS_RIGHT - BARS_LEFT) * i / DECADES, PLOT_TOP, bottom);
	fputs("</g><g class=\"labels\">", out);
	for (int i = 0; i <= DECADES; i++) {
		put_text(out, BARS_LEFT + (BARS_RIGHT - BARS_LEFT) * i / DECADES, bottom + 16,
			 "middle");
		html_print(out, "%s</text>", labels[i]);
	}
	put_text(out, SHARES_RIGHT, bottom + 16, "end");
	fputs("share</text>", out);
	put_text(out, LATENCIES_RIGHT, bottom + 16, "end");
	fputs("latency</text></g>", out);
}

/* Draws a bar. None is drawn of 0, or of an unknown share; less than the scale has is a hairline.
 */
static void put_bar(double share, bool of_cxl, int y, FILE *out)
{
	const double decades = log10(fmax(share, LEAST_SHARE) / LEAST_SHARE);
	const double width = fmax((BARS_RIGHT - BARS_LEFT) * decades / DECADES, 1);

	if (share > 0)
		html_print(out, "<path class=\"bar c%d\" d=\"M%d %dh%.5gv%dh-%.5gz\"/>", of_cxl,
			   BARS_LEFT, y, width, BAR_HEIGHT, width);
}

static void put_supplier(const struct report *r, const struct supplier *s, int y, FILE *out)
{
	const double share = mean_of(r, s->share);

	put_bar(share, !s[1].name, y, out);
	fputs("<g class=\"labels\">", out);
	put_text(out, BARS_LEFT - 6, y + BAR_HEIGHT - 1, "end");
	html_print(out, "%s</text>", s->name);
	put_text(out, SHARES_RIGHT, y + BAR_HEIGHT - 1, "end");
	put_share(share, out);
	fputs("</text>", out);
	put_text(out, LATENCIES_RIGHT, y + BAR_HEIGHT - 1, "end");
	put_latency(mean_of(r, s->latency), out);
	fputs("</text></g>", out);
}

static bool any_is_known(const struct report *r, const struct supplier *suppliers)
{
	for (const struct supplier *s = suppliers; s->name; s++)
		if (!isnan(mean_of(r, s->share)))
			return true;
	return false;
}

static void put_picture(const struct report *r, const struct chart *chart,
			const struct supplier *suppliers, FILE *out)
{
	const struct plot plot = {.out = out, .y = {.unit = chart->unit}};
	int y = PLOT_TOP;

	fputs("<h2>From core to device</h2>\n<div class=\"charts\">\n<figure class=\"chart\">",
	      out);
	chart_begin(chart, &plot);
	html_print(out, "<title>%s</title><desc>", chart->title);
	describe_suppliers(r, suppliers, out);
	fputs("</desc>", out);
	for (const struct supplier *s = suppliers; s->name; s++)
		y += BAR_STEP * is_drawn(r, s);
	put_scale(y, out);
	y = PLOT_TOP + (BAR_STEP - BAR_HEIGHT) / 2;
	for (const struct supplier *s = suppliers; s->name; s++) {
		if (!is_drawn(r, s))
			continue;
		put_supplier(r, s, y, out);
		y += BAR_STEP;
	}
	fputs("</svg></figure></div>\n", out);
}

void report_path(const struct report *r, FILE *out)
{
	for (size_t i = 0; i < sizeof(pictures) / sizeof(pictures[0]); i++)
		if (any_is_known(r, pictures[i].suppliers))
			put_picture(r, &pictures[i].chart, pictures[i].suppliers, out);
}
