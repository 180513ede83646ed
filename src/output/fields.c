/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/fields.h"

#include <inttypes.h>
#include <math.h>
#include <time.h>

#include "platform/number.h"

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
