/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/screen_keys.h"

#include "sim_monitor.h"
#include "unit.h"

#define US UINT64_C(1000)

static const struct row port_row = {.place.kind = ROW_PORT},
			socket_row = {.place.kind = ROW_SOCKET},
			system_row = {.place.kind = ROW_SYSTEM};
static struct panel three[] = {{.row = &port_row}, {.row = &socket_row}, {.row = &system_row}};
static const struct panels panels = {.all = three, .count = 3};
static struct panel nine[] = {{.title = "s0 p0  mem0"},
			      {.title = "s0 p1  mem1"},
			      {.title = "s0 p2  mem2"},
			      {.title = "s0 p3"},
			      {.title = ""},
			      {.title = ""},
			      {.title = ""},
			      {.title = ""},
			      {.title = "s1 p0  mem2"}};
static struct panels of_nine = {.all = nine, .count = 9};
static const struct panel *chosen[9];
static const struct top_list nobody;
static struct screen_viewport port = {.chosen = chosen,
				      .count = 9,
				      .visible = 4,
				      .help_pages = 2,
				      .explained_pages = 2,
				      .top = {.list = &nobody}};
static struct screen_state state;

static void set_up(void)
{
	state = (struct screen_state){.scope = SCOPE_PORT, .interval_ns = SECOND};
	of_nine.series = (struct series){.step_count = 20, .all_steps = 20};
	for (int i = 0; i < 9; i++)
		chosen[i] = &nine[i];
}

static void press(int key)
{
	screen_handle_key(&state, key, &panels, &port);
}

static const struct {
	uint64_t before, longer, shorter;
} intervals[] = {
	{SECOND, 2 * SECOND, SECOND / 2},
	{2 * SECOND, 5 * SECOND, SECOND},
	{5 * SECOND, 10 * SECOND, 2 * SECOND},
	{300000 * US, 500000 * US, 200000 * US},
	{200 * US, 500 * US, 100 * US},
	{100 * US, 200 * US, 100 * US},
	{123 * US, 200 * US, 100 * US},
	{2000 * SECOND, 3600 * SECOND, 1000 * SECOND},
	{3600 * SECOND, 3600 * SECOND, 2000 * SECOND},
	{7200 * SECOND, 7200 * SECOND, 2000 * SECOND},
};

FIXTURE(set_up, NULL)

TEST_LOOP(test_intervals_go_by_1_2_5_from_100_us_to_an_hour, COUNT_OF(intervals))
{
	state.interval_ns = intervals[_i].before;
	press('+');
	ck_assert_uint_eq(state.interval_ns, intervals[_i].longer);
	state.interval_ns = intervals[_i].before;
	press('-');
	ck_assert_uint_eq(state.interval_ns, intervals[_i].shorter);
}

TEST(test_groups_go_from_ports_to_the_system_and_round)
{
	press('g');
	ck_assert_int_eq(state.scope, SCOPE_SOCKET);
	press('g');
	ck_assert_int_eq(state.scope, SCOPE_SYSTEM);
	press('g');
	ck_assert_int_eq(state.scope, SCOPE_PORT);
}

TEST(test_a_scope_without_panels_is_passed_over)
{
	const struct panels some = {.all = three + 1, .count = 2};

	state.scope = SCOPE_SYSTEM;
	screen_handle_key(&state, 'g', &some, &port);
	ck_assert_int_eq(state.scope, SCOPE_SOCKET);
}

TEST(test_switches_go_on_and_off)
{
	press('p');
	press('s');
	ck_assert(state.paused && state.by_traffic);
	press('p');
	press('s');
	ck_assert(!state.paused && !state.by_traffic);
	press('u');
	ck_assert(state.binary);
	press('u');
	ck_assert(!state.binary);
	press('q');
	ck_assert(state.quit);
}

TEST(test_l_samples_reads_and_stops_it_again)
{
	press('l');
	ck_assert(state.reads);
	press('l');
	ck_assert(!state.reads);
	/* the page of processes is about reads */
	press('\t');
	press('\t');
	ck_assert(state.reads);
	press('l');
	ck_assert(!state.reads);
}

TEST(test_any_key_closes_the_help_and_does_nothing_else)
{
	press('?');
	ck_assert(state.help);
	press('g');
	ck_assert(!state.help);
	ck_assert_int_eq(state.scope, SCOPE_PORT);
	press('?');
	press('?');
	ck_assert_int_eq(state.help, 2);
	press('?');
	ck_assert_int_eq(state.help, 0);
	press(SCREEN_KEY_HELP);
	press('q');
	ck_assert(!state.quit && !state.help);
	press('q');
	ck_assert(state.quit);
}

TEST(test_any_key_closes_what_explain_says_and_does_nothing_else)
{
	press('e');
	ck_assert_uint_eq(state.explained, 1);
	press('e');
	ck_assert_uint_eq(state.explained, 2);
	press('e');
	ck_assert_uint_eq(state.explained, 0);
	press('e');
	press('?');
	ck_assert(!state.explained);
	ck_assert(!state.help);
	press('?');
	press('e');
	ck_assert(!state.explained);
	ck_assert(!state.help);
	press('e');
	press('q');
	ck_assert(!state.quit && !state.explained);
}

static void press_of_nine(int key)
{
	screen_handle_key(&state, key, &of_nine, &port);
}

static const struct {
	size_t before;
	int key;
	size_t after;
} moves[] = {
	{0, SCREEN_KEY_UP, 0},	      {0, SCREEN_KEY_DOWN, 1},	  {7, SCREEN_KEY_DOWN, 8},
	{8, SCREEN_KEY_DOWN, 8},      {2, SCREEN_KEY_UP, 1},	  {0, SCREEN_KEY_PAGE_DOWN, 4},
	{7, SCREEN_KEY_PAGE_DOWN, 8}, {5, SCREEN_KEY_PAGE_UP, 1}, {1, SCREEN_KEY_PAGE_UP, 0},
	{1, SCREEN_KEY_END, 8},	      {5, SCREEN_KEY_HOME, 0},
};

TEST_LOOP(test_a_panel_is_chosen_among_those_that_are_shown, COUNT_OF(moves))
{
	state.selected = moves[_i].before;
	press_of_nine(moves[_i].key);
	ck_assert_uint_eq(state.selected, moves[_i].after);
}

TEST(test_tab_changes_between_ports_and_processes)
{
	press('\t');
	ck_assert_int_eq(state.tab, TAB_PROCESSES);
	press('g'); /* groups of rows, not of panels */
	ck_assert_int_eq(state.scope, SCOPE_PORT);
	ck_assert_int_eq(state.top.choice.by, BY_CGROUP);
	press('p');
	press('u');
	press('\t');
	ck_assert_int_eq(state.tab, TAB_PORTS);
	ck_assert(state.paused && state.binary);
}

/* The filter also takes q, ? and Tab. */
TEST(test_all_that_is_typed_is_the_filter)
{
	press('\t');
	press('f');
	for (const char *key = "q?p"; *key; key++)
		press(*key);
	ck_assert_str_eq(state.top.choice.filter, "q?p");
	ck_assert(!state.quit && !state.help && !state.paused);
	press('\r');
	press('q');
	ck_assert(state.quit);
}

TEST(test_a_panel_is_found_by_a_part_of_its_title)
{
	press_of_nine('/');
	for (const char *key = "mem2q"; *key; key++)
		press_of_nine(*key);
	ck_assert_uint_eq(state.selected, 2);
	ck_assert(!state.quit);
	ck_assert_str_eq(state.search, "mem2q");
	for (int i = 0; i < 9; i++)
		press_of_nine(SCREEN_KEY_BACKSPACE);
	for (int i = 0; i < 40; i++)
		press_of_nine('x');
	ck_assert_uint_eq(strlen(state.search), sizeof(state.search) - 1);
	press_of_nine('\r');
	ck_assert(!state.searching && !state.alone);
	press_of_nine('q');
	ck_assert(state.quit);
}

TEST(test_enter_shows_a_panel_alone_and_escape_goes_back)
{
	press_of_nine('\r');
	ck_assert(state.alone);
	press_of_nine(27);
	ck_assert(!state.alone);
}

TEST(test_left_and_right_go_through_time)
{
	ck_assert_uint_eq(screen_back(&state, &of_nine), 0);
	press_of_nine(SCREEN_KEY_LEFT);
	ck_assert(state.paused);
	ck_assert_uint_eq(screen_back(&state, &of_nine), 5);
	/* the shown step does not move */
	of_nine.series = (struct series){.step_count = 23, .all_steps = 23};
	ck_assert_uint_eq(screen_back(&state, &of_nine), 8);
	press_of_nine(SCREEN_KEY_LEFT);
	press_of_nine(SCREEN_KEY_LEFT);
	press_of_nine(SCREEN_KEY_LEFT);
	ck_assert_uint_eq(screen_back(&state, &of_nine), 18);
	press_of_nine(SCREEN_KEY_RIGHT);
	ck_assert_uint_eq(screen_back(&state, &of_nine), 13);
	for (int i = 0; i < 3; i++)
		press_of_nine(SCREEN_KEY_RIGHT);
	ck_assert(!state.paused);
	ck_assert_uint_eq(screen_back(&state, &of_nine), 0);
}

TEST(test_metric_groups_come_one_after_the_other_then_all)
{
	const struct metric a = {.group = "a"}, b = {.group = "b"};
	struct column columns[] = {{&a}, {&a}, {&b}};
	const struct table table = {.columns = columns, .column_count = 3};

	of_nine.table = &table;
	press_of_nine('m');
	ck_assert_str_eq(panels_group(&of_nine, state.group), "a");
	press_of_nine('m');
	ck_assert_str_eq(panels_group(&of_nine, state.group), "b");
	press_of_nine('m');
	ck_assert_ptr_null(panels_group(&of_nine, state.group));
	ck_assert_uint_eq(state.group, 0);
}

/* The page of one process. */

static struct process_row processes[] = {{.is.pid = 5, .is.started = 50},
					 {.is.pid = 6, .is.started = 60}};
static struct top_group group = {.name = "someone"};
static struct top_line lines[] = {{.row = &processes[0]}, {.row = &processes[1]}};
static struct top_list two = {.rows = processes, .lines = lines, .count = 2};
static struct screen_viewport list_port = {
	.help_pages = 2, .top = {.list = &two, .visible = 2, .panels = 5, .visible_panels = 3}};

static void press_in_list(int key)
{
	screen_handle_key(&state, key, &panels, &list_port);
}

static void set_up_list(void)
{
	set_up();
	state.tab = TAB_PROCESSES;
	lines[0].group = NULL;
	list_port.top.first_panel = 0;
}

FIXTURE(set_up_list, NULL)

static const int closing[] = {'\r', '\n', 'q', SCREEN_KEY_ESCAPE, SCREEN_KEY_LEFT};

TEST_LOOP(test_enter_opens_a_process_and_several_keys_close_it, COUNT_OF(closing))
{
	press_in_list(SCREEN_KEY_DOWN);
	ck_assert_int_eq(screen_shown_tab(&state), TAB_PROCESSES);
	press_in_list('\r');
	ck_assert_int_eq(screen_shown_tab(&state), TAB_PROCESS);
	ck_assert(state.top.opened_pid == 6 && state.top.opened_started == 60);
	press_in_list(closing[_i]);
	ck_assert_int_eq(screen_shown_tab(&state), TAB_PROCESSES);
	ck_assert(!state.quit && state.top.pid == 6);
	press_in_list('q');
	ck_assert(state.quit);
}

static const struct {
	int key;
	enum top_sort sort;
} sorting[] = {{'P', TOP_SORT_READ}, {'M', TOP_SORT_CXL}, {'N', TOP_SORT_PID}};

TEST_LOOP(test_letters_of_top_sort_at_once, COUNT_OF(sorting))
{
	state.top.choice = (struct top_choice){.sort = TOP_SORT_NAME, .reversed = true};
	press_in_list(sorting[_i].key);
	ck_assert_int_eq(state.top.choice.sort, sorting[_i].sort);
	ck_assert(!state.top.choice.reversed);
}

static void press_F(int number)
{
	press_in_list(SCREEN_KEY_F2 + number - 2);
}

TEST(test_F_keys_do_what_they_do_in_htop)
{
	press_F(4);
	ck_assert(state.top.filtering);
	press_F(10); /* has no effect in a filter */
	press_in_list(SCREEN_KEY_ESCAPE);
	press_F(5);
	ck_assert(state.top.choice.tree);
	press_F(6);
	ck_assert_int_eq(state.top.choice.sort, TOP_SORT_CXL);
	press_F(9); /* cxlmon ends no other process */
	ck_assert(state.help);
	press_in_list(' ');
	ck_assert(!state.help && !state.quit);
	press_F(10);
	ck_assert(state.quit);
}

TEST(test_where_nothing_is_chosen_the_first_process_is_opened)
{
	press_in_list('\r');
	ck_assert(state.top.opened_pid == 5 && state.top.pid == 5);
}

TEST(test_a_group_or_a_process_that_is_not_listed_has_no_page)
{
	processes[0].is.started = 0;
	press_in_list('\r');
	ck_assert_int_eq(screen_shown_tab(&state), TAB_PROCESSES);
	processes[0].is.started = 50;
	lines[0].group = &group;
	press_in_list('\r');
	ck_assert_int_eq(screen_shown_tab(&state), TAB_PROCESSES);
}

TEST(test_up_and_down_go_through_the_panels)
{
	press_in_list('\r');
	press_in_list(SCREEN_KEY_UP);
	ck_assert_uint_eq(state.top.first_panel, 0);
	press_in_list(SCREEN_KEY_DOWN);
	ck_assert_uint_eq(state.top.first_panel, 1);
	for (int i = 0; i < 9; i++) /* several keys before it is drawn again */
		press_in_list(SCREEN_KEY_DOWN);
	ck_assert_uint_eq(state.top.first_panel, 4);
	list_port.top.first_panel = 2;
	press_in_list(SCREEN_KEY_DOWN);
	ck_assert_uint_eq(state.top.first_panel, 4); /* the last panels are visible */
	press_in_list(SCREEN_KEY_UP);
	ck_assert_uint_eq(state.top.first_panel, 1);
}

/* Two of three processes have room. */
TEST(test_down_goes_on_from_the_ports_to_the_processes_below_them)
{
	static struct process_row rows[] = {{.is.pid = 7, .is.started = 70},
					    {.is.pid = 8, .is.started = 80},
					    {.is.pid = 9, .is.started = 90}};
	struct top_line three_lines[] = {{.row = &rows[0]}, {.row = &rows[1]}, {.row = &rows[2]}};
	const struct top_list list = {.lines = three_lines, .count = 3};
	struct screen_viewport both = {
		.chosen = chosen, .count = 2, .visible = 2, .top = {.list = &list, .visible = 2}};
	static const struct {
		int key;
		bool below;
		size_t selected;
		unsigned pid;
	} steps[] = {
		{SCREEN_KEY_DOWN, false, 1, 0}, {SCREEN_KEY_DOWN, true, 1, 7},
		{SCREEN_KEY_DOWN, true, 1, 8},	{SCREEN_KEY_DOWN, true, 1, 8},
		{SCREEN_KEY_UP, true, 1, 7},	{SCREEN_KEY_UP, false, 1, 7},
		{SCREEN_KEY_UP, false, 0, 7},	{SCREEN_KEY_END, false, 1, 7},
		{SCREEN_KEY_DOWN, true, 1, 7},	{SCREEN_KEY_HOME, false, 0, 7},
		{SCREEN_KEY_DOWN, false, 1, 7}, {SCREEN_KEY_DOWN, true, 1, 7},
	};

	state.tab = TAB_PORTS;
	for (size_t i = 0; i < COUNT_OF(steps); i++) {
		screen_handle_key(&state, steps[i].key, &of_nine, &both);
		ck_assert_int_eq(state.below, steps[i].below);
		ck_assert_uint_eq(state.selected, steps[i].selected);
		ck_assert_uint_eq(state.top.pid, steps[i].pid);
	}
	/* others become the first ones, and the chosen one has no room */
	three_lines[0].row = &rows[1];
	three_lines[1].row = &rows[2];
	three_lines[2].row = &rows[0];
	screen_handle_key(&state, SCREEN_KEY_UP, &of_nine, &both);
	ck_assert_uint_eq(state.top.pid, 8);
	screen_handle_key(&state, '\r', &of_nine, &both);
	ck_assert_int_eq(screen_shown_tab(&state), TAB_PROCESS);
	ck_assert_uint_eq(state.top.opened_pid, 8);
	ck_assert(state.reads && !state.alone);
}

TEST(test_without_processes_below_down_stays_at_the_last_panel)
{
	state.tab = TAB_PORTS;
	state.selected = 8;
	screen_handle_key(&state, SCREEN_KEY_DOWN, &of_nine, &port);
	ck_assert(!state.below);
	ck_assert_uint_eq(state.selected, 8);
}

TEST(test_keys_of_every_page_work_on_that_of_a_process)
{
	press_in_list('\r');
	press_in_list('s'); /* the page has no order */
	ck_assert_int_eq(state.top.choice.sort, TOP_SORT_READ);
	press_in_list('w');
	ck_assert(state.save);
	press_in_list('?');
	press_in_list('q');
	ck_assert(!state.quit && !state.help);
	ck_assert_int_eq(screen_shown_tab(&state), TAB_PROCESS);
	press_in_list('\t');
	ck_assert_int_eq(screen_shown_tab(&state), TAB_PORTS);
	press_in_list('\t');
	ck_assert_int_eq(screen_shown_tab(&state), TAB_PROCESS);
}
