/* SPDX-License-Identifier: BSD-3-Clause */
#include "compare/compare_output.h"

#include <string.h>

#include "output/html.h"
#include "report/report_chart.h"
#include "report/report_page.h"

#define NAME_SIZE  256
#define TITLE_SIZE 512

static void put_lone(const struct comparison *c, enum side side, FILE *out)
{
	const char *separator = "";
	char text[LONE_SIZE];

	for (size_t i = 0; i < c->lone_count; i++) {
		if (c->lone[i].side != side)
			continue;
		if (!*separator)
			html_print(out, "<p class=\"note\">Only in %t: ", side_names[side]);
		html_print(out, "%t%t", separator, compare_lone(&c->lone[i], text));
		separator = ", ";
	}
	fputs(*separator ? ".</p>\n" : "", out);
}

/* What readers must know before they look at numbers. */
static void put_differences(const struct comparison *c, FILE *out)
{
	if (c->identical)
		fputs("<p class=\"flag\">A and B are the same recording.</p>\n", out);
	for (size_t i = 0; i < c->difference_count; i++) {
		const struct difference *d = &c->differences[i];

		html_print(out,
			   "<p class=\"flag\">Recorded differently: %t: %t in A, %t in B</p>\n",
			   d->what, d->of[SIDE_A], d->of[SIDE_B]);
	}
	for (enum side side = SIDE_A; side < SIDES; side++)
		put_lone(c, side, out);
	if (!comparison_same_interval(c))
		fputs("<p class=\"note\">The intervals differ: p95, p99 and max are those of samples "
		      "of different length.</p>\n",
		      out);
}

static void put_head(const struct comparison *c, FILE *out)
{
	const struct compared_side *a = &c->sides[SIDE_A], *b = &c->sides[SIDE_B];

	frame_begin(out);
	html_print(out, "cxlmon compare: %t, %t", a->name, b->name);
	frame_begin_contents(out);
	fputs("<header><p class=\"eyebrow\">cxlmon compare</p><h1>Two recordings</h1></header>\n",
	      out);
	for (enum side side = SIDE_A; side < SIDES; side++) {
		html_print(out, "<h2>%t: %t <small>%t</small></h2>\n", side_names[side],
			   c->sides[side].name, c->sides[side].report->about->processor);
		report_flags(c->sides[side].report->about, c->sides[side].flaw, out);
		report_facts(c->sides[side].report, out);
	}
	put_differences(c, out);
}

/* "400.0 -> 420.0 +5.00 %": a cell. */
static void put_change(const struct compared *pair, enum figure figure, FILE *out)
{
	const unsigned decimals = compared_shown_decimals(pair);
	char pct[COMPARED_NUMBER_SIZE];

	compared_pct(compared_difference_pct(pair, figure), pct);
	html_print(out, "<td data-of=\"%t\">", figure_names[figure]);
	html_number(out, figure_of(pair->series[SIDE_A], figure), decimals);
	fputs(" \u2192 ", out);
	html_number(out, figure_of(pair->series[SIDE_B], figure), decimals);
	if (*pct)
		html_print(out, " <span class=\"of\">%t %%</span>", pct);
	fputs("</td>", out);
}

static void put_verdict(const struct compared *pair, FILE *out)
{
	char p[COMPARED_NUMBER_SIZE], advice[ADVICE_SIZE];

	html_print(out, "<td data-of=\"verdict\">%t", compared_advice(pair, advice));
	if (*compared_p(pair->p, p))
		html_print(out, " <span class=\"of\">p %t%t</span>", *p == '<' ? "" : "= ", p);
	fputs("</td>", out);
}

static void put_row(const struct compared *pair, FILE *out)
{
	char place[LOCATION_SIZE];

	html_print(out, "<tr><th scope=\"row\">%t</th>",
		   location_with_unit(pair->series[SIDE_A]->row, true, place));
	put_verdict(pair, out);
	for (enum figure f = 0; f < FIGURES; f++)
		put_change(pair, f, out);
	fputs("</tr>\n", out);
}

/* Those of a metric or an event are consecutive. */
static bool is_same_metric(const struct compared *a, const struct compared *b)
{
	return a->series[SIDE_A]->metric == b->series[SIDE_A]->metric &&
	       a->series[SIDE_A]->row->event == b->series[SIDE_A]->row->event;
}

/* Rows in groups of a metric: those that differ, or all. */
static void put_table(const struct comparison *c, const char *heading, bool differing, FILE *out)
{
	const struct compared *last = NULL;

	html_print(out, "<h2>%t</h2>\n", heading);
	report_table_begin(heading, "figures", out);
	fputs("<thead><tr><th scope=\"col\">where</th><th scope=\"col\">means</th>", out);
	for (enum figure f = 0; f < FIGURES; f++)
		html_print(out, "<th scope=\"col\">%t</th>", figure_names[f]);
	fputs("</tr></thead>\n", out);
	for (size_t i = 0; i < c->compared_count; i++) {
		const struct compared *pair = &c->compared[i];

		if (differing && pair->verdict != VERDICT_DIFFERS)
			continue;
		if (!last || !is_same_metric(last, pair)) {
			fputs(last ? "</tbody>\n" : "", out);
			report_table_group(compared_name(pair), compared_unit(pair), out);
		}
		last = pair;
		put_row(pair, out);
	}
	fputs(last ? "</tbody>\n</table></div>\n" : "</table></div>\n", out);
}

static void put_differing(const struct comparison *c, FILE *out)
{
	if (c->differ)
		put_table(c, "What differs", true, out);
	else if (c->judged)
		fputs("<h2>What differs</h2>\n<p class=\"note\">No mean differs by more than its "
		      "spread.</p>\n",
		      out);
	else
		fputs("<h2>What differs</h2>\n<p class=\"note\">Nothing can be judged.</p>\n", out);
}

static void put_chart(const struct comparison *c, const struct compared *pair, FILE *out)
{
	const struct metric *metric = pair->series[SIDE_A]->metric;
	struct chart chart = {.name = compared_name(pair),
			      .title = compared_name(pair),
			      .unit = compared_unit(pair),
			      .help = "Events a second"};
	char names[SIDES][NAME_SIZE], title[TITLE_SIZE], place[LOCATION_SIZE];

	if (metric)
		chart = chart_of_metric(metric);
	snprintf(title, sizeof(title), "%.255s, %s", chart.title,
		 location_with_unit(pair->series[SIDE_A]->row, true, place));
	chart.title = title;
	for (enum side side = SIDE_A; side < SIDES; side++) {
		snprintf(names[side], NAME_SIZE, "%s: %s", side_names[side], c->sides[side].name);
		chart.lines[chart.count++] = (struct chart_line){.report = c->sides[side].report,
								 .series = pair->series[side],
								 .name = names[side]};
	}
	chart_over_time(&chart, out);
}

/* The charts so far, below headings. */
struct drawing {
	const struct comparison *comparison;
	FILE *out;
	const char *title; /* NULL: nothing is drawn yet */
	size_t drawn, left_out;
};

static void draw(struct drawing *d, const struct compared *pair)
{
	const struct metric *metric = pair->series[SIDE_A]->metric;
	const char *title = metric ? chart_group_title(metric->group) : "Events";

	if (d->drawn == CHART_MAX) {
		d->left_out++;
		return;
	}
	if (!d->title || strcmp(d->title, title) != 0) {
		fputs(d->title ? "</div>\n" : "", d->out);
		html_print(d->out, "<h2>%t</h2>\n<div class=\"charts\">\n", title);
	}
	d->title = title;
	d->drawn++;
	put_chart(d->comparison, pair, d->out);
}

/* Of the rows of a metric, the coarsest, and those that differ. */
static void draw_metric(struct drawing *d, const struct compared *first, size_t count)
{
	enum scope coarsest = SCOPE_CPU;

	for (size_t i = 0; i < count; i++)
		if (first[i].series[SIDE_A]->row->scope > coarsest)
			coarsest = first[i].series[SIDE_A]->row->scope;
	for (size_t i = 0; i < count; i++)
		if (first[i].verdict == VERDICT_DIFFERS ||
		    (first[i].verdict != VERDICT_ABSENT &&
		     first[i].series[SIDE_A]->row->scope == coarsest))
			draw(d, &first[i]);
}

static void put_charts(const struct comparison *c, FILE *out)
{
	struct drawing drawing = {.comparison = c, .out = out};

	for (size_t first = 0, end = 0; first < c->compared_count; first = end) {
		while (end < c->compared_count &&
		       is_same_metric(&c->compared[first], &c->compared[end]))
			end++;
		draw_metric(&drawing, &c->compared[first], end - first);
	}
	fputs(drawing.title ? "</div>\n" : "", out);
	if (drawing.left_out)
		fprintf(out, "<p class=\"note\">%zu more are not drawn; the table has them.</p>\n",
			drawing.left_out);
}

static void put_notes(const struct comparison *c, FILE *out)
{
	const struct report *a = c->sides[SIDE_A].report, *b = c->sides[SIDE_B].report;

	fputs("<section class=\"notes\"><h2>How to read it</h2><ul>", out);
	html_print(
		out,
		"<li>%t. <b>p</b> is the probability of such a difference, or a larger one, if there "
		"is none. <b>too short to tell</b>: the samples follow each other for too long, or "
		"are too few; both recordings have to be as long as it says, or longer. <b>measured "
		"differently</b>: the processors differ, or what was selected or counted.</li>",
		comparison_method);
	fputs("<li>Each cell has the value of A, that of B, and by how much B is more or less, in "
	      "percent of A. <b>mean</b> is weighted by time; <b>p50</b>, <b>p95</b> and "
	      "<b>p99</b> are percentiles (nearest rank) of the known values of all samples; "
	      "<b>max</b> is the largest value. Means alone are judged.</li>"
	      "<li>Of each metric, the rows of the coarsest level and those that differ are drawn, "
	      "over the time since the start of each recording.</li>",
	      out);
	report_note_reduced(a->samples > b->samples ? a : b, out);
	html_print(
		out,
		"</ul></section>\n<footer>Made by cxlmon %t from recordings of cxlmon %t and %t. "
		"This page loads no other resources.</footer>\n",
		CXLMON_VERSION, a->about->program, b->about->program);
}

void compare_page(const struct comparison *c, FILE *out)
{
	put_head(c, out);
	put_differing(c, out);
	put_charts(c, out);
	if (c->compared_count)
		put_table(c, "Figures", false, out);
	put_notes(c, out);
	frame_end(out);
}
