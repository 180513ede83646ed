/* SPDX-License-Identifier: BSD-3-Clause */
#include "serve/serving_page.h"

#include <inttypes.h>
#include <math.h>
#include <time.h>

#include "output/html.h"
#include "output/rows.h"
#include "platform/number.h"
#include "record/recording.h"

static void put_head(FILE *out, const struct recording_info *about)
{
	const uint64_t seconds = about->interval_ns / NS_PER_S;
	char processor[RECORDED_PROCESSOR_SIZE];

	fprintf(out,
		"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width\">\n"
		"<meta http-equiv=\"refresh\" content=\"%" PRIu64 "\">\n"
		"<title>cxlmon</title>\n<style>\n"
		":root { color-scheme: light dark; font-family: sans-serif }\n"
		"table { border-collapse: collapse; display: block; overflow-x: auto }\n"
		"th, td { padding: .2em .8em; text-align: right; border-bottom: 1px solid #8885;\n"
		"  font-variant-numeric: tabular-nums; white-space: nowrap }\n"
		"thead th { white-space: normal; vertical-align: bottom; font-weight: normal }\n"
		"tbody th { text-align: left }\n"
		"</style></head><body>\n",
		seconds ? seconds : 1);
	html_print(out, "<h1>%s</h1>\n", recorded_processor(about, processor));
}

static void put_time(FILE *out, const struct recording_info *about, uint64_t wall_ns, bool stale)
{
	const time_t seconds = (time_t)(wall_ns / NS_PER_S);
	char text[32] = "";
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm);
	if (stale)
		fprintf(out, "<p><strong>No sample has come since %s.</strong></p>\n", text);
	else
		fprintf(out, "<p>%s, every %g s</p>\n", text, (double)about->interval_ns / 1e9);
}

/* "~": an estimate, as in the table. Nothing for what is not known. */
static void put_value(FILE *out, double number, unsigned decimals, bool estimate)
{
	fputs(estimate && !isnan(number) ? "<td>~" : "<td>", out);
	html_number(out, number, decimals);
	fputs("</td>", out);
}

static void put_row(FILE *out, const struct view *view, const struct row *row)
{
	char place[LOCATION_SIZE];

	html_print(out, "<tr><th>%s</th>", location_with_unit(row, true, place));
	for (size_t c = 0; !row->event && c < view->column_count; c++)
		if (view_heading(view, c))
			put_value(out, row->values[c].number,
				  metric_shown_decimals(view->columns[c]), row->values[c].scaled);
	if (row->event) {
		html_print(out, "<td>%s</td>", row->event->name);
		put_value(out, row->per_s, 1, row->counted_pct < 100);
	}
	fputs("</tr>\n", out);
}

/* Of rows first to end: of metrics, or of events. */
static void put_table(FILE *out, const struct view *view, size_t first, size_t end)
{
	if (first == end)
		return;
	fputs("<table><thead><tr><td></td>", out);
	for (size_t c = 0; !view->rows[first].event && c < view->column_count; c++)
		if (view_heading(view, c))
			html_print(out, "<th>%s<br>%s</th>", view_heading(view, c),
				   view->columns[c]->unit);
	fputs(view->rows[first].event ? "<th>event</th><th>per second</th>" : "", out);
	fputs("</tr></thead><tbody>\n", out);
	for (size_t r = first; r < end; r++)
		put_row(out, view, &view->rows[r]);
	fputs("</tbody></table>\n", out);
}

void serving_page_put(FILE *out, const struct view *view, const struct recording_info *about,
		      uint64_t wall_ns, bool stale)
{
	const size_t metrics = view_metric_rows(view);

	put_head(out, about);
	put_time(out, about, wall_ns, stale);
	if (!stale) {
		put_table(out, view, 0, metrics);
		put_table(out, view, metrics, view->row_count);
	}
	fputs("<p>For Prometheus: <a href=\"/metrics\">/metrics</a>; whether samples are taken: "
	      "<a href=\"/-/healthy\">/-/healthy</a>. cxlmon " CXLMON_VERSION "</p>\n"
	      "</body></html>\n",
	      out);
}
