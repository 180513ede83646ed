/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/duration.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/number.h"
#include "platform/text.h"
#include "session/session.h"

static const struct {
	const char *name;
	uint64_t seconds;
} words[] = {{"day", 86400}, {"hour", 3600}, {"minute", 60}};

const char *duration_words(uint64_t ns, char text[DURATION_SIZE])
{
	uint64_t seconds = ns / NS_PER_S;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const uint64_t count = seconds / words[i].seconds;

		seconds %= words[i].seconds;
		if (count)
			text_append(text, DURATION_SIZE, "%s%" PRIu64 " %s%s", *text ? " " : "",
				    count, words[i].name, count == 1 ? "" : "s");
	}
	const double rest = (double)seconds + (double)(ns % NS_PER_S) / NS_PER_S;
	if (rest > 0 || !*text)
		text_append(text, DURATION_SIZE, "%s%.9g second%s", *text ? " " : "", rest,
			    rest == 1 ? "" : "s");
	return text;
}

static int refuse(struct error *err, const char *what, const char *text, const char *expected)
{
	return error_set(err, EXIT_USAGE, -EINVAL, "%s '%s': %s", what, quoted(text).text,
			 expected);
}

bool duration_parse(const char *text, double *ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"", 1e9}, {"m", 60e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}};
	const size_t digits = strspn(text, "0123456789.");
	char *end;

	/* strtod() also accepts blanks, signs, exponents, hexadecimal numbers and inf */
	const double number = strtod(text, &end);
	if (!digits || end != text + digits)
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].name))
			continue;
		*ns = number * units[i].ns;
		return true;
	}
	return false;
}

int interval_parse(const char *text, uint64_t *ns, struct error *err)
{
	double number;

	if (!duration_parse(text, &number))
		return refuse(err, "not an interval", text, EXPECTED_TIME);
	if (number < (double)SESSION_MIN_INTERVAL_NS || number > (double)SESSION_MAX_INTERVAL_NS)
		return refuse(err, "interval out of range", text, "expected 100us to 1 year");
	*ns = (uint64_t)round(number);
	return 0;
}

int count_parse(const char *text, uint64_t *count, struct error *err)
{
	char *end;

	errno = 0;
	*count = strtoull(text, &end, 10);
	if (errno || *end || !isdigit((unsigned char)*text) || !*count)
		return refuse(err, "not a count of samples", text,
			      "expected a whole number from 1");
	return 0;
}
