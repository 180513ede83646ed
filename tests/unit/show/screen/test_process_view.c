/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/process_view.h"

#include "unit.h"

static struct top_row rows[2];
static struct top_list list;
static struct top_page page;
static struct top_update update;
static struct process_view *view;

static void begin(void)
{
	view = calloc(1, sizeof(*view));
	rows[0] = (struct top_row){.pid = 5, .started = 50, .cxl = 1};
	rows[1] = (struct top_row){.pid = 6, .started = 60, .cxl = 2};
	list = (struct top_list){.rows = rows, .summary = {.row_count = 2}};
	page = (struct top_page){.pid = 6, .started = 60, .sampled_s = 3};
	update = (struct top_update){
		.rows = rows, .summary = {.row_count = 2, .with_page = true}, .page = &page};
	process_view_open(view, &(struct top_state){.opened_pid = 6, .opened_started = 60}, &list);
}

static void end(void)
{
	free(view);
}

FIXTURE(begin, end)

TEST(test_the_row_is_known_at_once_and_the_page_later)
{
	ck_assert(view->row.pid == 6 && view->row.cxl == 2);
	ck_assert(!view->with_page && !view->ended);
	process_view_take(view, &update);
	ck_assert(view->with_page && view->page.sampled_s == 3);
}

TEST(test_a_page_of_another_process_is_left_out)
{
	page.pid = 5;
	process_view_take(view, &update);
	ck_assert(!view->with_page);
	page.pid = 6;
	page.started = 61;
	process_view_take(view, &update);
	ck_assert(!view->with_page);
	page.started = 60;
	update.summary.with_page = false;
	process_view_take(view, &update);
	ck_assert(!view->with_page);
	update.summary.with_page = true;
	update.page = NULL; /* of a recording */
	process_view_take(view, &update);
	ck_assert(!view->with_page && !view->ended);
}

TEST(test_what_was_known_of_a_process_that_has_ended_stays)
{
	process_view_take(view, &update);
	rows[1].started = 61; /* another one of that pid */
	page.sampled_s = 9;
	process_view_take(view, &update);
	ck_assert(view->ended && view->with_page);
	ck_assert(view->row.started == 60 && view->page.sampled_s == 3);
	rows[1].started = 60; /* it was not listed, and is again */
	process_view_take(view, &update);
	ck_assert(!view->ended && view->page.sampled_s == 9);
}

TEST(test_a_page_that_was_closed_takes_nothing)
{
	process_view_open(view, &(struct top_state){.opened_pid = 0}, &list);
	process_view_take(view, &update);
	ck_assert(!view->row.pid && !view->with_page && !view->ended);
}
