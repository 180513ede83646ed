/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/report/report_page.h"

#include <string.h>

#include "base/number.h"
#include "metrics/important.h"
#include "show/page/chart.h"
#include "show/page/html.h"
#include "show/page/page.h"
#include "table/spell.h"
#include "table/words.h"

HTML_EMBED(report_notes, "show/report/report_notes.html");

/* In words, with the unit that its name ends with: "CXL read 12.3 MB/s". */
static void put_evidence(const struct evidence *evidence, FILE *out)
{
	const char *unit = name_unit(evidence->name);
	char words[WORDS_SIZE];

	html_print(out, "%s ", name_words(evidence->name, words));
	html_number(out, evidence->number, evidence->decimals);
	html_print(out, "%s%s", *unit ? " " : "", unit);
}

static void put_finding(const struct report *r, const struct findings *findings, size_t index,
			FILE *out)
{
	const struct finding *finding = &findings->all[index];
	const char *advice = explain_advice(findings, index);
	const bool all = finding->samples >= r->explain.samples;
	char part[NUMBER_SIZE], whole[NUMBER_SIZE];

	html_print(out, "<li>%s", finding->sentence);
	if (finding->evidence_count && !all)
		fprintf(out, "<p class=\"note\">Measured in %s of %s samples: ",
			number_grouped((double)finding->samples, 0, part),
			number_grouped((double)r->explain.samples, 0, whole));
	else if (finding->evidence_count)
		fputs("<p class=\"note\">Measured: ", out);
	for (size_t i = 0; i < finding->evidence_count; i++) {
		fputs(i ? ", " : "", out);
		put_evidence(&finding->evidence[i], out);
	}
	fputs(finding->evidence_count ? "</p>" : "", out);
	if (advice)
		html_print(out, "<p class=\"note\">What to do: %s</p>", advice);
	fputs("</li>\n", out);
}

/* Lists the marks, which the charts show as lines that have to be pointed at. */
static void put_marks(const struct report *r, FILE *out)
{
	char line[MARK_LINE_SIZE];

	if (r->mark_count)
		fputs("<h2>What happened</h2>\n<ul class=\"marks\">\n", out);
	for (size_t i = 0; i < r->mark_count && i < CHART_MARKS; i++) {
		fprintf(out, "<li>after %.1f s: ", report_mark_time(r, &r->marks[i]));
		html_text(out, mark_line(&r->marks[i], line));
		fputs("</li>\n", out);
	}
	fputs(r->mark_count ? "</ul>\n" : "", out);
	if (r->mark_count > CHART_MARKS)
		fprintf(out, "<p class=\"note\">And %zu more: cxlmon replay prints them.</p>\n",
			r->mark_count - CHART_MARKS);
}

static void put_findings(const struct report *r, FILE *out)
{
	char command[EXPLAIN_COMMAND_SIZE], checks[NOT_CHECKED_TEXT_SIZE];
	struct findings findings;

	explain_conclude(&r->explain, &findings);
	/* "nothing limits it", from means over all steps, would contradict the sweep */
	if (r->sweep.count && findings.none)
		return;
	fputs("<h2>What limits CXL here</h2>\n<ol class=\"findings\">", out);
	for (size_t i = 0; i < findings.count; i++)
		put_finding(r, &findings, i, out);
	fputs("</ol>\n", out);
	if (findings.left_out)
		fprintf(out, "<p class=\"note\">" FINDINGS_LEFT_OUT "</p>\n", findings.left_out);
	fputs(findings.not_checked_count ? "<p class=\"note\">" : "", out);
	for (size_t i = 0; i < findings.not_checked_count; i++)
		if (explain_not_checked_text(&findings, i, checks))
			html_print(out, "%s%s", i ? ", " : "Not checked: ", checks);
	if (*explain_command_text(&r->explain, &findings, command))
		html_print(out, ". Missing values can be recorded: %s", command);
	fputs(findings.not_checked_count ? ".</p>\n" : "", out);
}

static void put_tiles(const struct report *r, FILE *out)
{
	const size_t row = table_system_row(r->table);
	const char *name;
	unsigned shown = 0;

	if (row == SIZE_MAX)
		return;
	fputs("<h2>The whole system, on average</h2>\n<div class=\"tiles\">", out);
	for (unsigned rank = 1; (name = important_at(IMPORTANT_TILES, rank)); rank++) {
		const size_t c = table_find(r->table, name);

		if (c == SIZE_MAX || !report_series(r, row, c)->values || shown == PAGE_TILES_MOST)
			continue;
		const struct plotted *s = report_series(r, row, c);

		page_tile(s, s->statistics.mean, "p99", s->statistics.p99, out);
		shown++;
	}
	fputs("</div>\n", out);
}

static void put_row(const struct report *r, const struct plotted *s, FILE *out)
{
	char place[LOCATION_SIZE], known[NUMBER_SIZE], samples[NUMBER_SIZE];

	html_print(out, "<tr><th scope=\"row\">%s</th>", location_with_unit(s->row, true, place));
	for (enum statistic f = 0; f < STATISTICS; f++)
		html_cell(out, statistic_names[f], statistic_of(s, f), plotted_shown_decimals(s));
	fprintf(out, "<td data-of=\"known\">%s<span class=\"of\">/%s</span></td></tr>\n",
		number_grouped((double)s->statistics.known, 0, known),
		number_grouped((double)r->samples, 0, samples));
}

static void put_metric(const struct report *r, size_t column, FILE *out)
{
	bool begun = false;

	if (metric_is_state(r->table->columns[column].metric))
		return;
	for (size_t row = 0; row < r->table->row_count; row++) {
		const struct plotted *s = report_series(r, row, column);

		if (!s->values)
			continue;
		if (!begun)
			html_table_group(s->metric->name, metric_title(s->metric), plotted_unit(s),
					 2 + STATISTICS, out);
		begun = true;
		put_row(r, s, out);
	}
	if (begun)
		fputs("</tbody>\n", out);
}

static void put_events(const struct report *r, FILE *out)
{
	const struct event *event = NULL;

	for (size_t row = table_metric_rows(r->table); row < r->table->row_count; row++) {
		const struct plotted *s = report_event_series(r, row);

		if (!s->values)
			continue;
		if (s->row->event != event) {
			fputs(event ? "</tbody>\n" : "", out);
			html_table_group(s->row->event->name, s->row->event->name, plotted_unit(s),
					 2 + STATISTICS, out);
		}
		event = s->row->event;
		put_row(r, s, out);
	}
	fputs(event ? "</tbody>\n" : "", out);
}

static void put_figures(const struct report *r, FILE *out)
{
	static const char *const headings[] = {"where", "mean", "p50",	 "p95",
					       "p99",	"max",	"known", NULL};

	fputs("<h2>Figures</h2>\n", out);
	html_table("Figures", "figures", headings, out);
	for (size_t c = 0; c < r->table->column_count; c++)
		put_metric(r, c, out);
	put_events(r, out);
	fputs("</table></div>\n", out);
}

static void put_unknown(const struct report *r, FILE *out)
{
	const char *separator = "<p class=\"note\">Without any known value in this recording: ";
	char words[WORDS_SIZE];

	for (size_t c = 0; c < r->table->column_count; c++) {
		if (r->table->columns[c].metric->kind != METRIC_NUMBER || report_knows(r, c))
			continue;
		fputs(separator, out);
		html_text(out, name_words(r->table->columns[c].metric->name, words));
		separator = ", ";
	}
	if (*separator == ',')
		fputs(".</p>\n", out);
}

/* Tells if a row is the first of its port: a port may have a row per event. */
static bool is_new_port(const struct table *table, size_t r)
{
	const struct row *row = &table->rows[r];

	if (!place_is_of_port(&row->place))
		return false;
	return !r || place_compare(&table->rows[r - 1].place, &row->place) ||
	       strcmp(table->rows[r - 1].place.pci, row->place.pci) != 0;
}

/*
 * Writes the devices of ports. With events, the rows of the first event have all of them; so have
 * rows of metrics.
 */
static void put_devices(const struct report *r, FILE *out)
{
	const struct table *table = r->table;
	const struct row *first = NULL;

	for (size_t i = 0; i < table->row_count; i++) {
		const struct row *row = &table->rows[i];

		if (!is_new_port(table, i) || (first && row->event != first->event))
			continue;
		if (!first)
			fputs("<h2>Ports</h2>\n<div class=\"scroll\"><table class=\"devices\">"
			      "<thead><tr><th scope=\"col\">port</th><th scope=\"col\">device</th>"
			      "<th scope=\"col\">PCI address</th><th scope=\"col\">NUMA node</th>"
			      "</tr></thead>\n<tbody>",
			      out);
		first = first ? first : row;
		if (row->place.kind == ROW_DEVICE)
			fputs("<tr><th scope=\"row\">unknown</th>", out);
		else
			html_print(out, "<tr><th scope=\"row\">socket %d %s %d</th>",
				   row->place.socket, row_scope_name(row), row->place.port);
		html_print(out, "<td>%s</td><td>%s</td><td>", row->place.memdev, row->place.pci);
		if (row->place.node >= 0)
			fprintf(out, "%d", row->place.node);
		fputs("</td></tr>\n", out);
	}
	if (first)
		fputs("</tbody></table></div>\n", out);
}

/* Contents of the page. */
struct page {
	const struct report *report;
	const struct error *flaw;
	int *rc;
};

static int put_contents(const struct report *r, FILE *out)
{
	int rc = 0;

	page_facts(r, out);
	if (r->samples) {
		rc = report_sweep(r, out);
		put_findings(r, out);
		report_what_if(r, out);
		put_marks(r, out);
		put_tiles(r, out);
		report_path(r, out);
		report_hot(r, out);
		charts_over_time(r, out);
		charts_of_latency(r, out);
		put_figures(r, out);
		put_unknown(r, out);
	} else {
		fputs("<p class=\"note\">There are no samples.</p>\n", out);
	}
	put_devices(r, out);
	return rc;
}

static void put_part(const char *name, const void *context, FILE *out)
{
	const struct page *page = context;
	const struct report *r = page->report;
	char time[PAGE_TIME_SIZE];

	if (!strcmp(name, "title")) {
		html_print(out, "cxlmon report: %s, %s", r->info->processor,
			   page_time(r->started_ns, time));
	} else if (!strcmp(name, "kind")) {
		fputs("report", out);
	} else if (!strcmp(name, "heading")) {
		html_print(out, "CXL memory on %s", r->info->processor);
	} else if (!strcmp(name, "flags")) {
		page_flags(r->info, page->flaw, out);
	} else if (!strcmp(name, "contents")) {
		*page->rc = put_contents(r, out);
	} else if (!strcmp(name, "notes")) {
		html_fill(report_notes, put_part, page, out);
	} else if (!strcmp(name, "reduced")) {
		page_note_reduced(r, out);
	} else if (!strcmp(name, "sources")) {
		html_print(out, "a recording of cxlmon %s", r->info->program);
	} else {
		page_put(name, out);
	}
}

int report_page(const struct report *r, const struct error *flaw, FILE *out)
{
	int rc = 0;

	html_fill(page_html, put_part, &(struct page){r, flaw, &rc}, out);
	return rc;
}
