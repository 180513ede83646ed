/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CSV, JSON, and the list of formats with format_find(). CSV is RFC 4180 with \n line ends. An
 * unknown value is an empty field.
 */
#include <math.h>
#include <string.h>

#include "output/fields.h"
#include "output/sink.h"
#include "table/spell.h"

/* time: the sample's, as text. */
static void put_csv_row(struct sink *sink, enum field_style style, const char *time,
			const struct row *row, const struct sample *sample)
{
	struct fields f = {.out = sink->out, .style = style};

	fields_text(&f, "time", time);
	fields_number(&f, "interval_s", row->interval_s, FIELD_INTERVAL_DECIMALS);
	fields_count(&f, "missed", sample->missed);
	fields_text(&f, "scope", row_scope_name(row));
	out_row(&f, sink->table, row);
	if (sink->table->host)
		fields_text(&f, "host", sink->table->host);
	putc('\n', sink->out);
}

static int begin_csv(struct sink *sink)
{
	static const struct sample none = {.missed = 0};

	if (!sink->no_header)
		put_csv_row(sink, FIELDS_NAMES, "", &row_unknown, &none);
	return 0;
}

static void sample_csv(struct sink *sink, const struct sample *sample)
{
	char time[FIELD_TIME_SIZE];

	field_time_text(time, sample->wall_ns);
	for (size_t r = 0; r < sink->table->row_count; r++)
		put_csv_row(sink, FIELDS_CSV, time, &sink->table->rows[r], sample);
}

const struct format format_csv = {
	.name = "csv",
	.begin = begin_csv,
	.sample = sample_csv,
};

/*
 * JSON Lines: an object per sample. Keys are the names of the CSV columns. Every row has all of
 * them: unknown and inapplicable values are null. A sample has "doubtful_since" if earlier samples
 * from that time on may be wrong, and "marks" if there are any.
 */

/* Version of the output; grows when a key is removed or changes its meaning. */
#define SCHEMA 2

static void put_json_row(struct fields *f, const struct table *table, const struct row *row)
{
	fields_open(f, NULL, '{');
	fields_text(f, "scope", row_scope_name(row));
	fields_number(f, "interval_s", row->interval_s, FIELD_INTERVAL_DECIMALS);
	out_row(f, table, row);
	fields_close(f, '}');
}

static int begin_json(struct sink *sink)
{
	(void)sink;
	return 0;
}

/* Returns the shortest interval of all rows. */
static double interval_of(const struct table *table)
{
	double shortest = NAN;

	for (size_t r = 0; r < table->row_count; r++)
		shortest = fmin(shortest, table->rows[r].interval_s);
	return shortest;
}

static void put_marks(struct fields *f, const struct marks *marks)
{
	fields_open(f, "marks", '[');
	for (size_t i = 0; i < marks->count; i++) {
		const struct mark *mark = &marks->items[i];

		fields_open(f, NULL, '{');
		fields_time(f, "time", mark->wall_ns);
		fields_text(f, "kind", mark_kind_name(mark->kind));
		fields_text(f, "memdev", mark->device);
		fields_text(f, "text", mark->text);
		fields_close(f, '}');
	}
	fields_close(f, ']');
}

/* Writes errors since boot, only of kinds that have occurred. */
static void put_aer_kinds(struct fields *f, const struct tallies *tallies)
{
	bool any = false;

	for (size_t i = 0; i < tallies->count; i++) {
		const struct tally *tally = &tallies->items[i];

		if (!tally->severity || !*tally->kind)
			continue;
		if (!any)
			fields_open(f, "aer_errors", '[');
		any = true;
		fields_open(f, NULL, '{');
		fields_text(f, "memdev", tally->device);
		fields_text(f, "severity", aer_severity(tally->severity));
		fields_text(f, "kind", tally->kind);
		fields_count(f, "total", (uint64_t)tally->count);
		fields_close(f, '}');
	}
	if (any)
		fields_close(f, ']');
}

static void sample_json(struct sink *sink, const struct sample *sample)
{
	const struct table *table = sink->table;
	struct fields f = {.out = sink->out, .style = FIELDS_JSON};

	fields_open(&f, NULL, '{');
	fields_count(&f, "schema", SCHEMA);
	if (table->host)
		fields_text(&f, "host", table->host);
	fields_time(&f, "time", sample->wall_ns);
	fields_number(&f, "interval_s", interval_of(table), FIELD_INTERVAL_DECIMALS);
	fields_count(&f, "missed", sample->missed);
	if (sample->doubtful_since_ns)
		fields_time(&f, "doubtful_since", sample->doubtful_since_ns);
	if (table->marks.count)
		put_marks(&f, &table->marks);
	put_aer_kinds(&f, &table->tallies);
	fields_open(&f, "rows", '[');
	for (size_t r = 0; r < table->row_count; r++)
		put_json_row(&f, table, &table->rows[r]);
	fputs("]}\n", sink->out);
}

const struct format format_json = {
	.name = "json",
	.begin = begin_json,
	.sample = sample_json,
};

const struct format *format_find(const char *name)
{
#define LIST_FORMAT(name) &format_##name,
	static const struct format *const formats[] = {FOR_EACH_FORMAT(LIST_FORMAT) NULL};
	const struct format *const *format = formats;

	while (*format && strcmp((*format)->name, name) != 0)
		format++;
	return *format;
}
