/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/sheet.h"

#include <math.h>

#include "unit.h"

static struct sheet sheet;

static void begin(void)
{
	static const struct sheet_column columns[] = {
		{"CXL", "MB/s", 8, 0, "~%.*f", 0, 5},
		{"node0", "MiB", 8, 2, NULL, 1, NAN},
		{"node1", "MiB", 8, 2, NULL, 1, NAN},
		{"age", "s", 6, 1, NULL, 0, 1},
	};

	sheet = (struct sheet){.lead = SHEET_LEAD_WIDTH};
	sheet_add(&sheet, columns, 4);
}

FIXTURE(begin, NULL)

/* Lets columns have that width, with a lead of 16 characters, and a name of 16. */
static void fit(size_t width)
{
	sheet.width = width + 32;
	sheet_fit(&sheet);
}

static const char *lines(const char *name)
{
	FILE *out = text_open();

	sheet_put_header(&sheet, out, "12:00", SHEET_PROCESS, sheet_nouns[BY_USER]);
	sheet_put_lead(out, 42, "somebody else");
	sheet_put_line(&sheet, out, name);
	return text_close(out);
}

TEST(test_columns_stand_below_their_titles)
{
	fit(30);
	ck_assert_str_eq(lines("name"), "12:00                CXL   node0   node1   age\n"
					"    PID USER        MB/s     MiB     MiB     s USER\n"
					"     42 somebod+      ~5       -       -     1 name\n");
}

TEST(test_a_name_has_the_rest_of_the_line)
{
	fit(33);
	assert_contains(lines("eighteen_character"), " eighteen_character\n");
	assert_contains(lines("nineteen_characters"), " nineteen_characte+\n");
}

TEST(test_columns_of_a_rank_are_left_out_together_and_those_of_none_stay)
{
	fit(29);
	ck_assert_uint_eq(sheet.count, 2);
	ck_assert_str_eq(sheet.at[1].title, "age");
	fit(3);
	ck_assert_uint_eq(sheet.count, 1);
}

TEST(test_there_are_no_more_columns_than_there_is_room_for)
{
	for (unsigned i = 0; i < 2 * SHEET_COLUMNS_MOST; i++)
		sheet_add(&sheet, &(struct sheet_column){.width = 1}, 1);
	ck_assert_uint_eq(sheet.count, SHEET_COLUMNS_MOST);
}
