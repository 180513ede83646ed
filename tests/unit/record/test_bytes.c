/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/bytes.h"

#include "suites.h"
#include "support.h"

/* The bytes 200 and 1: a number of 7 bits a byte, the lowest first. */
static struct cursor at_200(void)
{
	static const uint8_t data[] = {0xC8, 0x01};

	return (struct cursor){.at = data, .left = sizeof(data)};
}

START_TEST(test_a_count_beyond_its_most_is_bad_and_0)
{
	struct cursor c = at_200();

	ck_assert_uint_eq(cursor_count(&c, 200), 200);
	ck_assert(!c.bad);
	ck_assert_uint_eq(c.left, 0);
	c = at_200();
	ck_assert_uint_eq(cursor_count(&c, 199), 0);
	ck_assert(c.bad);
}
END_TEST

START_TEST(test_once_bad_every_count_is_0)
{
	struct cursor c = at_200();

	c.bad = true;
	ck_assert_uint_eq(cursor_count(&c, 200), 0);
	ck_assert(c.bad);
}
END_TEST

START_TEST(test_an_index_is_one_less_and_may_be_none)
{
	static const uint8_t none[] = {0};
	struct cursor c = at_200();

	ck_assert_int_eq(cursor_index(&c), 199);
	c = (struct cursor){.at = none, .left = sizeof(none)};
	ck_assert_int_eq(cursor_index(&c), -1);
	ck_assert(!c.bad);
}
END_TEST

Suite *suite_bytes(void)
{
	Suite *suite = suite_create("bytes");
	TCase *tc = tcase_create("counts");

	tcase_add_test(tc, test_a_count_beyond_its_most_is_bad_and_0);
	tcase_add_test(tc, test_once_bad_every_count_is_0);
	tcase_add_test(tc, test_an_index_is_one_less_and_may_be_none);
	suite_add_tcase(suite, tc);
	return suite;
}
