/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/formula.h"

#include <math.h>
#include <stdio.h>

#define MAX_CHA_GHZ 6 /* no mesh runs faster: a higher value is a wrong reading */

double formula_scaled(const struct formula *formula, const struct operand *operands)
{
	return operands[0].per_second * formula->factor;
}

static double weight_of(const struct formula *formula, unsigned i)
{
	return formula->weights[i] != 0 ? formula->weights[i] : 1;
}

double formula_sum(const struct formula *formula, const struct operand *operands)
{
	double sum = 0;

	for (unsigned i = 0; i < FORMULA_EVENTS && formula->events[i]; i++)
		sum += operands[i].per_second * weight_of(formula, i);
	return sum * formula->factor;
}

double formula_ratio(const struct formula *formula, const struct operand *operands)
{
	if (!(operands[1].per_second > 0))
		return NAN;
	return operands[0].per_second / operands[1].per_second * formula->factor;
}

double formula_latency(const struct formula *formula, const struct operand *operands)
{
	const struct operand *occupancy_ns = &operands[0], *inserts = &operands[1];

	(void)formula;
	return inserts->per_second > 0 ? occupancy_ns->per_second / inserts->per_second : NAN;
}

double formula_occupancy_ns(const double *rates)
{
	const double occupancy = rates[0], ghz = rates[2] / 1e9;

	if (ghz > MAX_CHA_GHZ)
		return INFINITY;
	return ghz > 0 ? occupancy / ghz : NAN;
}

double formula_frequency(const struct formula *formula, const struct operand *operands)
{
	const struct operand *cycles = &operands[0], *reference = &operands[1], *tsc = &operands[2];

	(void)formula;
	if (!(reference->per_second > 0))
		return NAN;
	return cycles->per_second / reference->per_second * tsc->per_second / tsc->units / 1e6;
}

bool formula_is_quotient(const struct formula *formula)
{
	return formula->value == formula_ratio || formula->value == formula_latency ||
	       formula->value == formula_frequency;
}

/* Returns the length of the text. */
static size_t describe_sum(const struct formula *formula, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';

	for (unsigned i = 0; i < FORMULA_EVENTS && formula->events[i] && used < size; i++) {
		char weight[32] = "";

		if (weight_of(formula, i) != 1)
			snprintf(weight, sizeof(weight), " x %g", weight_of(formula, i));
		used += (size_t)snprintf(text + used, size - used, "%s%s%s", i ? " + " : "",
					 formula->events[i], weight);
	}
	return used < size ? used : size - 1;
}

void formula_describe(const struct formula *formula, char *text, size_t size)
{
	const char *const *e = formula->events;
	const bool bracket = formula->factor != 1 && e[1];

	if (formula->value == formula_latency) {
		snprintf(text, size, "(%s / %s in GHz, summed over units) / %s", e[0], e[2], e[1]);
	} else if (formula->value == formula_frequency) {
		snprintf(text, size, "%s / %s x rate of %s / 10^6", e[0], e[1], e[2]);
	} else if (formula->value == formula_ratio) {
		const int used = snprintf(text, size, "%s / %s", e[0], e[1]);

		if (formula->factor != 1 && (size_t)used < size)
			snprintf(text + used, size - (size_t)used, " x %g", formula->factor);
	} else {
		text[0] = '(';
		const size_t used = bracket + describe_sum(formula, text + bracket, size - bracket);

		if (formula->factor == 1)
			snprintf(text + used, size - used, " a second");
		else
			snprintf(text + used, size - used, "%s x %.0f bytes", bracket ? ")" : "",
				 formula->factor * 1e6);
	}
}
