/* SPDX-License-Identifier: BSD-3-Clause */
#include "screen/screen_keys.h"

#include "sim_monitor.h"
#include "suites.h"
#include "support.h"

#define US UINT64_C(1000)

static struct panel three[] = {
	{.scope = SCOPE_PORT}, {.scope = SCOPE_SOCKET}, {.scope = SCOPE_SYSTEM}};
static const struct panels panels = {.all = three, .count = 3};
static struct screen_viewport port = {.lines = 9, .visible = 4};
static struct screen_state state;

static void set_up(void)
{
	state = (struct screen_state){.scope = SCOPE_PORT, .interval_ns = SECOND};
}

static bool press(int key)
{
	return screen_handle_key(&state, key, &panels, &port);
}

static const struct {
	uint64_t before, longer, shorter;
} intervals[] = {
	{SECOND, 2 * SECOND, SECOND / 2},
	{2 * SECOND, 5 * SECOND, SECOND},
	{5 * SECOND, 10 * SECOND, 2 * SECOND},
	{300000 * US, 500000 * US, 200000 * US},
	{200 * US, 500 * US, 100 * US},
	{100 * US, 200 * US, 100 * US},
	{123 * US, 200 * US, 100 * US},
	{2000 * SECOND, 3600 * SECOND, 1000 * SECOND},
	{3600 * SECOND, 3600 * SECOND, 2000 * SECOND},
	{7200 * SECOND, 7200 * SECOND, 2000 * SECOND},
};

START_TEST(test_intervals_go_by_1_2_5_from_100_us_to_an_hour)
{
	state.interval_ns = intervals[_i].before;
	ck_assert(press('+'));
	ck_assert_uint_eq(state.interval_ns, intervals[_i].longer);
	state.interval_ns = intervals[_i].before;
	ck_assert(press('-'));
	ck_assert_uint_eq(state.interval_ns, intervals[_i].shorter);
}
END_TEST

START_TEST(test_groups_go_from_ports_to_the_system_and_round)
{
	state.scroll = 3;
	press('g');
	ck_assert_int_eq(state.scope, SCOPE_SOCKET);
	ck_assert_uint_eq(state.scroll, 0);
	press('g');
	ck_assert_int_eq(state.scope, SCOPE_SYSTEM);
	press('g');
	ck_assert_int_eq(state.scope, SCOPE_PORT);
}
END_TEST

START_TEST(test_a_scope_without_panels_is_passed_over)
{
	const struct panels some = {.all = three + 1, .count = 2};

	state.scope = SCOPE_SYSTEM;
	screen_handle_key(&state, 'g', &some, &port);
	ck_assert_int_eq(state.scope, SCOPE_SOCKET);
}
END_TEST

START_TEST(test_switches_go_on_and_off)
{
	press('p');
	press('s');
	ck_assert(state.paused && state.by_traffic);
	press('p');
	press('s');
	ck_assert(!state.paused && !state.by_traffic);
	press('q');
	ck_assert(state.quit);
	ck_assert(!press('x'));
}
END_TEST

START_TEST(test_any_key_closes_the_help_and_does_nothing_else_but_q)
{
	press('?');
	ck_assert(state.help);
	ck_assert(press('g'));
	ck_assert(!state.help);
	ck_assert_int_eq(state.scope, SCOPE_PORT);
	press('?');
	press('q');
	ck_assert(state.quit);
}
END_TEST

static const struct {
	size_t before;
	int key;
	size_t after;
} scrolls[] = {
	{0, SCREEN_KEY_UP, 0},	      {0, SCREEN_KEY_DOWN, 1},	  {4, SCREEN_KEY_DOWN, 5},
	{5, SCREEN_KEY_DOWN, 5},      {2, SCREEN_KEY_UP, 1},	  {0, SCREEN_KEY_PAGE_DOWN, 4},
	{4, SCREEN_KEY_PAGE_DOWN, 5}, {5, SCREEN_KEY_PAGE_UP, 1}, {1, SCREEN_KEY_PAGE_UP, 0},
	{1, SCREEN_KEY_END, 5},	      {5, SCREEN_KEY_HOME, 0},	  {77, SCREEN_KEY_UP, 4},
};

START_TEST(test_scrolling_stays_within_the_panels)
{
	state.scroll = scrolls[_i].before;
	ck_assert(press(scrolls[_i].key));
	ck_assert_uint_eq(state.scroll, scrolls[_i].after);
}
END_TEST

Suite *suite_screen_keys(void)
{
	Suite *suite = suite_create("screen_keys");
	TCase *tc = tcase_create("screen_keys");

	tcase_add_checked_fixture(tc, set_up, NULL);
	tcase_add_loop_test(tc, test_intervals_go_by_1_2_5_from_100_us_to_an_hour, 0,
			    COUNT_OF(intervals));
	tcase_add_test(tc, test_groups_go_from_ports_to_the_system_and_round);
	tcase_add_test(tc, test_a_scope_without_panels_is_passed_over);
	tcase_add_test(tc, test_switches_go_on_and_off);
	tcase_add_test(tc, test_any_key_closes_the_help_and_does_nothing_else_but_q);
	tcase_add_loop_test(tc, test_scrolling_stays_within_the_panels, 0, COUNT_OF(scrolls));
	suite_add_tcase(suite, tc);
	return suite;
}
