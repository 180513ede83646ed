/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "compare/compare_output.h"
#include "output/rows.h"
#include "platform/number.h"
#include "platform/text.h"
#include "report/report_chart.h"

#define VALUE_WIDTH 11
#define PCT_WIDTH   8
#define LONE_SHOWN  10 /* of what only one recording has */

/* Of the columns of names; at least their headings. */
struct widths {
	int name, place;
};

static int longer(int width, const char *text)
{
	const int length = (int)strlen(text);

	return length > width ? length : width;
}

static struct widths widths_of(const struct comparison *c)
{
	struct widths widths = {.name = longer(0, "METRIC"), .place = longer(0, "WHERE")};
	char text[LOCATION_SIZE], heading[HEADING_SIZE];

	for (size_t i = 0; i < c->compared_count; i++) {
		const struct compared *pair = &c->compared[i];

		widths.name = longer(widths.name, compared_heading(pair, heading));
		widths.place = longer(widths.place,
				      location_with_unit(pair->series[SIDE_A]->row, false, text));
	}
	return widths;
}

static void put_side(const struct comparison *c, enum side side, FILE *out)
{
	const struct compared_side *s = &c->sides[side];

	fprintf(out, "%s: %s: %s, %zu sample%s of %.9g s%s\n", side_names[side],
		quoted(s->name).text, s->report->about->processor, s->report->samples,
		s->report->samples == 1 ? "" : "s",
		(double)s->report->about->interval_ns / NS_PER_S,
		s->flaw->code ? " (incomplete)" : "");
}

static void put_header(const struct widths *widths, FILE *out)
{
	fprintf(out, "%-*s  %-*s%*s%*s%*s%*s", widths->name, "", widths->place, "", VALUE_WIDTH,
		"MEAN", VALUE_WIDTH, "MEAN", VALUE_WIDTH, "", PCT_WIDTH, "MEAN");
	for (enum figure f = FIGURE_P50; f < FIGURES; f++)
		fprintf(out, "%*s", PCT_WIDTH, figure_names[f]);
	fprintf(out, "\n%-*s  %-*s%*s%*s%*s", widths->name, "METRIC", widths->place, "WHERE",
		VALUE_WIDTH, "A", VALUE_WIDTH, "B", VALUE_WIDTH, "B-A");
	for (enum figure f = 0; f < FIGURES; f++)
		fprintf(out, "%*s", PCT_WIDTH, "%");
	fputs("  MEANS\n", out);
}

static void put_line(const struct compared *pair, const struct widths *widths, FILE *out)
{
	const unsigned decimals = compared_shown_decimals(pair);
	char text[LOCATION_SIZE], number[COMPARED_NUMBER_SIZE], advice[ADVICE_SIZE];
	char heading[HEADING_SIZE];

	fprintf(out, "%-*s  %-*s", widths->name, compared_heading(pair, heading), widths->place,
		location_with_unit(pair->series[SIDE_A]->row, false, text));
	for (enum side side = SIDE_A; side < SIDES; side++)
		fprintf(out, " %*s", VALUE_WIDTH - 1,
			compared_value(figure_of(pair->series[side], FIGURE_MEAN), decimals,
				       number));
	fprintf(out, " %*s", VALUE_WIDTH - 1,
		compared_signed(compared_difference(pair, FIGURE_MEAN), decimals, number));
	for (enum figure f = 0; f < FIGURES; f++)
		fprintf(out, " %*s", PCT_WIDTH - 1,
			compared_pct(compared_difference_pct(pair, f), number));
	fprintf(out, "  %s\n", compared_advice(pair, advice));
}

static void put_lines(const struct comparison *c, FILE *out)
{
	const struct widths widths = widths_of(c);

	put_header(&widths, out);
	for (unsigned pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < c->compared_count; i++)
			if ((c->compared[i].verdict == VERDICT_DIFFERS) == !pass)
				put_line(&c->compared[i], &widths, out);
}

const char *compare_lone(const struct lone *lone, char text[LONE_SIZE])
{
	const struct row *row = lone->row;
	char place[LOCATION_SIZE];

	if (!row)
		snprintf(text, LONE_SIZE, "%s", lone->metric->name);
	else if (row->event)
		snprintf(text, LONE_SIZE, "%s of %s", row->event->name,
			 location_with_unit(row, true, place));
	else
		snprintf(text, LONE_SIZE, "%s", location_with_unit(row, true, place));
	return text;
}

static void put_lone(const struct comparison *c, enum side side, FILE *out)
{
	char text[LONE_SIZE];
	size_t count = 0;

	for (size_t i = 0; i < c->lone_count; i++) {
		if (c->lone[i].side != side)
			continue;
		if (!count)
			fprintf(out, "Only in %s: ", side_names[side]);
		if (count < LONE_SHOWN)
			fprintf(out, "%s%s", count ? ", " : "", compare_lone(&c->lone[i], text));
		count++;
	}
	if (count > LONE_SHOWN)
		fprintf(out, " and %zu more", count - LONE_SHOWN);
	fputs(count ? "\n" : "", out);
}

/* What readers must know before they look at numbers. */
static void put_differences(const struct comparison *c, FILE *out)
{
	if (c->identical)
		fputs("A and B are the same recording.\n", out);
	for (size_t i = 0; i < c->difference_count; i++) {
		const struct difference *d = &c->differences[i];

		fprintf(out, "Recorded differently: %s: %s in A, %s in B\n", d->what,
			quoted(d->of[SIDE_A]).text, quoted(d->of[SIDE_B]).text);
	}
	for (enum side side = SIDE_A; side < SIDES; side++)
		put_lone(c, side, out);
	if (!comparison_same_interval(c))
		fputs("The intervals differ: p95, p99 and max are those of samples of different "
		      "length.\n",
		      out);
}

void compare_table(const struct comparison *c, FILE *out)
{
	for (enum side side = SIDE_A; side < SIDES; side++)
		put_side(c, side, out);
	put_differences(c, out);
	if (c->identical)
		return;
	fprintf(out, "%zu of %zu means differ", c->differ, c->judged);
	if (c->judged < c->compared_count)
		fprintf(out, "; %zu cannot be judged", c->compared_count - c->judged);
	fputs("\n\n", out);
	if (c->compared_count)
		put_lines(c, out);
	else
		fputs("Nothing can be compared: no row of both has values of the same metric.\n",
		      out);
	fprintf(out, "\n%s.\n", comparison_method);
}
