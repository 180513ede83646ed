/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/time_point.h"

#include <stdlib.h>
#include <time.h>

#include "refusal.h"
#include "suites.h"
#include "support.h"

#define S UINT64_C(1000000000) /* ns */

/* 2026-01-01T00:00:00Z */
#define NEW_YEAR (UINT64_C(1767225600) * S)

/* All with a recording that was started on 2026-01-01 at 23:50:00 of Berlin's clocks, at 22:50Z. */
#define STARTED (NEW_YEAR + (UINT64_C(22) * 3600 + 50 * 60) * S)

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
	/* as the table has it */
	{"23:50", STARTED},
	{"23:59:59.5", STARTED + 599 * S + S / 2},
	{"22:00", STARTED - 6600 * S},
	{"00:10:00", STARTED + 1200 * S}, /* of the next day, which is nearer */
	{"11:49", STARTED + (12 * 3600 - 60) * S},
	{"11:51", STARTED - (12 * 3600 - 60) * S},
	/* as CSV has it */
	{"2026-01-01T22:50:00.000000Z", STARTED},
	{"2026-01-01T22:50:00.123456789Z", STARTED + 123456789},
	{"2026-01-01t22:50z", STARTED},
	{"2026-01-01T23:50:00+01:00", STARTED},
	{"2026-01-01T17:20:00-05:30", STARTED},
	{"2026-01-01T23:50:00", STARTED},
	{"2026-01-01 23:50", STARTED},
	{"2026-07-01T00:00:00", NEW_YEAR + (UINT64_C(181) * 86400 - 7200) * S},
	{"1970-01-01T00:00:00Z", 0},
};

START_TEST(test_times_are_since_the_start_or_of_a_clock)
{
	struct time_point point;
	struct error err;

	ck_assert_msg(!time_point_parse("--from", times[_i].text, &point, &err), "%s", err.text);
	ck_assert_uint_eq(time_point_resolve(&point, STARTED, 7), times[_i].ns);
}
END_TEST

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
	"99999999999999999999",
};

START_TEST(test_anything_else_is_refused)
{
	struct time_point point;
	struct error err = {0};

	assert_refusal(time_point_parse("--to", refused[_i], &point, &err), &err,
		       "for --to: expected seconds since the start such as 90");
}
END_TEST

START_TEST(test_a_time_that_was_not_given_is_otherwise)
{
	const struct time_point none = {.kind = TIME_NOT_GIVEN};
	const struct time_point late = {.kind = TIME_SINCE_START, .ns = S};

	ck_assert_uint_eq(time_point_resolve(&none, STARTED, 7), 7);
	/* nor does a recording of any start overflow */
	ck_assert_uint_eq(time_point_resolve(&late, UINT64_MAX - 5, 7), UINT64_MAX);
}
END_TEST

Suite *suite_time_point(void)
{
	Suite *suite = suite_create("time_point");
	TCase *tc = tcase_create("time_point");

	tcase_add_checked_fixture(tc, set_up, NULL);
	tcase_add_loop_test(tc, test_times_are_since_the_start_or_of_a_clock, 0, COUNT_OF(times));
	tcase_add_loop_test(tc, test_anything_else_is_refused, 0, COUNT_OF(refused));
	tcase_add_test(tc, test_a_time_that_was_not_given_is_otherwise);
	suite_add_tcase(suite, tc);
	return suite;
}
