/* SPDX-License-Identifier: BSD-3-Clause */
/* The tab of processes: its keys, and the process whose page is open. Both in top_keys.c. */
#ifndef CXLMON_SHOW_SCREEN_TOP_STATE_H
#define CXLMON_SHOW_SCREEN_TOP_STATE_H

#include "probe/top/top_list.h"
#include "probe/top/top_watcher.h"

/*
 * The user's choices on the tab of processes. Initially {0}. A line is chosen by its process or
 * group. Without a choice, the first line counts as chosen, whichever it is.
 */
struct top_state {
	struct top_choice choice;
	bool filtering;			 /* the filter is being typed */
	unsigned pid;			 /* chosen process; 0: none */
	uint64_t started;		 /* start time of .pid, as in struct process_identity */
	char group[PROCESS_CGROUP_SIZE]; /* name of the chosen group; "": none */
	unsigned opened_pid;		 /* process whose page is open; 0: none */
	uint64_t opened_started;	 /* start time of .opened_pid */
	size_t first_panel;		 /* index of the panel to show first on the open page */
};

/* The list, or the page of a process, as it was last drawn. */
struct top_viewport {
	const struct top_list *list; /* not owned */
	size_t visible;		     /* number of visible lines of the list */
	/* page: number of panels, index of the first visible one, number of visible ones */
	size_t panels, first_panel, visible_panels;
};

/* Returns the index of the chosen line. If no line is chosen, or it is gone, returns 0. */
size_t top_chosen(const struct top_state *state, const struct top_list *list);

/* Chooses the first line of a list, if it has one. */
void top_choose_first(struct top_state *state, const struct top_list *list);

/* Handles a key on the page of a process. */
void top_handle_page_key(struct top_state *state, int key, const struct top_viewport *shown);

/*
 * Handles Up, Down and Enter in the list below the ports. Returns false if the key is for the ports
 * instead: any other key, Up on the first line, or any key if the list has no visible line.
 */
bool top_handle_key_below(struct top_state *state, int key, const struct top_viewport *shown);

/* Handles a key in the list, unless state->filtering is set. */
void top_handle_key(struct top_state *state, int key, const struct top_viewport *shown);
/* Handles a key while state->filtering is set. */
void top_type_filter(struct top_state *state, int key);

/* The process whose page is open. If it ends, its last row and page are kept. */
struct process_view {
	struct process_row row; /* its last known row; .pid 0: no page is open */
	bool ended;		/* it is no longer listed */
	struct top_page page;
	bool with_page; /* .page is known */
};

/* Sets *view to the process that the state has opened; to none if the list does not have it. */
void process_view_open(struct process_view *view, const struct top_state *state,
		       const struct top_list *list);

/* Copies the process's row and page from an update that has them. Without a row, sets .ended. */
void process_view_take(struct process_view *view, const struct top_update *update);

#endif
