/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of the process whose page is open. What it was at last stays when it has ended. */
#ifndef CXLMON_SHOW_SCREEN_PROCESS_VIEW_H
#define CXLMON_SHOW_SCREEN_PROCESS_VIEW_H

#include "probe/top/top_watcher.h"
#include "show/screen/top_keys.h"

struct process_view {
	struct top_row row; /* .pid 0: no page is open */
	bool ended;
	struct top_page page;
	bool with_page; /* there is one of that process */
};

/* Begins with the process that was opened, which has a row in the list; or with none. */
void process_view_open(struct process_view *view, const struct top_state *state,
		       const struct top_list *list);

void process_view_take(struct process_view *view, const struct top_update *update);

#endif
