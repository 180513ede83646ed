/* SPDX-License-Identifier: BSD-3-Clause */
/* The keys of the page of processes that other pages do not have. */
#ifndef CXLMON_SHOW_SCREEN_TOP_KEYS_H
#define CXLMON_SHOW_SCREEN_TOP_KEYS_H

#include "show/screen/top_list.h"

/* What was chosen and how it is shown. Initially {0}. */
struct top_state {
	struct top_choice choice;
	bool filtering; /* what is typed is the filter */
	/* the line that is chosen, wherever it is; none: the first */
	unsigned pid;
	uint64_t started;
	char group[TOP_CGROUP_SIZE]; /* unless it is a process */
	/* the process whose page is open; 0: none is */
	unsigned opened_pid;
	uint64_t opened_started;
	size_t first_panel; /* of its page, that is shown */
};

struct top_viewport {
	const struct top_list *list;		    /* as it was drawn */
	size_t visible;				    /* lines */
	size_t panels, first_panel, visible_panels; /* of a page */
};

/* The line that is chosen; the first, where that is gone. */
size_t top_chosen(const struct top_state *state, const struct top_list *list);

/* A key, while the page of a process is open. */
void top_handle_page_key(struct top_state *state, int key, const struct top_viewport *shown);

/* A key, while .filtering is not set; and one that is typed while it is. */
void top_handle_key(struct top_state *state, int key, const struct top_viewport *shown);
void top_type_filter(struct top_state *state, int key);

#endif
