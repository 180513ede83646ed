/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/compare/compare_private.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/device_health.h"
#include "table/spell.h"

const char *const side_names[SIDES] = {[SIDE_A] = "A", [SIDE_B] = "B"};

const char comparison_method[] =
	"Means differ if Student's t-test of the means of 20 equal parts of each recording is "
	"significant, at 5 % for all rows together (Holm's correction)";

const struct plotted *compared_titled(const struct compared *pair)
{
	const struct plotted *a = pair->series[SIDE_A];

	return a->metric && !a->metric->heading ? pair->series[SIDE_B] : a;
}

const char *compared_heading(const struct compared *pair, char text[HEADING_SIZE])
{
	const struct plotted *s = compared_titled(pair);
	const bool with_unit = s->metric && s->metric->heading && *plotted_unit(s);

	snprintf(text, HEADING_SIZE, "%s%s%s", plotted_title(s), with_unit ? ", " : "",
		 with_unit ? plotted_unit(s) : "");
	return text;
}

const char *compared_verdict(const struct compared *pair)
{
	static const char *const names[] = {
		[COMPARED_SAME] = "same",
		[COMPARED_DIFFERS] = "differs",
		[COMPARED_TOO_SHORT] = "too short to tell",
		[COMPARED_UNLIKE] = "measured differently",
		[COMPARED_RAISED] = "an estimate",
	};

	if (pair->verdict != COMPARED_ABSENT)
		return names[pair->verdict];
	return pair->series[SIDE_A]->values ? "not in B" : "not in A";
}

const char *compared_range(const struct compared *pair)
{
	static const char *const names[] = {
		[RANGE_OVERLAPS] = "",
		[RANGE_ABOVE] = "above",
		[RANGE_BELOW] = "below",
		[RANGE_EQUAL] = "equal",
	};

	return names[pair->range];
}

bool compared_is_apart(const struct compared *pair)
{
	return pair->verdict != COMPARED_DIFFERS &&
	       (pair->range == RANGE_ABOVE || pair->range == RANGE_BELOW);
}

#define PLAIN_SIZE 96

/* Writes "all 60 values of B are above all 60 of A"; "": they overlap. */
static const char *plain_text(const struct compared *pair, char text[PLAIN_SIZE])
{
	static const char *const are[] = {
		[RANGE_ABOVE] = "are above",
		[RANGE_BELOW] = "are below",
		[RANGE_EQUAL] = "equal",
	};

	*text = '\0';
	if (pair->range != RANGE_OVERLAPS)
		snprintf(text, PLAIN_SIZE, "all %zu values of B %s all %zu of A",
			 pair->series[SIDE_B]->statistics.known, are[pair->range],
			 pair->series[SIDE_A]->statistics.known);
	return text;
}

static const char *states_text(const struct compared *pair, char text[ADVICE_SIZE])
{
	char a[DEVICE_HEALTH_TEXT_SIZE], b[DEVICE_HEALTH_TEXT_SIZE];

	snprintf(text, ADVICE_SIZE, "A: %s; B: %s", device_health_text(pair->states[SIDE_A], a),
		 device_health_text(pair->states[SIDE_B], b));
	return text;
}

const char *compared_advice(const struct compared *pair, char text[ADVICE_SIZE])
{
	const char *verdict = compared_verdict(pair);
	const bool too_short = pair->verdict == COMPARED_TOO_SHORT;
	const bool is_plain = too_short ? pair->range != RANGE_OVERLAPS : compared_is_apart(pair);
	char plain[PLAIN_SIZE], record[48] = "";

	if (pair->verdict == COMPARED_DIFFERS && plotted_is_state(pair->series[SIDE_A]))
		return states_text(pair, text);
	if (pair->verdict == COMPARED_RAISED)
		snprintf(record, sizeof(record), ": reads of DRAM may have raised it");
	if (!isnan(pair->record_s))
		snprintf(record, sizeof(record), ": record at least %.9g s", pair->record_s);
	plain_text(pair, plain);
	if (!is_plain)
		snprintf(text, ADVICE_SIZE, "%s%s", verdict, record);
	else if (*record)
		snprintf(text, ADVICE_SIZE, "%s; too few independent values to exclude chance%s",
			 plain, record);
	else if (too_short)
		snprintf(text, ADVICE_SIZE, "%s; %s", plain, verdict);
	else
		snprintf(text, ADVICE_SIZE, "%s, but not significantly", plain);
	return text;
}

double compared_difference(const struct compared *pair, enum statistic statistic)
{
	return statistic_of(pair->series[SIDE_B], statistic) -
	       statistic_of(pair->series[SIDE_A], statistic);
}

double compared_difference_pct(const struct compared *pair, enum statistic statistic)
{
	const double a = statistic_of(pair->series[SIDE_A], statistic);

	return a != 0 ? 100 * compared_difference(pair, statistic) / fabs(a) : NAN;
}

bool comparison_same_interval(const struct comparison *c)
{
	return c->sides[SIDE_A].report->info->interval_ns ==
	       c->sides[SIDE_B].report->info->interval_ns;
}

/* Returns the least difference that an output shows; smaller ones are due to rounding. */
static double pair_resolution(const struct compared *pair)
{
	double half = 0.5;

	for (unsigned i = 0; i < plotted_decimals(pair->series[SIDE_A]) && half > 1e-9; i++)
		half /= 10;
	return half;
}

/* Rounds up to two digits: more would claim too much. */
static double round_up(double seconds)
{
	double unit = 1e-9;

	while (seconds > 100 * unit)
		unit *= 10;
	const double rounded = round(seconds / unit) * unit;
	return rounded < seconds * (1 - 1e-9) ? rounded + unit : rounded;
}

struct extent {
	double least, most;
	size_t known;
};

static struct extent extent_of(const struct comparison *c, const struct compared *pair,
			       enum side side)
{
	const double *values = pair->series[side]->values;
	struct extent e = {INFINITY, -INFINITY, 0};

	for (size_t i = 0; i < c->sides[side].report->samples; i++) {
		e.least = fmin(e.least, values[i]);
		e.most = fmax(e.most, values[i]);
		e.known += !isnan(values[i]);
	}
	return e;
}

/* Finds how the ranges lie; a single value is not a range. */
static enum range find_range(const struct comparison *c, const struct compared *pair)
{
	const struct extent a = extent_of(c, pair, SIDE_A), b = extent_of(c, pair, SIDE_B);
	const double shown = pair_resolution(pair);

	if (a.known < 2 || b.known < 2)
		return RANGE_OVERLAPS;
	if (fmax(a.most, b.most) - fmin(a.least, b.least) < shown)
		return RANGE_EQUAL;
	if (b.least - a.most >= shown)
		return RANGE_ABOVE;
	return a.least - b.most >= shown ? RANGE_BELOW : RANGE_OVERLAPS;
}

static void judge_means(const struct comparison *c, struct compared *pair)
{
	struct mean_estimate means[SIDES];
	double needed_s;

	for (enum side side = SIDE_A; side < SIDES; side++) {
		const struct report *r = c->sides[side].report;

		means[side] = mean_estimate_make(pair->series[side]->values, r->times, r->samples);
	}
	const double difference = means[SIDE_B].mean - means[SIDE_A].mean;
	pair->range = find_range(c, pair);
	pair->p = mean_test(&means[SIDE_A], &means[SIDE_B], &needed_s);
	pair->verdict = isnan(pair->p) ? COMPARED_TOO_SHORT : COMPARED_SAME;
	if (needed_s > 0 && isfinite(needed_s))
		pair->record_s = round_up(needed_s);
	if (!isnan(pair->p) && difference < pair_resolution(pair) &&
	    difference > -pair_resolution(pair))
		pair->p = 1;
}

static void judge_states(const struct comparison *c, struct compared *pair)
{
	for (enum side side = SIDE_A; side < SIDES; side++) {
		const double *values = pair->series[side]->values;
		size_t i = c->sides[side].report->samples;

		while (i && isnan(values[i - 1]))
			i--;
		pair->states[side] = i ? device_state_of(values[i - 1]) : 0;
	}
	pair->verdict =
		pair->states[SIDE_A] == pair->states[SIDE_B] ? COMPARED_SAME : COMPARED_DIFFERS;
}

/* Judges a pair, except for the steps that take all pairs together. */
static void judge_pair(const struct comparison *c, struct compared *pair)
{
	pair->p = pair->record_s = NAN;
	if (!pair->series[SIDE_A]->values || !pair->series[SIDE_B]->values)
		pair->verdict = COMPARED_ABSENT;
	else if (unlike_pair(c, pair))
		pair->verdict = COMPARED_UNLIKE;
	else if (pair->series[SIDE_A]->raised || pair->series[SIDE_B]->raised)
		pair->verdict = COMPARED_RAISED;
	else if (plotted_is_state(pair->series[SIDE_A]))
		judge_states(c, pair);
	else
		judge_means(c, pair);
}

static int judge_all(struct comparison *c)
{
	double *p = malloc((c->compared_count + 1) * sizeof(*p));

	if (!p)
		return -ENOMEM;
	for (size_t i = 0; i < c->compared_count; i++) {
		struct compared *pair = &c->compared[i];

		judge_pair(c, pair);
		p[i] = pair->p;
		c->states += plotted_is_state(pair->series[SIDE_A]);
		c->states_differ += pair->verdict == COMPARED_DIFFERS;
	}
	const int rc = holm_adjust(p, c->compared_count);
	for (size_t i = 0; !rc && i < c->compared_count; i++) {
		c->compared[i].p = p[i];
		c->judged += !isnan(p[i]);
		if (p[i] < TEST_LEVEL)
			c->compared[i].verdict = COMPARED_DIFFERS;
		c->differ += p[i] < TEST_LEVEL;
		c->apart += compared_is_apart(&c->compared[i]);
	}
	free(p);
	return rc;
}

/* Matching of rows. */

#define NO_MATCH SIZE_MAX

/* Compares places; equal rows stay in their order. */
static int compare_places(const void *a, const void *b)
{
	const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;
	const int order = row_compare(x, y);

	return order ? order : (x > y) - (x < y);
}

static const struct row **sort_rows(const struct table *table)
{
	const struct row **rows = malloc((table->row_count + 1) * sizeof(*rows));

	for (size_t i = 0; rows && i < table->row_count; i++)
		rows[i] = &table->rows[i];
	if (rows)
		qsort(rows, table->row_count, sizeof(*rows), compare_places);
	return rows;
}

/*
 * Matches rows. out: for each row of a side, the index of the other side's row, or NO_MATCH; freed
 * by the caller. Equal rows, as of an event that was chosen twice, are matched in order.
 */
static int match_rows(const struct comparison *c, size_t *out[SIDES])
{
	const struct row **sorted[SIDES];
	size_t at[SIDES] = {0}, count[SIDES];
	int rc = 0;

	for (enum side side = SIDE_A; side < SIDES; side++) {
		count[side] = c->sides[side].report->table->row_count;
		sorted[side] = sort_rows(c->sides[side].report->table);
		out[side] = malloc((count[side] + 1) * sizeof(size_t));
		if (!sorted[side] || !out[side])
			rc = -ENOMEM;
		for (size_t i = 0; !rc && i < count[side]; i++)
			out[side][i] = NO_MATCH;
	}
	while (!rc && at[SIDE_A] < count[SIDE_A] && at[SIDE_B] < count[SIDE_B]) {
		const struct row *a = sorted[SIDE_A][at[SIDE_A]], *b = sorted[SIDE_B][at[SIDE_B]];
		const size_t row_a = (size_t)(a - c->sides[SIDE_A].report->table->rows);
		const size_t row_b = (size_t)(b - c->sides[SIDE_B].report->table->rows);
		const int order = row_compare(a, b);

		if (!order) {
			out[SIDE_A][row_a] = row_b;
			out[SIDE_B][row_b] = row_a;
		}
		at[SIDE_A] += order <= 0;
		at[SIDE_B] += order >= 0;
	}
	free(sorted[SIDE_A]);
	free(sorted[SIDE_B]);
	return rc;
}

/* Returns the other table's column of the same metric; NO_MATCH: none. */
static size_t same_column(const struct table *table, size_t column, const struct table *other)
{
	const struct metric *metric = table->columns[column].metric;
	const size_t found = table_find(other, metric->name);

	return found != SIZE_MAX && metric->kind == METRIC_NUMBER &&
			       other->columns[found].metric->kind == METRIC_NUMBER &&
			       !strcmp(unit_text(metric),
				       unit_text(other->columns[found].metric)) &&
			       table_find(table, metric->name) == column
		       ? found
		       : NO_MATCH;
}

static void add_pair(struct comparison *c, const struct plotted *a, const struct plotted *b)
{
	if ((a->values || b->values) && row_scope(a->row) >= c->finest)
		c->compared[c->compared_count++] = (struct compared){.series = {a, b}};
}

static void add_pairs(struct comparison *c, const size_t *rows)
{
	const struct report *a = c->sides[SIDE_A].report, *b = c->sides[SIDE_B].report;
	const size_t metric_rows = table_metric_rows(a->table);

	for (size_t column = 0; column < a->table->column_count; column++) {
		const size_t other = same_column(a->table, column, b->table);

		for (size_t row = 0; other != NO_MATCH && row < metric_rows; row++)
			if (rows[row] != NO_MATCH)
				add_pair(c, report_series(a, row, column),
					 report_series(b, rows[row], other));
	}
	for (size_t row = metric_rows; row < a->table->row_count; row++)
		if (rows[row] != NO_MATCH)
			add_pair(c, report_event_series(a, row), report_event_series(b, rows[row]));
}

/* Adds columns and rows of one side that the other lacks. */
static void add_unmatched(struct comparison *c, enum side side, const size_t *rows)
{
	const struct report *r = c->sides[side].report;
	const struct table *other = c->sides[SIDE_B - side].report->table;

	for (size_t i = 0; i < r->table->column_count; i++)
		if (same_column(r->table, i, other) == NO_MATCH && report_knows(r, i))
			c->unmatched[c->unmatched_count++] = (struct unmatched){
				.side = side, .metric = r->table->columns[i].metric};
	for (size_t i = 0; i < r->table->row_count; i++)
		if (rows[i] == NO_MATCH && row_scope(&r->table->rows[i]) >= c->finest)
			c->unmatched[c->unmatched_count++] =
				(struct unmatched){.side = side, .row = &r->table->rows[i]};
}

static int make_room(struct comparison *c)
{
	const struct table *a = c->sides[SIDE_A].report->table, *b = c->sides[SIDE_B].report->table;

	c->unmatched = calloc(1 + a->column_count + a->row_count + b->column_count + b->row_count,
			      sizeof(*c->unmatched));
	c->compared = calloc(c->sides[SIDE_A].report->series_count + 1, sizeof(*c->compared));
	return c->unmatched && c->compared ? 0 : -ENOMEM;
}

int comparison_make(const struct compared_side sides[SIDES], enum scope finest,
		    struct comparison *out)
{
	size_t *rows[SIDES];

	*out = (struct comparison){.sides = {sides[SIDE_A], sides[SIDE_B]}, .finest = finest};
	int rc = match_rows(out, rows);
	if (!rc)
		rc = make_room(out);
	if (!rc) {
		add_pairs(out, rows[SIDE_A]);
		for (enum side side = SIDE_A; side < SIDES; side++)
			add_unmatched(out, side, rows[side]);
		rc = unlike_find(out);
	}
	if (!rc)
		rc = judge_all(out);
	free(rows[SIDE_A]);
	free(rows[SIDE_B]);
	return rc;
}

void comparison_free(struct comparison *c)
{
	free(c->compared);
	free(c->unmatched);
	free(c->differences);
	*c = (struct comparison){.compared_count = 0};
}
