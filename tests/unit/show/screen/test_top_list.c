/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of processes: their choice, order, groups and keys. */
#include "show/screen/top_state.h"

#include <math.h>

#include "show/screen/canvas.h"
#include "unit.h"

#define DOCKER                                                                                     \
	"/system.slice/docker-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.scope"

static const struct {
	unsigned pid;
	const char *name, *user, *cgroup;
	double read, cxl, dram, p50;
} all[] = {
	{11, "postgres", "db", DOCKER, 100, 5e9, 1e9, 300},
	{12, "redis", "db", DOCKER "/inner", 300, 1e9, 9e9, NAN},
	{13, "bash", "root", "/user.slice", 0, 2e9, 2e9, 400},
	{14, "qemu", "root", "/machine.slice/machine-qemu\\x2d3\\x2dweb.scope", NAN, 7e9, 0, NAN},
};

static struct process_row rows[COUNT_OF(all)];
static struct top_summary summary;
static struct top_list list;
static struct top_state state;
static struct top_viewport shown = {.list = &list, .visible = 2};

static void begin(void)
{
	state = (struct top_state){.pid = 0};
	summary = (struct top_summary){.row_count = COUNT_OF(all)};
	for (size_t i = 0; i < COUNT_OF(all); i++) {
		rows[i] = (struct process_row){.is.pid = all[i].pid,
					       .is.started = all[i].pid,
					       .reads.cxl.MBps = all[i].read,
					       .reads.dram.MBps = NAN,
					       .reads.share_pct = all[i].read / 4,
					       .reads.cxl.p50_ns = all[i].p50,
					       .reads.cxl.p99_ns = NAN,
					       .memory.cxl = all[i].cxl,
					       .memory.dram = all[i].dram,
					       .age_s = i};
		snprintf(rows[i].is.name, sizeof(rows[i].is.name), "%s", all[i].name);
		snprintf(rows[i].is.user, sizeof(rows[i].is.user), "%s", all[i].user);
		snprintf(rows[i].is.cgroup, sizeof(rows[i].is.cgroup), "%s", all[i].cgroup);
	}
	ck_assert_int_eq(top_list_take(&list, &summary, rows), 0);
	top_list_arrange(&list, &state.choice);
}

static void end(void)
{
	top_list_free(&list);
}

/* Returns names, or "name(count)" for groups, separated by blanks. */
static const char *lines(void)
{
	FILE *out = text_open();

	top_list_arrange(&list, &state.choice);
	for (size_t i = 0; i < list.count; i++) {
		const struct top_line *line = &list.lines[i];

		if (line->group && !line->below)
			fprintf(out, " %s(%zu)", line->group->name, line->group->processes);
		else
			fprintf(out, " %s%s", line->below ? "-" : "", line->row->is.name);
	}
	return text_close(out);
}

static void press(int key)
{
	if (state.filtering)
		top_type_filter(&state, key);
	else
		top_handle_key(&state, key, &shown);
}

FIXTURE(begin, end)

static const struct {
	enum top_sort sort;
	bool reversed;
	const char *lines;
} orders[] = {
	{TOP_SORT_READ, false, " redis postgres bash qemu"}, /* unknown comes last */
	{TOP_SORT_CXL, false, " qemu postgres bash redis"},
	{TOP_SORT_DRAM, false, " redis bash postgres qemu"},
	{TOP_SORT_P50, false, " bash postgres redis qemu"},
	{TOP_SORT_USER, false, " redis postgres bash qemu"},
	{TOP_SORT_NAME, false, " bash postgres qemu redis"},
	{TOP_SORT_PID, false, " postgres redis bash qemu"},
	{TOP_SORT_PID, true, " qemu bash redis postgres"},
	{TOP_SORT_READ, true, " qemu bash postgres redis"},
	{TOP_SORTS, false, " postgres redis bash qemu"},
};

TEST_LOOP(test_rows_are_sorted_by_what_was_chosen, COUNT_OF(orders))
{
	state.choice.sort = orders[_i].sort;
	state.choice.reversed = orders[_i].reversed;
	ck_assert_str_eq(lines(), orders[_i].lines);
}

static const struct {
	enum row_by by;
	bool tree;
	const char *lines;
} groups[] = {
	{BY_USER, false, " db(2) root(2)"},
	{BY_USER, true, " db(2) -redis -postgres root(2) -bash -qemu"},
	{BY_CONTAINER, false, " 0123456789ab(2)"},
	{BY_VM, true, " web(1) -qemu"},
	{BY_CGROUP, false,
	 " " DOCKER "/inner(1) " DOCKER
	 "(1) /user.slice(1) /machine.slice/machine-qemu\\x2d3\\x2dweb.scope(1)"},
};

TEST_LOOP(test_groups_have_the_sums_of_their_processes, COUNT_OF(groups))
{
	state.choice.by = groups[_i].by;
	state.choice.tree = groups[_i].tree;
	ck_assert_str_eq(lines(), groups[_i].lines);
}

TEST(test_a_sum_is_of_what_is_known)
{
	state.choice.by = BY_USER;
	lines();
	const struct process_row *db = list.lines[0].row, *root = list.lines[1].row;
	ck_assert(db->reads.cxl.MBps == 400 && db->reads.share_pct == 100);
	ck_assert(db->memory.cxl == 6e9 && db->memory.dram == 10e9);
	ck_assert(db->age_s == 1); /* age of the oldest process */
	ck_assert(isnan(db->reads.cxl.p50_ns));
	ck_assert(root->reads.cxl.MBps == 0 && root->memory.cxl == 9e9);
}

TEST(test_a_filter_leaves_names_and_groups_that_have_it)
{
	snprintf(state.choice.filter, sizeof(state.choice.filter), "RE");
	ck_assert_str_eq(lines(), " redis postgres");
	state.choice.by = BY_USER;
	snprintf(state.choice.filter, sizeof(state.choice.filter), "root");
	ck_assert_str_eq(lines(), " root(2)");
	snprintf(state.choice.filter, sizeof(state.choice.filter), "nobody");
	ck_assert_str_eq(lines(), "");
}

TEST(test_keys_choose_how_rows_are_shown)
{
	press('s');
	ck_assert_int_eq(state.choice.sort, TOP_SORT_CXL);
	press('r');
	ck_assert(state.choice.reversed);
	for (int i = 1; i < TOP_SORTS; i++)
		press('s');
	ck_assert_int_eq(state.choice.sort, TOP_SORT_READ);
	ck_assert(!state.choice.reversed);
	press('t'); /* shows processes below their groups */
	ck_assert(state.choice.tree && state.choice.by == BY_CGROUP);
	press('g');
	ck_assert(state.choice.tree && state.choice.by == BY_CONTAINER);
	press('t');
	ck_assert(!state.choice.tree);
	press('g');
	press('g');
	press('g');
	ck_assert_int_eq(state.choice.by, BY_PROCESS);
}

TEST(test_the_filter_is_typed_and_taken_back)
{
	press('f');
	ck_assert(state.filtering);
	for (const char *key = "red"; *key; key++)
		press(*key);
	press(SCREEN_KEY_BACKSPACE);
	ck_assert_str_eq(state.choice.filter, "re");
	press('\r');
	ck_assert(!state.filtering);
	ck_assert_str_eq(state.choice.filter, "re");
	press(SCREEN_KEY_ESCAPE);
	ck_assert_str_eq(state.choice.filter, "");
	press('/');
	for (int i = 0; i < 100; i++)
		press('x');
	ck_assert_uint_eq(strlen(state.choice.filter), TOP_FILTER_SIZE - 1);
	press(SCREEN_KEY_ESCAPE);
	ck_assert(!state.filtering && !*state.choice.filter);
}

static const char *chosen(void)
{
	return list.lines[top_chosen(&state, &list)].row->is.name;
}

TEST(test_the_first_row_is_chosen_until_another_is)
{
	ck_assert_str_eq(chosen(), "redis");
	press(SCREEN_KEY_DOWN);
	ck_assert_str_eq(chosen(), "postgres");
	press(SCREEN_KEY_PAGE_DOWN);
	ck_assert_str_eq(chosen(), "qemu");
	press(SCREEN_KEY_DOWN);
	ck_assert_str_eq(chosen(), "qemu");
	press(SCREEN_KEY_PAGE_UP);
	ck_assert_str_eq(chosen(), "postgres");
	press(SCREEN_KEY_END);
	ck_assert_str_eq(chosen(), "qemu");
	press(SCREEN_KEY_UP);
	ck_assert_str_eq(chosen(), "bash");
	press(SCREEN_KEY_HOME);
	ck_assert_str_eq(chosen(), "redis");
}

TEST(test_a_process_stays_chosen_where_it_goes)
{
	press(SCREEN_KEY_DOWN);
	state.choice.sort = TOP_SORT_CXL;
	ck_assert_str_eq(lines(), " qemu postgres bash redis");
	ck_assert_str_eq(chosen(), "postgres");
	state.choice.by = BY_USER;
	state.choice.tree = true;
	lines();
	ck_assert_str_eq(chosen(), "postgres");
	/* another process of the same id */
	rows[0].is.started = 99;
	ck_assert_int_eq(top_list_take(&list, &summary, rows), 0);
	lines();
	ck_assert_uint_eq(top_chosen(&state, &list), 0);
}

TEST(test_a_group_stays_chosen)
{
	state.choice.by = BY_USER;
	lines();
	press(SCREEN_KEY_DOWN);
	ck_assert_str_eq(state.group, "root");
	state.choice.reversed = true;
	ck_assert_str_eq(lines(), " root(2) db(2)");
	ck_assert_uint_eq(top_chosen(&state, &list), 0);
}

TEST(test_without_rows_no_key_does_harm)
{
	static const int keys[] = {SCREEN_KEY_UP,
				   SCREEN_KEY_DOWN,
				   SCREEN_KEY_PAGE_UP,
				   SCREEN_KEY_PAGE_DOWN,
				   SCREEN_KEY_END,
				   SCREEN_KEY_HOME,
				   '\r'};

	summary.row_count = 0;
	ck_assert_int_eq(top_list_take(&list, &summary, rows), 0);
	ck_assert_str_eq(lines(), "");
	for (size_t i = 0; i < COUNT_OF(keys); i++)
		press(keys[i]);
	ck_assert_uint_eq(top_chosen(&state, &list), 0);
	ck_assert_uint_eq(state.opened_pid, 0);
}

/* Between the arrival of rows and the next drawing. */
TEST(test_lines_of_rows_that_were_replaced_are_not_used)
{
	static const int keys[] = {SCREEN_KEY_UP, SCREEN_KEY_DOWN, '\r'};

	ck_assert_uint_eq(list.count, COUNT_OF(all));
	ck_assert_int_eq(top_list_take(&list, &summary, rows), 0);
	ck_assert_uint_eq(list.count, 0);
	for (size_t i = 0; i < COUNT_OF(keys); i++)
		ck_assert(!top_handle_key_below(&state, keys[i], &shown));
	top_choose_first(&state, &list);
	ck_assert_uint_eq(state.pid, 0);
}

TEST(test_without_a_visible_line_below_the_ports_every_key_is_for_the_ports)
{
	static const int keys[] = {SCREEN_KEY_UP, SCREEN_KEY_DOWN, '\r', '\n'};
	const struct top_viewport hidden = {.list = &list};

	for (size_t i = 0; i < COUNT_OF(keys); i++)
		ck_assert(!top_handle_key_below(&state, keys[i], &hidden));
	ck_assert_uint_eq(state.pid, 0);
	ck_assert_uint_eq(state.opened_pid, 0);
}

static struct process_row pair[2];
static struct top_page page;
static struct top_update update;
static struct process_view view;

/* Opens the page of the second one of two processes. */
static void open_page(void)
{
	static struct top_list of_pair;

	pair[0] = (struct process_row){.is.pid = 5, .is.started = 50, .memory.cxl = 1};
	pair[1] = (struct process_row){.is.pid = 6, .is.started = 60, .memory.cxl = 2};
	of_pair = (struct top_list){.rows = pair, .summary = {.row_count = 2}};
	page = (struct top_page){.pid = 6, .started = 60, .sampled_s = 3};
	update = (struct top_update){
		.rows = pair, .summary = {.row_count = 2, .with_page = true}, .page = &page};
	process_view_open(&view, &(struct top_state){.opened_pid = 6, .opened_started = 60},
			  &of_pair);
}

TEST(test_the_row_is_known_at_once_and_the_page_later)
{
	open_page();
	ck_assert(view.row.is.pid == 6 && view.row.memory.cxl == 2);
	ck_assert(!view.with_page && !view.ended);
	process_view_take(&view, &update);
	ck_assert(view.with_page && view.page.sampled_s == 3);
}

TEST(test_a_page_of_another_process_is_left_out)
{
	open_page();
	page.pid = 5;
	process_view_take(&view, &update);
	ck_assert(!view.with_page);
	page.pid = 6;
	page.started = 61;
	process_view_take(&view, &update);
	ck_assert(!view.with_page);
	page.started = 60;
	update.summary.with_page = false;
	process_view_take(&view, &update);
	ck_assert(!view.with_page);
	update.summary.with_page = true;
	update.page = NULL; /* an update of a recording has no page */
	process_view_take(&view, &update);
	ck_assert(!view.with_page && !view.ended);
}

TEST(test_what_was_known_of_a_process_that_has_ended_stays)
{
	open_page();
	process_view_take(&view, &update);
	pair[1].is.started = 61; /* another process with that pid */
	page.sampled_s = 9;
	process_view_take(&view, &update);
	ck_assert(view.ended && view.with_page);
	ck_assert(view.row.is.started == 60 && view.page.sampled_s == 3);
	pair[1].is.started = 60; /* the process is listed again */
	process_view_take(&view, &update);
	ck_assert(!view.ended && view.page.sampled_s == 9);
}

TEST(test_a_page_that_was_closed_takes_nothing)
{
	open_page();
	process_view_open(&view, &(struct top_state){.opened_pid = 0}, &list);
	process_view_take(&view, &update);
	ck_assert(!view.row.is.pid && !view.with_page && !view.ended);
}

TEST(test_a_group_has_the_percentiles_that_came_with_its_rows)
{
	for (size_t i = 0; i < COUNT_OF(all); i++) {
		rows[i].reads.group_p50_ns = 296;
		rows[i].reads.group_p99_ns = 1280;
	}
	summary.by = BY_USER;
	ck_assert_int_eq(top_list_take(&list, &summary, rows), 0);
	state.choice.by = BY_USER;
	top_list_arrange(&list, &state.choice);
	ck_assert(list.lines[0].row->reads.cxl.p50_ns == 296 &&
		  list.lines[0].row->reads.cxl.p99_ns == 1280);
	/* until the next update, groups are those of the previous order */
	state.choice.by = BY_CGROUP;
	top_list_arrange(&list, &state.choice);
	ck_assert(isnan(list.lines[0].row->reads.cxl.p50_ns) &&
		  isnan(list.lines[0].row->reads.cxl.p99_ns));
	/* a filter leaves out processes of a group */
	state.choice.by = BY_USER;
	snprintf(state.choice.filter, sizeof(state.choice.filter), "e");
	top_list_arrange(&list, &state.choice);
	ck_assert(isnan(list.lines[0].row->reads.cxl.p50_ns));
}
