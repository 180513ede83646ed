/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/block.h"

#include "unit.h"

/* The bytes 200 and 1: a number of 7 bits a byte, the lowest first. */
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

TEST(test_an_index_is_one_less_and_may_be_none)
{
	static const uint8_t none[] = {0};
	struct coder c = at_200();

	ck_assert_int_eq(code_index(&c, 0), 199);
	c = (struct coder){.at = none, .left = sizeof(none)};
	ck_assert_int_eq(code_index(&c, 0), -1);
	ck_assert(!c.bad);
}
