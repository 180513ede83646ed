/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/formula.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "uncore/program.h"

#define MAX_CHA_HERTZ 6e9 /* no mesh runs faster: a higher value is a wrong reading */

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

static unsigned count_events(const struct formula *formula)
{
	unsigned count = 0;

	while (count < FORMULA_EVENTS && formula->events[count])
		count++;
	return count;
}

double formula_ratio_of_sums(const struct formula *formula, const struct operand *operands)
{
	const unsigned count = count_events(formula);
	double sums[2] = {0, 0};

	for (unsigned i = 0; i < count; i++)
		sums[i >= count / 2] += operands[i].per_second;
	return sums[1] > 0 ? sums[0] / sums[1] * formula->factor : NAN;
}

double formula_latency(const struct formula *formula, const struct operand *operands)
{
	const struct operand *occupancy = &operands[0], *inserts = &operands[1];

	(void)formula;
	return inserts->per_second > 0 ? occupancy->per_second / inserts->per_second * 1e9 : NAN;
}

double formula_mean_occupancy(const double *rates)
{
	const double occupancy = rates[0], hertz = rates[2];

	if (hertz > MAX_CHA_HERTZ)
		return INFINITY;
	return hertz > 0 ? occupancy / hertz : NAN;
}

double formula_frequency(const struct formula *formula, const struct operand *operands)
{
	const struct operand *cycles = &operands[0], *reference = &operands[1], *tsc = &operands[2];

	(void)formula;
	if (!(reference->per_second > 0))
		return NAN;
	return cycles->per_second / reference->per_second * (tsc->per_second / tsc->units) / 1e6;
}

double formula_program(const struct formula *formula, const struct operand *operands)
{
	return program_value(formula->program, operands);
}

bool formula_has_parts(const struct formula *formula)
{
	return formula->of_unit || (formula->program && formula->program->part_count);
}

bool formula_parts(const struct formula *formula, const double *rates, unsigned count,
		   double parts[FORMULA_OPERANDS])
{
	const struct program *program = formula->program;
	struct operand operands[FORMULA_OPERANDS] = {0};
	bool known = true;

	for (unsigned i = 0; i < count; i++) {
		operands[i] = (struct operand){.per_second = rates[i], .units = 1};
		parts[i] = rates[i];
	}
	if (!program) {
		parts[0] = formula->of_unit(rates);
		return !isnan(parts[0]);
	}
	for (unsigned i = 0; i < program->part_count; i++) {
		parts[FORMULA_EVENTS + i] = program_part(program, i, operands);
		known &= !isnan(parts[FORMULA_EVENTS + i]);
	}
	return known;
}

bool formula_may_lack(const struct formula *formula, unsigned i)
{
	if (formula->program)
		return formula->program->operands[i].may_lack;
	return formula->optional && !(formula->first_required && !i);
}

int formula_port(const struct formula *formula, unsigned i)
{
	if (formula->program)
		return formula->program->operands[i].port;
	return formula->by_port ? (int)i : -1;
}

/* The operands that a quotient is divided by: from first on, before end. Without any: no quotient.
 */
struct divisors {
	unsigned first, end;
};

static struct divisors divisors_of(const struct formula *formula)
{
	const unsigned count = count_events(formula);

	if (formula->value == formula_ratio || formula->value == formula_latency ||
	    formula->value == formula_frequency)
		return (struct divisors){1, 2};
	return formula->value == formula_ratio_of_sums ? (struct divisors){count / 2, count}
						       : (struct divisors){0, 0};
}

double formula_weight(const struct formula *formula, const struct operand *operands)
{
	const struct divisors divisors = divisors_of(formula);
	double weight = 0;

	if (formula->program)
		return program_weight(formula->program, operands);
	for (unsigned i = divisors.first; i < divisors.end; i++)
		weight += operands[i].events;
	return weight;
}

double formula_undivided(const struct formula *formula, const struct operand *operands)
{
	const struct divisors divisors = divisors_of(formula);
	struct operand ones[FORMULA_OPERANDS] = {0};

	if (!divisors.end)
		return 0;
	for (unsigned i = 0; i < count_events(formula); i++) {
		ones[i] = operands[i];
		if (i < divisors.first)
			ones[i].per_second = operands[i].events;
		else if (i < divisors.end)
			ones[i].per_second = i == divisors.first;
	}
	return formula->value(formula, ones);
}

/* Text that is cut off where its buffer ends. */
struct text {
	char *at;
	size_t left; /* with the NUL */
};

__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	const int length = vsnprintf(text->at, text->left, format, arguments);
	va_end(arguments);
	const size_t used = length < 0			  ? 0
			    : (size_t)length < text->left ? (size_t)length
							  : text->left - 1;
	text->at += used;
	text->left -= used;
}

static void put_event(struct text *text, const struct formula *formula, unsigned i)
{
	put(text, formula_may_lack(formula, i) ? "or_0(%s)" : "%s", formula->events[i]);
}

/* Events first to end - 1, in brackets where something follows. */
static void put_sum(struct text *text, const struct formula *formula, unsigned first, unsigned end,
		    bool followed)
{
	const bool bracket = formula->by_port || (followed && end - first > 1);

	put(text, "%s%s", formula->by_port ? "by_port" : "", bracket ? "(" : "");
	for (unsigned i = first; i < end; i++) {
		put(text, "%s", i == first ? "" : formula->by_port ? ", " : " + ");
		put_event(text, formula, i);
		if (weight_of(formula, i) != 1)
			put(text, " * %g", weight_of(formula, i));
	}
	put(text, "%s", bracket ? ")" : "");
}

static bool ends_with(const char *name, const char *end)
{
	const size_t length = name ? strlen(name) : 0;

	return length >= strlen(end) && !strcmp(name + length - strlen(end), end);
}

/* What the unit of the metric does not say by itself. */
static void put_factor(struct text *text, const struct formula *formula)
{
	const double factor = formula->factor;

	if (ends_with(formula->metric, "_MBps"))
		put(text, " * %g bytes", factor * 1e6);
	else if (ends_with(formula->metric, "_ns"))
		put(text, " * %g ns", factor);
	else if (factor != (ends_with(formula->metric, "_pct") ? 100 : 1))
		put(text, " * %g", factor);
}

void formula_describe(const struct formula *formula, char *buffer, size_t size)
{
	struct text text = {buffer, size};
	const char *const *e = formula->events;
	const unsigned count = count_events(formula);

	if (formula->value == formula_latency) {
		put(&text, "per_unit(%s / %s) / %s", e[0], e[2], e[1]);
	} else if (formula->value == formula_frequency) {
		put(&text, "%s / %s * mean(%s)", e[0], e[1], e[2]);
	} else if (formula->value == formula_ratio || formula->value == formula_ratio_of_sums) {
		put_sum(&text, formula, 0, count / 2, true);
		put(&text, " / ");
		put_sum(&text, formula, count / 2, count, true);
		put_factor(&text, formula);
	} else {
		put_sum(&text, formula, 0, count,
			ends_with(formula->metric, "_MBps") || formula->factor != 1);
		put_factor(&text, formula);
	}
}
