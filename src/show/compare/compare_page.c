/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/compare/compare_private.h"

#include <string.h>

#include "show/page/chart.h"
#include "show/page/page.h"
#include "table/spell.h"

HTML_EMBED(compare_notes, "show/compare/compare_notes.html");

#define NAME_SIZE  256
#define TITLE_SIZE 512

static void put_unmatched(const struct comparison *c, enum side side, FILE *out)
{
	const char *separator = "";
	char text[UNMATCHED_SIZE];

	for (size_t i = 0; i < c->unmatched_count; i++) {
		if (c->unmatched[i].side != side)
			continue;
		if (!*separator)
			html_print(out, "<p class=\"note\">Only in %s: ", side_names[side]);
		html_print(out, "%s%s", separator, compare_unmatched(&c->unmatched[i], text));
		separator = ", ";
	}
	fputs(*separator ? ".</p>\n" : "", out);
}

/* Writes what readers must know before they see numbers. */
static void put_differences(const struct comparison *c, FILE *out)
{
	if (c->identical)
		fputs("<p class=\"flag\">A and B are the same recording.</p>\n", out);
	for (size_t i = 0; i < c->difference_count; i++) {
		const struct difference *d = &c->differences[i];

		html_print(out,
			   "<p class=\"flag\">Recorded differently: %s: %s in A, %s in B</p>\n",
			   d->what, d->of[SIDE_A], d->of[SIDE_B]);
	}
	for (enum side side = SIDE_A; side < SIDES; side++)
		put_unmatched(c, side, out);
	if (!comparison_same_interval(c))
		fputs("<p class=\"note\">The intervals differ: p95, p99 and max are of samples of "
		      "different length.</p>\n",
		      out);
}

static void put_recordings(const struct comparison *c, FILE *out)
{
	for (enum side side = SIDE_A; side < SIDES; side++) {
		html_print(out, "<h2>%s: %s <small>%s</small></h2>\n", side_names[side],
			   c->sides[side].name, c->sides[side].report->info->processor);
		page_flags(c->sides[side].report->info, c->sides[side].flaw, out);
		page_facts(c->sides[side].report, out);
	}
	put_differences(c, out);
}

/* Writes a cell: "400.0 -> 420.0 +5.00 %". */
static void put_change(const struct compared *pair, enum statistic statistic, FILE *out)
{
	const unsigned decimals = plotted_shown_decimals(pair->series[SIDE_A]);
	char pct[COMPARED_NUMBER_SIZE];

	compared_pct(compared_difference_pct(pair, statistic), pct);
	html_print(out, "<td data-of=\"%s\">", statistic_names[statistic]);
	html_number(out, statistic_of(pair->series[SIDE_A], statistic), decimals);
	fputs(" \u2192 ", out);
	html_number(out, statistic_of(pair->series[SIDE_B], statistic), decimals);
	if (*pct)
		html_print(out, " <span class=\"of\">%s %%</span>", pct);
	fputs("</td>", out);
}

static void put_row(const struct compared *pair, FILE *out)
{
	char place[LOCATION_SIZE], p[COMPARED_NUMBER_SIZE], advice[ADVICE_SIZE];

	html_print(out, "<tr><th scope=\"row\">%s</th><td data-of=\"verdict\">%s",
		   location_with_unit(pair->series[SIDE_A]->row, true, place),
		   compared_advice(pair, advice));
	if (*compared_p(pair->p, p))
		html_print(out, " <span class=\"of\">p %s%s</span>", *p == '<' ? "" : "= ", p);
	fputs("</td>", out);
	for (enum statistic f = 0; f < STATISTICS; f++)
		put_change(pair, f, out);
	fputs("</tr>\n", out);
}

/* Returns whether two rows have the same metric or event; such rows are consecutive. */
static bool is_same_metric(const struct compared *a, const struct compared *b)
{
	return a->series[SIDE_A]->metric == b->series[SIDE_A]->metric &&
	       a->series[SIDE_A]->row->event == b->series[SIDE_A]->row->event;
}

static bool pair_differs(const struct compared *pair)
{
	return pair->verdict == COMPARED_DIFFERS;
}

/* Writes rows, grouped by metric. chosen NULL: all rows. */
static void put_table(const struct comparison *c, const char *heading,
		      bool (*chosen)(const struct compared *pair), FILE *out)
{
	static const char *const headings[] = {"where", "means", "mean", "p50",
					       "p95",	"p99",	 "max",	 NULL};
	const struct compared *last = NULL;

	html_print(out, "<h2>%s</h2>\n", heading);
	html_table(heading, "figures changes", headings, out);
	for (size_t i = 0; i < c->compared_count; i++) {
		const struct compared *pair = &c->compared[i];

		if (chosen && !chosen(pair))
			continue;
		if (!last || !is_same_metric(last, pair)) {
			fputs(last ? "</tbody>\n" : "", out);
			html_table_group(plotted_name(pair->series[SIDE_A]),
					 plotted_title(compared_titled(pair)),
					 plotted_unit(compared_titled(pair)), 2 + STATISTICS, out);
		}
		last = pair;
		put_row(pair, out);
	}
	fputs(last ? "</tbody>\n</table></div>\n" : "</table></div>\n", out);
}

static void put_chart(const struct comparison *c, const struct compared *pair, FILE *out)
{
	char names[SIDES][NAME_SIZE], title[TITLE_SIZE], place[LOCATION_SIZE];
	struct chart chart = {.count = 0};

	for (enum side side = SIDE_A; side < SIDES; side++) {
		snprintf(names[side], NAME_SIZE, "%s: %s", side_names[side], c->sides[side].name);
		chart_add(&chart, c->sides[side].report, pair->series[side], names[side]);
	}
	chart_set_title(&chart);
	snprintf(title, sizeof(title), "%.255s, %s", chart.title,
		 location_with_unit(pair->series[SIDE_A]->row, true, place));
	chart.title = title;
	chart_over_time(&chart, out);
}

/* Returns the coarsest scope of a metric's rows, from the first one on. */
static enum scope coarsest_scope(const struct comparison *c, size_t first)
{
	enum scope coarsest = SCOPE_CPU;

	for (size_t i = first;
	     i < c->compared_count && is_same_metric(&c->compared[first], &c->compared[i]); i++)
		if (row_scope(c->compared[i].series[SIDE_A]->row) > coarsest)
			coarsest = row_scope(c->compared[i].series[SIDE_A]->row);
	return coarsest;
}

/*
 * Writes charts, below headings: of the coarsest rows of each metric, and of the rows in the tables
 * above.
 */
static void put_charts(const struct comparison *c, FILE *out)
{
	const char *heading = NULL;
	size_t drawn = 0, left_out = 0;
	enum scope coarsest = SCOPE_CPU;

	for (size_t i = 0; i < c->compared_count; i++) {
		const struct compared *pair = &c->compared[i];
		const struct plotted *s = pair->series[SIDE_A];
		const char *title = s->metric ? chart_group_title(s->metric->group) : "Events";

		if (!i || !is_same_metric(pair - 1, pair))
			coarsest = coarsest_scope(c, i);
		if (!pair_differs(pair) && !compared_is_apart(pair) &&
		    (pair->verdict == COMPARED_ABSENT || row_scope(s->row) != coarsest))
			continue;
		if (drawn == CHART_MAX) {
			left_out++;
			continue;
		}
		if (!heading || strcmp(heading, title) != 0) {
			fputs(heading ? "</div>\n" : "", out);
			html_print(out, "<h2>%s</h2>\n<div class=\"charts\">\n", title);
		}
		heading = title;
		drawn++;
		put_chart(c, pair, out);
	}
	fputs(heading ? "</div>\n" : "", out);
	if (left_out)
		fprintf(out, "<p class=\"note\">%zu more are not drawn; the table has them.</p>\n",
			left_out);
}

static const char *no_difference(const struct comparison *c)
{
	if (!c->compared_count)
		return "Nothing can be compared: no row of both has values of the same metric.";
	return c->judged ? "No mean differs by more than its spread."
			 : "No mean can be judged: the tables say why.";
}

static void put_contents(const struct comparison *c, FILE *out)
{
	put_recordings(c, out);
	if (c->differ || c->states_differ)
		put_table(c, "What differs", pair_differs, out);
	else
		html_print(out, "<h2>What differs</h2>\n<p class=\"note\">%s</p>\n",
			   no_difference(c));
	if (c->apart)
		put_table(c, "What does not overlap", compared_is_apart, out);
	put_charts(c, out);
	if (c->compared_count)
		put_table(c, "Figures", NULL, out);
}

static void put_part(const char *name, const void *context, FILE *out)
{
	const struct comparison *c = context;
	const struct report *a = c->sides[SIDE_A].report, *b = c->sides[SIDE_B].report;

	if (!strcmp(name, "title"))
		html_print(out, "cxlmon compare: %s, %s", c->sides[SIDE_A].name,
			   c->sides[SIDE_B].name);
	else if (!strcmp(name, "kind"))
		fputs("compare", out);
	else if (!strcmp(name, "heading"))
		fputs("Two recordings", out);
	else if (!strcmp(name, "contents"))
		put_contents(c, out);
	else if (!strcmp(name, "notes"))
		html_fill(compare_notes, put_part, c, out);
	else if (!strcmp(name, "method"))
		html_text(out, comparison_method);
	else if (!strcmp(name, "reduced"))
		page_note_reduced(a->samples > b->samples ? a : b, out);
	else if (!strcmp(name, "sources"))
		html_print(out, "recordings of cxlmon %s and %s", a->info->program,
			   b->info->program);
	else
		page_put(name, out);
}

void compare_page(const struct comparison *c, FILE *out)
{
	html_fill(page_html, put_part, c, out);
}
