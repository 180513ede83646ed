/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of a view out of the counts of a sample: no allocation, no text. */
#include <math.h>

#include "metrics/expression.h"
#include "metrics/view.h"
#include "platform/number.h"

#define DOUBTFUL   0.10 /* by how much two ways to measure the same may differ */
#define WORTH_MBPS 1.0	/* below, a single line makes a large part */

/* What the slots behind a row have in common. */
struct coverage {
	double interval_s, counted_pct;
};

static void cover(struct coverage *coverage, const struct count *count, bool *scaled)
{
	/* what could not be read the last time has been counted for longer than one interval */
	const uint64_t ns = count->time_running > count->time_enabled ? count->time_running
								      : count->time_enabled;
	const double pct = 100 * (double)count->time_running / (double)ns;

	coverage->interval_s = min_double(coverage->interval_s, (double)ns / NS_PER_S);
	coverage->counted_pct = min_double(coverage->counted_pct, pct);
	*scaled |= count->time_running < ns;
}

static bool counted(const struct count *count)
{
	return count->known && count->time_running;
}

/* Events a second, summed over the operand's slots. False: not known. */
static bool sum_operand(const struct view *view, const struct expression *e, unsigned i,
			const struct sample *sample, struct operand *out, bool *suspect)
{
	*out = (struct operand){0};
	if (!e->term_count[i])
		return true; /* formula.absent_is_0 */
	for (size_t t = 0; t < e->term_count[i]; t++) {
		const struct count *count = &sample->counts[view->terms[e->first_term[i] + t]];

		if (counted(count)) {
			const double rate =
				(double)count->events * NS_PER_S / (double)count->time_running;

			/* one part beyond belief makes the sum so */
			*suspect |=
				e->formula->max > 0 && rate * e->formula->factor > e->formula->max;
			out->per_second += rate;
			out->units++;
		} else if (!e->formula->any_unit) {
			return false;
		}
	}
	/* the units that did not count it have seen as much each */
	if (e->formula->cross_check && out->units)
		out->per_second *= (double)e->term_count[i] / out->units;
	return out->units > 0;
}

static void cover_all(const struct view *view, const struct expression *e,
		      const struct sample *sample, struct coverage *coverage, bool *scaled)
{
	for (unsigned i = 0; i < e->operands; i++) {
		for (size_t t = 0; t < e->term_count[i]; t++) {
			const struct count *count =
				&sample->counts[view->terms[e->first_term[i] + t]];

			if (counted(count))
				cover(coverage, count, scaled);
		}
	}
}

/* NAN where it is not known; suspects are those that nobody should believe. */
static double evaluate(struct view *view, const struct expression *e, const struct sample *sample)
{
	struct operand operands[FORMULA_EVENTS];
	bool suspect = false;

	if (!e->formula)
		return NAN;
	for (unsigned i = 0; i < e->operands; i++)
		if (!sum_operand(view, e, i, sample, &operands[i], &suspect))
			return NAN;

	const double value = e->formula->value(e->formula, operands);
	if (!suspect && !isinf(value))
		return value;
	view->suspects++;
	return NAN;
}

/* Compares a value with what another way says that it is. */
static void verify(struct view *view, double value, double other)
{
	if (isnan(value) || isnan(other) || max_double(value, other) < WORTH_MBPS ||
	    fabs(value - other) <= DOUBTFUL * max_double(value, other))
		return;
	if (!view->doubts++) {
		view->opinions[0] = value;
		view->opinions[1] = other;
	}
}

static void update_cell(struct view *view, const struct expression *ways,
			const struct sample *sample, struct value *value, struct coverage *coverage)
{
	struct coverage own = {.interval_s = INFINITY, .counted_pct = 100};

	*value = (struct value){.number = NAN, .text = ""};
	for (unsigned way = 0; way < EXPRESSIONS; way++) {
		const struct formula *formula = ways[way].formula;

		if (!formula || (!isnan(value->number) && !formula->cross_check))
			continue;
		const double number = evaluate(view, &ways[way], sample);
		if (formula->cross_check)
			verify(view, value->number, number);
		if (!isnan(value->number))
			continue;
		value->number = number;
		cover_all(view, &ways[way], sample, &own, &value->scaled);
		if (!isnan(number) && formula->source)
			value->text = formula->source;
	}
	value->seconds = isnan(value->number) ? NAN : own.interval_s;
	coverage->interval_s = min_double(coverage->interval_s, own.interval_s);
	coverage->counted_pct = min_double(coverage->counted_pct, own.counted_pct);
}

/* A column of sources says what its number rests on this time. */
static void update_sources(const struct view *view, struct row *row)
{
	for (size_t c = 0; c < view->column_count; c++)
		if (view->source_column[c] < view->column_count)
			row->values[c].text = row->values[view->source_column[c]].text;
}

static void update_event(const struct view *view, size_t r, const struct sample *sample,
			 struct row *row, struct coverage *coverage)
{
	const struct count *count = &sample->counts[view->terms[r]];
	bool scaled = false;

	row->count = NAN;
	row->per_s = NAN;
	if (!counted(count))
		return;
	cover(coverage, count, &scaled);
	row->per_s = (double)count->events * NS_PER_S / (double)count->time_running;
	row->count = round_double(row->per_s * coverage->interval_s);
}

void view_update(struct view *view, const struct sample *sample)
{
	for (size_t r = 0; r < view->row_count; r++) {
		struct row *row = &view->rows[r];
		struct coverage coverage = {.interval_s = INFINITY, .counted_pct = 100};

		if (view->by_event)
			update_event(view, r, sample, row, &coverage);
		for (size_t c = 0; c < view->column_count; c++)
			if (view->columns[c]->kind == METRIC_NUMBER)
				update_cell(view,
					    &view->expressions[(r * view->column_count + c) *
							       EXPRESSIONS],
					    sample, &row->values[c], &coverage);

		update_sources(view, row);
		/* nothing of this row was counted */
		row->interval_s = isinf(coverage.interval_s) ? NAN : coverage.interval_s;
		row->counted_pct = isinf(coverage.interval_s) ? NAN : coverage.counted_pct;
	}
}
