/* SPDX-License-Identifier: BSD-3-Clause */
#include "screen/screen_layout.h"

#include "suites.h"
#include "support.h"

static const struct {
	int rows, columns;
	size_t panels;
	int table;
	size_t across, lines, visible;
} sizes[] = {
	{24, 80, 1, 2, 1, 1, 1},   {24, 80, 2, 2, 1, 2, 2},    {24, 80, 4, 4, 2, 2, 2},
	{24, 80, 16, 4, 2, 8, 3},  {60, 200, 4, 4, 2, 2, 2},   {60, 200, 2, 3, 2, 1, 1},
	{60, 200, 16, 5, 3, 6, 6}, {60, 200, 64, 5, 5, 13, 8}, {10, 40, 2, 0, 1, 2, 1},
	{24, 300, 1, 0, 1, 1, 1},  {24, 80, 0, 0, 1, 0, 0},
};

START_TEST(test_panels_stand_side_by_side_where_they_would_be_too_low)
{
	const struct layout l = screen_layout(sizes[_i].rows, sizes[_i].columns, sizes[_i].panels,
					      sizes[_i].table, false, 0);

	ck_assert(!l.too_small);
	ck_assert_uint_eq(l.panels_per_line, sizes[_i].across);
	ck_assert_uint_eq(l.lines, sizes[_i].lines);
	ck_assert_uint_eq(l.visible, sizes[_i].visible);
}
END_TEST

/* Returns how many cells of the area nobody had, and takes them. */
static int cover(const struct area *area, unsigned char covered[100][400])
{
	int cells = 0;

	for (int row = area->row; row < area->row + area->rows; row++)
		for (int column = area->column; column < area->column + area->columns; column++)
			cells += !covered[row][column]++;
	return cells;
}

/* All of them: the areas together have as many cells as the screen, and none is in two. */
static void assert_covered(const struct layout *l, int rows, int columns)
{
	unsigned char covered[100][400] = {{0}};
	int cells = cover(&l->header, covered) + cover(&l->table, covered) +
		    cover(&l->message, covered) + cover(&l->footer, covered);
	int sum = l->header.columns + l->table.rows * l->table.columns + l->message.columns +
		  l->footer.columns;

	for (size_t n = 0; n < l->lines * l->panels_per_line; n++) {
		const struct area area = screen_panel_area(l, n);

		ck_assert(!area.rows || area.rows >= 6);
		cells += cover(&area, covered);
		sum += area.rows * area.columns;
	}
	ck_assert_int_eq(cells, rows * columns);
	ck_assert_int_eq(sum, cells);
}

START_TEST(test_areas_cover_the_screen_once_at_every_size)
{
	for (int rows = SCREEN_MIN_ROWS; rows < 70; rows++) {
		for (int columns = SCREEN_MIN_COLUMNS; columns < 300; columns += 13) {
			const struct layout l = screen_layout(rows, columns, 1 + (size_t)_i, _i % 7,
							      _i % 2, (size_t)_i / 2);
			assert_covered(&l, rows, columns);
		}
	}
}
END_TEST

START_TEST(test_a_terminal_that_is_too_small_is_said_to_be)
{
	ck_assert(screen_layout(SCREEN_MIN_ROWS - 1, 200, 1, 0, false, 0).too_small);
	ck_assert(screen_layout(60, SCREEN_MIN_COLUMNS - 1, 1, 0, false, 0).too_small);
	ck_assert(screen_layout(1, 1, 9, 9, true, 9).too_small);
}
END_TEST

START_TEST(test_scrolling_ends_with_the_last_panel)
{
	const struct layout l = screen_layout(24, 80, 16, 4, false, 1000);

	ck_assert_uint_eq(l.first, l.lines - l.visible);
	ck_assert_int_eq(screen_panel_area(&l, 0).rows, 0);
	ck_assert_int_ne(screen_panel_area(&l, 15).rows, 0);
}
END_TEST

START_TEST(test_table_gives_way_to_panels)
{
	const struct layout l = screen_layout(10, 80, 4, 9, false, 0);

	ck_assert_int_eq(l.table.rows, 2);
	ck_assert_int_eq(l.body.rows, 6);
}
END_TEST

Suite *suite_screen_layout(void)
{
	Suite *suite = suite_create("screen_layout");
	TCase *tc = tcase_create("screen_layout");

	tcase_add_loop_test(tc, test_panels_stand_side_by_side_where_they_would_be_too_low, 0,
			    COUNT_OF(sizes));
	tcase_add_loop_test(tc, test_areas_cover_the_screen_once_at_every_size, 0, 20);
	tcase_add_test(tc, test_a_terminal_that_is_too_small_is_said_to_be);
	tcase_add_test(tc, test_scrolling_ends_with_the_last_panel);
	tcase_add_test(tc, test_table_gives_way_to_panels);
	suite_add_tcase(suite, tc);
	return suite;
}
