/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/wrap.h"

#include <unistd.h>

#include "unit.h"

EACH_IN_A_PROCESS

#define WORDS "aaaa bbbb cccc dddd eeee ffff gggg"

static const struct {
	const char *text;
	int used, indent, width;
	const char *printed;
} texts[] = {
	{WORDS, 0, 0, 24, "aaaa bbbb cccc dddd eeee\nffff gggg\n"},
	{WORDS, 0, 0, 28, "aaaa bbbb cccc dddd eeee\nffff gggg\n"},
	{WORDS, 0, 0, 29, "aaaa bbbb cccc dddd eeee ffff\ngggg\n"},
	{WORDS, 10, 2, 29, "aaaa bbbb cccc dddd\n  eeee ffff gggg\n"},
	{WORDS, 0, 0, 34, WORDS "\n"},
	/* without a terminal, and with one that is too narrow */
	{"aaaa  bbbb", 0, 0, 0, "aaaa  bbbb\n"},
	{WORDS, 4, 4, 27, WORDS "\n"},
	/* a word that is too long for any line */
	{"a bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb c", 0, 0, 24,
	 "a\nbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\nc\n"},
	{"", 5, 5, 80, "\n"},
};

TEST_LOOP(test_lines_end_between_words, COUNT_OF(texts))
{
	FILE *out = text_open();

	wrapped_print(out, texts[_i].text, texts[_i].used, texts[_i].indent, texts[_i].width);
	ck_assert_str_eq(text_close(out), texts[_i].printed);
}

TEST(test_only_long_lines_are_wrapped_and_go_on_further_right)
{
	static const char text[] = "1. " WORDS "\n   x  y\n   " WORDS "\n\n";
	FILE *out = text_open();

	wrapped_lines(out, text, 30);
	ck_assert_str_eq(text_close(out), "1. aaaa bbbb cccc dddd eeee\n   ffff gggg\n   x  y\n"
					  "   aaaa bbbb cccc dddd eeee\n      ffff gggg\n\n");
	out = text_open();
	wrapped_lines(out, text, 0);
	ck_assert_str_eq(text_close(out), text);
}

static const struct {
	const char *command;
	int width;
	const char *printed;
} commands[] = {
	{WORDS, 36, "  " WORDS "\n"},
	{WORDS, 35, "  aaaa bbbb cccc dddd eeee ffff \\\n    gggg\n"},
	{WORDS, 26, "  aaaa bbbb cccc dddd \\\n    eeee ffff gggg\n"},
	{"'" WORDS "'", 30, "  '" WORDS "'\n"},
	{WORDS, 0, "  " WORDS "\n"},
	{"a-word-that-has-no-place-to-break b", 30, "  a-word-that-has-no-place-to-break b\n"},
};

TEST_LOOP(test_a_shell_joins_the_lines_of_a_command, COUNT_OF(commands))
{
	FILE *out = text_open();

	wrapped_command(out, commands[_i].command, 2, commands[_i].width);
	ck_assert_str_eq(text_close(out), commands[_i].printed);
}

static const struct {
	const char *text;
	int room, length;
} cuts[] = {
	{"reads of memory", 0, 15},
	{"reads of memory", 15, 15},
	{"reads of memory", 14, 8},
	{"reads of memory", 8, 8},
	{"reads of memory", 7, 5},
	{"reads of memory", 4, 0},
	{"", 3, 0},
};

TEST_LOOP(test_what_does_not_fit_is_cut_behind_a_word, COUNT_OF(cuts))
{
	ck_assert_int_eq(wrapped_cut(cuts[_i].text, cuts[_i].room), cuts[_i].length);
}

TEST(test_width_is_unknown_where_output_is_no_terminal)
{
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	dup2(ends[1], STDOUT_FILENO);
	ck_assert_int_eq(wrapped_columns(STDOUT_FILENO), 0);
}
