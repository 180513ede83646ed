/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/sheet.h"

#include <math.h>

#include "unit.h"

static struct sheet sheet;

static void begin(void)
{
	sheet = (struct sheet){.count = 0};
	sheet_add(
		&sheet,
		&(struct sheet_column){.unit = "MB/s", .width = 8, .format = "~%.*f", .number = 5},
		"CXL");
	for (unsigned node = 0; node < 2; node++)
		sheet_add(
			&sheet,
			&(struct sheet_column){
				.unit = "MiB", .width = 8, .rank = 2, .decimals = 1, .number = NAN},
			"node%u", node);
	sheet_add(&sheet, &(struct sheet_column){.unit = "s", .width = 6, .rank = 1, .number = 1},
		  "age");
}

FIXTURE(begin, NULL)

static const char *lines(void)
{
	FILE *out = text_open();

	sheet_put_titles(&sheet, out);
	putc('\n', out);
	sheet_put_units(&sheet, out);
	putc('\n', out);
	sheet_put_numbers(&sheet, out);
	return text_close(out);
}

TEST(test_columns_stand_below_their_titles)
{
	sheet_fit(&sheet, 30);
	ck_assert_str_eq(lines(), "     CXL   node0   node1   age\n"
				  "    MB/s     MiB     MiB     s\n"
				  "      ~5       -       -     1");
}

TEST(test_columns_of_a_rank_are_left_out_together_and_those_of_none_stay)
{
	sheet_fit(&sheet, 29);
	ck_assert_uint_eq(sheet_width(&sheet), 14);
	ck_assert_str_eq(sheet.at[1].title, "age");
	sheet_fit(&sheet, 3);
	ck_assert_uint_eq(sheet.count, 1);
}

TEST(test_there_are_no_more_columns_than_there_is_room_for)
{
	for (unsigned i = 0; i < 2 * SHEET_COLUMNS_MOST; i++)
		sheet_add(&sheet, &(struct sheet_column){.width = 1}, "long title %u", i);
	ck_assert_uint_eq(sheet.count, SHEET_COLUMNS_MOST);
}
