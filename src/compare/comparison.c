/* SPDX-License-Identifier: BSD-3-Clause */
#include "compare/comparison.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define EVENT_DECIMALS	     3 /* as in CSV */
#define EVENT_SHOWN_DECIMALS 1

const char *const side_names[SIDES] = {[SIDE_A] = "A", [SIDE_B] = "B"};

const char comparison_method[] =
	"Means differ where a t-test that allows for correlated samples (variance from equally "
	"weighted cosine transforms) is significant at 5 % for all rows together (Holm's "
	"correction)";

const char *compared_name(const struct compared *pair)
{
	const struct series *s = pair->series[SIDE_A];

	return s->metric ? s->metric->name : s->row->event->name;
}

const char *compared_title(const struct compared *pair)
{
	const struct metric *metric = pair->series[SIDE_A]->metric;

	return metric ? metric_title(metric) : compared_name(pair);
}

const char *compared_heading(const struct compared *pair, char text[HEADING_SIZE])
{
	const struct metric *metric = pair->series[SIDE_A]->metric;
	const bool headed = metric && metric->heading;
	const char *unit = headed ? compared_unit(pair) : "";

	snprintf(text, HEADING_SIZE, "%s%s%s", compared_title(pair), *unit ? ", " : "", unit);
	return text;
}

const char *compared_unit(const struct compared *pair)
{
	const struct metric *metric = pair->series[SIDE_A]->metric;

	if (!metric)
		return "1/s";
	return metric->unit ? metric->unit : "";
}

unsigned compared_decimals(const struct compared *pair)
{
	const struct metric *metric = pair->series[SIDE_A]->metric;

	return metric ? metric->decimals : EVENT_DECIMALS;
}

unsigned compared_shown_decimals(const struct compared *pair)
{
	const struct metric *metric = pair->series[SIDE_A]->metric;

	return metric ? metric_shown_decimals(metric) : EVENT_SHOWN_DECIMALS;
}

const char *compared_verdict(const struct compared *pair)
{
	static const char *const names[] = {
		[VERDICT_SAME] = "same",
		[VERDICT_DIFFERS] = "differs",
		[VERDICT_TOO_SHORT] = "too short to tell",
		[VERDICT_UNLIKE] = "measured differently",
	};

	if (pair->verdict != VERDICT_ABSENT)
		return names[pair->verdict];
	return pair->series[SIDE_A]->values ? "not in B" : "not in A";
}

const char *compared_advice(const struct compared *pair, char text[ADVICE_SIZE])
{
	const char *verdict = compared_verdict(pair);

	if (isnan(pair->record_s))
		snprintf(text, ADVICE_SIZE, "%s", verdict);
	else
		snprintf(text, ADVICE_SIZE, "%s: record at least %.9g s", verdict, pair->record_s);
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

/* Smaller differences are those of rounding: no output would show them. */
static double resolution(const struct compared *pair)
{
	double half = 0.5;

	for (unsigned i = 0; i < compared_decimals(pair) && half > 1e-9; i++)
		half /= 10;
	return half;
}

/* Up to two digits: more would say too much. */
static double round_up(double seconds)
{
	double unit = 1e-9;

	while (seconds > 100 * unit)
		unit *= 10;
	const double rounded = round(seconds / unit) * unit;
	return rounded < seconds * (1 - 1e-9) ? rounded + unit : rounded;
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
	pair->p = mean_test(&means[SIDE_A], &means[SIDE_B], &needed_s);
	pair->verdict = isnan(pair->p) ? VERDICT_TOO_SHORT : VERDICT_SAME;
	if (isnan(pair->p) && needed_s > 0 && isfinite(needed_s))
		pair->record_s = round_up(needed_s);
	if (!isnan(pair->p) && difference < resolution(pair) && difference > -resolution(pair))
		pair->p = 1;
}

/* But for what takes all pairs together. */
static void judge(const struct comparison *c, struct compared *pair)
{
	pair->p = pair->record_s = NAN;
	if (!pair->series[SIDE_A]->values || !pair->series[SIDE_B]->values)
		pair->verdict = VERDICT_ABSENT;
	else if (unlike_pair(c, pair))
		pair->verdict = VERDICT_UNLIKE;
	else
		judge_means(c, pair);
}

static int judge_all(struct comparison *c)
{
	double *p = malloc((c->compared_count + 1) * sizeof(*p));

	if (!p)
		return -ENOMEM;
	for (size_t i = 0; i < c->compared_count; i++) {
		judge(c, &c->compared[i]);
		p[i] = c->compared[i].p;
	}
	const int rc = holm_adjust(p, c->compared_count);
	for (size_t i = 0; !rc && i < c->compared_count; i++) {
		c->compared[i].p = p[i];
		c->judged += !isnan(p[i]);
		if (p[i] < TEST_LEVEL)
			c->compared[i].verdict = VERDICT_DIFFERS;
		c->differ += p[i] < TEST_LEVEL;
	}
	free(p);
	return rc;
}

/* Whether a row is wanted, of which B has the one of this number. */
static bool is_pair(const struct comparison *c, size_t row, size_t of_b)
{
	return of_b != NO_MATCH && c->sides[SIDE_A].report->view->rows[row].scope >= c->finest;
}

static void add_pair(struct comparison *c, const struct series *a, const struct series *b)
{
	if (a->values || b->values)
		c->compared[c->compared_count++] = (struct compared){.series = {a, b}};
}

/* B's columns and rows, by those of A. */
static void add_pairs(struct comparison *c, const struct match *columns, const struct match *rows)
{
	const struct report *a = c->sides[SIDE_A].report, *b = c->sides[SIDE_B].report;
	const size_t metric_rows = view_metric_rows(a->view);

	for (size_t column = 0; column < a->view->column_count; column++)
		for (size_t row = 0; row < metric_rows; row++)
			if (columns->of[column] != NO_MATCH && is_pair(c, row, rows->of[row]))
				add_pair(c, report_series(a, row, column),
					 report_series(b, rows->of[row], columns->of[column]));
	for (size_t row = metric_rows; row < a->view->row_count; row++)
		if (is_pair(c, row, rows->of[row]))
			add_pair(c, report_event_series(a, row),
				 report_event_series(b, rows->of[row]));
}

static bool column_known(const struct report *r, size_t column)
{
	for (size_t row = 0; row < view_metric_rows(r->view); row++)
		if (report_series(r, row, column)->values)
			return true;
	return false;
}

/* Columns and rows of one side that the other has not. */
static void add_unmatched(struct comparison *c, enum side side, const struct match *columns,
			  const struct match *rows)
{
	const struct report *r = c->sides[side].report;

	for (size_t i = 0; i < columns->count; i++)
		if (columns->of[i] == NO_MATCH && column_known(r, i))
			c->unmatched[c->unmatched_count++] =
				(struct unmatched){.side = side, .metric = r->view->columns[i]};
	for (size_t i = 0; i < rows->count; i++)
		if (rows->of[i] == NO_MATCH && r->view->rows[i].scope >= c->finest)
			c->unmatched[c->unmatched_count++] =
				(struct unmatched){.side = side, .row = &r->view->rows[i]};
}

static int make_room(struct comparison *c, const struct matches *matches)
{
	size_t unmatched = 1;

	for (enum side side = SIDE_A; side < SIDES; side++)
		unmatched += matches->columns[side].count + matches->rows[side].count;
	c->unmatched = calloc(unmatched, sizeof(*c->unmatched));
	c->compared = calloc(c->sides[SIDE_A].report->series_count + 1, sizeof(*c->compared));
	return c->unmatched && c->compared ? 0 : -ENOMEM;
}

int comparison_make(const struct compared_side sides[SIDES], enum scope finest,
		    struct comparison *out)
{
	struct matches matches;
	int rc = matches_make(sides[SIDE_A].report->view, sides[SIDE_B].report->view, &matches);

	*out = (struct comparison){.sides = {sides[SIDE_A], sides[SIDE_B]}, .finest = finest};
	if (!rc)
		rc = make_room(out, &matches);
	if (!rc) {
		add_pairs(out, &matches.columns[SIDE_A], &matches.rows[SIDE_A]);
		for (enum side side = SIDE_A; side < SIDES; side++)
			add_unmatched(out, side, &matches.columns[side], &matches.rows[side]);
		rc = unlike_find(out);
	}
	if (!rc)
		rc = judge_all(out);
	matches_free(&matches);
	return rc;
}

void comparison_free(struct comparison *c)
{
	free(c->compared);
	free(c->unmatched);
	free(c->differences);
	*c = (struct comparison){.compared_count = 0};
}
