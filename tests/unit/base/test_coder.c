/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/coder.h"

#include <errno.h>
#include <math.h>

#include "base/error.h"
#include "unit.h"

/* Returns a coder at the bytes 200 and 1: a number in 7 bits per byte, the lowest first. */
static struct coder at_200(void)
{
	static const uint8_t data[] = {0xC8, 0x01};

	return (struct coder){.at = data, .left = sizeof(data)};
}

TEST(test_a_count_beyond_its_most_is_bad_and_0)
{
	struct coder c = at_200();

	ck_assert_uint_eq(code_count(&c, 0, 200), 200);
	ck_assert(!c.bad);
	ck_assert_uint_eq(c.left, 0);
	c = at_200();
	ck_assert_uint_eq(code_count(&c, 0, 199), 0);
	ck_assert(c.bad);
}

TEST_LOOP(test_a_number_of_more_than_64_bits_is_bad, 2)
{
	const uint8_t data[] = {0x80, 0x80, 0x80, 0x80, 0x80,
				0x80, 0x80, 0x80, 0x80, (uint8_t)(1 + _i)};
	struct coder c = {.at = data, .left = sizeof(data)};

	ck_assert_uint_eq(code_varint(&c, 0), _i ? 0 : UINT64_C(1) << 63);
	ck_assert_int_eq(c.bad, _i);
}

TEST(test_once_bad_every_count_is_0)
{
	struct coder c = at_200();

	c.bad = true;
	ck_assert_uint_eq(code_count(&c, 0, 200), 0);
	ck_assert(c.bad);
}

TEST(test_what_is_written_is_returned_and_read_again)
{
	struct bytes bytes = {.failed = false};
	struct coder out = {.out = &bytes};

	ck_assert_uint_eq(code_varint(&out, UINT64_MAX), UINT64_MAX);
	ck_assert_int_eq(code_index(&out, -1), -1);
	ck_assert_double_eq(code_number(&out, -0.1), -0.1);
	ck_assert_str_eq(code_text(&out, "mem0"), "mem0");
	ck_assert_ptr_null(code_optional(&out, NULL));
	struct coder in = {.at = bytes.data, .left = bytes.size};
	ck_assert_uint_eq(code_varint(&in, 0), UINT64_MAX);
	ck_assert_int_eq(code_index(&in, 0), -1);
	ck_assert_double_eq(code_number(&in, 0), -0.1);
	ck_assert_str_eq(code_text(&in, NULL), "mem0");
	ck_assert_ptr_null(code_optional(&in, ""));
	ck_assert(!in.bad && !in.left);
	bytes_free(&bytes);
}

static const struct {
	double number;
	unsigned length;
} lengths[] = {
	{0, 0},
	{2, 1},
	{1, 2},
	{-1.25, 2},
	{1.03125, 3},
	{0.1, 8},
	{NAN, BYTES_UNKNOWN},
	{INFINITY, BYTES_UNKNOWN},
};

TEST_LOOP(test_zeros_at_the_end_of_a_number_take_no_room, COUNT(lengths))
{
	struct bytes bytes = {.failed = false};
	struct coder out = {.out = &bytes};

	ck_assert_uint_eq(bytes_number_length(lengths[_i].number), lengths[_i].length);
	code_digits(&out, lengths[_i].number, lengths[_i].length);
	ck_assert_uint_eq(bytes.size, lengths[_i].length % BYTES_UNKNOWN);
	struct coder in = {.at = bytes.data, .left = bytes.size};
	const double read = code_digits(&in, 0, lengths[_i].length);
	ck_assert(isfinite(lengths[_i].number) ? read == lengths[_i].number : isnan(read));
	ck_assert(!in.bad && !in.left);
	bytes_free(&bytes);
}

TEST(test_a_text_is_there_or_not_and_nothing_else)
{
	static const uint8_t bad[] = {2, 'a', 0};
	struct coder c = {.at = bad, .left = sizeof(bad)};

	code_optional(&c, NULL);
	ck_assert(c.bad);
}

TEST(test_an_index_is_one_less_and_may_be_none)
{
	static const uint8_t none[] = {0};
	struct coder c = at_200();

	ck_assert_int_eq(code_index(&c, 0), 199);
	c = (struct coder){.at = none, .left = sizeof(none)};
	ck_assert_int_eq(code_index(&c, 0), -1);
	ck_assert(!c.bad);
}

TEST_LOOP(test_an_error_that_is_not_valid_is_bad, 2)
{
	struct error error = {.code = -EACCES, .kind = ERROR_FAILED, .text = "a sentence"};
	struct bytes bytes = {.failed = false};
	struct error read;

	error_hint(&error, _i ? "two\nlines" : "sudo cxlmon");
	code_error(&(struct coder){.out = &bytes}, &error);
	struct coder in = {.at = bytes.data, .left = bytes.size};
	code_error(&in, &read);
	ck_assert_int_eq(in.bad, _i);
	ck_assert_uint_eq(in.left, 0);
	ck_assert_int_eq(read.code, -EACCES);
	ck_assert_int_eq(read.kind, ERROR_FAILED);
	ck_assert_str_eq(read.text, "a sentence");
	ck_assert_str_eq(read.command, error.command);
	bytes_free(&bytes);
}
