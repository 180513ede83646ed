/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "compare/compare_output.h"
#include "platform/number.h"
#include "platform/text.h"

/* What is not known is null. */
static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *index_or_null(int index)
{
	return index >= 0 ? json_integer(index) : json_null();
}

static json_t *text_or_null(const char *text)
{
	return text && *text ? json_string(text) : json_null();
}

/* A file's name may be any bytes; what is no UTF-8 is shown as in messages. */
static json_t *file_name(const char *name)
{
	json_t *text = json_string(name);

	return text ? text : json_string(quoted(name).text);
}

static json_t *side_object(const struct compared_side *side)
{
	const struct report *r = side->report;

	return json_pack("{s:o, s:s, s:s, s:f, s:I, s:o}", "file", file_name(side->name),
			 "processor", r->about->processor, "version", r->about->program,
			 "interval_s", (double)r->about->interval_ns / NS_PER_S, "samples",
			 (json_int_t)r->samples, "flaw",
			 text_or_null(side->flaw->code ? side->flaw->text : NULL));
}

static json_t *figure_object(const struct compared *pair, enum figure f)
{
	return json_pack("{s:o, s:o, s:o, s:o}", "a", number(figure_of(pair->series[SIDE_A], f)),
			 "b", number(figure_of(pair->series[SIDE_B], f)), "difference",
			 number(compared_difference(pair, f)), "difference_pct",
			 number(compared_difference_pct(pair, f)));
}

static void add_place(json_t *object, const struct row *row)
{
	const bool of_unit = row->unit && row->event;

	json_object_set_new(object, "scope", json_string(row_scope_name(row)));
	json_object_set_new(object, "socket", index_or_null(row->socket));
	json_object_set_new(object, "port", index_or_null(row->port));
	json_object_set_new(object, "memdev", text_or_null(row->memdev));
	if (row->scope == SCOPE_CPU)
		json_object_set_new(object, "cpu", index_or_null(row->cpu));
	if (of_unit)
		json_object_set_new(object, "unit", json_string(row->unit->box->name));
	if (of_unit && !row->summed)
		json_object_set_new(object, "box", json_integer(row->unit->id));
	if (row->of_node)
		json_object_set_new(object, "node", json_integer(row->node));
}

static json_t *compared_object(const struct compared *pair)
{
	json_t *object = json_pack("{s:s, s:s}", "metric", compared_name(pair), "metric_unit",
				   compared_unit(pair));

	add_place(object, pair->series[SIDE_A]->row);
	for (enum figure f = 0; f < FIGURES; f++)
		json_object_set_new(object, figure_names[f], figure_object(pair, f));
	json_object_set_new(object, "verdict", json_string(compared_verdict(pair)));
	json_object_set_new(object, "p_value", number(pair->p));
	json_object_set_new(object, "record_s", number(pair->record_s));
	return object;
}

static json_t *lone_object(const struct lone *lone)
{
	char text[LONE_SIZE];

	return json_pack("{s:s, s:s}", "in", side_names[lone->side], "what",
			 compare_lone(lone, text));
}

static json_t *difference_object(const struct difference *d)
{
	return json_pack("{s:s, s:s, s:s}", "what", d->what, "a", d->of[SIDE_A], "b",
			 d->of[SIDE_B]);
}

json_t *compare_json(const struct comparison *c)
{
	json_t *rows = json_array(), *lone = json_array(), *differences = json_array();

	for (size_t i = 0; i < c->compared_count; i++)
		json_array_append_new(rows, compared_object(&c->compared[i]));
	for (size_t i = 0; i < c->lone_count; i++)
		json_array_append_new(lone, lone_object(&c->lone[i]));
	for (size_t i = 0; i < c->difference_count; i++)
		json_array_append_new(differences, difference_object(&c->differences[i]));
	return json_pack("{s:i, s:o, s:o, s:b, s:o, s:I, s:I, s:s, s:o, s:o}", "schema",
			 COMPARE_SCHEMA, "a", side_object(&c->sides[SIDE_A]), "b",
			 side_object(&c->sides[SIDE_B]), "same_recording", c->identical,
			 "differences", differences, "judged", (json_int_t)c->judged, "differ",
			 (json_int_t)c->differ, "method", comparison_method, "rows", rows, "only",
			 lone);
}
