/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/canvas.h"

#include <math.h>

#include "canvas_text.h"
#include "show/screen/graph.h"
#include "unit.h"

static struct canvas c;
static float kept[16];
static struct curve h = {kept, 0};

static void blank(int rows, int columns, enum glyphs glyphs)
{
	ck_assert_int_eq(canvas_init(&c, rows, columns, glyphs), 0);
}

static void clean_up(void)
{
	h.count = 0;
	canvas_free(&c);
}

static void remember(const double *values, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		kept[h.count++] = (float)values[i];
}

FIXTURE(NULL, clean_up)

TEST(test_what_is_outside_is_cut_off)
{
	blank(2, 5, GLYPHS_ASCII);
	ck_assert_int_eq(canvas_text(&c, 0, 3, 10, STYLE_PLAIN, "abc"), 6);
	canvas_text(&c, 1, -1, 10, STYLE_PLAIN, "xyz");
	canvas_text(&c, 2, 0, 10, STYLE_PLAIN, "nowhere");
	canvas_text(&c, -1, 0, 10, STYLE_PLAIN, "nowhere");
	canvas_assert(&c, "   ab\nyz\n");
}

TEST(test_text_has_no_more_columns_than_it_may)
{
	blank(1, 9, GLYPHS_ASCII);
	ck_assert_int_eq(canvas_text(&c, 0, 1, 3, STYLE_PLAIN, "abcdef"), 4);
	ck_assert_int_eq(canvas_text(&c, 0, 5, -2, STYLE_PLAIN, "abcdef"), 5);
	canvas_assert(&c, " abc\n");
}

TEST(test_control_characters_do_not_reach_the_terminal)
{
	blank(1, 9, GLYPHS_BRAILLE);
	canvas_text(&c, 0, 0, 9, STYLE_PLAIN, "a\033[2J\xff\tb");
	canvas_assert(&c, "a?[2J??b\n");
}

TEST_LOOP(test_frame_is_ascii_where_the_locale_is_not_unicode, 2)
{
	blank(3, 4, (enum glyphs)_i);
	canvas_frame(&c, &(struct area){0, 0, 3, 4}, STYLE_DIM);
	canvas_assert(&c, _i ? "┌──┐\n│  │\n└──┘\n" : "+--+\n|  |\n+--+\n");
	ck_assert_int_eq(canvas_at(&c, 0, 0).style, STYLE_DIM);
}

static const struct {
	double value;
	const char *unicode, *ascii;
} bars[] = {
	{0, "", ""},	     {0.001, "▏", "#"}, {8, "████", "####"},  {4, "██", "##"},
	{4.25, "██▏", "##"}, {5, "██▌", "###"}, {99, "████", "####"}, {7.75, "███▉", "####"},
	{NAN, "", ""},	     {-1, "", ""},
};

TEST_LOOP(test_bar_is_filled_in_eighths, sizeof(bars) / sizeof(bars[0]))
{
	char expected[64];

	for (int unicode = 0; unicode < 2; unicode++) {
		blank(1, 6, unicode ? GLYPHS_BLOCKS : GLYPHS_ASCII);
		graph_bar(&c, 0, 1, 4, bars[_i].value, 8, STYLE_READ);
		const char *bar = unicode ? bars[_i].unicode : bars[_i].ascii;
		snprintf(expected, sizeof(expected), "%s%s\n", *bar ? " " : "", bar);
		canvas_assert(&c, expected);
		canvas_free(&c);
	}
}

TEST(test_bar_of_nothing_at_all_is_empty)
{
	blank(1, 4, GLYPHS_BRAILLE);
	graph_bar(&c, 0, 0, 4, 0, 0, STYLE_READ);
	graph_bar(&c, 0, 0, 0, 1, 1, STYLE_READ);
	canvas_assert(&c, "\n");
}

static struct window all(unsigned steps)
{
	return (struct window){.steps = steps};
}

TEST(test_braille_has_two_steps_a_column_and_four_levels_a_row)
{
	const double values[] = {1, 2, 3, 4, 5, 6, 7, 8};

	remember(values, 8);
	blank(2, 4, GLYPHS_BRAILLE);
	graph_fill(&c, &(struct area){0, 0, 2, 4}, h, all(8), 8, STYLE_READ, false);
	canvas_assert(&c, "  ⣠⣾\n⣠⣾⣿⣿\n");
	/* shades by load */
	ck_assert_int_eq(canvas_at(&c, 1, 0).style, STYLE_READ);
	ck_assert_int_eq(canvas_at(&c, 1, 3).style, STYLE_READ + SHADES - 1);
}

TEST(test_what_goes_down_hangs_from_the_top)
{
	const double values[] = {1, 2, 3, 4, 5, 6, 7, 8};

	remember(values, 8);
	blank(2, 4, GLYPHS_BRAILLE);
	graph_fill(&c, &(struct area){0, 0, 2, 4}, h, all(8), 8, STYLE_WRITE, true);
	canvas_assert(&c, "⠙⢿⣿⣿\n  ⠙⢿\n");
}

TEST(test_known_0_has_a_dot_and_unknown_has_none)
{
	const double values[] = {0, NAN, NAN, 0, 0, 0};

	remember(values, 6);
	blank(1, 3, GLYPHS_BRAILLE);
	graph_fill(&c, &(struct area){0, 0, 1, 3}, h, all(6), 8, STYLE_READ, false);
	canvas_assert(&c, "⡀⢀⣀\n");
}

TEST(test_few_steps_fill_the_whole_width)
{
	const double values[] = {8, 4};

	remember(values, 1);
	blank(1, 4, GLYPHS_BLOCKS);
	graph_fill(&c, &(struct area){0, 0, 1, 4}, h, graph_window(&c, 4, h.count, 0), 8,
		   STYLE_READ, false);
	canvas_assert(&c, "████\n");
	remember(values + 1, 1);
	canvas_free(&c);
	blank(1, 4, GLYPHS_BLOCKS);
	graph_fill(&c, &(struct area){0, 0, 1, 4}, h, graph_window(&c, 4, h.count, 0), 8,
		   STYLE_READ, false);
	canvas_assert(&c, "██▄▄\n");
	/* the graph one step ago */
	graph_fill(&c, &(struct area){0, 0, 1, 4}, h, graph_window(&c, 4, h.count, 1), 8,
		   STYLE_READ, false);
	canvas_assert(&c, "████\n");
}

TEST(test_ascii_graph_has_one_step_a_column_and_three_levels_a_row)
{
	const double values[] = {0, 1, NAN, 2, 3, 4, 5, 6};

	remember(values, 8);
	blank(2, 8, GLYPHS_ASCII);
	graph_fill(&c, &(struct area){0, 0, 2, 8}, h, all(8), 6, STYLE_READ, false);
	canvas_assert(&c, "     .:#\n.. :####\n");
}

TEST(test_lines_are_drawn_over_each_other)
{
	const double values[] = {1, 1, 4, 4};
	static const float twos[] = {2, 2, 2, 2};

	remember(values, 4);
	blank(1, 2, GLYPHS_BRAILLE);
	graph_line(&c, &(struct area){0, 0, 1, 2}, h, all(4), 4, STYLE_READ);
	canvas_assert(&c, "⣸⠉\n");
	graph_line(&c, &(struct area){0, 0, 1, 2}, ((struct curve){twos, 4}), all(4), 4,
		   STYLE_WRITE);
	canvas_assert(&c, "⣼⠭\n");
	canvas_free(&c);
	blank(2, 4, GLYPHS_ASCII);
	graph_line(&c, &(struct area){0, 0, 2, 4}, h, all(4), 4, STYLE_READ);
	canvas_assert(&c, "  **\n**\n");
}

TEST(test_peak_is_of_what_is_seen)
{
	const double values[] = {9, 2, NAN, 3};

	remember(values, 4);
	blank(1, 2, GLYPHS_BRAILLE);
	ck_assert_double_eq(graph_peak(h, graph_window(&c, 1, 4, 0)), 3);
	ck_assert_double_eq(graph_peak(h, graph_window(&c, 2, 4, 0)), 9);
	ck_assert_double_eq(graph_peak(h, graph_window(&c, 2, 4, 4)), 0);
	c.glyphs = GLYPHS_ASCII;
	ck_assert_double_eq(graph_peak(h, graph_window(&c, 2, 4, 0)), 3);
}

TEST(test_scales_end_with_one_digit_and_zeros)
{
	ck_assert_double_eq(graph_round_up(0), 1);
	ck_assert_double_eq(graph_round_up(NAN), 1);
	ck_assert_double_eq(graph_round_up(26760), 30000);
	ck_assert_double_eq(graph_round_up(320), 400);
	ck_assert_double_eq(graph_round_up(6.5), 8);
	ck_assert_double_eq(graph_round_up(100), 100);
	ck_assert_double_eq_tol(graph_round_up(0.09), 0.1, 1e-12);
}

TEST(test_parts_that_have_no_room_are_left_out)
{
	struct sentence s = {.columns = 10};

	sentence_add(&s, "%s", "12345");
	sentence_add(&s, ", %d", 123456);
	ck_assert_str_eq(s.text, "12345");
	sentence_add(&s, ", %d", 123);
	ck_assert_str_eq(s.text, "12345, 123");
	sentence_add(&s, ".");
	ck_assert_str_eq(s.text, "12345, 123");
}

TEST(test_no_sentence_is_longer_than_its_text)
{
	struct sentence s = {.columns = 10000};

	for (int i = 0; i < 1000; i++)
		sentence_add(&s, "1234567");
	ck_assert_uint_eq(strlen(s.text), (SENTENCE_SIZE - 1) / 7 * 7);
}
