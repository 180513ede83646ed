/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/fields.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "platform/number.h"

#define FIELD_COLUMN_SIZE 352 /* for any number with six decimals */
#define NS_PER_MS	  1000000

void field_number(FILE *out, double number, unsigned decimals, const char *unknown)
{
	if (isfinite(number))
		fprintf(out, "%.*f", (int)decimals, number);
	else
		fputs(unknown, out);
}

void field_column(FILE *out, double number, int width, const char *format, unsigned decimals)
{
	char text[FIELD_COLUMN_SIZE] = "-";

	if (isfinite(number))
		snprintf(text, sizeof(text), format, (int)decimals, number);
	fprintf(out, " %*s", width - 1, text);
}

void field_index(FILE *out, int index, const char *unknown)
{
	if (index >= 0)
		fprintf(out, "%d", index);
	else
		fputs(unknown, out);
}

void field_share(FILE *out, double pct, const char *unknown)
{
	if (isfinite(pct))
		fprintf(out, "%.4g", pct);
	else
		fputs(unknown, out);
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

void field_text(FILE *out, const char *text)
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

void field_json_text(FILE *out, const char *text)
{
	json_t *string = *text ? json_string(text) : NULL;
	char *quoted = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;

	fputs(quoted ? quoted : "null", out);
	free(quoted);
	json_decref(string);
}

/* Whether a value follows; *unknown is what stands for none. */
static bool begin(struct fields *f, const char *name, const char **unknown)
{
	if (f->follows)
		putc(',', f->out);
	f->follows = true;
	*unknown = f->style == FIELDS_JSON ? "null" : "";
	if (f->style == FIELDS_JSON)
		fprintf(f->out, "\"%s\":", name);
	else if (f->style == FIELDS_NAMES)
		fputs(name, f->out);
	return f->style != FIELDS_NAMES;
}

void fields_number(struct fields *f, const char *name, double number, unsigned decimals)
{
	const char *unknown;

	if (begin(f, name, &unknown))
		field_number(f->out, number, decimals, unknown);
}

void fields_index(struct fields *f, const char *name, int index)
{
	const char *unknown;

	if (begin(f, name, &unknown))
		field_index(f->out, index, unknown);
}

void fields_share(struct fields *f, const char *name, double pct)
{
	const char *unknown;

	if (begin(f, name, &unknown))
		field_share(f->out, pct, unknown);
}

void fields_count(struct fields *f, const char *name, uint64_t count)
{
	const char *unknown;

	if (begin(f, name, &unknown))
		fprintf(f->out, "%" PRIu64, count);
}

void fields_text(struct fields *f, const char *name, const char *text)
{
	const char *unknown;

	if (begin(f, name, &unknown))
		(f->style == FIELDS_JSON ? field_json_text : field_text)(f->out, text);
}

void fields_time(struct fields *f, const char *name, uint64_t wall_ns)
{
	char text[FIELD_TIME_SIZE];

	fields_text(f, name, field_time_text(text, wall_ns));
}
