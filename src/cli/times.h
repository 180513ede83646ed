/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses and formats times, durations and counts of the command line. */
#ifndef CXLMON_CLI_TIMES_H
#define CXLMON_CLI_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define DURATION_SIZE 96

/*
 * Writes a duration in ns: "16 minutes 40 seconds", "1 day", "1 minute 0.5 seconds". Returns text.
 */
const char *duration_words(uint64_t ns, char text[DURATION_SIZE]);

#define EXPECTED_TIME "expected seconds such as 1 or 0.5, or 500ms, 100us or 1m"

/*
 * Parses a duration from 100 us to a year: "1" (second), "0.5", "500ms", "100us", "1m". Returns 0
 * or -EINVAL (ERROR_USAGE), after which *ns is unchanged.
 */
int interval_parse(const char *text, uint64_t *ns, struct error *err);
/* Parses a whole number from 1. Returns 0 or -EINVAL (ERROR_USAGE); then *count is unchanged. */
int count_parse(const char *text, uint64_t *count, struct error *err);
/*
 * Returns true if a word is a number, with or without letters after it. Such a word is meant as
 * INTERVAL or COUNT, although it may be invalid.
 */
bool reads_as_number(const char *text);

/* Times in a recording: --from and --to. */

#define TIME_POINT_SIZE 48

/* A time as a user gives it. */
struct time_point {
	enum time_point_kind {
		TIME_NOT_GIVEN,
		TIME_SINCE_START, /* ns since the start of the recording */
		TIME_OF_DAY,	  /* time of day, in ns since midnight */
		TIME_OF_DATE,	  /* date and time, in ns since 1970 */
	} kind;
	uint64_t ns; /* for a time of day or date: as a clock in the zone shows it */
	bool local;  /* the zone is this machine's; false: .east tells the zone */
	long east;   /* unless .local: the zone's seconds east of Greenwich */
};

/*
 * Parses a time. "90", "1.5", "500ms": since the start. "07:05", "07:05:28.5": time of day.
 * "2026-11-22T07:05:28", also with a blank for T: date and time. Without a zone (Z or +01:00, as in
 * RFC 3339), a time is local. name: the option, for messages. Returns 0 or -EINVAL (ERROR_USAGE).
 */
int time_point_parse(const char *name, const char *text, struct time_point *out, struct error *err);

/* A moment that a time point means in a recording. */
struct resolved_time {
	uint64_t ns;	  /* since 1970 in UTC */
	bool twice;	  /* clocks show the time point twice, because they were set back */
	uint64_t twin_ns; /* if .twice: the other moment */
};

/*
 * Returns the moment of a time point in a recording that was started at started_ns (since 1970).
 * For TIME_NOT_GIVEN, returns otherwise. A time of day is taken on the day of the start or, if that
 * is more than 12 hours before the start, on the next day. If clocks show a time twice, it is the
 * first moment, unless that is before the start.
 */
struct resolved_time time_point_resolve(const struct time_point *point, uint64_t started_ns,
					uint64_t otherwise);

/*
 * Writes ns since 1970 as local time with its offset, as time_point_parse() takes it:
 * "2026-10-25T02:30:00+01:00". Returns text.
 */
const char *time_point_text(uint64_t ns, char text[TIME_POINT_SIZE]);

#endif
