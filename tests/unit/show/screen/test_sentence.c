/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/sentence.h"

#include "unit.h"

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
