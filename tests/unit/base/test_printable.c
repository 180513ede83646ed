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

/* Tells if bytes from another process are printable: either all of them, or none. */
static bool is_printable(const char *bytes, size_t size)
{
	char *copy = malloc(size);

	ck_assert(copy);
	memcpy(copy, bytes, size);
	const bool found = text_is_printable(copy, size);
	free(copy);
	return found;
}

TEST(test_what_was_made_printable_is_known_to_be)
{
	char text[16];

	ck_assert(is_printable("", 1));
	ck_assert(is_printable("name", 5));
	ck_assert(is_printable("a\0\n", 3));
	ck_assert(is_printable("\xc3\xa9", 3));
	printable("\xc3\xa9\n\xff\xe2\x80\xae", text, sizeof(text));
	ck_assert(is_printable(text, sizeof(text)));
}

TEST(test_what_was_not_made_printable_is_known_not_to_be)
{
	ck_assert(!is_printable("name", 4));
	ck_assert(!is_printable("\xc3", 1));
	ck_assert(!is_printable("\xc3", 2));
	ck_assert(!is_printable("a\x1b[2J", 6));
	ck_assert(!is_printable("\xe2\x80\xae", 4));
}
