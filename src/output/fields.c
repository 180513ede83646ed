/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/fields.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "base/text.h"
#include "formula/custom_metric.h"
#include "table/spell.h"
#include "uncore/units/unit.h"

#define FIELD_COLUMN_SIZE 352 /* holds any number with six decimals */
#define NS_PER_MS	  1000000

void field_column(FILE *out, double number, int width, const char *format, unsigned decimals)
{
	char text[FIELD_COLUMN_SIZE] = "-";

	if (isfinite(number))
		snprintf(text, sizeof(text), format, (int)decimals, number);
	fprintf(out, " %*s", width - 1, text);
}

/* Chooses the prefix after rounding: 999.95 is 1000.0 without one. */
void field_count(FILE *out, double number, int width, unsigned decimals, bool estimate)
{
	const char *prefix = "kMGTPE";
	char format[] = "~%.*f k";

	if (!(number >= 999.95)) {
		field_column(out, number, width, estimate ? "~%.*f" : "%.*f", decimals);
		return;
	}
	for (number /= 1000; number >= 999.95 && prefix[1]; prefix++)
		number /= 1000;
	format[sizeof(format) - 2] = *prefix;
	field_column(out, number, width, estimate ? format : format + 1, 1);
}

struct field_unit field_unit(const struct metric *metric)
{
	if (metric->family.counter && !metric->family.unit && !metric->decimals)
		return (struct field_unit){"M/s", 1e-6, 1};
	return (struct field_unit){unit_text(metric), 1, decimals_of(metric).brief};
}

static void put_plain(FILE *out, double number, int width, bool estimate)
{
	const char *prefix = " kMGTPE";
	char format[16];

	for (; fabs(number) >= 999.5 && prefix[1]; prefix++)
		number /= 1000;
	const bool whole = fabs(number) >= 99.95, prefixed = *prefix != ' ';
	snprintf(format, sizeof(format), "%s%s%s%.*s", estimate ? "~" : "",
		 whole ? "%.*f" : "%#.*g", prefixed ? " " : "", prefixed, prefix);
	field_column(out, number, width, format, whole ? 0 : 3);
}

void field_value(FILE *out, const struct metric *metric, double number, int width, bool estimate)
{
	const struct field_unit unit = field_unit(metric);
	const bool own = !strcmp(metric->group, CUSTOM_GROUP);

	if (own && !strcmp(unit.text, "1/s"))
		field_count(out, number, width, unit.decimals, estimate);
	else if (own && !*unit.text && metric->decimals == CUSTOM_DECIMALS)
		put_plain(out, number, width, estimate);
	else
		field_column(out, number * unit.factor, width, estimate ? "~%.*f" : "%.*f",
			     unit.decimals);
}

int field_width(int width, const char *text)
{
	const int columns = text_columns(text);

	return columns > width ? columns : width;
}

const char *field_time_text(char text[FIELD_TIME_SIZE], uint64_t wall_ns)
{
	const time_t seconds = (time_t)(wall_ns / NS_PER_S);
	struct tm tm;
	const size_t used =
		strftime(text, FIELD_TIME_SIZE, "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &tm));

	snprintf(text + used, FIELD_TIME_SIZE - used, ".%06" PRIu64 "Z", wall_ns % NS_PER_S / 1000);
	return text;
}

const char *field_clock_text(char text[FIELD_TIME_SIZE], uint64_t wall_ns)
{
	const time_t seconds = (time_t)(wall_ns / NS_PER_S);
	struct tm tm;
	const size_t used = strftime(text, FIELD_TIME_SIZE, "%H:%M:%S", localtime_r(&seconds, &tm));

	snprintf(text + used, FIELD_TIME_SIZE - used, ".%03" PRIu64,
		 wall_ns % NS_PER_S / NS_PER_MS);
	return text;
}

/*
 * Writes a field of CSV, quoted if needed, and never changed: see "CSV" in
 * docs/reference/output.md.
 */
static void put_csv_text(FILE *out, const char *text)
{
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

/* Writes a string of UTF-8, or null for an empty one, which is unknown, as in CSV. */
static void put_json_text(FILE *out, const char *text)
{
	json_t *string = *text ? json_string(text) : NULL;
	char *quoted = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;

	fputs(quoted ? quoted : "null", out);
	free(quoted);
	json_decref(string);
}

/* Begins a field. Returns true if a value follows; an unknown value is already written. */
static bool begin_field(struct fields *f, const char *name, bool known)
{
	known &= !f->blank;
	if (f->follows)
		putc(',', f->out);
	f->follows = true;
	if (f->style == FIELDS_NAMES)
		fputs(name, f->out);
	if (f->style == FIELDS_JSON && name)
		fprintf(f->out, "\"%s\":", name);
	if (f->style == FIELDS_JSON && !known)
		fputs("null", f->out);
	return known && f->style != FIELDS_NAMES;
}

void fields_open(struct fields *f, const char *name, char bracket)
{
	begin_field(f, name, true);
	putc(bracket, f->out);
	f->follows = false;
}

void fields_close(struct fields *f, char bracket)
{
	putc(bracket, f->out);
	f->follows = true;
}

void fields_number(struct fields *f, const char *name, double number, unsigned decimals)
{
	if (begin_field(f, name, isfinite(number)))
		fprintf(f->out, "%.*f", (int)decimals, number);
}

void fields_index(struct fields *f, const char *name, int index)
{
	if (begin_field(f, name, index >= 0))
		fprintf(f->out, "%d", index);
}

void fields_share(struct fields *f, const char *name, double pct)
{
	if (begin_field(f, name, isfinite(pct)))
		fprintf(f->out, "%.4g", pct);
}

void fields_count(struct fields *f, const char *name, uint64_t count)
{
	if (begin_field(f, name, true))
		fprintf(f->out, "%" PRIu64, count);
}

void fields_text(struct fields *f, const char *name, const char *text)
{
	if (begin_field(f, name, true))
		(f->style == FIELDS_JSON ? put_json_text : put_csv_text)(f->out, text);
}

void fields_time(struct fields *f, const char *name, uint64_t wall_ns)
{
	char text[FIELD_TIME_SIZE];

	fields_text(f, name, field_time_text(text, wall_ns));
}

void fields_interval(struct fields *f, uint64_t wall_ns, double interval_s, double missed)
{
	fields_time(f, "time", wall_ns);
	fields_number(f, "interval_s", interval_s, FIELD_INTERVAL_DECIMALS);
	fields_number(f, "missed", missed, 0);
}

#define MIN_WIDTH 7

int location_width(const struct table *table)
{
	char text[LOCATION_SIZE];
	int width = MIN_WIDTH;

	for (size_t r = 0; r < table->row_count; r++)
		width = field_width(width, location(&table->rows[r], text));
	return width;
}

static void put_value(struct fields *f, const struct metric *metric, const struct row *row,
		      const struct value *value)
{
	switch (metric->kind) {
	case METRIC_NUMBER:
		fields_number(f, metric->name, value->number, decimals_of(metric).exact);
		break;
	case METRIC_SOURCE:
		fields_text(f, metric->name, value->text);
		break;
	case METRIC_CPU:
		fields_index(f, metric->name, row->place.cpu);
		break;
	case METRIC_GROUP:
		fields_text(f, metric->name, row->place.group ? row->place.group : "");
		break;
	}
}

void out_row(struct fields *f, const struct table *table, const struct row *row)
{
	static const struct value no_value = {.text = ""};

	fields_index(f, "socket", row->place.socket);
	fields_index(f, "port", row->place.port);
	fields_text(f, "pci", row->place.pci);
	fields_text(f, "memdev", row->place.memdev);
	fields_index(f, "node", row->place.node);
	if (table->event_rows) {
		const struct unit *unit = row->event ? row->unit : NULL;

		fields_text(f, "type", unit ? unit->pmu_type->name : "");
		fields_index(f, "id", unit && !row->summed ? (int)unit->id : -1);
		fields_text(f, "event", unit ? row->event->name : "");
		fields_number(f, "count", unit ? row->count : NAN, 0);
		fields_number(f, "per_s", unit ? row->per_s : NAN, decimals_of(NULL).exact);
	}
	for (size_t c = 0; c < table->column_count; c++)
		put_value(f, table->columns[c].metric, row,
			  row->values ? &row->values[c] : &no_value);
	fields_share(f, "counted_pct", row->counted_pct);
}
