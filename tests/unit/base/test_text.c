/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"

#include "unit.h"

static const char *const names[] = {"info",   "doctor", "record",	 "report",
				    "replay", "Serve",	"cxl_read_MBps", "UNC_CHA_TOR_INSERTS.IA"};

static const char *nearest_of(const char *typed)
{
	struct text_nearest nearest = text_nearest_start(typed);

	for (size_t i = 0; i < COUNT_OF(names); i++)
		text_nearest_add(&nearest, names[i]);
	return nearest.name;
}

static const struct {
	const char *typed, *name;
} nearest[] = {
	{"doctor", "doctor"},
	{"docter", "doctor"},
	{"dcotor", "doctor"},
	{"doctors", "doctor"},
	{"inf", "info"},
	{"infos", "info"},
	{"DOCTER", "doctor"},
	{"server", "Serve"},
	{"record1", "record"},
	{"repord", "record"}, /* just as near to report, which comes later */
	/* all except the end: up to a _ or a . */
	{"cxl_read", "cxl_read_MBps"},
	{"unc_cha_tor_inserts", "UNC_CHA_TOR_INSERTS.IA"},
	{"cxl_rea", NULL},
	{"inof", "info"},
	{"nifo", "info"},
	{"erplay", "replay"},
	{"recrod", "record"},
	{"oinf", NULL},
	{"frobnicate", NULL},
	{"ls", NULL},
	{"", NULL},
	{"documentation", NULL},
};

TEST_LOOP(test_the_name_with_the_fewest_differences_is_the_nearest, COUNT_OF(nearest))
{
	ck_assert_pstr_eq(nearest_of(nearest[_i].typed), nearest[_i].name);
}

TEST(test_a_list_is_cut_off_where_its_buffer_ends)
{
	char text[12] = "";

	text_list(text, sizeof(text), "s%d", 0);
	ck_assert_str_eq(text, "s0");
	text_list(text, sizeof(text), "s%d", 1);
	ck_assert_str_eq(text, "s0, s1");
	text_append(text, sizeof(text), "-%u", 9U);
	ck_assert_str_eq(text, "s0, s1-9");
	text_list(text, sizeof(text), "%s", "mem2");
	ck_assert_str_eq(text, "s0, s1-9, m");
	text_append(text, sizeof(text), " more");
	ck_assert_str_eq(text, "s0, s1-9, m");
}

TEST(test_choices_have_commas_between_them_and_an_or_before_the_last)
{
	char text[12] = "";

	text_choice(text, sizeof(text), "a", false);
	ck_assert_str_eq(text, "a");
	text_choice(text, sizeof(text), "b", false);
	text_choice(text, sizeof(text), "c", true);
	ck_assert_str_eq(text, "a, b or c");
	text_choice(text, sizeof(text), "d", true);
	ck_assert_str_eq(text, "a, b or c o");
}

TEST(test_a_list_has_its_whole_words_only)
{
	ck_assert(text_has_word("cxl,latency,dram", "cxl"));
	ck_assert(text_has_word("cxl,latency,dram", "dram"));
	ck_assert(!text_has_word("cxl,latency,dram", "late"));
	ck_assert(!text_has_word("cxl,latency", "latency2"));
	ck_assert(!text_has_word("", "cxl"));
	ck_assert(text_same_word("cxl,latency", "cxl,dram"));
	ck_assert_str_eq(text_next_word("cxl,latency"), "latency");
	ck_assert_str_eq(text_next_word("latency"), "");
}

TEST(test_a_word_longer_than_any_name_is_near_to_none)
{
	char word[4 * EVENT_NAME_SIZE];

	memset(word, 'x', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	ck_assert_ptr_null(nearest_of(word));
}

TEST(test_texts_that_are_given_again_are_kept_in_their_order)
{
	struct strings list = {.count = 0};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		ck_assert_int_eq(strings_add(&list, names[i]), 0);
	ck_assert_uint_eq(list.count, COUNT_OF(names));
	for (size_t i = 0; i < COUNT_OF(names); i++)
		ck_assert_ptr_eq(list.at[i], names[i]);
	strings_free(&list);
	ck_assert_ptr_null(list.at);
	ck_assert_uint_eq(list.count, 0);
}

TEST(test_a_text_is_cut_between_its_parts_and_a_first_part_stays_whole)
{
	ck_assert_int_eq(text_fit("CXL read latency", " ", 16), 16);
	ck_assert_int_eq(text_fit("CXL read latency", " ", 15), 8);
	ck_assert_int_eq(text_fit("CXL read latency", " ", 8), 8);
	ck_assert_int_eq(text_fit("CXL read latency", " ", 2), 3);
	ck_assert_int_eq(text_fit("s0 p0  mem0  node 1", "  ", 12), 11);
	ck_assert_int_eq(text_fit("", " ", 0), 0);
	ck_assert_int_eq(text_lines("CXL read latency", 8), 2);
	ck_assert_int_eq(text_lines("CXL read latency", 7), 3);
	ck_assert_int_eq(text_lines("", 7), 0);
	ck_assert_int_eq(text_longest_word("CXL read latency"), 7);
}

TEST(test_names_take_the_columns_that_a_terminal_draws)
{
	static const struct {
		const char *text;
		int columns;
	} texts[] = {
		{"", 0},
		{"ana", 3},
		{"J\xC3\xBCrgen", 6},
		{"e\xCC\x81", 1},
		{"\xE7\x8E\x8B\xE4\xBC\x9F", 4},
		{"\xF0\x9F\x8B\xBF\xF0\x9F\x8C\x80", 3}, /* U+1F2FF, U+1F300 */
		{"\xE1\x84\x80\xE1\x85\x9F", 4}, /* U+1100, U+115F: first and last of a block */
		{"\xE1\x83\xBF\xE1\x85\xA0", 2}, /* U+10FF, U+1160 */
		{"\xFF", 1},
	};

	for (size_t i = 0; i < COUNT_OF(texts); i++)
		ck_assert_int_eq(text_columns(texts[i].text), texts[i].columns);
	ck_assert_int_eq(text_padding("\xE7\x8E\x8B", 8), 9);
	ck_assert_uint_eq(text_beginning("\xE7\x8E\x8B\xE4\xBC\x9F", 3), 3);
	ck_assert_uint_eq(text_beginning("e\xCC\x81x", 1), 3);
	ck_assert_uint_eq(text_beginning("x", 0), 0);
}
