/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/process_view.h"

static const struct top_row *find(const struct top_summary *summary, const struct top_row *rows,
				  unsigned pid, uint64_t started)
{
	for (size_t i = 0; i < summary->row_count; i++)
		if (rows[i].pid == pid && rows[i].started == started)
			return &rows[i];
	return NULL;
}

void process_view_open(struct process_view *view, const struct top_state *state,
		       const struct top_list *list)
{
	const struct top_row *row =
		find(&list->summary, list->rows, state->opened_pid, state->opened_started);

	view->row = row ? *row : (struct top_row){.pid = 0};
	view->ended = view->with_page = false;
}

void process_view_take(struct process_view *view, const struct top_update *update)
{
	const struct top_summary *summary = &update->summary;
	const struct top_row *row = find(summary, update->rows, view->row.pid, view->row.started);

	if (!view->row.pid)
		return;
	view->ended = !row;
	if (row)
		view->row = *row;
	if (!row || !summary->with_page || !update->page || update->page->pid != view->row.pid ||
	    update->page->started != view->row.started)
		return;
	view->page = *update->page;
	view->with_page = true;
}
