/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/time_point.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "cli/options.h"
#include "platform/number.h"
#include "platform/text.h"

#define MAX_SINCE_START 1e18 /* ns: more than 30 years */
#define DAY_S		86400
#define MAX_DECIMALS	9

/* Exactly so many digits, at most max. */
static bool take_number(const char **at, unsigned digits, int max, int *out)
{
	*out = 0;
	for (; digits; digits--, (*at)++) {
		if (!isdigit((unsigned char)**at))
			return false;
		*out = 10 * *out + **at - '0';
	}
	return *out <= max;
}

static bool take_character(const char **at, const char *any_of)
{
	if (!**at || !strchr(any_of, **at))
		return false;
	(*at)++;
	return true;
}

/* "2026-11-22T" */
static bool take_date(const char **at, struct tm *tm)
{
	int year = 0, month = 0;
	const bool valid = take_number(at, 4, 9999, &year) && year >= 1970 &&
			   take_character(at, "-") && take_number(at, 2, 12, &month) && month &&
			   take_character(at, "-") && take_number(at, 2, 31, &tm->tm_mday) &&
			   tm->tm_mday && take_character(at, "Tt ");

	tm->tm_year = year - 1900;
	tm->tm_mon = month - 1;
	return valid;
}

/* ".123456" */
static bool take_fraction(const char **at, uint64_t *ns)
{
	uint64_t unit = NS_PER_S;

	*ns = 0;
	if (!take_character(at, "."))
		return true;
	if (!isdigit((unsigned char)**at))
		return false;
	for (unsigned i = 0; isdigit((unsigned char)**at); i++, (*at)++) {
		if (i >= MAX_DECIMALS)
			return false;
		unit /= 10;
		*ns += unit * (uint64_t)(**at - '0');
	}
	return true;
}

/* "07:05" or "07:05:28.5" */
static bool take_clock(const char **at, struct tm *tm, uint64_t *ns)
{
	*ns = 0;
	if (!take_number(at, 2, 23, &tm->tm_hour) || !take_character(at, ":") ||
	    !take_number(at, 2, 59, &tm->tm_min))
		return false;
	if (!take_character(at, ":"))
		return true;
	return take_number(at, 2, 59, &tm->tm_sec) && take_fraction(at, ns);
}

/* "Z" or "+01:00": seconds east of Greenwich. */
static bool take_zone(const char **at, long *east)
{
	const bool west = **at == '-';
	int hours = 0, minutes = 0;

	*east = 0;
	if (take_character(at, "Zz"))
		return true;
	if (!take_character(at, "+-") || !take_number(at, 2, 23, &hours) ||
	    !take_character(at, ":") || !take_number(at, 2, 59, &minutes))
		return false;
	*east = 60L * (60 * hours + minutes) * (west ? -1 : 1);
	return true;
}

static bool parse_day(const char *text, struct time_point *out)
{
	struct tm tm = {.tm_isdst = -1};
	uint64_t ns;

	if (!take_clock(&text, &tm, &ns) || *text)
		return false;
	out->kind = TIME_OF_DAY;
	out->ns = (uint64_t)(60 * (60 * tm.tm_hour + tm.tm_min) + tm.tm_sec) * NS_PER_S + ns;
	return true;
}

/* mktime() and timegm() accept a 31st of April, and make the 1st of May of it. */
static bool parse_date(const char *text, struct time_point *out)
{
	struct tm tm = {.tm_isdst = -1};
	uint64_t ns;
	long east = 0;

	if (!take_date(&text, &tm) || !take_clock(&text, &tm, &ns))
		return false;
	const int day = tm.tm_mday;
	const bool local = !*text;
	if (!local && (!take_zone(&text, &east) || *text))
		return false;
	const time_t seconds = (local ? mktime(&tm) : timegm(&tm)) - east;
	if (seconds < 0 || tm.tm_mday != day)
		return false;
	out->kind = TIME_ABSOLUTE;
	out->ns = (uint64_t)seconds * NS_PER_S + ns;
	return true;
}

static bool parse_duration(const char *text, struct time_point *out)
{
	double ns;

	if (!options_duration(text, &ns) || !(ns <= MAX_SINCE_START))
		return false;
	out->kind = TIME_SINCE_START;
	out->ns = (uint64_t)round_double(ns);
	return true;
}

int time_point_parse(const char *name, const char *text, struct time_point *out, struct error *err)
{
	if (parse_duration(text, out) || parse_day(text, out) || parse_date(text, out))
		return 0;
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "not a time '%s' for %s: expected seconds since the start such as 90 or "
			 "1.5, or a time such as 07:05:28 or 2026-11-22T07:05:28Z",
			 quoted(text).text, name);
}

static uint64_t resolve_day(uint64_t of_day_ns, uint64_t started_ns)
{
	const time_t started = (time_t)(started_ns / NS_PER_S);
	struct tm tm = {0};

	if (!localtime_r(&started, &tm))
		return 0;
	const int seconds = (int)(of_day_ns / NS_PER_S);
	tm.tm_hour = seconds / 3600;
	tm.tm_min = seconds / 60 % 60;
	tm.tm_sec = seconds % 60;
	tm.tm_isdst = -1;
	time_t at = mktime(&tm);
	if (at + DAY_S / 2 < started)
		at += DAY_S;
	return at < 0 ? 0 : (uint64_t)at * NS_PER_S + of_day_ns % NS_PER_S;
}

uint64_t time_point_resolve(const struct time_point *point, uint64_t started_ns, uint64_t otherwise)
{
	switch (point->kind) {
	case TIME_SINCE_START:
		return started_ns > UINT64_MAX - point->ns ? UINT64_MAX : started_ns + point->ns;
	case TIME_OF_DAY:
		return resolve_day(point->ns, started_ns);
	case TIME_ABSOLUTE:
		return point->ns;
	case TIME_NOT_GIVEN:
		break;
	}
	return otherwise;
}
