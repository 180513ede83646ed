/* SPDX-License-Identifier: BSD-3-Clause */
#include "formula/custom_metric.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rootfs.h"
#include "base/text.h"
#include "formula/formula_parser.h"
#include "formula/formulas.h"
#include "uncore/units/cpmu.h"

#define HEADING_WIDTH 10 /* letters of a line above a column */

static void free_metric(struct custom_metric *m)
{
	if (!m)
		return;
	free(m->help);
	free(m->formula);
	free(m);
}

static void drop_from(struct custom_metrics *metrics, size_t count)
{
	while (metrics->count > count)
		free_metric(metrics->items[--metrics->count]);
}

void custom_metrics_free(struct custom_metrics *metrics)
{
	drop_from(metrics, 0);
	formulas_free(&metrics->formulas);
}

const struct custom_metric *custom_metric_of(const struct custom_metrics *metrics,
					     const struct metric *metric)
{
	for (size_t i = 0; metrics && i < metrics->count; i++)
		if (&metrics->items[i]->metric == metric)
			return metrics->items[i];
	return NULL;
}

static const char *formula_of_earlier(const struct custom_metrics *metrics, const char *name)
{
	for (size_t i = 0; i < metrics->count; i++)
		if (!strcmp(metrics->items[i]->name, name))
			return metrics->items[i]->formula;
	return NULL;
}

/* Checks a metric's name, which must differ from all other columns and from events. */
static int check_name(const struct custom_metrics *metrics, const struct custom_context *context,
		      const char *name, struct error *err)
{
	if (metric_by_name(name) || custom_text_is_reserved(name))
		return error_set(err, ERROR_USAGE, -EEXIST,
				 "a column has this name: expected another name");
	if (formula_of_earlier(metrics, name))
		return error_set(err, ERROR_USAGE, -EEXIST, "it is defined twice");
	if (catalogue_find(context->catalogue, name))
		return error_set(err, ERROR_USAGE, -EEXIST,
				 "an event has this name: expected another name");
	return 0;
}

static int check_unit(const struct custom_text *text, struct quantity *quantity,
		      struct program *program, struct error *err)
{
	const struct metric_unit *unit = text->unit;
	char yields[DIMENSION_TEXT_SIZE], expected[DIMENSION_TEXT_SIZE];

	if (unit && !dimension_equal(unit->dimension, quantity->dimension))
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "its formula yields %s, but the unit %s needs %s",
				 dimension_text(quantity->dimension, yields), unit->name,
				 dimension_text(unit->dimension, expected));
	return formula_convert(program, quantity, unit ? unit->exponent : 0, err);
}

static bool is_of_port(const struct program_operand *o)
{
	return o->port >= 0 || pmu_type_is_cxlcm(o->event->type) || o->event->type == PMU_CXLDP ||
	       o->event->type == PMU_CPMU;
}

/* Finds the rows for which all events can be counted. */
static int choose_scopes(struct custom_metric *m, const struct custom_text *text, struct error *err)
{
	const unsigned wanted = metric_rows(text->scopes);
	unsigned possible = metric_rows((1U << SCOPE_COUNT) - 1) | 1U << ROW_DEVICE;
	bool of_cores = true;

	for (unsigned k = 0; k < m->program.metric_count; k++) {
		const struct metric *named = metric_by_name(m->program.metrics[k]);

		possible &= named->rows | metric_rows(metric_scopes(named));
		of_cores &= named->source == SOURCE_CORES;
	}
	for (unsigned i = 0; i < m->program.operand_count; i++) {
		const uint16_t type = m->program.operands[i].event->type;

		if (!is_of_port(&m->program.operands[i]))
			possible &= ~(1U << ROW_PORT);
		if (type != PMU_CORE)
			possible &= ~(1U << ROW_CPU);
		if (type != PMU_CPMU)
			possible &= ~(1U << ROW_DEVICE);
		of_cores &= type == PMU_CORE;
	}
	m->metric.source = of_cores ? SOURCE_CORES : SOURCE_UNITS;
	m->metric.rows = possible & (wanted ? wanted | 1U << ROW_DEVICE : possible);
	for (unsigned s = 0; s < SCOPE_COUNT; s++)
		if ((wanted & ~possible) >> scope_rows[s] & 1)
			return error_set(err, ERROR_USAGE, -EINVAL,
					 "scope=%s: not all of its events are counted for each %s",
					 scope_names[s], scope_names[s]);
	return 0;
}

/*
 * Makes a heading of two lines, split at the _ that makes them most alike in length; without the
 * unit.
 */
static void make_heading(struct custom_metric *m, size_t length)
{
	size_t best = length;

	snprintf(m->heading, sizeof(m->heading), "%.*s", (int)length, m->name);
	for (size_t i = 1; i + 1 < length; i++) {
		const size_t longer = i > length - i - 1 ? i : length - i - 1;
		const size_t now = best == length	      ? length
				   : best > length - best - 1 ? best
							      : length - best - 1;

		if (m->heading[i] == '_' && longer < now)
			best = i;
	}
	if (best == length)
		m->heading[length > HEADING_WIDTH ? HEADING_WIDTH : length] = '\0';
	if (best == length)
		return;
	m->heading[best] = ' ';
	m->heading[best + 1 + HEADING_WIDTH < length ? best + 1 + HEADING_WIDTH : length] = '\0';
	if (best > HEADING_WIDTH)
		memmove(m->heading + HEADING_WIDTH, m->heading + best,
			strlen(m->heading + best) + 1);
}

static int make_family(struct custom_metric *m, const struct custom_metrics *others,
		       const struct metric_unit *unit, size_t length, struct error *err)
{
	const bool based = unit && unit->base;

	snprintf(m->family, sizeof(m->family), "%.*s%s%s", (int)length, m->name, based ? "_" : "",
		 based ? unit->base : "");
	m->metric.family = (struct family){
		.name = m->family,
		.unit = based && unit->base_is_unit ? unit->base : NULL,
		.help = m->help,
		.factor = unit ? power_of_10(unit->exponent) : 1,
	};
	for (const struct metric *t = metric_table; t->name; t++)
		if (t->family.name && !strcmp(t->family.name, m->family))
			return error_set(err, ERROR_USAGE, -EEXIST,
					 "in OpenMetrics it would have the same name as %s: "
					 "expected another name",
					 t->name);
	for (size_t i = 0; i < others->count; i++)
		if (!strcmp(others->items[i]->family, m->family))
			return error_set(err, ERROR_USAGE, -EEXIST,
					 "in OpenMetrics it would have the same name as %s: "
					 "expected another name",
					 others->items[i]->name);
	return custom_text_is_reserved(m->family)
		       ? error_set(err, ERROR_USAGE, -EEXIST,
				   "a metric in OpenMetrics has this name: expected another name")
		       : 0;
}

static int make_column(struct custom_metric *m, const struct custom_metrics *others,
		       const struct custom_text *text, struct error *err)
{
	const struct metric_unit *unit = text->unit;
	const struct metric_unit *named = metric_unit_of(m->name);
	const size_t length = strlen(m->name) - (named ? strlen(named->end) : 0);

	m->metric.name = m->name;
	m->metric.group = CUSTOM_GROUP;
	m->metric.unit = unit && strcmp(unit->name, "ratio") != 0 ? unit->name : "";
	m->metric.decimals = text->decimals >= 0 ? (unsigned)text->decimals
			     : unit		 ? unit->decimals
						 : CUSTOM_DECIMALS;
	m->metric.heading = m->heading;
	m->metric.help = m->help;
	m->metric.program = &m->program;
	make_heading(m, length);
	return make_family(m, others, unit, length, err);
}

static bool has_event(const struct program *program, const struct event *event)
{
	for (unsigned i = 0; i < program->operand_count; i++)
		if (program->operands[i].event == event)
			return true;
	return false;
}

/* Returns true if the first program has all events of the second. */
static bool has_events(const struct program *program, const struct program *of)
{
	for (unsigned i = 0; i < of->operand_count; i++)
		if (!has_event(program, of->operands[i].event))
			return false;
	return true;
}

/* Returns true if an event is counted all the time, such as those for ports' bandwidth. */
static bool is_pinned(const struct formulas *formulas, const struct event *event)
{
	for (size_t n = 0; n < formulas->count; n++)
		if (formulas->items[n].pinned && has_event(formulas->items[n].program, event))
			return true;
	return false;
}

/*
 * Assigns events to groups: groups of the processor's formulas that have them; otherwise a group of
 * this number for all at once, or none, so that they are multiplexed one by one.
 */
static void find_groups(struct custom_metric *m, const struct formulas *formulas, unsigned number)
{
	const struct program *program = &m->program;

	m->at_once.pinned = true; /* if all are, they are always counted together */
	for (unsigned i = 0; i < program->operand_count; i++)
		m->at_once.pinned &= is_pinned(formulas, program->operands[i].event);
	for (size_t n = 0; n < formulas->count && program->operand_count > 1; n++) {
		const struct formula *f = &formulas->items[n];

		if (!f->same_group)
			continue;
		if (!m->shared && has_events(f->program, program))
			m->shared = f;
		for (unsigned i = 0; i < program->operand_count; i++)
			if (!m->multiplexed.groups[i] && has_events(program, f->program) &&
			    has_event(f->program, program->operands[i].event))
				m->multiplexed.groups[i] = f->number;
	}
	for (unsigned i = 0; m->at_once.same_group && i < program->operand_count; i++)
		m->at_once.groups[i] = m->shared ? m->shared->number : number;
}

static void make_formulas(struct custom_metric *m, const struct custom_metrics *others,
			  const struct quantity *quantity)
{
	const struct program_operand *o = m->program.operands;
	bool average = quantity->average && m->program.operand_count && !is_of_port(&o[0]);

	for (unsigned i = 0; i < m->program.operand_count; i++)
		average &= o[i].event->type == o[0].event->type;
	m->at_once = (struct formula){
		.program = &m->program,
		.metric = m->name,
		.text = m->formula,
		.same_group = m->program.operand_count > 1,
		.any_unit = average,
	};
	m->multiplexed = m->at_once;
	m->multiplexed.same_group = false;
	m->multiplexed.fallback = true;
	find_groups(m, &others->formulas, (unsigned)(others->formulas.count + others->count) + 1);
}

/*
 * Returns the text of an earlier metric's formula; for a built-in metric, whose column is meant, of
 * its first one, from which its dimension is derived. NULL: none.
 */
static const char *formula_of(const void *context, const char *name)
{
	const struct custom_metrics *metrics = context;
	const char *own = formula_of_earlier(metrics, name);
	const struct formula *formula = formulas_find(&metrics->formulas, name, 0);

	return own ? own : formula ? formula->text : NULL;
}

static int make_metric(const struct custom_metrics *metrics, const struct custom_context *context,
		       const struct custom_text *text, struct custom_metric *m, struct error *err)
{
	const struct formula_names names = {context->catalogue, formula_of, metrics};
	struct quantity quantity;
	int rc = check_name(metrics, context, text->name, err);

	if (rc)
		return rc;
	snprintf(m->name, sizeof(m->name), "%s", text->name);
	m->formula = strdup(text->formula);
	/* truncated as in a recording, so that a replay prints the same; a formula is ASCII */
	m->help = strndup(text->help ? text->help : text->formula, CUSTOM_HELP_MOST);
	if (!m->formula || !m->help)
		return error_no_memory(err);
	rc = formula_parse(&names, m->formula, &m->program, &quantity, err);
	rc = rc ? rc : check_unit(text, &quantity, &m->program, err);
	rc = rc ? rc : choose_scopes(m, text, err);
	rc = rc ? rc : make_column(m, metrics, text, err);
	if (!rc)
		make_formulas(m, metrics, &quantity);
	return rc;
}

static int add_metric(struct custom_metrics *metrics, const struct custom_context *context,
		      char *line, struct error *err)
{
	struct custom_text text;
	struct error why = {0};
	int rc = custom_text_parse(line, &text, err);

	if (rc)
		return rc;
	if (metrics->count == CUSTOM_METRICS_MOST)
		return error_set(err, ERROR_USAGE, -E2BIG,
				 "metric '%s': more than %d metrics: expected fewer", text.name,
				 CUSTOM_METRICS_MOST);
	if (context->catalogue->model && !metrics->formulas.count)
		rc = formulas_read(&metrics->formulas, context->catalogue->model, err);
	if (rc)
		return rc;
	struct custom_metric *m = calloc(1, sizeof(*m));
	if (!m)
		return error_no_memory(err);
	rc = make_metric(metrics, context, &text, m, &why);
	if (rc) {
		free_metric(m);
		return error_set(err, why.kind, rc, "metric '%s': %s", text.name, why.text);
	}
	metrics->items[metrics->count++] = m;
	return 0;
}

int custom_metrics_add(struct custom_metrics *metrics, const struct custom_context *context,
		       const char *text, struct error *err)
{
	char *copy = strdup(text);

	if (!copy)
		return error_no_memory(err);
	const int rc = add_metric(metrics, context, copy, err);
	free(copy);
	return rc;
}

struct additions {
	struct custom_metrics *metrics;
	const struct custom_context *context;
};

static int add_line(void *context, char *line, struct error *err)
{
	const struct additions *to = context;

	return add_metric(to->metrics, to->context, line, err);
}

int custom_metrics_load(struct custom_metrics *metrics, const struct custom_context *context,
			const char *path, struct error *err)
{
	const size_t before = metrics->count;
	struct additions to = {metrics, context};
	int rc = text_file_lines(path, add_line, &to, err);

	if (!rc && metrics->count == before)
		rc = error_set(err, ERROR_USAGE, -EINVAL, "'%s' has no metrics", quoted(path).text);
	if (rc)
		drop_from(metrics, before);
	return rc;
}
