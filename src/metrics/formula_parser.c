/* SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/formulas.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/metric.h"
#include "platform/text.h"

#define BLANKS	     " \t"
#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:"
#define MAX_POWER    8 /* of a dimension */
#define MAX_EXPONENT 60
#define MAX_NUMBER   64 /* characters */
#define MESSAGE_SIZE 256

struct parser {
	const struct formula_names *names;
	struct program *out;
	const char *at;
	unsigned depth;
	bool in_part; /* of per_unit() */
	struct error *err;
};

/* What some steps yield. */
struct term {
	struct dimension dimension;
	int exponent;
	int degree; /* 1: it grows with the number of units, 0: it does not */
	bool mixed; /* a sum of both */
	bool constant;
	unsigned first;		  /* step */
	struct step_range weight; /* as in struct program */
};

static int unknown_name(const struct formula_names *names, const char *name, struct error *err)
{
	const char *event = catalogue_nearest(names->catalogue, name);
	struct text_nearest nearest = text_nearest_start(name);

	for (const struct metric *m = metric_table; m->name; m++)
		text_nearest_add(&nearest, m->name);
	if (event)
		text_nearest_add(&nearest, event);
	if (nearest.name)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "unknown event or metric '%s': did you mean '%s'?",
				 quoted(name).text, quoted(nearest.name).text);
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "unknown event or metric '%s': expected a name that cxlmon list shows",
			 quoted(name).text);
}

__attribute__((format(printf, 2, 3))) static int refuse(const struct parser *p, const char *format,
							...)
{
	char what[MESSAGE_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	if (!*p->at)
		return error_set(p->err, EXIT_USAGE, -EINVAL, "%s at the end", what);
	return error_set(p->err, EXIT_USAGE, -EINVAL, "%s at '%s'", what, quoted(p->at).text);
}

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->at, BLANKS);
}

/* Whether this is next; it is skipped then. */
static bool take(struct parser *p, char letter)
{
	skip_blanks(p);
	if (*p->at != letter)
		return false;
	p->at++;
	return true;
}

static int emit(struct parser *p, struct program_step step)
{
	if (p->out->step_count == PROGRAM_STEPS)
		return refuse(p, "the formula is too long");
	p->out->steps[p->out->step_count++] = step;
	return 0;
}

static int emit_number(struct parser *p, double number)
{
	return emit(p, (struct program_step){.kind = OP_NUMBER, .number = number});
}

static int emit_kind(struct parser *p, enum operation kind)
{
	return emit(p, (struct program_step){.kind = kind});
}

static double power_of_10(int exponent)
{
	double power = 1;

	while (exponent-- > 0)
		power *= 10;
	return power;
}

/* The index of an operand, which is added if it is a new one. */
static int find_operand(struct parser *p, const struct event *event, int port, bool may_lack,
			unsigned *index)
{
	struct program *out = p->out;

	for (*index = 0; *index < out->operand_count; ++*index) {
		const struct program_operand *o = &out->operands[*index];

		if (o->event == event && o->port == port && o->may_lack == may_lack)
			return 0;
	}
	if (out->operand_count == FORMULA_EVENTS)
		return refuse(p, "more than %d different events", FORMULA_EVENTS);
	out->operands[out->operand_count++] = (struct program_operand){event, port, may_lack};
	return 0;
}

static struct term rate_term(const struct parser *p)
{
	return (struct term){
		.dimension = {.seconds = -1}, .degree = 1, .first = p->out->step_count};
}

/* A minus belongs to the name if there is an event of that name: ref-cycles. */
static int take_name(struct parser *p, char name[EVENT_NAME_SIZE])
{
	size_t length, longer;

	skip_blanks(p);
	length = longer = strspn(p->at, NAME_LETTERS);
	if (!length || isdigit((unsigned char)*p->at) || *p->at == '.' || *p->at == ':')
		return refuse(p, "expected a name or a number");
	if (length >= EVENT_NAME_SIZE)
		return refuse(p, "the name is too long");
	while (p->at[longer] == '-' && isalpha((unsigned char)p->at[longer + 1])) {
		longer += 1 + strspn(p->at + longer + 1, NAME_LETTERS);
		if (longer >= EVENT_NAME_SIZE)
			break;
		snprintf(name, EVENT_NAME_SIZE, "%.*s", (int)longer, p->at);
		length = catalogue_find(p->names->catalogue, name) ? longer : length;
	}
	snprintf(name, EVENT_NAME_SIZE, "%.*s", (int)length, p->at);
	p->at += length;
	return 0;
}

static int take_event(struct parser *p, const struct event **event)
{
	char name[EVENT_NAME_SIZE];
	int rc = take_name(p, name);

	if (rc)
		return rc;
	*event = catalogue_find(p->names->catalogue, name);
	return *event ? 0 : unknown_name(p->names, name, p->err);
}

static int emit_event(struct parser *p, enum operation kind, const struct event *event, int port,
		      bool may_lack)
{
	struct program_step step = {.kind = kind};
	int rc = find_operand(p, event, port, may_lack, &step.index);

	return rc ? rc : emit(p, step);
}

static int parse_sum(struct parser *p, struct term *out);

static int enter(struct parser *p)
{
	return ++p->depth > FORMULA_DEPTH
		       ? refuse(p, "more than %d nested brackets and metrics", FORMULA_DEPTH)
		       : 0;
}

/* Numbers as strtod() takes them, but no others. */
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

static int parse_number(struct parser *p, struct term *out)
{
	const size_t length = number_length(p->at);
	char digits[MAX_NUMBER], *end;
	double number;

	*out = (struct term){.constant = true, .first = p->out->step_count};
	if (length >= sizeof(digits))
		return refuse(p, "the number is too long");
	snprintf(digits, sizeof(digits), "%.*s", (int)length, p->at);
	number = strtod(digits, &end);
	if (*end || !isfinite(number))
		return refuse(p, "not a number");
	p->at += length;
	skip_blanks(p);
	if (isalpha((unsigned char)*p->at)) {
		const size_t letters = strspn(p->at, NAME_LETTERS);
		const struct number_unit *unit = number_unit_find(p->at, letters);

		if (!unit)
			return refuse(p, "expected an operator or a unit such as bytes or ns");
		p->at += letters;
		number *= unit->factor;
		out->dimension = unit->dimension;
		out->exponent = unit->exponent;
	}
	return emit_number(p, number);
}

/* per_unit(X): the steps of X are moved to those of parts. */
static int parse_part(struct parser *p, struct term *out)
{
	struct program *to = p->out;
	const unsigned first = to->step_count;
	int rc;

	if (p->in_part)
		return refuse(p, "per_unit() cannot be nested");
	if (to->part_count == FORMULA_PARTS)
		return refuse(p, "more than %d per_unit()", FORMULA_PARTS);
	p->in_part = true;
	rc = parse_sum(p, out);
	p->in_part = false;
	if (rc)
		return rc;
	const unsigned count = to->step_count - first;
	if (to->part_step_count + count > PROGRAM_STEPS)
		return refuse(p, "the formula is too long");
	memcpy(to->part_steps + to->part_step_count, to->steps + first, count * sizeof(*to->steps));
	to->parts[to->part_count] =
		(struct step_range){to->part_step_count, to->part_step_count + count};
	to->part_step_count += count;
	to->step_count = first;
	*out = (struct term){.dimension = out->dimension,
			     .exponent = out->exponent,
			     .degree = 1,
			     .first = first};
	return emit(p, (struct program_step){.kind = OP_PART, .index = to->part_count++});
}

static int parse_mean(struct parser *p, struct term *out)
{
	const struct event *event;
	int rc = take_event(p, &event);

	*out = rate_term(p);
	out->degree = 0;
	return rc ? rc : emit_event(p, OP_MEAN, event, -1, false);
}

static int parse_or_0(struct parser *p, struct term *out)
{
	const struct event *event;
	int rc = take_event(p, &event);

	*out = rate_term(p);
	return rc ? rc : emit_event(p, OP_EVENT, event, -1, true);
}

static int parse_by_port(struct parser *p, struct term *out)
{
	int port = 0, rc;

	*out = rate_term(p);
	do {
		const struct event *event;

		rc = take_event(p, &event);
		if (!rc && event->type != PMU_DF)
			rc = refuse(p, "by_port() is for events of units that ports share, not %s",
				    event->name);
		if (!rc)
			rc = emit_event(p, OP_EVENT, event, port, false);
		if (!rc && port++)
			rc = emit_kind(p, OP_ADD);
	} while (!rc && take(p, ','));
	return rc;
}

static const struct function {
	const char *name;
	int (*parse)(struct parser *p, struct term *out);
} functions[] = {
	{"per_unit", parse_part},
	{"mean", parse_mean},
	{"or_0", parse_or_0},
	{"by_port", parse_by_port},
};

static int parse_call(struct parser *p, const char *name, struct term *out)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (strcmp(functions[i].name, name) != 0)
			continue;
		const int rc = functions[i].parse(p, out);

		return rc || take(p, ')') ? rc : refuse(p, "expected a closing bracket");
	}
	return refuse(p, "no function '%s': expected per_unit, mean, or_0 or by_port",
		      quoted(name).text);
}

/* The formula of a metric, where its name stands. */
static int parse_metric(struct parser *p, const char *text, struct term *out)
{
	const char *const behind = p->at;
	int rc = enter(p);

	if (rc)
		return rc;
	p->at = text;
	rc = parse_sum(p, out);
	if (!rc && *p->at)
		rc = refuse(p, "unexpected text");
	p->at = behind;
	p->depth--;
	return rc;
}

static int parse_name(struct parser *p, struct term *out)
{
	char name[EVENT_NAME_SIZE];
	int rc = take_name(p, name);

	if (rc)
		return rc;
	if (take(p, '('))
		return parse_call(p, name, out);
	const char *text = p->names->metric ? p->names->metric(p->names->context, name) : NULL;
	const struct event *event = catalogue_find(p->names->catalogue, name);

	if (text)
		return parse_metric(p, text, out);
	if (metric_by_name(name))
		return error_set(
			p->err, EXIT_USAGE, -EINVAL,
			"%s has no formula on this processor: cxlmon list shows those that "
			"have one",
			metric_by_name(name)->name);
	if (!event)
		return unknown_name(p->names, name, p->err);
	*out = rate_term(p);
	return emit_event(p, OP_EVENT, event, -1, false);
}

/* A number, a name, or what stands in brackets, with signs before it. */
static int parse_factor(struct parser *p, struct term *out)
{
	bool negative = false;
	int rc;

	while (take(p, '-'))
		negative = !negative;
	skip_blanks(p);
	if (isdigit((unsigned char)*p->at) || *p->at == '.') {
		rc = parse_number(p, out);
	} else if (take(p, '(')) {
		rc = enter(p);
		rc = rc ? rc : parse_sum(p, out);
		p->depth--;
		if (!rc && !take(p, ')'))
			rc = refuse(p, "expected a closing bracket");
	} else {
		rc = parse_name(p, out);
	}
	return rc || !negative ? rc : emit_kind(p, OP_NEGATE);
}

static int check_term(const struct parser *p, const struct term *term)
{
	const struct dimension d = term->dimension;

	return abs(d.bytes) > MAX_POWER || abs(d.seconds) > MAX_POWER ||
			       abs(term->exponent) > MAX_EXPONENT
		       ? refuse(p, "the power of a unit is too high")
		       : 0;
}

static bool is_empty(struct step_range range)
{
	return range.first == range.end;
}

/* The weight of a mean of quotients is what they are divided by, if that is one sum of events. */
static void multiply(struct term *left, const struct term *right, int sign, unsigned end)
{
	if (sign < 0 && !right->constant)
		left->weight = right->degree == 1 && !right->mixed && is_empty(left->weight)
				       ? (struct step_range){right->first, end}
				       : (struct step_range){0};
	else if (is_empty(left->weight))
		left->weight = right->weight;
	else if (!is_empty(right->weight))
		left->weight = (struct step_range){0};
	left->dimension.bytes += sign * right->dimension.bytes;
	left->dimension.seconds += sign * right->dimension.seconds;
	left->exponent += sign * right->exponent;
	left->degree += sign * right->degree;
	left->mixed |= right->mixed;
	left->constant &= right->constant;
}

static int parse_product(struct parser *p, struct term *out)
{
	int rc = parse_factor(p, out);

	while (!rc) {
		const bool divided = take(p, '/');
		struct term right;

		if (!divided && !take(p, '*'))
			return 0;
		rc = parse_factor(p, &right);
		if (rc)
			return rc;
		multiply(out, &right, divided ? -1 : 1, p->out->step_count);
		rc = check_term(p, out);
		rc = rc ? rc : emit_kind(p, divided ? OP_DIVIDE : OP_MULTIPLY);
	}
	return rc;
}

/* Appends what makes a number x 10^from one x 10^to. */
static int emit_conversion(struct parser *p, int from, int to)
{
	int rc;

	if (from == to)
		return 0;
	rc = emit_number(p, power_of_10(abs(from - to)));
	return rc ? rc : emit_kind(p, from > to ? OP_MULTIPLY : OP_DIVIDE);
}

static int add(struct parser *p, struct term *left, const struct term *right)
{
	char one[DIMENSION_TEXT_SIZE], other[DIMENSION_TEXT_SIZE];

	if (!dimension_equal(left->dimension, right->dimension))
		return error_set(p->err, EXIT_USAGE, -EINVAL,
				 "%s and %s can't be added or subtracted",
				 dimension_text(left->dimension, one),
				 dimension_text(right->dimension, other));
	if (left->constant)
		left->weight = right->weight;
	else if (!right->constant)
		left->weight = (struct step_range){0};
	left->mixed |= right->mixed || left->degree != right->degree;
	left->constant &= right->constant;
	return emit_conversion(p, right->exponent, left->exponent);
}

static int parse_sum(struct parser *p, struct term *out)
{
	int rc = parse_product(p, out);

	while (!rc) {
		const bool minus = take(p, '-');
		struct term right;

		if (!minus && !take(p, '+'))
			return 0;
		rc = parse_product(p, &right);
		rc = rc ? rc : add(p, out, &right);
		rc = rc ? rc : emit_kind(p, minus ? OP_SUBTRACT : OP_ADD);
	}
	return rc;
}

/* A unit is known as a whole or not at all: with it, all events are of one kind of unit. */
static int check_parts(const struct parser *p)
{
	const struct program_operand *o = p->out->operands;

	for (unsigned i = 0; p->out->part_count && i < p->out->operand_count; i++)
		if (o[i].event->type != o[0].event->type || o[i].may_lack || o[i].port >= 0)
			return error_set(p->err, EXIT_USAGE, -EINVAL,
					 "with per_unit(), all events must be of one kind of unit, "
					 "without or_0() and by_port()");
	if (!p->out->operand_count)
		return error_set(p->err, EXIT_USAGE, -EINVAL, "the formula has no event");
	return 0;
}

int formula_parse(const struct formula_names *names, const char *text, struct program *out,
		  struct quantity *quantity, struct error *err)
{
	struct parser p = {.names = names, .out = out, .at = text, .err = err};
	struct term term;

	*out = (struct program){.operand_count = 0};
	int rc = parse_sum(&p, &term);
	if (!rc && *p.at)
		rc = refuse(&p, "expected an operator");
	rc = rc ? rc : check_parts(&p);
	if (rc)
		return rc;
	program_set_weight(out, term.weight);
	*quantity = (struct quantity){
		.dimension = term.dimension,
		.exponent = term.exponent,
		.average = !term.degree && !term.mixed,
	};
	return 0;
}

/* A constant factor at the end takes it in: one rounding less. */
int formula_convert(struct program *program, struct quantity *quantity, int exponent,
		    struct error *err)
{
	struct parser p = {.out = program, .at = "", .err = err};
	const int difference = quantity->exponent - exponent;
	struct program_step *last = program->steps + program->step_count;

	quantity->exponent = exponent;
	if (program->step_count < 3 || last[-1].kind != OP_MULTIPLY || last[-2].kind != OP_NUMBER)
		return emit_conversion(&p, difference, 0);
	if (difference < 0)
		last[-2].number /= power_of_10(-difference);
	else
		last[-2].number *= power_of_10(difference);
	return 0;
}
