/* SPDX-License-Identifier: BSD-3-Clause */
#include "formula/value.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/number.h"

/*
 * The noise of a mean of n reads. Their latencies differ: after a single queue, which is the worst,
 * as widely as an exponential distribution, whose deviation is its mean W. So the mean has a
 * deviation of W / sqrt(n). Besides, occupancy lacks the end of reads that outlast the interval T,
 * and includes the end of reads that began before it: at each end about n W / T reads, each with a
 * part of W that is uniform. They cancel except for a deviation of sqrt(2 n W / (3 T)) W, which
 * adds W / (3 T) of the noise: 0.1 % of it at the shortest intervals of 100 us. So the noise is 1 /
 * sqrt(n): below FEWEST_READS it is a third of the value, which is empty, and below ENOUGH_READS 2
 * %, and the value is an estimate.
 */

const struct value value_unknown = {.number = NAN, .text = "", .seconds = NAN};

double value_whole(double number)
{
	const double nearest = round(number);

	return fabs(number - nearest) <= 4 * DBL_EPSILON * fabs(nearest) ? nearest : number;
}

static double amount_of(const struct input_value *input)
{
	return value_whole(input->per_second * input->ns / NS_PER_S);
}

/* Computes the number of a formula from its inputs' rates, or (in_all) from their totals. */
static double number_of(const struct inputs *inputs, bool in_all)
{
	const struct program *program = inputs->formula->program;
	double numbers[PROGRAM_INPUTS];

	for (unsigned i = 0; i < program->input_count; i++) {
		const struct input_value *input = &inputs->items[i];

		numbers[i] = in_all ? input->per_second * input->ns / NS_PER_S : input->per_second;
		if (!isfinite(numbers[i]))
			return NAN;
	}
	return program_value(program, numbers);
}

/* Returns the value's .seconds; see struct value. */
static double seconds_of(const struct inputs *inputs, double number, bool is_rate)
{
	double shortest = INFINITY, longest = 0;

	for (unsigned i = 0; i < inputs->formula->program->input_count; i++) {
		const double ns = inputs->items[i].ns;

		shortest = ns < shortest ? ns : shortest;
		longest = ns > longest ? ns : longest;
	}
	const double seconds = is_rate && longest > shortest && number > 0
				       ? number_of(inputs, true) / number
				       : shortest / NS_PER_S;
	return !isnan(number) && isfinite(seconds) ? seconds : NAN;
}

static const char *source_of(const struct formula *formula)
{
	return formula->source ? formula->source : "";
}

void value_compute(const struct inputs *inputs, bool is_rate, struct value *out)
{
	const struct formula *formula = inputs->formula;

	*out = value_unknown;
	if (!formula)
		return;
	const bool few = formula->mean_of_reads && inputs->reads < FEWEST_READS;
	out->inputs = inputs;
	out->number = few ? NAN : number_of(inputs, false);
	out->seconds = seconds_of(inputs, out->number, is_rate);
	out->scaled = !isnan(out->number) &&
		      (inputs->scaled || (formula->mean_of_reads && inputs->reads < ENOUGH_READS));
	if (!isnan(out->number) || (few && inputs->reads > 0))
		out->text = source_of(formula);
}

bool inputs_have_counts(const struct inputs *inputs)
{
	for (unsigned i = 0; i < inputs->formula->program->input_count; i++)
		if (inputs->items[i].per_second != 0)
			return true;
	return false;
}

/* Returns the input that counts the reads of a mean of reads; NULL: none does. */
static const struct input_value *reads_input(const struct inputs *inputs)
{
	const struct program *program = inputs->formula->program;

	for (unsigned i = 0; inputs->formula->mean_of_reads && i < program->input_count; i++)
		if (program->inputs[i].kind == INPUT_EVENT && program->inputs[i].index == 1)
			return &inputs->items[i];
	return NULL;
}

double inputs_reads(const struct inputs *inputs)
{
	const struct input_value *reads = reads_input(inputs);

	return reads ? amount_of(reads) : 0;
}

/*
 * Computes the dividend, the sum of the ns of all reads, as the ns of a single read in all that
 * time.
 */
struct quotient inputs_quotient(const struct inputs *inputs)
{
	const struct input_value *reads = reads_input(inputs);
	struct input_value items[PROGRAM_INPUTS];
	struct inputs one = *inputs;

	if (!reads)
		return (struct quotient){0, 0};
	memcpy(items, inputs->items, inputs->formula->program->input_count * sizeof(*items));
	items[reads - inputs->items].per_second = NS_PER_S / reads->ns;
	one.items = items;
	const double dividend = number_of(&one, false);
	return (struct quotient){isnan(dividend) ? 0 : dividend, amount_of(reads)};
}

void inputs_name(struct inputs *inputs, const struct value *values, const size_t *columns)
{
	const struct program *program = inputs->formula->program;

	for (unsigned i = 0; i < program->input_count; i++) {
		if (program->inputs[i].kind != INPUT_METRIC)
			continue;
		const struct value *named = &values[columns[program->inputs[i].index]];
		inputs->items[i] =
			(struct input_value){named->number, value_whole(named->seconds * NS_PER_S)};
		inputs->scaled |= named->scaled;
	}
}

/* Sums of values over time. */

struct input_sum {
	struct input_value last;
	double amount, ns;
};

struct formula_sum {
	const struct formula *formula;
	size_t samples; /* 0: none since it was cleared */
	double reads;
	bool scaled;
	struct input_sum *items;
};

static struct formula_sum *sum_of(struct value_sum *sum, const struct formula *formula)
{
	const size_t count = formula->program->input_count;
	size_t i = 0;

	while (i < sum->sum_count && sum->sums[i].formula != formula)
		i++;
	if (i < sum->sum_count)
		return &sum->sums[i];
	if (array_room(&sum->sums, sum->sum_count, 1, sizeof(*sum->sums)))
		return NULL;
	if (count > sum->room) {
		struct input_value *room = realloc(sum->inputs.items, count * sizeof(*room));

		if (!room)
			return NULL;
		sum->inputs.items = room;
		sum->room = count;
	}
	sum->sums[i] = (struct formula_sum){
		.formula = formula,
		.items = calloc(count + 1, sizeof(struct input_sum)),
	};
	if (!sum->sums[i].items)
		return NULL;
	sum->sum_count++;
	return &sum->sums[i];
}

static int fail_sum(struct value_sum *sum)
{
	sum->failed = true;
	return -ENOMEM;
}

int value_sum_merge(struct value_sum *sum, const struct value_sum *other)
{
	for (size_t i = 0; i < other->sum_count; i++) {
		const struct formula_sum *from = &other->sums[i];
		struct formula_sum *to = from->samples ? sum_of(sum, from->formula) : NULL;

		if (!from->samples)
			continue;
		if (!to)
			return fail_sum(sum);
		to->samples += from->samples;
		to->reads += from->reads;
		to->scaled |= from->scaled;
		for (unsigned k = 0; k < from->formula->program->input_count; k++) {
			to->items[k].last = from->items[k].last;
			to->items[k].amount += from->items[k].amount;
			to->items[k].ns += from->items[k].ns;
		}
	}
	sum->last = isnan(other->last) ? sum->last : other->last;
	sum->shown = other->shown ? other->shown : sum->shown;
	sum->failed |= other->failed;
	return 0;
}

/* Notes the number of a level, and which formula's number is shown. */
static void note_shown(struct value_sum *sum, const struct inputs *inputs)
{
	struct value value;

	value_compute(inputs, false, &value);
	if (!isnan(value.number))
		sum->last = value.number;
	if (*value.text || !sum->shown)
		sum->shown = inputs->formula;
}

int value_sum_add(struct value_sum *sum, const struct value *value)
{
	const struct inputs *inputs = value->inputs;

	if (!inputs)
		return 0;
	struct formula_sum *of = sum_of(sum, inputs->formula);
	if (!of)
		return fail_sum(sum);
	if (inputs->formula->is_level || sum->shown != inputs->formula)
		note_shown(sum, inputs);
	of->samples++;
	of->reads += inputs->reads;
	of->scaled |= inputs->scaled;
	for (unsigned i = 0; i < inputs->formula->program->input_count; i++) {
		struct input_sum *item = &of->items[i];

		item->last = inputs->items[i];
		if (!(item->last.ns > 0))
			continue;
		item->amount += amount_of(&item->last);
		item->ns += item->last.ns;
	}
	return 0;
}

/* Sets sum->inputs from a formula's sum. A single sample stays unchanged to the last bit. */
static void set_inputs(struct value_sum *sum, const struct formula_sum *of)
{
	struct inputs *inputs = &sum->inputs;

	inputs->formula = of->formula;
	inputs->reads = of->reads;
	inputs->scaled = of->scaled;
	for (unsigned i = 0; i < of->formula->program->input_count; i++) {
		const struct input_sum *item = &of->items[i];

		inputs->items[i] =
			of->samples == 1 ? item->last
					 : (struct input_value){item->amount * NS_PER_S / item->ns,
								item->ns};
	}
}

/* Returns the weight of a formula in a mean of several formulas. */
static double weight_of(const struct inputs *inputs)
{
	return inputs->formula->mean_of_reads ? inputs_reads(inputs) : inputs->items[0].ns;
}

/* Computes the mean of several formulas. */
static void compute_mean(struct value_sum *sum, bool is_rate, struct value *out)
{
	double total = 0, weight = 0, seconds = 0, reads = 0;
	bool scaled = false, of_reads = true;

	for (size_t i = 0; i < sum->sum_count; i++) {
		if (!sum->sums[i].samples)
			continue;
		set_inputs(sum, &sum->sums[i]);
		const double number = number_of(&sum->inputs, false), w = weight_of(&sum->inputs);

		of_reads &= sum->sums[i].formula->mean_of_reads;
		reads += sum->inputs.reads;
		if (isnan(number) || !(w > 0))
			continue;
		total += number * w;
		weight += w;
		seconds += seconds_of(&sum->inputs, number, is_rate);
		scaled |= sum->inputs.scaled;
	}
	const bool few = of_reads && reads < FEWEST_READS;
	if (!few && isfinite(total / weight))
		out->number = total / weight;
	if (!isnan(out->number)) {
		out->scaled = scaled || (of_reads && reads < ENOUGH_READS);
		out->seconds = isfinite(seconds) ? seconds : NAN;
	}
	if (!isnan(out->number) || (few && reads > 0))
		out->text = source_of(sum->shown);
}

void value_sum_compute(struct value_sum *sum, bool is_rate, const struct value *values,
		       const size_t *columns, struct value *out)
{
	const struct formula_sum *only = NULL;
	size_t count = 0;

	for (size_t i = 0; i < sum->sum_count; i++)
		if (sum->sums[i].samples) {
			only = &sum->sums[i];
			count++;
		}
	*out = value_unknown;
	if (count > 1 && !sum->failed)
		compute_mean(sum, is_rate, out);
	if (count != 1 || sum->failed)
		return;
	set_inputs(sum, only);
	inputs_name(&sum->inputs, values, columns);
	value_compute(&sum->inputs, is_rate, out);
}

void value_sum_clear(struct value_sum *sum)
{
	for (size_t i = 0; i < sum->sum_count; i++) {
		struct formula_sum *of = &sum->sums[i];

		memset(of->items, 0, of->formula->program->input_count * sizeof(*of->items));
		*of = (struct formula_sum){.formula = of->formula, .items = of->items};
	}
	sum->shown = NULL;
	sum->last = NAN;
	sum->failed = false;
}

void value_sum_free(struct value_sum *sum)
{
	for (size_t i = 0; i < sum->sum_count; i++)
		free(sum->sums[i].items);
	free(sum->sums);
	free(sum->inputs.items);
	*sum = (struct value_sum){.last = NAN};
}
