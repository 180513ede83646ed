/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/times.h"

#include <time.h>

#include "unit.h"

#define S UINT64_C(1000000000) /* ns */

/* 2026-01-01T00:00:00Z */
#define NEW_YEAR (UINT64_C(1767225600) * S)

/* Start of the recording in all cases: 2026-01-01 23:50:00 in Berlin, 22:50Z. */
#define STARTED (NEW_YEAR + (UINT64_C(22) * 3600 + 50 * 60) * S)

static struct time_point point;
static struct error err;

static void set_up(void)
{
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
}

static const struct {
	const char *text;
	uint64_t ns;
} times[] = {
	{"0", STARTED},
	{"90", STARTED + 90 * S},
	{"1.5", STARTED + 3 * S / 2},
	{"500ms", STARTED + S / 2},
	{"86400s", STARTED + 86400 * S},
	/* times in the form of the table */
	{"23:50", STARTED},
	{"23:59:59.5", STARTED + 599 * S + S / 2},
	{"22:00", STARTED - 6600 * S},
	{"00:10:00", STARTED + 1200 * S}, /* a time on the next day, which is nearer */
	{"11:49", STARTED + (12 * 3600 - 60) * S},
	{"11:51", STARTED - (12 * 3600 - 60) * S},
	/* times in the form of CSV */
	{"2026-01-01T22:50:00.000000Z", STARTED},
	{"2026-01-01T22:50:00.123456789Z", STARTED + 123456789},
	{"2026-01-01t22:50z", STARTED},
	{"2026-01-01T23:50:00+01:00", STARTED},
	{"2026-01-01T17:20:00-05:30", STARTED},
	{"2026-01-01T23:50:00", STARTED},
	{"2026-01-01 23:50", STARTED},
	{"2026-07-01T00:00:00", NEW_YEAR + (UINT64_C(181) * 86400 - 7200) * S},
	{"1970-01-01T00:00:00Z", 0},
	{"1970-01-01T00:00:00", 0}, /* before 1970 in UTC */
	/* the day of a time with a zone is the day in that zone */
	{"22:50Z", STARTED},
	{"23:50:00+01:00", STARTED},
	{"04:20:00.5+05:30", STARTED + S / 2},
};

FIXTURE(set_up, NULL)

TEST_LOOP(test_times_are_since_the_start_or_of_a_clock, COUNT_OF(times))
{
	ck_assert_msg(!time_point_parse("--from", times[_i].text, &point, &err), "%s", err.text);
	ck_assert_uint_eq(time_point_resolve(&point, STARTED, 7).ns, times[_i].ns);
}

static const char *const refused[] = {
	"",
	"soon",
	"-1",
	"1h",
	"1e3",
	"7:05",
	"24:00",
	"07:60",
	"07:05:60",
	"07:05:28.",
	"07:05:28.1234567890",
	"07:05 ",
	"2026-11-22",
	"2026-11-31T00:00",
	"2026-13-01T00:00",
	"2026-00-01T00:00",
	"2026-11-22T",
	"2026-11-22T07",
	"2026-11-22T07:05Y",
	"2026-11-22T07:05:28+1",
	"2026-11-22T07:05:28Z ",
	"26-11-22T07:05",
	"1969-12-31T00:00Z",
	"1970-01-01T00:00+01:00",
	"07:05Y",
	"07:05+1",
	"99999999999999999999",
};

TEST_LOOP(test_anything_else_is_refused, COUNT_OF(refused))
{
	assert_refusal(time_point_parse("--to", refused[_i], &point, &err), &err,
		       "for --to: expected seconds since the start such as 90");
}

/* 2026-10-25T01:00:00Z, when clocks in Berlin are set back from 03:00 to 02:00 */
#define SET_BACK (UINT64_C(1792890000) * S)

static const struct {
	const char *text;
	int64_t started_s, s, twin_s; /* seconds since then; a twin of 0: the time comes once */
} around[] = {
	{"02:30", -3600 * 3, -1800, 1800},
	{"02:30:00.5", -3600 * 3, -1800, 1800},
	{"2026-10-25T02:30", -3600 * 3, -1800, 1800},
	/* the first moment is before the start */
	{"02:30", 0, 1800, -1800},
	{"2026-10-25 02:30", 60, 1800, -1800},
	/* an offset tells the two moments apart */
	{"02:30+02:00", -3600 * 3, -1800, 0},
	{"02:30+01:00", -3600 * 3, 1800, 0},
	{"01:30Z", -3600 * 3, 1800, 0},
	{"2026-10-25T02:30+01:00", -3600 * 3, 1800, 0},
	{"2026-10-25T00:30Z", 0, -1800, 0},
	{"01:59:59", -3600 * 3, -3601, 0},
	{"03:00", -3600 * 3, 3600, 0},
};

TEST_LOOP(test_of_a_local_time_that_comes_twice_both_are_known, COUNT_OF(around))
{
	const uint64_t started = SET_BACK + (uint64_t)around[_i].started_s * S;
	const uint64_t fraction = strchr(around[_i].text, '.') ? S / 2 : 0;

	ck_assert_msg(!time_point_parse("--from", around[_i].text, &point, &err), "%s", err.text);
	const struct resolved_time time = time_point_resolve(&point, started, 7);

	ck_assert_uint_eq(time.ns, SET_BACK + (uint64_t)around[_i].s * S + fraction);
	ck_assert_int_eq(time.twice, around[_i].twin_s != 0);
	if (time.twice)
		ck_assert_uint_eq(time.twin_ns,
				  SET_BACK + (uint64_t)around[_i].twin_s * S + fraction);
}

TEST(test_a_time_is_written_as_it_is_taken)
{
	char text[TIME_POINT_SIZE];

	ck_assert_str_eq(time_point_text(SET_BACK - 1800 * S, text), "2026-10-25T02:30:00+02:00");
	ck_assert_str_eq(time_point_text(SET_BACK + 1800 * S, text), "2026-10-25T02:30:00+01:00");
	ck_assert_int_eq(time_point_parse("--to", text, &point, &err), 0);
	ck_assert_uint_eq(time_point_resolve(&point, 0, 7).ns, SET_BACK + 1800 * S);
}

TEST(test_a_time_that_was_not_given_is_otherwise)
{
	const struct time_point none = {.kind = TIME_NOT_GIVEN};
	const struct time_point late = {.kind = TIME_SINCE_START, .ns = S};

	ck_assert_uint_eq(time_point_resolve(&none, STARTED, 7).ns, 7);
	/* no start of a recording overflows */
	ck_assert_uint_eq(time_point_resolve(&late, UINT64_MAX - 5, 7).ns, UINT64_MAX);
}
