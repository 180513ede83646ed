/* SPDX-License-Identifier: BSD-3-Clause */
#include "compare/compare_output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PCT_DECIMALS 2
#define MANY_DIGITS  1e15 /* from here on with an exponent */
#define LEAST_P	     0.001

static const char *put(double value, unsigned decimals, const char *fixed, const char *exponent,
		       char text[COMPARED_NUMBER_SIZE])
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
	return put(value, decimals, "%.*f", "%.6g", text);
}

const char *compared_signed(double value, unsigned decimals, char text[COMPARED_NUMBER_SIZE])
{
	put(value, decimals, "%+.*f", "%+.6g", text);
	/* what was rounded to 0 is neither more nor less */
	if (*text && strtod(text, NULL) == 0)
		put(0, decimals, "%.*f", "%.6g", text);
	return text;
}

const char *compared_pct(double pct, char text[COMPARED_NUMBER_SIZE])
{
	return compared_signed(pct, PCT_DECIMALS, text);
}

const char *compared_p(double p, char text[COMPARED_NUMBER_SIZE])
{
	if (p < LEAST_P)
		snprintf(text, COMPARED_NUMBER_SIZE, "< %g", LEAST_P);
	else
		put(p, 3, "%.*f", "%g", text);
	return text;
}
