/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/times.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "base/text.h"
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

static int refuse_time(struct error *err, const char *what, const char *text, const char *expected)
{
	return error_set(err, ERROR_USAGE, -EINVAL, "%s '%s': %s", what, quoted(text).text,
			 expected);
}

/* Parses "0", "1.5", "500ms", "100us" or "1m" to nanoseconds. Returns false for anything else. */
static bool duration_parse(const char *text, double *ns)
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
		return refuse_time(err, "not an interval", text, EXPECTED_TIME);
	if (number < (double)SESSION_MIN_INTERVAL_NS || number > (double)SESSION_MAX_INTERVAL_NS)
		return refuse_time(err, "interval out of range", text, "expected 100us to 1 year");
	*ns = (uint64_t)round(number);
	return 0;
}

int count_parse(const char *text, uint64_t *count, struct error *err)
{
	char *end;

	errno = 0;
	const uint64_t number = strtoull(text, &end, 10);
	if (errno || *end || !isdigit((unsigned char)*text) || !number)
		return refuse_time(err, "not a count of samples", text,
				   "expected a whole number from 1");
	*count = number;
	return 0;
}

bool reads_as_number(const char *text)
{
	char *end;

	strtod(text, &end);
	if (end == text || isalpha((unsigned char)*text))
		return false;
	while (isalpha((unsigned char)*end) && end[-1] != '.')
		end++;
	return !*end;
}

#define MAX_SINCE_START 1e18 /* 30 years in ns */
#define DAY_S		86400
#define HOUR_S		3600
#define DIGITS		"0123456789"

/*
 * Returns whether a text has the form of RFC 3339, in which the date, the seconds and the zone are
 * optional here.
 */
static bool has_shape_of_time(const char *text)
{
	regex_t shape;

	if (regcomp(&shape,
		    "^([0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ])?[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,9})?)?"
		    "([Zz]|[-+][0-9]{2}:[0-9]{2})?$",
		    REG_EXTENDED | REG_NOSUB))
		return false;
	const bool matches = !regexec(&shape, text, 0, NULL, 0);
	regfree(&shape);
	return matches;
}

/* Parses "", "Z" or "+01:00". Returns false for any other zone. */
static bool parse_zone(const char *text, struct time_point *out)
{
	int hours = 0, minutes = 0;
	char sign;

	out->local = !*text;
	if (sscanf(text, "%c%2d:%2d", &sign, &hours, &minutes) == 3)
		out->east = 60L * (60 * hours + minutes) * (sign == '-' ? -1 : 1);
	return hours <= 23 && minutes <= 59;
}

/* Parses "07:05" or "07:05:28.5", and a zone; adds the fraction to .ns. */
static bool parse_time_of_day(const char *text, struct tm *tm, struct time_point *out)
{
	char fraction[] = "000000000";
	int used = 0;

	sscanf(text, "%2d:%2d%n:%2d%n", &tm->tm_hour, &tm->tm_min, &used, &tm->tm_sec, &used);
	text += used;
	if (*text == '.') {
		memcpy(fraction, text + 1, strspn(text + 1, DIGITS));
		text += 1 + strspn(text + 1, DIGITS);
	}
	out->ns = strtoul(fraction, NULL, 10);
	return parse_zone(text, out) && tm->tm_hour <= 23 && tm->tm_min <= 59 && tm->tm_sec <= 59;
}

/* Adds the date. Returns false if there is no such day, or it is before 1970 in UTC. */
static bool add_date(struct tm tm, struct time_point *out)
{
	/* timegm() accepts April 31, and makes it May 1 */
	const struct tm typed = tm;
	const time_t seconds = timegm(&tm);

	out->ns += (uint64_t)seconds * NS_PER_S;
	return typed.tm_year >= 70 && seconds >= out->east && tm.tm_mon == typed.tm_mon &&
	       tm.tm_mday == typed.tm_mday;
}

/* Parses "07:05", "07:05:28.5+01:00" or "2026-11-22T07:05:28Z". A time without a zone is local. */
static bool parse_clock(const char *text, struct time_point *out)
{
	struct tm tm = {.tm_isdst = -1};
	int used = 0;

	if (!has_shape_of_time(text))
		return false;
	out->kind = text[4] == '-' ? TIME_OF_DATE : TIME_OF_DAY;
	if (out->kind == TIME_OF_DATE)
		sscanf(text, "%4d-%2d-%2d%*c%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &used);
	if (!parse_time_of_day(text + used, &tm, out))
		return false;
	if (out->kind == TIME_OF_DATE) {
		tm.tm_year -= 1900;
		tm.tm_mon--;
		return add_date(tm, out);
	}
	out->ns += (uint64_t)(60 * (60 * tm.tm_hour + tm.tm_min) + tm.tm_sec) * NS_PER_S;
	return true;
}

int time_point_parse(const char *name, const char *text, struct time_point *out, struct error *err)
{
	double since_ns;

	*out = (struct time_point){.kind = TIME_NOT_GIVEN};
	if (duration_parse(text, &since_ns) && since_ns <= MAX_SINCE_START) {
		out->kind = TIME_SINCE_START;
		out->ns = (uint64_t)round(since_ns);
		return 0;
	}
	if (parse_clock(text, out))
		return 0;
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "not a time '%s' for %s: expected seconds since the start such as 90 or "
			 "1.5, or a time such as 07:05:28 or 2026-11-22T07:05:28Z",
			 quoted(text).text, name);
}

/* Returns the time that a clock in this zone shows, as seconds since 1970 without any zone. */
static time_t clock_at(const struct time_point *point, time_t seconds)
{
	struct tm tm = {0};

	if (!point->local)
		return seconds + point->east;
	return localtime_r(&seconds, &tm) ? timegm(&tm) : seconds;
}

/*
 * Finds the other moment at which a clock that was set back, by at most two hours, shows the same;
 * else returns seconds.
 */
static time_t find_twin(const struct time_point *point, time_t seconds)
{
	const time_t shown = clock_at(point, seconds);

	for (time_t by = -2 * HOUR_S; by <= 2 * HOUR_S; by += HOUR_S / 4)
		if (by && clock_at(point, seconds + by) == shown)
			return seconds + by;
	return seconds;
}

/*
 * Finds when a clock shows this time: if it does so twice, the first time, unless that is before
 * the start.
 */
static struct resolved_time resolve_clock(const struct time_point *point, time_t shown,
					  uint64_t fraction_ns, uint64_t started_ns)
{
	struct tm tm = {0};

	gmtime_r(&shown, &tm);
	tm.tm_isdst = -1;
	const time_t one = point->local ? mktime(&tm) : shown - point->east;
	const time_t other = find_twin(point, one), first = one < other ? one : other;
	const bool late = (uint64_t)first * NS_PER_S + fraction_ns < started_ns;
	const time_t at = late ? one + other - first : first;

	if (at < 0)
		return (struct resolved_time){.ns = 0};
	return (struct resolved_time){
		.ns = (uint64_t)at * NS_PER_S + fraction_ns,
		.twice = one != other,
		.twin_ns = (uint64_t)(one + other - at) * NS_PER_S + fraction_ns,
	};
}

static struct resolved_time resolve_day(const struct time_point *point, uint64_t started_ns)
{
	const time_t started = clock_at(point, (time_t)(started_ns / NS_PER_S));
	time_t shown = started - started % DAY_S + (time_t)(point->ns / NS_PER_S);

	if (shown + DAY_S / 2 < started)
		shown += DAY_S;
	return resolve_clock(point, shown, point->ns % NS_PER_S, started_ns);
}

struct resolved_time time_point_resolve(const struct time_point *point, uint64_t started_ns,
					uint64_t otherwise)
{
	switch (point->kind) {
	case TIME_SINCE_START:
		otherwise =
			started_ns > UINT64_MAX - point->ns ? UINT64_MAX : started_ns + point->ns;
		break;
	case TIME_OF_DAY:
		return resolve_day(point, started_ns);
	case TIME_OF_DATE:
		return resolve_clock(point, (time_t)(point->ns / NS_PER_S), point->ns % NS_PER_S,
				     started_ns);
	case TIME_NOT_GIVEN:
		break;
	}
	return (struct resolved_time){.ns = otherwise};
}

/* Formats as "2026-10-25T02:30:00+01:00". */
const char *time_point_text(uint64_t ns, char text[TIME_POINT_SIZE])
{
	const time_t seconds = (time_t)(ns / NS_PER_S);
	struct tm tm = {0};
	char zone[8];

	localtime_r(&seconds, &tm);
	const size_t length = strftime(text, TIME_POINT_SIZE, "%Y-%m-%dT%H:%M:%S", &tm);
	strftime(zone, sizeof(zone), "%z", &tm); /* "+0100" */
	snprintf(text + length, TIME_POINT_SIZE - length, "%.3s:%.2s", zone, zone + 3);
	return text;
}
