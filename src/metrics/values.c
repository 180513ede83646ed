/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the values of a view from the counts of a sample. Allocates and formats nothing. */
#include <math.h>

#include "metrics/expression.h"
#include "metrics/view.h"
#include "platform/number.h"

/* A value and its cross-check may differ by this part; below 1 MB/s a single line is more. */
#define MISMATCH	     0.10
#define CROSS_CHECK_MIN_MBPS 1.0

/* Of all counts that a row or a value is computed from; see struct row. */
struct count_times {
	double interval_s, counted_pct;
	double longest_s;
};

/* A counter whose last read failed has run for longer than one interval. */
static uint64_t enabled_ns(const struct count *count)
{
	return count->time_running > count->time_enabled ? count->time_running
							 : count->time_enabled;
}

static void add_times(struct count_times *times, const struct count *count, bool *scaled)
{
	const uint64_t ns = enabled_ns(count);
	const double pct = 100 * (double)count->time_running / (double)ns;

	times->interval_s = min_double(times->interval_s, (double)ns / NS_PER_S);
	times->longest_s = max_double(times->longest_s, (double)ns / NS_PER_S);
	times->counted_pct = min_double(times->counted_pct, pct);
	*scaled |= count->time_running < ns;
}

static bool counted(const struct count *count)
{
	return count->known && count->time_running;
}

static double rate_of(const struct count *count)
{
	return (double)count->events * NS_PER_S / (double)count->time_running;
}

static const struct count *count_of(const struct view *view, const struct expression *e, unsigned i,
				    size_t t, const struct sample *sample)
{
	return &sample->counts[view->terms[e->first_term[i] + t]];
}

/*
 * The operands of a formula whose units each have a part of their own: term t of all operands is of
 * the same unit. Units of which nothing is known are left out. False: all of them.
 */
static bool sum_units(const struct view *view, const struct expression *e,
		      const struct sample *sample, struct operand *operands)
{
	for (unsigned i = 0; i < FORMULA_OPERANDS; i++)
		operands[i] = (struct operand){0};
	for (size_t t = 0; t < e->term_count[0]; t++) {
		double rates[FORMULA_EVENTS], parts[FORMULA_OPERANDS] = {0};
		unsigned known = 0;

		while (known < e->operands && counted(count_of(view, e, known, t, sample))) {
			rates[known] = rate_of(count_of(view, e, known, t, sample));
			known++;
		}
		if (known < e->operands || !formula_parts(e->formula, rates, e->operands, parts))
			continue;
		for (unsigned i = 0; i < FORMULA_OPERANDS; i++) {
			const unsigned event = i < e->operands ? i : 0;

			operands[i].per_second += parts[i];
			operands[i].events +=
				parts[i] * (double)enabled_ns(count_of(view, e, event, t, sample)) /
				NS_PER_S;
			operands[i].units++;
		}
	}
	return operands[0].units > 0;
}

/* Events a second, summed over the operand's slots. False: not known. */
static bool sum_operand(const struct view *view, const struct expression *e, unsigned i,
			const struct sample *sample, struct operand *out, bool *implausible)
{
	*out = (struct operand){0};
	if (!e->term_count[i])
		return true; /* formula.absent_is_0 */
	for (size_t t = 0; t < e->term_count[i]; t++) {
		const struct count *count = count_of(view, e, i, t, sample);

		if (counted(count)) {
			const double rate = rate_of(count);

			/* one implausible part makes the sum implausible */
			*implausible |=
				e->formula->max > 0 && rate * e->formula->factor > e->formula->max;
			out->per_second += rate;
			out->events += rate * (double)enabled_ns(count) / NS_PER_S;
			out->units++;
		} else if (!e->formula->any_unit) {
			return false;
		}
	}
	/* scaled to the units that did not count it */
	if (e->formula->cross_check && out->units) {
		out->per_second *= (double)e->term_count[i] / out->units;
		out->events *= (double)e->term_count[i] / out->units;
	}
	return out->units > 0;
}

static void add_operand_times(const struct view *view, const struct expression *e,
			      const struct sample *sample, struct count_times *times, bool *scaled)
{
	for (unsigned i = 0; i < e->operands; i++) {
		for (size_t t = 0; t < e->term_count[i]; t++) {
			const struct count *count = count_of(view, e, i, t, sample);

			if (counted(count))
				add_times(times, count, scaled);
		}
	}
}

/* What the formula of a rate is of the events of the whole interval, instead of those a second. */
static double total_of(const struct formula *formula, const struct operand *operands)
{
	struct operand totals[FORMULA_OPERANDS];

	for (unsigned i = 0; i < FORMULA_OPERANDS; i++) {
		totals[i] = operands[i];
		totals[i].per_second = operands[i].events;
	}
	return formula->value(formula, totals);
}

struct result {
	double number; /* NAN: not known, or implausible */
	double total;  /* of a rate, see total_of() */
	double weight; /* see struct value; NAN: the time */
};

static struct result evaluate(struct view *view, const struct expression *e,
			      const struct sample *sample)
{
	const struct result unknown = {.number = NAN, .total = NAN};
	struct operand operands[FORMULA_OPERANDS] = {0};
	bool implausible = false;

	if (!e->formula)
		return unknown;
	const bool parts = formula_has_parts(e->formula);
	if (parts && !sum_units(view, e, sample, operands))
		return unknown;
	for (unsigned i = 0; !parts && i < e->operands; i++)
		if (!sum_operand(view, e, i, sample, &operands[i], &implausible))
			return unknown;

	const struct result result = {
		.number = e->formula->value(e->formula, operands),
		.total = total_of(e->formula, operands),
		.weight = formula_weight(e->formula, operands),
	};
	if (!implausible && !isinf(result.number))
		return result;
	view->implausible++;
	return unknown;
}

/* Compares a value with its cross-check, of another source. */
static void compare(struct view *view, const struct value *shown, double check, const char *source)
{
	const double value = shown->number;

	if (isnan(value) || isnan(check) || max_double(value, check) < CROSS_CHECK_MIN_MBPS ||
	    fabs(value - check) <= MISMATCH * max_double(value, check))
		return;
	if (!view->mismatches++) {
		view->first_mismatch[0] = value;
		view->first_mismatch[1] = check;
		view->mismatch_sources[0] = shown->text;
		view->mismatch_sources[1] = source;
	}
}

/* See struct value. */
static double covered(const struct metric *metric, double number, double total,
		      const struct count_times *times)
{
	if (isnan(number))
		return NAN;
	return metric->family.counter && times->longest_s > times->interval_s && number > 0
		       ? total / number
		       : times->interval_s;
}

static void update_cell(struct view *view, const struct metric *metric,
			const struct expression *expressions, const struct sample *sample,
			struct value *value, struct count_times *times)
{
	struct count_times own = {.interval_s = INFINITY, .counted_pct = 100};
	double total = NAN;

	*value = (struct value){.number = NAN, .text = ""};
	for (unsigned nth = 0; nth < EXPRESSIONS; nth++) {
		const struct formula *formula = expressions[nth].formula;

		const bool checks = formula && (formula->cross_check || formula->compared);

		if (!formula || (!isnan(value->number) && !checks))
			continue;
		const struct result result = evaluate(view, &expressions[nth], sample);
		if (checks)
			compare(view, value, result.number, formula->source);
		if (!isnan(value->number))
			continue;
		value->number = result.number;
		value->weight = isnan(result.number) ? 0 : result.weight;
		total = result.total;
		add_operand_times(view, &expressions[nth], sample, &own, &value->scaled);
		if (!isnan(result.number) && formula->source)
			value->text = formula->source;
	}
	/* no quotient, nor a rate that is known to be one */
	if (isnan(value->weight) || value->weight < 0)
		value->weight = own.interval_s * NS_PER_S;
	value->seconds = covered(metric, value->number, total, &own);
	times->interval_s = min_double(times->interval_s, own.interval_s);
	times->counted_pct = min_double(times->counted_pct, own.counted_pct);
}

/* The cells of a row that the kernel's figures of memory are in. */
static void update_tiering(const struct view *view, struct row *row, struct count_times *times)
{
	const int node = row->of_node ? row->node : NODE_MACHINE;

	for (size_t c = 0; c < view->column_count; c++)
		if (view->columns[c]->node_stat)
			tiering_value(&view->tiering, node, view->columns[c], &row->values[c]);
	/* beside what units count, theirs is the interval of the row */
	const double seconds = tiering_interval_s(&view->tiering, node);
	if (isinf(times->interval_s) && !isnan(seconds))
		times->interval_s = seconds;
}

/* The source of a number can differ from sample to sample. */
static void update_sources(const struct view *view, struct row *row)
{
	for (size_t c = 0; c < view->column_count; c++)
		if (view->source_column[c] < view->column_count)
			row->values[c].text = row->values[view->source_column[c]].text;
}

/* A sum of which a part is not known is not known either. */
static void update_event(const struct view *view, struct row *row, const struct sample *sample,
			 struct count_times *times)
{
	double events = 0, per_s = 0;
	bool scaled = false;

	row->count = NAN;
	row->per_s = NAN;
	for (size_t t = 0; t < row->term_count; t++)
		if (!counted(&sample->counts[view->terms[row->first_term + t]]))
			return;
	for (size_t t = 0; t < row->term_count; t++) {
		const struct count *count = &sample->counts[view->terms[row->first_term + t]];
		struct count_times own = {.interval_s = INFINITY, .counted_pct = 100};

		add_times(&own, count, &scaled);
		events += rate_of(count) * own.interval_s;
		per_s += rate_of(count);
		times->interval_s = min_double(times->interval_s, own.interval_s);
		times->counted_pct = min_double(times->counted_pct, own.counted_pct);
	}
	row->count = round_double(events);
	row->per_s = per_s;
}

static void update_metrics(struct view *view, size_t r, const struct sample *sample,
			   struct count_times *times)
{
	for (size_t c = 0; c < view->column_count; c++) {
		const bool none = !view->implausible;

		if (view->columns[c]->kind == METRIC_NUMBER)
			update_cell(view, view->columns[c],
				    &view->expressions[(r * view->column_count + c) * EXPRESSIONS],
				    sample, &view->rows[r].values[c], times);
		if (none && view->implausible) {
			view->first_implausible.row = r;
			view->first_implausible.column = c;
		}
	}
	if (view->tiering.count && (view->rows[r].of_node || view->rows[r].scope == SCOPE_SYSTEM))
		update_tiering(view, &view->rows[r], times);
	update_sources(view, &view->rows[r]);
}

void view_update(struct view *view, const struct sample *sample)
{
	tiering_read(&view->tiering, sample->wall_ns);
	for (size_t r = 0; r < view->row_count; r++) {
		struct row *row = &view->rows[r];
		struct count_times times = {.interval_s = INFINITY, .counted_pct = 100};

		if (row->event)
			update_event(view, row, sample, &times);
		else
			update_metrics(view, r, sample, &times);
		/* nothing of this row was counted */
		row->interval_s = isinf(times.interval_s) ? NAN : times.interval_s;
		row->counted_pct = isinf(times.interval_s) ? NAN : times.counted_pct;
	}
}

static const struct expression *expression_of(const struct view *view, size_t row, size_t column,
					      unsigned nth)
{
	return &view->expressions[(row * view->column_count + column) * EXPRESSIONS + nth];
}

const struct formula *view_nth_formula(const struct view *view, size_t row, size_t column,
				       unsigned nth)
{
	return expression_of(view, row, column, nth)->formula;
}

double view_nth_value(struct view *view, size_t row, size_t column, unsigned nth,
		      const struct sample *sample)
{
	return evaluate(view, expression_of(view, row, column, nth), sample).number;
}
