/* SPDX-License-Identifier: BSD-3-Clause */
#include "compare/compare_output.h"
#include "platform/number.h"
#include "platform/text.h"

/* A file's name may be any bytes; what is no UTF-8 is shown as in messages. */
static json_t *file_name(const char *name)
{
	json_t *text = json_string(name);

	return text ? text : json_string(quoted(name).text);
}

static json_t *side_object(const struct compared_side *side)
{
	const struct report *r = side->report;

	return json_pack("{s:o, s:s, s:s, s:f, s:I, s:s?}", "file", file_name(side->name),
			 "processor", r->about->processor, "version", r->about->program,
			 "interval_s", (double)r->about->interval_ns / NS_PER_S, "samples",
			 (json_int_t)r->samples, "flaw",
			 side->flaw->code ? side->flaw->text : NULL);
}

/* What is not known is null. */
static json_t *figure_object(const struct compared *pair, enum figure f)
{
	return json_pack("{s:o?, s:o?, s:o?, s:o?}", "a",
			 json_real(figure_of(pair->series[SIDE_A], f)), "b",
			 json_real(figure_of(pair->series[SIDE_B], f)), "difference",
			 json_real(compared_difference(pair, f)), "difference_pct",
			 json_real(compared_difference_pct(pair, f)));
}

static json_t *index_or_null(int index)
{
	return index >= 0 ? json_integer(index) : NULL;
}

/* What does not apply, behind the device, is left out. */
static json_t *place_object(const struct row *row)
{
	const struct unit *unit = row->event ? row->unit : NULL;

	return json_pack("{s:s, s:o?, s:o?, s:s?, s:o*, s:s*, s:o*, s:o*}", "scope",
			 row_scope_name(row), "socket", index_or_null(row->socket), "port",
			 index_or_null(row->port), "memdev", *row->memdev ? row->memdev : NULL,
			 "cpu", index_or_null(row->scope == SCOPE_CPU ? row->cpu : -1), "unit",
			 unit ? unit->pmu_type->name : NULL, "box",
			 index_or_null(unit && !row->summed ? (int)unit->id : -1), "node",
			 index_or_null(row->of_node ? row->node : -1));
}

static json_t *compared_object(const struct compared *pair)
{
	json_t *object = json_pack("{s:s, s:s}", "metric", compared_name(pair), "metric_unit",
				   compared_unit(pair));

	json_object_update_new(object, place_object(pair->series[SIDE_A]->row));
	for (enum figure f = 0; f < FIGURES; f++)
		json_object_set_new(object, figure_names[f], figure_object(pair, f));
	json_object_update_new(
		object, json_pack("{s:s, s:o?, s:o?}", "verdict", compared_verdict(pair), "p_value",
				  json_real(pair->p), "record_s", json_real(pair->record_s)));
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
