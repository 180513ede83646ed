/* SPDX-License-Identifier: BSD-3-Clause */
#include "screen/canvas.h"

#include <math.h>
#include <stdio.h>

#include "canvas_text.h"
#include "screen/graph.h"
#include "suites.h"

static struct canvas c;
static struct history h, second;

static void blank(int rows, int columns, bool unicode)
{
	ck_assert_int_eq(canvas_init(&c, rows, columns, unicode), 0);
}

static void clean_up(void)
{
	canvas_free(&c);
}

static void remember(const double *values, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		history_add(&h, values[i], 1, 1);
}

START_TEST(test_what_is_outside_is_cut_off)
{
	blank(2, 5, false);
	ck_assert_int_eq(canvas_text(&c, 0, 3, 10, STYLE_PLAIN, "abc"), 6);
	canvas_text(&c, 1, -1, 10, STYLE_PLAIN, "xyz");
	canvas_text(&c, 2, 0, 10, STYLE_PLAIN, "nowhere");
	canvas_text(&c, -1, 0, 10, STYLE_PLAIN, "nowhere");
	canvas_assert(&c, "   ab\nyz\n");
}
END_TEST

START_TEST(test_text_has_no_more_columns_than_it_may)
{
	blank(1, 9, false);
	ck_assert_int_eq(canvas_text(&c, 0, 1, 3, STYLE_PLAIN, "abcdef"), 4);
	ck_assert_int_eq(canvas_text(&c, 0, 5, -2, STYLE_PLAIN, "abcdef"), 5);
	canvas_assert(&c, " abc\n");
}
END_TEST

START_TEST(test_control_characters_do_not_reach_the_terminal)
{
	blank(1, 9, true);
	canvas_text(&c, 0, 0, 9, STYLE_PLAIN, "a\033[2J\xff\tb");
	canvas_assert(&c, "a?[2J??b\n");
}
END_TEST

START_TEST(test_frame_is_ascii_where_the_locale_is_not_unicode)
{
	blank(3, 4, _i);
	canvas_frame(&c, &(struct area){0, 0, 3, 4}, STYLE_DIM);
	canvas_assert(&c, _i ? "┌──┐\n│  │\n└──┘\n" : "+--+\n|  |\n+--+\n");
	ck_assert_int_eq(canvas_at(&c, 0, 0)->style, STYLE_DIM);
}
END_TEST

static const struct {
	double value;
	const char *unicode, *ascii;
} bars[] = {
	{0, "", ""},	     {0.001, "▏", "#"}, {8, "████", "####"},  {4, "██", "##"},
	{4.25, "██▏", "##"}, {5, "██▌", "###"}, {99, "████", "####"}, {7.75, "███▉", "####"},
	{NAN, "", ""},	     {-1, "", ""},
};

START_TEST(test_bar_is_filled_in_eighths)
{
	char expected[64];

	for (int unicode = 0; unicode < 2; unicode++) {
		blank(1, 6, unicode);
		graph_bar(&c, 0, 1, 4, bars[_i].value, 8, STYLE_READ);
		const char *bar = unicode ? bars[_i].unicode : bars[_i].ascii;
		snprintf(expected, sizeof(expected), "%s%s\n", *bar ? " " : "", bar);
		canvas_assert(&c, expected);
		canvas_free(&c);
	}
}
END_TEST

START_TEST(test_bar_of_nothing_at_all_is_empty)
{
	blank(1, 4, true);
	graph_bar(&c, 0, 0, 4, 0, 0, STYLE_READ);
	graph_bar(&c, 0, 0, 0, 1, 1, STYLE_READ);
	canvas_assert(&c, "\n");
}
END_TEST

START_TEST(test_braille_has_two_steps_a_column_and_four_levels_a_row)
{
	const double values[] = {1, 2, 3, 4, 5, 6, 7, 8};

	remember(values, 8);
	blank(2, 5, true);
	graph_history(&c, &(struct area){0, 0, 2, 5}, &h, NULL, 8, STYLE_READ);
	canvas_assert(&c, "   ⣠⣾\n ⣠⣾⣿⣿\n");
}
END_TEST

START_TEST(test_known_0_has_a_dot_and_unknown_has_none)
{
	const double values[] = {0, NAN, NAN, 0, 0, 0};

	remember(values, 6);
	blank(1, 4, true);
	graph_history(&c, &(struct area){0, 0, 1, 4}, &h, NULL, 8, STYLE_READ);
	canvas_assert(&c, " ⡀⢀⣀\n");
}
END_TEST

START_TEST(test_an_odd_number_of_steps_fills_half_of_a_column)
{
	const double values[] = {4, 4, 4};

	remember(values, 3);
	blank(1, 3, true);
	graph_history(&c, &(struct area){0, 0, 1, 3}, &h, NULL, 4, STYLE_READ);
	canvas_assert(&c, " ⢸⣿\n");
}
END_TEST

START_TEST(test_ascii_graph_has_one_step_a_column_and_three_levels_a_row)
{
	const double values[] = {0, 1, NAN, 2, 3, 4, 5, 6};

	remember(values, 8);
	blank(2, 8, false);
	graph_history(&c, &(struct area){0, 0, 2, 8}, &h, NULL, 6, STYLE_READ);
	canvas_assert(&c, "     .:#\n.. :####\n");
}
END_TEST

START_TEST(test_two_histories_are_added_and_unknown_in_one_is_unknown)
{
	history_add(&h, 1, 1, 1);
	history_add(&second, NAN, 1, 1);
	history_add(&h, 1, 1, 1);
	history_add(&second, 3, 1, 1);
	blank(1, 2, false);
	graph_history(&c, &(struct area){0, 0, 1, 2}, &h, &second, 4, STYLE_READ);
	canvas_assert(&c, " #\n");
	ck_assert_double_eq(graph_peak(&c, 2, &h, &second), 4);
}
END_TEST

START_TEST(test_peak_is_of_what_is_seen)
{
	const double values[] = {9, 2, NAN, 3};

	remember(values, 4);
	blank(1, 2, true);
	ck_assert_double_eq(graph_peak(&c, 1, &h, NULL), 3);
	ck_assert_double_eq(graph_peak(&c, 2, &h, NULL), 9);
	c.unicode = false;
	ck_assert_double_eq(graph_peak(&c, 2, &h, NULL), 3);
}
END_TEST

Suite *suite_canvas(void)
{
	Suite *suite = suite_create("canvas");
	TCase *tc = tcase_create("canvas");

	tcase_add_checked_fixture(tc, NULL, clean_up);
	tcase_add_test(tc, test_what_is_outside_is_cut_off);
	tcase_add_test(tc, test_text_has_no_more_columns_than_it_may);
	tcase_add_test(tc, test_control_characters_do_not_reach_the_terminal);
	tcase_add_loop_test(tc, test_frame_is_ascii_where_the_locale_is_not_unicode, 0, 2);
	tcase_add_loop_test(tc, test_bar_is_filled_in_eighths, 0, sizeof(bars) / sizeof(bars[0]));
	tcase_add_test(tc, test_bar_of_nothing_at_all_is_empty);
	tcase_add_test(tc, test_braille_has_two_steps_a_column_and_four_levels_a_row);
	tcase_add_test(tc, test_known_0_has_a_dot_and_unknown_has_none);
	tcase_add_test(tc, test_an_odd_number_of_steps_fills_half_of_a_column);
	tcase_add_test(tc, test_ascii_graph_has_one_step_a_column_and_three_levels_a_row);
	tcase_add_test(tc, test_two_histories_are_added_and_unknown_in_one_is_unknown);
	tcase_add_test(tc, test_peak_is_of_what_is_seen);
	suite_add_tcase(suite, tc);
	return suite;
}
