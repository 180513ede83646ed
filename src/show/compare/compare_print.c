/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "base/wrap.h"
#include "output/fields.h"
#include "show/compare/compare_private.h"
#include "table/spell.h"

#define VALUE_WIDTH	11
#define PCT_WIDTH	8
#define PLACE_WIDTH	18 /* leaves room for all numbers on 80 columns */
#define UNMATCHED_SHOWN 10 /* most metrics and rows shown that only one recording has */

/* Parts of the table, in its order. */
enum part {
	PART_DIFFERS,
	PART_STATE_DIFFERS,
	PART_APART_TOO_SHORT,
	PART_APART,
	PART_SAME,
	PART_TOO_SHORT,
	PART_UNLIKE,
	PART_RAISED,
	PART_NOT_IN_A,
	PART_NOT_IN_B,
	PARTS,
};

static const char *const part_titles[PARTS] = {
	[PART_DIFFERS] = "Means that differ",
	[PART_STATE_DIFFERS] = "Health that differs at the end",
	[PART_APART_TOO_SHORT] = "All values of B are above, or below, all of A, but too few are "
				 "independent to exclude chance",
	[PART_APART] = "All values of B are above, or below, all of A, but not significantly",
	[PART_SAME] = "The same",
	[PART_TOO_SHORT] = "Too short to tell",
	[PART_UNLIKE] = "Measured differently",
	[PART_RAISED] = "Estimates, which reads of DRAM may have raised",
	[PART_NOT_IN_A] = "Not in A",
	[PART_NOT_IN_B] = "Not in B",
};

static enum part part_of(const struct compared *pair)
{
	const bool apart = compared_is_apart(pair);

	switch (pair->verdict) {
	case COMPARED_DIFFERS:
		return plotted_is_state(pair->series[SIDE_A]) ? PART_STATE_DIFFERS : PART_DIFFERS;
	case COMPARED_SAME:
		return apart ? PART_APART : PART_SAME;
	case COMPARED_TOO_SHORT:
		return apart ? PART_APART_TOO_SHORT : PART_TOO_SHORT;
	case COMPARED_UNLIKE:
		return PART_UNLIKE;
	case COMPARED_RAISED:
		return PART_RAISED;
	case COMPARED_ABSENT:
		break;
	}
	return pair->series[SIDE_A]->values ? PART_NOT_IN_B : PART_NOT_IN_A;
}

static void put_header(FILE *out)
{
	fprintf(out, "%*s%*s", PLACE_WIDTH + VALUE_WIDTH, "MEAN A", VALUE_WIDTH, "MEAN B");
	for (enum statistic f = 0; f < STATISTICS; f++)
		fprintf(out, "%*s %%", PCT_WIDTH - 2, f ? statistic_names[f] : "MEAN");
	putc('\n', out);
}

/* Prints a number in a column; a number that is too long has fewer digits. */
static void put_number(FILE *out, int width, const char *text, const char *shorter, double value)
{
	char number[COMPARED_NUMBER_SIZE];

	snprintf(number, sizeof(number), shorter, value);
	fprintf(out, " %*s", width - 1, strlen(text) < (size_t)width ? text : number);
}

static void put_numbers(const struct compared *pair, FILE *out)
{
	const unsigned decimals = plotted_shown_decimals(pair->series[SIDE_A]);
	char number[COMPARED_NUMBER_SIZE];

	for (enum side side = SIDE_A; side < SIDES; side++) {
		const double mean = statistic_of(pair->series[side], STATISTIC_MEAN);

		if (side == SIDE_B && isnan(mean))
			return;
		put_number(out, VALUE_WIDTH, compared_value(mean, decimals, number), "%.4g", mean);
	}
	/* no blanks follow the last number */
	enum statistic end = STATISTICS;
	while (end && isnan(compared_difference_pct(pair, end - 1)))
		end--;
	for (enum statistic f = 0; f < end; f++) {
		const double pct = compared_difference_pct(pair, f);

		put_number(out, PCT_WIDTH, compared_pct(pct, number), "%+.0e", pct);
	}
}

static void put_line(const struct compared *pair, FILE *out)
{
	char text[LOCATION_SIZE], advice[ADVICE_SIZE];
	const char *where = location_with_unit(pair->series[SIDE_A]->row, false, text);

	fprintf(out, "    %-*s", text_padding(where, PLACE_WIDTH - 4), where);
	/* numbers of a long place are in their columns of the next line */
	if (field_width(0, where) > PLACE_WIDTH - 4)
		fprintf(out, "\n%*s", PLACE_WIDTH, "");
	if (part_of(pair) == PART_STATE_DIFFERS)
		fprintf(out, "  %s", compared_advice(pair, advice));
	else
		put_numbers(pair, out);
	putc('\n', out);
}

static void put_title(const struct comparison *c, enum part part, int width, FILE *out)
{
	double record_s = 0;
	char title[160] = "";

	for (size_t i = 0; i < c->compared_count; i++)
		if (part_of(&c->compared[i]) == part && c->compared[i].record_s > record_s)
			record_s = c->compared[i].record_s;
	text_append(title, sizeof(title), "%s", part_titles[part]);
	if (record_s > 0)
		text_append(title, sizeof(title), ": record at least %.9g s", record_s);
	putc('\n', out);
	wrapped_print(out, title, 0, 0, width);
}

/* Prints the rows of a part below their metrics. */
static void put_part(const struct comparison *c, enum part part, int width, FILE *out)
{
	char headings[2][HEADING_SIZE] = {"", ""}; /* by turns: this pair's, and the last one's */
	size_t count = 0;

	for (size_t i = 0; i < c->compared_count; i++) {
		const struct compared *pair = &c->compared[i];

		if (part_of(pair) != part)
			continue;
		if (!count++)
			put_title(c, part, width, out);
		compared_heading(pair, headings[count % 2]);
		if (strcmp(headings[0], headings[1]) != 0)
			fprintf(out, "  %s\n", headings[count % 2]);
		put_line(pair, out);
	}
}

const char *compare_unmatched(const struct unmatched *unmatched, char text[UNMATCHED_SIZE])
{
	const struct row *row = unmatched->row;
	char place[LOCATION_SIZE];

	if (!row)
		snprintf(text, UNMATCHED_SIZE, "%s", metric_title(unmatched->metric));
	else if (row->event)
		snprintf(text, UNMATCHED_SIZE, "%s of %s", row->event->name,
			 location_with_unit(row, true, place));
	else
		snprintf(text, UNMATCHED_SIZE, "%s", location_with_unit(row, true, place));
	return text;
}

static void put_unmatched(const struct comparison *c, enum side side, FILE *out)
{
	char text[UNMATCHED_SIZE];
	size_t count = 0;

	for (size_t i = 0; i < c->unmatched_count; i++) {
		if (c->unmatched[i].side != side)
			continue;
		if (!count)
			fprintf(out, "Only in %s: ", side_names[side]);
		if (count < UNMATCHED_SHOWN)
			fprintf(out, "%s%s", count ? ", " : "",
				compare_unmatched(&c->unmatched[i], text));
		count++;
	}
	if (count > UNMATCHED_SHOWN)
		fprintf(out, " and %zu more", count - UNMATCHED_SHOWN);
	fputs(count ? "\n" : "", out);
}

/* Prints what readers must know before they see numbers. */
static void put_differences(const struct comparison *c, FILE *out)
{
	if (c->identical)
		fputs("A and B are the same recording.\n", out);
	for (size_t i = 0; i < c->difference_count; i++) {
		const struct difference *d = &c->differences[i];

		fprintf(out, "Recorded differently: %s: %s in A, %s in B\n", d->what,
			quoted(d->of[SIDE_A]).text, quoted(d->of[SIDE_B]).text);
	}
	for (enum side side = SIDE_A; side < SIDES; side++)
		put_unmatched(c, side, out);
	if (!comparison_same_interval(c))
		fputs("The intervals differ: p95, p99 and max are of samples of different "
		      "length.\n",
		      out);
}

static void put_sums(const struct comparison *c, FILE *out)
{
	fprintf(out, "%zu of %zu means differ", c->differ, c->judged);
	if (c->judged + c->states < c->compared_count)
		fprintf(out, "; %zu cannot be judged", c->compared_count - c->judged - c->states);
	fputs("\n", out);
	if (c->states_differ)
		fprintf(out, "Health at the end differs in %zu row%s\n", c->states_differ,
			c->states_differ == 1 ? "" : "s");
	if (c->apart)
		fprintf(out,
			"A and B do not overlap in %zu of the others: all values of B are above, "
			"or below, all of A\n",
			c->apart);
}

/* Prints the lines before the table. */
static void put_summary(const struct comparison *c, FILE *out)
{
	char processor[RECORDED_PROCESSOR_SIZE];

	for (enum side side = SIDE_A; side < SIDES; side++) {
		const struct compared_side *s = &c->sides[side];

		fprintf(out, "%s: %s: %s, %zu sample%s of %.9g s%s\n", side_names[side],
			quoted(s->name).text, recorded_processor(s->report->info, processor),
			s->report->samples, s->report->samples == 1 ? "" : "s",
			(double)s->report->info->interval_ns / NS_PER_S,
			s->flaw->code ? " (incomplete)" : "");
	}
	put_differences(c, out);
	if (!c->identical)
		put_sums(c, out);
}

/* Prints nothing if memory runs out. */
static void put_summary_wrapped(const struct comparison *c, int width, FILE *out)
{
	char *text = NULL;
	size_t size;
	FILE *lines = open_memstream(&text, &size);

	if (!lines)
		return;
	put_summary(c, lines);
	if (!fclose(lines))
		wrapped_lines(out, text, width);
	free(text);
}

void compare_table(const struct comparison *c, int width, FILE *out)
{
	char method[256];

	put_summary_wrapped(c, width, out);
	if (c->identical)
		return;
	putc('\n', out);
	if (c->compared_count)
		put_header(out);
	for (enum part part = 0; part < PARTS; part++)
		put_part(c, part, width, out);
	if (!c->compared_count)
		fputs("Nothing can be compared: no row of both has values of the same metric.\n",
		      out);
	putc('\n', out);
	snprintf(method, sizeof(method), "%s.", comparison_method);
	wrapped_print(out, method, 0, 0, width);
}

#define PCT_DECIMALS 3
#define P_DECIMALS   6

static void put_place(struct fields *f, const struct row *row)
{
	const struct unit *unit = row->event ? row->unit : NULL;

	fields_text(f, "scope", row_scope_name(row));
	fields_index(f, "socket", row->place.socket);
	fields_index(f, "port", row->place.port);
	fields_text(f, "memdev", row->place.memdev);
	fields_index(f, "cpu", row->place.kind == ROW_CPU ? row->place.cpu : -1);
	fields_text(f, "unit", unit ? unit->pmu_type->name : "");
	fields_index(f, "box", unit && !row->summed ? (int)unit->id : -1);
	fields_index(f, "node", place_node_number(&row->place));
}

/* Prints a row, or the header (FIELDS_NAMES). groups: some row is of a group of tasks. */
static void put_row(const struct compared *pair, enum statistic statistic, bool groups,
		    enum field_style style, FILE *out)
{
	const bool mean = statistic == STATISTIC_MEAN; /* only means are judged */
	const unsigned decimals = plotted_decimals(pair->series[SIDE_A]);
	const char *group = pair->series[SIDE_A]->row->place.group;
	struct fields f = {.out = out, .style = style};
	char record_s[32] = "";

	if (mean && !isnan(pair->record_s))
		snprintf(record_s, sizeof(record_s), "%.9g", pair->record_s);
	fields_text(&f, "metric", plotted_name(pair->series[SIDE_A]));
	put_place(&f, pair->series[SIDE_A]->row);
	fields_text(&f, "statistic", statistic_names[statistic]);
	fields_number(&f, "a", statistic_of(pair->series[SIDE_A], statistic), decimals);
	fields_number(&f, "b", statistic_of(pair->series[SIDE_B], statistic), decimals);
	fields_number(&f, "difference", compared_difference(pair, statistic), decimals);
	fields_number(&f, "difference_pct", compared_difference_pct(pair, statistic), PCT_DECIMALS);
	fields_text(&f, "verdict", mean ? compared_verdict(pair) : "");
	fields_number(&f, "p_value", mean ? pair->p : NAN, P_DECIMALS);
	fields_text(&f, "record_s", record_s);
	fields_text(&f, "range", mean ? compared_range(pair) : "");
	if (groups)
		fields_text(&f, "resctrl_group", group ? group : "");
	putc('\n', out);
}

void compare_csv(const struct comparison *c, FILE *out)
{
	static const struct metric no_metric = {.name = ""};
	static const struct plotted none = {.row = &row_unknown, .metric = &no_metric};
	bool groups = false;

	for (size_t i = 0; i < c->compared_count; i++)
		groups |= c->compared[i].series[SIDE_A]->row->place.group != NULL;
	put_row(&(struct compared){.series = {&none, &none}}, 0, groups, FIELDS_NAMES, out);
	for (size_t i = 0; i < c->compared_count; i++)
		for (enum statistic f = 0; f < STATISTICS; f++)
			put_row(&c->compared[i], f, groups, FIELDS_CSV, out);
}

/*
 * Encodes a side. A file's name may be any bytes; a name that is not UTF-8 is shown as in messages.
 */
static json_t *side_object(const struct compared_side *side)
{
	const struct report *r = side->report;
	json_t *name = json_string(side->name);

	return json_pack("{s:o, s:s, s:s, s:f, s:I, s:s?}", "file",
			 name ? name : json_string(quoted(side->name).text), "processor",
			 r->info->processor, "version", r->info->program, "interval_s",
			 (double)r->info->interval_ns / NS_PER_S, "samples", (json_int_t)r->samples,
			 "flaw", side->flaw->code ? side->flaw->text : NULL);
}

static json_t *index_or_null(int index)
{
	return index >= 0 ? json_integer(index) : NULL;
}

/* Encodes a place, without the members after the device that do not apply. */
static json_t *place_object(const struct row *row)
{
	const struct unit *unit = row->event ? row->unit : NULL;

	return json_pack("{s:s, s:o?, s:o?, s:s?, s:o*, s:s*, s:o*, s:o*, s:s*}", "scope",
			 row_scope_name(row), "socket", index_or_null(row->place.socket), "port",
			 index_or_null(row->place.port), "memdev",
			 *row->place.memdev ? row->place.memdev : NULL, "cpu",
			 index_or_null(row->place.kind == ROW_CPU ? row->place.cpu : -1), "unit",
			 unit ? unit->pmu_type->name : NULL, "box",
			 index_or_null(unit && !row->summed ? (int)unit->id : -1), "node",
			 index_or_null(place_node_number(&row->place)), "resctrl_group",
			 row->place.group);
}

static json_t *compared_object(const struct compared *pair)
{
	json_t *object = json_pack("{s:s, s:s}", "metric", plotted_name(pair->series[SIDE_A]),
				   "metric_unit", plotted_unit(pair->series[SIDE_A]));
	const char *range = compared_range(pair);

	json_object_update_new(object, place_object(pair->series[SIDE_A]->row));
	for (enum statistic f = 0; f < STATISTICS; f++) /* unknown values are null */
		json_object_set_new(object, statistic_names[f],
				    json_pack("{s:o?, s:o?, s:o?, s:o?}", "a",
					      json_real(statistic_of(pair->series[SIDE_A], f)), "b",
					      json_real(statistic_of(pair->series[SIDE_B], f)),
					      "difference", json_real(compared_difference(pair, f)),
					      "difference_pct",
					      json_real(compared_difference_pct(pair, f))));
	json_object_update_new(
		object, json_pack("{s:s, s:o?, s:o?, s:s?}", "verdict", compared_verdict(pair),
				  "p_value", json_real(pair->p), "record_s",
				  json_real(pair->record_s), "range", *range ? range : NULL));
	return object;
}

json_t *compare_json(const struct comparison *c)
{
	json_t *rows = json_array(), *unmatched = json_array(), *differences = json_array();
	char text[UNMATCHED_SIZE];

	for (size_t i = 0; i < c->compared_count; i++)
		json_array_append_new(rows, compared_object(&c->compared[i]));
	for (size_t i = 0; i < c->unmatched_count; i++) {
		const struct unmatched *u = &c->unmatched[i];

		json_array_append_new(
			unmatched,
			json_pack("{s:s, s:s}", "in", side_names[u->side], "what",
				  u->row ? compare_unmatched(u, text) : u->metric->name));
	}
	for (size_t i = 0; i < c->difference_count; i++)
		json_array_append_new(differences,
				      json_pack("{s:s, s:s, s:s}", "what", c->differences[i].what,
						"a", c->differences[i].of[SIDE_A], "b",
						c->differences[i].of[SIDE_B]));
	return json_pack("{s:i, s:o, s:o, s:b, s:o, s:I, s:I, s:s, s:o, s:o}", "schema",
			 COMPARE_SCHEMA, "a", side_object(&c->sides[SIDE_A]), "b",
			 side_object(&c->sides[SIDE_B]), "same_recording", c->identical,
			 "differences", differences, "judged", (json_int_t)c->judged, "differ",
			 (json_int_t)c->differ, "method", comparison_method, "rows", rows, "only",
			 unmatched);
}

#define SHOWN_PCT_DECIMALS 2
#define MANY_DIGITS	   1e15 /* from here on, numbers have an exponent */
#define LEAST_P		   0.001

static const char *spell_number(double value, unsigned decimals, const char *fixed,
				const char *exponent, char text[COMPARED_NUMBER_SIZE])
{
	const int digits = decimals < 9 ? (int)decimals : 9;

	*text = '\0';
	if (!isfinite(value))
		return text;
	if (value > -MANY_DIGITS && value < MANY_DIGITS)
		snprintf(text, COMPARED_NUMBER_SIZE, fixed, digits, value);
	else
		snprintf(text, COMPARED_NUMBER_SIZE, exponent, value);
	return text;
}

const char *compared_value(double value, unsigned decimals, char text[COMPARED_NUMBER_SIZE])
{
	return spell_number(value, decimals, "%.*f", "%.6g", text);
}

const char *compared_signed(double value, unsigned decimals, char text[COMPARED_NUMBER_SIZE])
{
	spell_number(value, decimals, "%+.*f", "%+.6g", text);
	/* a number that was rounded to 0 has no sign */
	if (*text && strtod(text, NULL) == 0)
		spell_number(0, decimals, "%.*f", "%.6g", text);
	return text;
}

const char *compared_pct(double pct, char text[COMPARED_NUMBER_SIZE])
{
	return compared_signed(pct, SHOWN_PCT_DECIMALS, text);
}

const char *compared_p(double p, char text[COMPARED_NUMBER_SIZE])
{
	if (p < LEAST_P)
		snprintf(text, COMPARED_NUMBER_SIZE, "< %g", LEAST_P);
	else
		spell_number(p, 3, "%.*f", "%g", text);
	return text;
}
