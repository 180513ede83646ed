/* SPDX-License-Identifier: BSD-3-Clause */
#include "formula/formula_parser.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "metrics/metric.h"

#define BLANKS	     " \t"
#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:"
#define MAX_POWER    8 /* the highest exponent of a dimension */
#define MAX_EXPONENT 60
#define MAX_NUMBER   64 /* characters */
#define MESSAGE_SIZE 256

struct parser {
	const struct formula_names *names;
	struct program *out;
	const char *at;
	unsigned depth;
	bool in_part; /* inside per_unit() */
	struct error *err;
	int rc; /* error of the first fault; then .at is empty, so that parsing ends */
};

/* The result of some steps. */
struct term {
	struct dimension dimension;
	int exponent;
	int degree; /* 1: it grows with the number of units, 0: it does not */
	bool mixed; /* a sum of both */
	bool constant;
};

static void fail_parsing(struct parser *p, int rc)
{
	p->rc = rc;
	p->at = "";
}

static int unknown_name(const struct parser *p, const char *name)
{
	const char *event = catalogue_nearest(p->names->catalogue, name);
	struct text_nearest nearest = text_nearest_start(name);

	for (const struct metric *m = metric_table; m->name; m++)
		text_nearest_add(&nearest, m->name);
	if (event)
		text_nearest_add(&nearest, event);
	if (nearest.name)
		return error_set(p->err, ERROR_USAGE, -EINVAL,
				 "unknown event or metric '%s': did you mean '%s'?",
				 quoted(name).text, quoted(nearest.name).text);
	return error_set(p->err, ERROR_USAGE, -EINVAL,
			 "unknown event or metric '%s': expected a name that cxlmon list shows",
			 quoted(name).text);
}

__attribute__((format(printf, 2, 3))) static void refuse(struct parser *p, const char *format, ...)
{
	char what[MESSAGE_SIZE];
	va_list arguments;

	if (p->rc)
		return;
	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	fail_parsing(p, *p->at ? error_set(p->err, ERROR_USAGE, -EINVAL, "%s at '%s'", what,
					   quoted(p->at).text)
			       : error_set(p->err, ERROR_USAGE, -EINVAL, "%s at the end", what));
}

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->at, BLANKS);
}

/* Skips the letter, and returns true, if it is next. */
static bool take_letter(struct parser *p, char letter)
{
	skip_blanks(p);
	if (*p->at != letter)
		return false;
	p->at++;
	return true;
}

static void emit_step(struct parser *p, struct program_step step)
{
	if (!program_room(p->out))
		refuse(p, "the formula is too long");
	else
		p->out->steps[p->out->step_count++] = step;
}

static void emit_number(struct parser *p, double number)
{
	emit_step(p, (struct program_step){.kind = OP_NUMBER, .number = number});
}

static void emit_kind(struct parser *p, enum operation kind)
{
	emit_step(p, (struct program_step){.kind = kind});
}

static void emit_input(struct parser *p, enum input_kind kind, unsigned index)
{
	emit_step(p, (struct program_step){.kind = OP_INPUT,
					   .index = program_input(p->out, kind, index)});
}

/*
 * Adds an operand for the event, unless an equal one exists, and a step that pushes it. In a part,
 * this is the rate of one unit, and so also its mean. Event NULL: there was an error.
 */
static void emit_event(struct parser *p, enum input_kind kind, const struct event *event, int port,
		       bool may_lack)
{
	struct program *out = p->out;
	unsigned i = 0;

	while (i < out->operand_count &&
	       !(out->operands[i].event == event && out->operands[i].port == port &&
		 out->operands[i].may_lack == may_lack))
		i++;
	if (!event)
		return;
	if (i == FORMULA_EVENTS) {
		refuse(p, "more than %d different events", FORMULA_EVENTS);
		return;
	}
	if (i == out->operand_count)
		out->operands[out->operand_count++] =
			(struct program_operand){event, port, may_lack};
	if (p->in_part)
		emit_step(p, (struct program_step){.kind = OP_INPUT, .index = i});
	else
		emit_input(p, kind, i);
}

/* Appends steps that convert a number x 10^from to one x 10^to. */
static void emit_conversion(struct parser *p, int from, int to)
{
	if (from == to)
		return;
	emit_number(p, power_of_10(abs(from - to)));
	emit_kind(p, from > to ? OP_MULTIPLY : OP_DIVIDE);
}

static const struct term rate_term = {.dimension = {.seconds = -1}, .degree = 1};

/* Takes a name; a minus belongs to it if there is an event of that name: ref-cycles. */
static bool take_name(struct parser *p, char name[EVENT_NAME_SIZE])
{
	size_t length, longer;

	skip_blanks(p);
	length = longer = strspn(p->at, NAME_LETTERS);
	if (!length || isdigit((unsigned char)*p->at) || *p->at == '.' || *p->at == ':')
		refuse(p, "expected a name or a number");
	else if (length >= EVENT_NAME_SIZE)
		refuse(p, "the name is too long");
	if (p->rc)
		return false;
	while (p->at[longer] == '-' && isalpha((unsigned char)p->at[longer + 1])) {
		longer += 1 + strspn(p->at + longer + 1, NAME_LETTERS);
		if (longer >= EVENT_NAME_SIZE)
			break;
		snprintf(name, EVENT_NAME_SIZE, "%.*s", (int)longer, p->at);
		length = catalogue_find(p->names->catalogue, name) ? longer : length;
	}
	snprintf(name, EVENT_NAME_SIZE, "%.*s", (int)length, p->at);
	p->at += length;
	return true;
}

/* Takes the name of an event. NULL: there was an error. */
static const struct event *take_event(struct parser *p)
{
	char name[EVENT_NAME_SIZE];

	if (!take_name(p, name))
		return NULL;
	const struct event *event = catalogue_find(p->names->catalogue, name);
	if (!event)
		fail_parsing(p, unknown_name(p, name));
	return event;
}

static struct term parse_sum(struct parser *p);

static bool enter_nesting(struct parser *p)
{
	if (++p->depth > FORMULA_DEPTH)
		refuse(p, "more than %d nested brackets and metrics", FORMULA_DEPTH);
	return !p->rc;
}

/* Returns the length of a number as strtod() takes it, except for other notations. */
static size_t number_length(const char *text)
{
	size_t length = strspn(text, "0123456789."), exponent;

	if (tolower((unsigned char)text[length]) == 'e') {
		exponent = length + 1;
		exponent += text[exponent] == '+' || text[exponent] == '-';
		if (isdigit((unsigned char)text[exponent]))
			length = exponent + strspn(text + exponent, "0123456789");
	}
	return length;
}

static struct term parse_number(struct parser *p)
{
	const size_t length = number_length(p->at);
	struct term out = {.constant = true};
	char digits[MAX_NUMBER], *end;
	double number;

	if (length >= sizeof(digits)) {
		refuse(p, "the number is too long");
		return out;
	}
	snprintf(digits, sizeof(digits), "%.*s", (int)length, p->at);
	number = strtod(digits, &end);
	if (*end || !isfinite(number)) {
		refuse(p, "not a number");
		return out;
	}
	p->at += length;
	skip_blanks(p);
	if (isalpha((unsigned char)*p->at)) {
		const size_t letters = strspn(p->at, NAME_LETTERS);
		const struct number_unit *unit = number_unit_find(p->at, letters);

		if (!unit) {
			refuse(p, "expected an operator or a unit such as bytes or ns");
			return out;
		}
		p->at += letters;
		number *= unit->factor;
		out.dimension = unit->dimension;
		out.exponent = unit->exponent;
	}
	emit_number(p, number);
	return out;
}

/* Parses per_unit(X); the steps of X are moved before the steps of the previous part. */
static struct term parse_part(struct parser *p)
{
	struct program *to = p->out;
	const unsigned first = to->step_count;

	if (p->in_part)
		refuse(p, "per_unit() cannot be nested");
	else if (to->part_count == FORMULA_PARTS)
		refuse(p, "more than %d per_unit()", FORMULA_PARTS);
	p->in_part = true;
	const struct term part = parse_sum(p);
	p->in_part = false;
	if (p->rc)
		return part;
	const unsigned count = to->step_count - first, end = PROGRAM_STEPS - to->part_step_count;
	memmove(to->steps + end - count, to->steps + first, count * sizeof(*to->steps));
	to->parts[to->part_count] = (struct step_range){end - count, end};
	to->part_step_count += count;
	to->step_count = first;
	emit_input(p, INPUT_PART, to->part_count++);
	return (struct term){.dimension = part.dimension, .exponent = part.exponent, .degree = 1};
}

static struct term parse_by_port(struct parser *p)
{
	const struct term out = rate_term;
	int port = 0;

	do {
		const struct event *event = take_event(p);

		if (event && event->type != PMU_DF)
			refuse(p, "by_port() is for events of units that ports share, not %s",
			       event->name);
		if (!p->rc)
			emit_event(p, INPUT_EVENT, event, port, false);
		if (port++)
			emit_kind(p, OP_ADD);
	} while (take_letter(p, ','));
	return out;
}

static struct term parse_call(struct parser *p, const char *name)
{
	struct term out = rate_term;

	if (!strcmp(name, "per_unit")) {
		out = parse_part(p);
	} else if (!strcmp(name, "mean")) {
		out.degree = 0;
		emit_event(p, INPUT_MEAN, take_event(p), -1, false);
	} else if (!strcmp(name, "or_0")) {
		emit_event(p, INPUT_EVENT, take_event(p), -1, true);
	} else if (!strcmp(name, "by_port")) {
		out = parse_by_port(p);
	} else {
		refuse(p, "no function '%s': expected per_unit, mean, or_0 or by_port",
		       quoted(name).text);
	}
	if (!take_letter(p, ')'))
		refuse(p, "expected a closing bracket");
	return out;
}

/* Parses the formula of a metric in place of its name. */
static struct term parse_metric(struct parser *p, const char *text)
{
	const char *const behind = p->at;
	struct term out = {.constant = true};

	if (!enter_nesting(p))
		return out;
	p->at = text;
	out = parse_sum(p);
	if (*p->at)
		refuse(p, "unexpected text");
	p->at = p->rc ? "" : behind;
	p->depth--;
	return out;
}

static unsigned metric_number(struct parser *p, const struct metric *metric)
{
	struct program *out = p->out;
	unsigned k = 0;

	while (k < out->metric_count && strcmp(out->metrics[k], metric->name) != 0)
		k++;
	if (k == FORMULA_METRICS)
		refuse(p, "more than %d different metrics", FORMULA_METRICS);
	else if (k == out->metric_count)
		out->metrics[out->metric_count++] = metric->name;
	return k;
}

/*
 * Adds a built-in metric as an input with its column's value, whichever of its formulas yields it.
 * Its text only tells the dimension.
 */
static struct term parse_column(struct parser *p, const struct metric *metric, const char *text)
{
	const struct metric_unit *unit = metric_unit_of(metric->name);
	const struct program before = *p->out;
	struct term out = parse_metric(p, text);

	if (p->rc)
		return out;
	*p->out = before;
	emit_input(p, INPUT_METRIC, metric_number(p, metric));
	out.exponent = unit ? unit->exponent : 0;
	return out;
}

static struct term parse_name(struct parser *p)
{
	const struct term rate = rate_term;
	char name[EVENT_NAME_SIZE];

	if (!take_name(p, name))
		return rate;
	if (take_letter(p, '('))
		return parse_call(p, name);
	const char *text = p->names->metric ? p->names->metric(p->names->context, name) : NULL;
	const struct event *event = catalogue_find(p->names->catalogue, name);
	const struct metric *metric = metric_by_name(name);

	if (text && metric && !p->in_part)
		return parse_column(p, metric, text);
	if (text)
		return parse_metric(p, text);
	if (metric)
		fail_parsing(
			p, error_set(p->err, ERROR_USAGE, -EINVAL,
				     "%s has no formula on this processor: cxlmon list shows those "
				     "that have one",
				     metric->name));
	else if (!event)
		fail_parsing(p, unknown_name(p, name));
	else
		emit_event(p, INPUT_EVENT, event, -1, false);
	return rate;
}

/* Parses a number, a name, or an expression in brackets, with signs before it. */
static struct term parse_factor(struct parser *p)
{
	bool negative = false;
	struct term out;

	while (take_letter(p, '-'))
		negative = !negative;
	skip_blanks(p);
	if (isdigit((unsigned char)*p->at) || *p->at == '.') {
		out = parse_number(p);
	} else if (take_letter(p, '(')) {
		enter_nesting(p);
		out = parse_sum(p);
		p->depth--;
		if (!take_letter(p, ')'))
			refuse(p, "expected a closing bracket");
	} else {
		out = parse_name(p);
	}
	if (negative)
		emit_kind(p, OP_NEGATE);
	return out;
}

static void multiply_terms(struct term *left, const struct term *right, int sign)
{
	left->dimension.bytes += sign * right->dimension.bytes;
	left->dimension.seconds += sign * right->dimension.seconds;
	left->exponent += sign * right->exponent;
	left->degree += sign * right->degree;
	left->mixed |= right->mixed;
	left->constant &= right->constant;
}

static struct term parse_product(struct parser *p)
{
	struct term out = parse_factor(p);

	for (;;) {
		const bool divided = take_letter(p, '/');

		if (!divided && !take_letter(p, '*'))
			return out;
		const struct term right = parse_factor(p);
		multiply_terms(&out, &right, divided ? -1 : 1);
		p->out->is_quotient |= divided && !right.constant && !p->in_part;
		if (abs(out.dimension.bytes) > MAX_POWER ||
		    abs(out.dimension.seconds) > MAX_POWER || abs(out.exponent) > MAX_EXPONENT)
			refuse(p, "the power of a unit is too high");
		emit_kind(p, divided ? OP_DIVIDE : OP_MULTIPLY);
	}
}

/* Scales the right term, which was parsed last, to the left one's exponent. */
static void add_terms(struct parser *p, struct term *left, const struct term *right)
{
	char one[DIMENSION_TEXT_SIZE], other[DIMENSION_TEXT_SIZE];

	if (!dimension_equal(left->dimension, right->dimension))
		fail_parsing(p, error_set(p->err, ERROR_USAGE, -EINVAL,
					  "%s and %s cannot be added or subtracted",
					  dimension_text(left->dimension, one),
					  dimension_text(right->dimension, other)));
	left->mixed |= right->mixed || left->degree != right->degree;
	left->constant &= right->constant;
	emit_conversion(p, right->exponent, left->exponent);
}

static struct term parse_sum(struct parser *p)
{
	struct term out = parse_product(p);

	for (;;) {
		const bool minus = take_letter(p, '-');

		if (!minus && !take_letter(p, '+'))
			return out;
		const struct term right = parse_product(p);
		if (!p->rc)
			add_terms(p, &out, &right);
		emit_kind(p, minus ? OP_SUBTRACT : OP_ADD);
	}
}

/*
 * Checks formulas with per_unit(): all events must be of one kind of unit, because a unit without
 * one of its rates is left out as a whole.
 */
static int check_parts(const struct parser *p)
{
	const struct program_operand *o = p->out->operands;

	for (unsigned i = 0; p->out->part_count && i < p->out->operand_count; i++)
		if (o[i].event->type != o[0].event->type || o[i].may_lack || o[i].port >= 0)
			return error_set(p->err, ERROR_USAGE, -EINVAL,
					 "with per_unit(), all events must be of one kind of unit, "
					 "without or_0() and by_port()");
	if (!p->out->operand_count && !p->out->metric_count)
		return error_set(p->err, ERROR_USAGE, -EINVAL, "the formula has no event");
	return 0;
}

int formula_parse(const struct formula_names *names, const char *text, struct program *out,
		  struct quantity *quantity, struct error *err)
{
	struct parser p = {.names = names, .out = out, .at = text, .err = err};

	*out = (struct program){.operand_count = 0};
	const struct term term = parse_sum(&p);
	if (*p.at)
		refuse(&p, "expected an operator");
	const int rc = p.rc ? p.rc : check_parts(&p);
	if (rc)
		return rc;
	*quantity = (struct quantity){
		.dimension = term.dimension,
		.exponent = term.exponent,
		.average = !term.degree && !term.mixed,
	};
	return 0;
}

/* Multiplies a constant factor at the end instead of adding one, which saves one rounding. */
int formula_convert(struct program *program, struct quantity *quantity, int exponent,
		    struct error *err)
{
	struct parser p = {.out = program, .at = "", .err = err};
	const int difference = quantity->exponent - exponent;
	struct program_step *last = program->steps + program->step_count;

	quantity->exponent = exponent;
	if (program->step_count < 3 || last[-1].kind != OP_MULTIPLY || last[-2].kind != OP_NUMBER)
		emit_conversion(&p, difference, 0);
	else if (difference < 0)
		last[-2].number /= power_of_10(-difference);
	else
		last[-2].number *= power_of_10(difference);
	return p.rc;
}
