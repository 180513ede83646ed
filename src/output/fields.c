/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/fields.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "platform/number.h"

/* https://owasp.org/www-community/attacks/CSV_Injection */
#define FORMULA_STARTS "=+-@\t\r"

void field_number(FILE *out, double number, unsigned decimals, const char *unknown)
{
	if (isfinite(number))
		fprintf(out, "%.*f", (int)decimals, number);
	else
		fputs(unknown, out);
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

void field_time(FILE *out, uint64_t wall_ns)
{
	const time_t seconds = (time_t)(wall_ns / NS_PER_S);
	char text[32];
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	fprintf(out, "%s.%06" PRIu64 "Z", text, wall_ns % NS_PER_S / 1000);
}

void field_text(FILE *out, const char *text)
{
	const bool formula = *text && strchr(FORMULA_STARTS, *text);

	if (!formula && !text[strcspn(text, ",\"\r\n")]) {
		fputs(text, out);
		return;
	}
	fputs(formula ? "\"'" : "\"", out);
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
