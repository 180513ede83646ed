/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "metrics/important.h"
#include "record/recording.h"
#include "show/page/chart.h"
#include "show/page/html.h"
#include "show/page/page.h"
#include "show/serve/serving_private.h"
#include "table/spell.h"

HTML_EMBED(serving_page_html, "show/serve/serving_page.html");
HTML_EMBED(serving_page_script, "show/serve/serving_page.js");

#define TIME_SIZE 32

/* Contents of the page. */
struct page {
	const struct series *recent;
	const struct recording_info *info;
	uint64_t wall_ns;
	struct message *head;
	double times[SERVING_STEPS]; /* times of the steps, in seconds since the first */
	char since[TIME_SIZE];	     /* the time of the first step */
};

/* Returns the series of a cell; .values is NULL if all of the last minutes are unknown. */
static struct plotted series_of(const struct page *page, size_t row, size_t column)
{
	const struct series *recent = page->recent;
	const struct series_cell *cell = series_cell(recent, row, column);
	struct plotted s = {.row = &recent->table->rows[row],
			    .metric = recent->table->columns[column].metric};
	const double *values = series_steps(recent, cell);
	double sum = 0;

	s.statistics = (struct statistics){.mean = NAN, .max = series_peak(recent, cell)};
	for (size_t i = 0; values && i < recent->step_count; i++) {
		if (isnan(values[i]))
			continue;
		s.values = values;
		s.statistics.known++;
		sum += values[i];
	}
	if (s.statistics.known)
		s.statistics.mean = sum / (double)s.statistics.known;
	return s;
}

static void put_time(const struct page *page, FILE *out)
{
	char text[PAGE_TIME_SIZE];

	fprintf(out, "<p>%s, every %g s</p>\n", page_time(page->wall_ns, text),
		(double)page->info->interval_ns / 1e9);
}

static void put_stale(const struct page *page, FILE *out)
{
	char text[PAGE_TIME_SIZE];

	fprintf(out, "<p class=\"flag bad\">No sample has come since %s.</p>\n",
		page_time(page->wall_ns, text));
}

/* Writes tiles for the system's row. */
static void put_tiles(const struct page *page, FILE *out)
{
	const struct table *table = page->recent->table;
	const size_t row = table_system_row(table);
	const char *name;
	unsigned shown = 0;

	if (row == SIZE_MAX)
		return;
	fputs("<h2>The whole system, now</h2>\n<div class=\"tiles\">", out);
	for (unsigned rank = 1; (name = important_at(IMPORTANT_TILES, rank)); rank++) {
		const size_t c = table_find(table, name);

		if (c == SIZE_MAX || shown == PAGE_TILES_MOST)
			continue;
		const struct plotted s = series_of(page, row, c);

		shown += s.values != NULL;
		if (s.values)
			page_tile(&s, s.row->values[c].number, "mean", s.statistics.mean, out);
	}
	fputs("</div>\n", out);
}

/* Draws the rows of the finest scope that has known values. */
static void put_chart(const struct page *page, size_t column, struct plotted *series, FILE *out)
{
	const size_t rows = table_metric_rows(page->recent->table);
	struct chart chart = {.since = page->since, .live = true};
	enum scope scope = SCOPE_COUNT;

	for (size_t r = 0; r < rows; r++) {
		series[r] = series_of(page, r, column);
		if (series[r].values && row_scope(series[r].row) < scope)
			scope = row_scope(series[r].row);
	}
	for (size_t r = 0; r < rows && chart.count < CHART_MAX_LINES; r++)
		if (series[r].values && row_scope(series[r].row) == scope)
			chart.lines[chart.count++] = (struct chart_line){
				&series[r], page->times, page->recent->step_count, NULL};
	if (!chart.count)
		return;
	chart_set_title(&chart);
	chart_over_time(&chart, out);
}

static void put_charts(const struct page *page, FILE *out)
{
	const struct table *table = page->recent->table;
	struct plotted *series = calloc(table->row_count + 1, sizeof(*series));
	const char *name;

	if (!series || !table->column_count) {
		free(series);
		return;
	}
	fputs("<h2>The last minutes</h2>\n<div class=\"charts\">\n", out);
	for (unsigned rank = 1; (name = important_at(IMPORTANT_CHARTS, rank)); rank++) {
		const size_t c = table_find(table, name);

		if (c != SIZE_MAX)
			put_chart(page, c, series, out);
	}
	fputs("</div>\n", out);
	free(series);
}

/* Writes a number, "~" if it is an estimate, as in the table. Nothing if it is unknown. */
static void put_now(FILE *out, double number, unsigned decimals, bool estimate)
{
	fputs(estimate && !isnan(number) ? "<td data-of=\"now\">~" : "<td data-of=\"now\">", out);
	html_number(out, number, decimals);
	fputs("</td>", out);
}

static void put_place(FILE *out, const struct row *row)
{
	char place[LOCATION_SIZE];

	html_print(out, "<tr><th scope=\"row\">%s</th>", location_with_unit(row, true, place));
}

enum { METRIC_COLUMNS = 4, EVENT_COLUMNS = 2 };

static void put_metric(const struct page *page, size_t column, FILE *out)
{
	const struct table *table = page->recent->table;
	const struct metric *metric = table->columns[column].metric;
	bool begun = false;

	for (size_t r = 0; r < table_metric_rows(table); r++) {
		const struct plotted s = series_of(page, r, column);
		const struct value *now = &s.row->values[column];

		if (!s.values)
			continue;
		if (!begun)
			html_table_group(metric->name, metric_title(metric), plotted_unit(&s),
					 METRIC_COLUMNS, out);
		begun = true;
		put_place(out, s.row);
		put_now(out, now->number, plotted_shown_decimals(&s), now->scaled);
		html_cell(out, "mean", statistic_of(&s, STATISTIC_MEAN),
			  plotted_shown_decimals(&s));
		html_cell(out, "max", statistic_of(&s, STATISTIC_MAX), plotted_shown_decimals(&s));
		fputs("</tr>\n", out);
	}
	fputs(begun ? "</tbody>\n" : "", out);
}

static void put_metrics(const struct page *page, FILE *out)
{
	static const char *const headings[METRIC_COLUMNS + 1] = {"where", "now", "mean", "max",
								 NULL};
	const struct table *table = page->recent->table;

	if (!table_metric_rows(table))
		return;
	fputs("<h2>Figures of the last minutes</h2>\n", out);
	html_table("Figures", "figures", headings, out);
	for (size_t c = 0; c < table->column_count; c++)
		if (table->columns[c].metric->kind == METRIC_NUMBER)
			put_metric(page, c, out);
	fputs("</table></div>\n", out);
}

/* Writes the rows of each event, which are consecutive. */
static void put_events(const struct page *page, FILE *out)
{
	static const char *const headings[EVENT_COLUMNS + 1] = {"where", "now", NULL};
	const struct table *table = page->recent->table;
	const struct event *event = NULL;

	if (!table->event_rows)
		return;
	fputs("<h2>Events</h2>\n", out);
	html_table("Events", "figures", headings, out);
	for (size_t r = table_metric_rows(table); r < table->row_count; r++) {
		const struct row *row = &table->rows[r];

		if (row->event != event) {
			fputs(event ? "</tbody>\n" : "", out);
			html_table_group(row->event->name, row->event->name, "1/s", EVENT_COLUMNS,
					 out);
		}
		event = row->event;
		put_place(out, row);
		put_now(out, row->per_s, 1, row->counted_pct < 100);
		fputs("</tr>\n", out);
	}
	fputs("</tbody>\n</table></div>\n", out);
}

static void put_contents(const struct page *page, FILE *out)
{
	page->head->stale_from = (uint32_t)ftello(out);
	put_time(page, out);
	put_tiles(page, out);
	put_charts(page, out);
	put_metrics(page, out);
	put_events(page, out);
	page->head->stale_to = (uint32_t)ftello(out);
}

static void put_part(const char *name, const void *context, FILE *out)
{
	const struct page *page = context;
	const uint64_t seconds = page->info->interval_ns / NS_PER_S;
	char processor[RECORDED_PROCESSOR_SIZE];

	if (!strcmp(name, "seconds"))
		fprintf(out, "%" PRIu64, seconds ? seconds : 1);
	else if (!strcmp(name, "processor"))
		html_text(out, recorded_processor(page->info, processor));
	else if (!strcmp(name, "contents"))
		put_contents(page, out);
	else if (!strcmp(name, "script"))
		fputs(serving_page_script, out);
	else
		page_put(name, out);
}

void serving_page_put(FILE *out, const struct series *recent, const struct recording_info *info,
		      uint64_t wall_ns, struct message *head)
{
	const uint64_t first_ns = recent->step_count ? series_ends(recent)[0] : wall_ns;
	const time_t first = (time_t)(first_ns / NS_PER_S);
	struct page page = {.recent = recent, .info = info, .wall_ns = wall_ns, .head = head};
	struct tm tm;

	for (size_t i = 0; i < recent->step_count; i++)
		page.times[i] = (double)(series_ends(recent)[i] - first_ns) / NS_PER_S;
	if (gmtime_r(&first, &tm))
		strftime(page.since, TIME_SIZE, "%H:%M:%S UTC", &tm);
	html_fill(serving_page_html, put_part, &page, out);
	head->size = (uint32_t)ftello(out);
	put_stale(&page, out);
}
