/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"

#include <limits.h>

#include "unit.h"

static struct error err;

TEST(test_an_error_holds_code_kind_and_sentence)
{
	ck_assert_int_eq(error_set(&err, ERROR_NO_UNIT, -ENOENT, "cpu %d: %s", 3, "gone"), -ENOENT);
	ck_assert_int_eq(err.code, -ENOENT);
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
	ck_assert_str_eq(err.text, "cpu 3: gone");
}

TEST(test_nobody_listening_still_gives_the_code)
{
	ck_assert_int_eq(error_set(NULL, ERROR_FAILED, -EIO, "%s", "unheard"), -EIO);
}

TEST(test_a_sentence_too_long_is_cut)
{
	error_set(&err, ERROR_FAILED, -EIO, "%01000d", 1);
	ck_assert_uint_eq(strlen(err.text), sizeof(err.text) - 1);
}

TEST(test_a_command_that_mends_it_stays_until_the_next_error)
{
	error_set(&err, ERROR_PERMISSION, -EPERM, "no");
	ck_assert_str_eq(err.command, "");
	error_hint(&err, "sudo modprobe msr");
	ck_assert_str_eq(err.command, "sudo modprobe msr");
	error_set(&err, ERROR_FAILED, -EIO, "another");
	ck_assert_str_eq(err.command, "");
	error_hint(NULL, "nobody listens");
}

TEST(test_a_sentence_is_one_line_whatever_is_quoted_in_it)
{
	error_set(&err, ERROR_USAGE, -EINVAL, "'%s'", "a\nb\r\t\x1b[2J\x7f \xc3\xa9~");
	ck_assert_str_eq(err.text, "'a?b???[2J? \xc3\xa9~'");
}

TEST(test_an_error_of_another_process_is_known_to_be_one)
{
	err = (struct error){.code = 0};

	ck_assert(error_is_valid(&err));
	error_set(&err, ERROR_FAILED, -4095, "sentence \xe9");
	error_hint(&err, "command");
	ck_assert(error_is_valid(&err));
	error_set(&err, ERROR_IN_USE, -1, "sentence");
	ck_assert(error_is_valid(&err));
}

static const struct error wrong[] = {
	{.code = 1, .kind = ERROR_FAILED, .text = "sentence"},
	{.code = -4096, .kind = ERROR_FAILED, .text = "sentence"},
	{.code = -1, .kind = ERROR_NONE, .text = "sentence"},
	{.code = -1, .kind = ERROR_IN_USE + 1, .text = "sentence"},
	{.code = -1, .kind = (enum error_kind)INT_MIN, .text = "sentence"},
	{.code = -1, .kind = ERROR_FAILED, .text = "two\nlines"},
	{.code = -1, .kind = ERROR_FAILED},
	{.code = -1, .kind = ERROR_FAILED, .text = "sentence", .command = "\033[2J"},
	{.text = "two\nlines"},
};

TEST_LOOP(test_what_is_no_error_is_known_not_to_be, COUNT(wrong))
{
	ck_assert(!error_is_valid(&wrong[_i]));
}

TEST(test_an_error_whose_texts_do_not_end_is_none)
{
	err = (struct error){.code = 0};

	memset(err.text, 'a', sizeof(err.text));
	ck_assert(!error_is_valid(&err));
	err.text[0] = '\0';
	memset(err.command, 'a', sizeof(err.command));
	ck_assert(!error_is_valid(&err));
}
