/* SPDX-License-Identifier: BSD-3-Clause */
/* A time in a recording, as it is typed: --from and --to. */
#ifndef CXLMON_TIME_POINT_H
#define CXLMON_TIME_POINT_H

#include <stdint.h>

#include "platform/error.h"

struct time_point {
	enum time_point_kind {
		TIME_NOT_GIVEN,
		TIME_SINCE_START, /* ns since the start of the recording */
		TIME_OF_DAY,	  /* ns since midnight, local time */
		TIME_ABSOLUTE,	  /* ns since 1970 in UTC */
	} kind;
	uint64_t ns;
};

/*
 * "90", "1.5", "500ms": since the start. "07:05", "07:05:28.5": of the day, local time. With a date
 * before it, "2026-11-22T07:05:28" (or a blank instead of T), local time; with Z or +01:00 behind
 * it, as in RFC 3339 and in CSV, of that zone. EXIT_USAGE; name is that of the option.
 */
int time_point_parse(const char *name, const char *text, struct time_point *out, struct error *err);

/*
 * In ns since 1970, in a recording that was started at started_ns; a time that was not given is
 * otherwise. A time of day is on the day of the start, or on the next one if that is nearer.
 */
uint64_t time_point_resolve(const struct time_point *point, uint64_t started_ns,
			    uint64_t otherwise);

#endif
