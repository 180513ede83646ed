/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/screen_draw.h"

#include "unit.h"

static const struct {
	int rows, columns;
	struct layout_contents contents;
	bool list;
	size_t per_line, visible; /* panels, or lines of the list */
	int panel, charts;	  /* rows */
} sizes[] = {
	{24, 80, {.panels = 1, .table_rows = 1}, false, 1, 1, 0, 0},
	{24, 80, {.panels = 2, .table_rows = 1}, false, 1, 2, 0, 0},
	{24, 80, {.panels = 2, .table_rows = 1, .charts = true}, true, 1, 2, 10, 7},
	{24, 80, {.panels = 8, .table_rows = 1, .charts = true}, true, 1, 8, 11, 0},
	{24, 80, {.panels = 4, .table_rows = 3}, true, 1, 4, 13, 0},
	{24, 80, {.panels = 32, .table_rows = 3}, true, 1, 9, 8, 0},
	{24, 80, {.panels = 32, .table_rows = 3, .alone = true}, false, 1, 1, 0, 0},
	{40, 120, {.panels = 4, .table_rows = 3, .charts = true}, false, 2, 2, 0, 8},
	{60, 200, {.panels = 8, .table_rows = 3, .charts = true}, false, 3, 3, 0, 10},
	{60, 200, {.panels = 4, .table_rows = 3, .charts = true}, false, 2, 2, 0, 10},
	{60, 200, {.panels = 32, .table_rows = 3, .charts = true}, true, 1, 32, 11, 10},
	{10, 40, {.panels = 2}, true, 1, 2, 0, 0},
	{24, 80, {.panels = 0}, false, 1, 0, 0, 0},
};

TEST_LOOP(test_panels_that_would_be_too_low_become_a_list, COUNT_OF(sizes))
{
	struct layout_contents contents = sizes[_i].contents;

	contents.table_heading = 1;
	const struct layout l = screen_layout(sizes[_i].rows, sizes[_i].columns, &contents);

	ck_assert(!l.too_small);
	ck_assert_int_eq(l.list, sizes[_i].list);
	ck_assert_uint_eq(l.per_line, sizes[_i].per_line);
	ck_assert_uint_eq(l.visible, sizes[_i].visible);
	ck_assert_int_eq(l.panel.rows, sizes[_i].panel);
	ck_assert_int_eq(l.charts.rows, sizes[_i].charts);
}

/* Takes the cells of an area. Returns how many were free. */
static int cover(const struct area *area, unsigned char covered[100][400])
{
	int cells = 0;

	for (int row = area->row; row < area->row + area->rows; row++)
		for (int column = area->column; column < area->column + area->columns; column++)
			cells += !covered[row][column]++;
	return cells;
}

/* Asserts that no cell is in two areas and, without a list, that each is in one. */
static void assert_covered(const struct layout *l, int rows, int columns)
{
	const struct area areas[] = {l->header,	   l->table, l->attention, l->marks,  l->charts,
				     l->processes, l->idle,  l->message,   l->footer, l->panel};
	unsigned char covered[100][400] = {{0}};
	int cells = 0, sum = 0;

	for (size_t i = 0; i < COUNT_OF(areas); i++) {
		cells += cover(&areas[i], covered);
		sum += areas[i].rows * areas[i].columns;
	}
	for (size_t n = 0; n < l->lines * l->per_line; n++) {
		const struct area area = screen_panel_area(l, n);

		cells += cover(&area, covered);
		sum += area.rows * area.columns;
	}
	ck_assert_int_eq(sum, cells);
	ck_assert_int_le(cells, rows * columns);
	if (!l->list)
		ck_assert_int_eq(cells, rows * columns);
}

TEST_LOOP(test_areas_cover_the_screen_once_at_every_size, 20)
{
	const struct layout_contents contents = {
		.panels = 1 + (size_t)_i,
		.chosen = (size_t)_i / 2,
		.table_heading = _i % 4,
		.table_rows = _i % 3,
		.alone = _i % 3 == 2,
		.attention = _i % 2,
		.marks = _i / 2 % 3,
		.message = _i % 4 > 1 ? 1 + _i % 2 : 0,
		.idle = _i % 5 > 2,
		.charts = _i % 3 > 0,
		.processes = (size_t)_i * 3 % 20,
	};

	for (int rows = SCREEN_MIN_ROWS; rows < 70; rows++) {
		for (int columns = SCREEN_MIN_COLUMNS; columns < 300; columns += 13) {
			const struct layout l = screen_layout(rows, columns, &contents);

			assert_covered(&l, rows, columns);
			if (l.list)
				ck_assert_int_eq(screen_panel_area(&l, contents.chosen).rows, 1);
		}
	}
}

static const struct {
	int rows, columns;
	size_t panels, processes;
	bool alone;
	int expected, charts; /* rows */
	bool list;
} both[] = {
	{29, 80, 2, 9, .charts = 7},
	{30, 80, 2, 9, .expected = 5},
	{30, 80, 2, 4, .expected = 4},
	{30, 80, 3, 9, .list = true, .expected = 5, .charts = 7},
	{27, 80, 3, 9, .list = true, .charts = 7},
	{36, 120, 2, 99, .expected = 7, .charts = 7},
	{60, 200, 4, 99, .expected = 12, .charts = 10},
	{60, 200, 4, 99, .alone = true},
	{60, 200, 4, 0, .charts = 10},
};

/* Panels keep their rows; charts come after that. */
TEST_LOOP(test_processes_are_below_the_ports_from_30_rows_on, COUNT_OF(both))
{
	const struct layout_contents contents = {.panels = both[_i].panels,
						 .table_heading = 1,
						 .table_rows = 1,
						 .charts = true,
						 .alone = both[_i].alone,
						 .processes = both[_i].processes};
	const struct layout l = screen_layout(both[_i].rows, both[_i].columns, &contents);

	ck_assert_int_eq(l.processes.rows, both[_i].expected);
	ck_assert_int_eq(l.list, both[_i].list);
	ck_assert_int_eq(l.charts.rows, both[_i].charts);
	for (size_t n = 0; n < both[_i].panels && !l.list && !both[_i].alone; n++)
		ck_assert_int_ge(screen_panel_area(&l, n).rows, 8);
}

TEST(test_a_terminal_that_is_too_small_is_said_to_be)
{
	const struct layout_contents nothing = {0};

	ck_assert(screen_layout(SCREEN_MIN_ROWS - 1, 200, &nothing).too_small);
	ck_assert(screen_layout(60, SCREEN_MIN_COLUMNS - 1, &nothing).too_small);
	ck_assert(screen_layout(1, 1, &nothing).too_small);
}

TEST(test_a_list_shows_the_chosen_line)
{
	const struct layout l = screen_layout(
		24, 80,
		&(struct layout_contents){
			.panels = 32, .chosen = 31, .table_heading = 1, .table_rows = 3});

	ck_assert_uint_eq(l.first, l.lines - l.visible);
	ck_assert_int_eq(screen_panel_area(&l, 0).rows, 0);
	ck_assert_int_eq(screen_panel_area(&l, 31).rows, 1);
}

TEST(test_table_gives_way_to_panels)
{
	const struct layout l = screen_layout(
		13, 80,
		&(struct layout_contents){.panels = 4, .table_heading = 2, .table_rows = 8});

	ck_assert_int_eq(l.table.rows, 3);
	ck_assert_int_eq(l.body.rows, 8);
}

TEST(test_what_is_said_above_panels_takes_rows_of_the_table)
{
	const struct layout l = screen_layout(19, 80,
					      &(struct layout_contents){.panels = 4,
									.table_heading = 2,
									.table_rows = 8,
									.attention = true,
									.marks = 1});

	ck_assert_int_eq(l.table.rows, 7);
	ck_assert_int_eq(l.body.rows, 8);
}
