/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/text.h"

#include "suites.h"
#include "support.h"

static const struct {
	const char *text, *expected;
} texts[] = {
	{"", ""},
	{"plain text, \"quoted\"", "plain text, \"quoted\""},
	{"\303\251t\303\251 \346\274\242 \360\237\220\247",
	 "\303\251t\303\251 \346\274\242 \360\237\220\247"},
	{"a\tb\nc\033[2Jd\177", "a?b?c?[2Jd?"},
	{"\302\205next line", "?next line"},		/* U+0085 */
	{"\342\200\256turned", "?turned"},		/* U+202E */
	{"\342\200\213\357\273\277hidden", "??hidden"}, /* U+200B, U+FEFF */
	{"\300\257", "??"},				/* overlong "/" */
	{"\340\200\257", "???"},
	{"\355\240\200", "?"},	      /* a surrogate */
	{"\364\220\200\200", "????"}, /* above U+10FFFF */
	{"\377\376", "??"},
	{"cut off \346\274", "cut off ??"},
	{"\200a", "?a"},
};

START_TEST(test_what_can_not_be_shown_is_a_question_mark)
{
	char out[64];

	ck_assert_str_eq(printable(texts[_i].text, out, sizeof(out)), texts[_i].expected);
}
END_TEST

START_TEST(test_text_is_cut_off_between_characters)
{
	char out[5];

	ck_assert_str_eq(printable("abcdef", out, sizeof(out)), "abcd");
	ck_assert_str_eq(printable("abc\303\251", out, sizeof(out)), "abc");
	ck_assert_str_eq(printable("ab\303\251f", out, sizeof(out)), "ab\303\251");
	ck_assert_str_eq(printable("abc", out, 1), "");
}
END_TEST

Suite *suite_printable(void)
{
	Suite *suite = suite_create("printable");
	TCase *tc = tcase_create("core");

	tcase_add_loop_test(tc, test_what_can_not_be_shown_is_a_question_mark, 0, COUNT_OF(texts));
	tcase_add_test(tc, test_text_is_cut_off_between_characters);
	suite_add_tcase(suite, tc);
	return suite;
}
