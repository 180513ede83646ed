/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"

#include "unit.h"

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

TEST_LOOP(test_what_can_not_be_shown_is_a_question_mark, COUNT_OF(texts))
{
	char out[64];

	ck_assert_str_eq(printable(texts[_i].text, out, sizeof(out)), texts[_i].expected);
}

TEST(test_text_is_cut_off_between_characters)
{
	char out[5];

	ck_assert_str_eq(printable("abcdef", out, sizeof(out)), "abcd");
	ck_assert_str_eq(printable("abc\303\251", out, sizeof(out)), "abc");
	ck_assert_str_eq(printable("ab\303\251f", out, sizeof(out)), "ab\303\251");
	ck_assert_str_eq(printable("abc", out, 1), "");
}
