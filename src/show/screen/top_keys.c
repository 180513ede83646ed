/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/top_state.h"

#include <stdio.h>
#include <string.h>

#include "show/screen/canvas.h"

static bool is_chosen(const struct top_state *state, const struct top_line *line)
{
	if (line->group && !line->below)
		return !state->pid && !strcmp(line->group->name, state->group);
	return state->pid == line->row->is.pid && state->started == line->row->is.started;
}

size_t top_chosen(const struct top_state *state, const struct top_list *list)
{
	if (state->pid || *state->group)
		for (size_t i = 0; i < list->count; i++)
			if (is_chosen(state, &list->lines[i]))
				return i;
	return 0;
}

static void choose_none(struct top_state *state)
{
	state->pid = 0;
	state->started = 0;
	state->group[0] = '\0';
}

static void choose_line(struct top_state *state, const struct top_line *line)
{
	choose_none(state);
	if (line->group && !line->below) {
		snprintf(state->group, sizeof(state->group), "%s", line->group->name);
	} else {
		state->pid = line->row->is.pid;
		state->started = line->row->is.started;
	}
}

void top_choose_first(struct top_state *state, const struct top_list *list)
{
	if (list->count)
		choose_line(state, &list->lines[0]);
}

static void press_move(struct top_state *state, int key, const struct top_viewport *shown)
{
	const struct top_list *list = shown->list;
	size_t at = top_chosen(state, list);

	if (key == SCREEN_KEY_HOME) /* the first line, whichever it is from now on */
		choose_none(state);
	else if (key_moves(key, list->count, shown->visible, &at) && list->count)
		choose_line(state, &list->lines[at]);
}

/*
 * Opens the page of the chosen process. Neither a group nor a process that is no longer listed has
 * a page.
 */
static void open_page(struct top_state *state, const struct top_list *list)
{
	const struct top_line *line = list->count ? &list->lines[top_chosen(state, list)] : NULL;

	if (!line || (line->group && !line->below) || !line->row->is.started)
		return;
	choose_line(state, line);
	state->opened_pid = state->pid;
	state->opened_started = state->started;
	state->first_panel = 0;
}

bool top_handle_key_below(struct top_state *state, int key, const struct top_viewport *shown)
{
	const struct top_list *list = shown->list;
	const size_t chosen = top_chosen(state, list);
	/* lines may have been dropped since they were drawn */
	const size_t visible = shown->visible < list->count ? shown->visible : list->count;
	/* the chosen line may have moved below the last one shown */
	const size_t at = chosen < visible ? chosen : visible - 1;

	if (!visible)
		return false;
	switch (key) {
	case SCREEN_KEY_UP:
		if (!at)
			return false;
		choose_line(state, &list->lines[at - 1]);
		return true;
	case SCREEN_KEY_DOWN:
		choose_line(state, &list->lines[at + 1 < visible ? at + 1 : at]);
		return true;
	case '\r':
	case '\n':
		open_page(state, list);
		return true;
	}
	return false;
}

void top_handle_page_key(struct top_state *state, int key, const struct top_viewport *shown)
{
	switch (key) {
	case '\r':
	case '\n':
	case 'q':
	case SCREEN_KEY_ESCAPE:
	case SCREEN_KEY_LEFT:
		state->opened_pid = 0;
		break;
	case SCREEN_KEY_UP:
		if (state->first_panel > shown->first_panel)
			state->first_panel = shown->first_panel;
		state->first_panel -= state->first_panel > 0;
		break;
	case SCREEN_KEY_DOWN:
		state->first_panel += shown->first_panel + shown->visible_panels < shown->panels &&
				      state->first_panel + 1 < shown->panels;
	}
}

static void sort_by(struct top_choice *choice, enum top_sort sort)
{
	choice->sort = sort;
	choice->reversed = false;
}

void top_handle_key(struct top_state *state, int key, const struct top_viewport *shown)
{
	struct top_choice *choice = &state->choice;

	switch (key) {
	case 's':
		sort_by(choice, (choice->sort + 1) % TOP_SORTS);
		break;
	case 'P':
		sort_by(choice, TOP_SORT_READ);
		break;
	case 'M':
		sort_by(choice, TOP_SORT_CXL);
		break;
	case 'N':
		sort_by(choice, TOP_SORT_PID);
		break;
	case 'r':
		choice->reversed = !choice->reversed;
		break;
	case 'g':
		choice->by = (choice->by + 1) % TOP_BYS;
		break;
	case 't':
		choice->tree = !choice->tree || choice->by == BY_PROCESS;
		if (choice->by == BY_PROCESS)
			choice->by = BY_CGROUP;
		break;
	case 'f':
	case '/':
		state->filtering = true;
		choice->filter[0] = '\0';
		break;
	case SCREEN_KEY_ESCAPE:
		choice->filter[0] = '\0';
		break;
	case '\r':
	case '\n':
		open_page(state, shown->list);
		break;
	default:
		press_move(state, key, shown);
	}
}

void top_type_filter(struct top_state *state, int key)
{
	state->filtering = key_types(key, state->choice.filter, TOP_FILTER_SIZE);
	if (key == SCREEN_KEY_ESCAPE)
		state->choice.filter[0] = '\0';
}

/* The open page. */

static const struct process_row *find_row(const struct top_summary *summary,
					  const struct process_row *rows, unsigned pid,
					  uint64_t started)
{
	for (size_t i = 0; i < summary->row_count; i++)
		if (rows[i].is.pid == pid && rows[i].is.started == started)
			return &rows[i];
	return NULL;
}

void process_view_open(struct process_view *view, const struct top_state *state,
		       const struct top_list *list)
{
	const struct process_row *row =
		find_row(&list->summary, list->rows, state->opened_pid, state->opened_started);

	view->row = row ? *row : (struct process_row){.is.pid = 0};
	view->ended = view->with_page = false;
}

void process_view_take(struct process_view *view, const struct top_update *update)
{
	const struct top_summary *summary = &update->summary;
	const struct process_row *row =
		find_row(summary, update->rows, view->row.is.pid, view->row.is.started);

	if (!view->row.is.pid)
		return;
	view->ended = !row;
	if (row)
		view->row = *row;
	if (!row || !summary->with_page || !update->page || update->page->pid != view->row.is.pid ||
	    update->page->started != view->row.is.started)
		return;
	view->page = *update->page;
	view->with_page = true;
}
