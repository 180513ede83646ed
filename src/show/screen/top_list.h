/* SPDX-License-Identifier: BSD-3-Clause */
/* The tab of processes: its lines, its keys, and the process whose page is open. */
#ifndef CXLMON_SHOW_SCREEN_TOP_LIST_H
#define CXLMON_SHOW_SCREEN_TOP_LIST_H

#include "probe/top/top_groups.h"
#include "probe/top/top_watcher.h"

/* top_list.c: lines of processes, or of groups, which in a tree have their processes below. */

/* Orders of lines: numbers descend; users, names and pids ascend. */
enum top_sort {
	TOP_SORT_READ,
	TOP_SORT_CXL,
	TOP_SORT_DRAM,
	TOP_SORT_P50,
	TOP_SORT_P99,
	TOP_SORT_USER,
	TOP_SORT_NAME,
	TOP_SORT_PID,
	TOP_SORTS
};

#define TOP_FILTER_SIZE 32

/* Choice of lines and their order. */
struct top_choice {
	enum row_by by; /* lines are processes, or groups by this */
	bool tree;	/* the processes of each group are shown below it */
	enum top_sort sort;
	bool reversed; /* the order is reversed */
	/* text that the name of a process or its group must have, in any case; "": all match */
	char filter[TOP_FILTER_SIZE];
};

/* A line; points into the list. */
struct top_line {
	const struct top_row *row;     /* a process, or the sum of a group */
	const struct top_group *group; /* its group; NULL: there are no groups */
	bool below;		       /* the line is a process below its group */
};

/* The rows that were taken last, and lines made from them. Initially zero. */
struct top_list {
	struct top_summary summary;
	struct top_row *rows;	  /* summary.row_count rows, in the watcher's order */
	bool taken;		  /* rows were taken at least once */
	struct top_group *groups; /* groups and lines, made by top_list_arrange() */
	struct top_line *lines;
	size_t count, group_count; /* numbers of lines and groups */
};

/*
 * Copies summary and rows, and drops the lines until top_list_arrange(). Returns 0, or -ENOMEM: the
 * list is unchanged. Freed by top_list_free().
 */
int top_list_take(struct top_list *list, const struct top_summary *summary,
		  const struct top_row *rows);
void top_list_free(struct top_list *list);

/* Makes the lines from the rows that were taken last. If memory runs out, there are none. */
void top_list_arrange(struct top_list *list, const struct top_choice *choice);

/* top_keys.c: keys of the tab of processes. */

/*
 * The user's choices on the tab of processes. Initially {0}. If neither a process nor a group is
 * chosen, the first line is.
 */
struct top_state {
	struct top_choice choice;
	bool filtering;			 /* the filter is being typed */
	unsigned pid;			 /* process of the chosen line; 0: a group, or no choice */
	uint64_t started;		 /* start time of .pid */
	char group[PROCESS_CGROUP_SIZE]; /* name of the chosen group; "": none */
	unsigned opened_pid;		 /* process whose page is open; 0: none */
	uint64_t opened_started;	 /* start time of .opened_pid */
	size_t first_panel;		 /* index of the first panel shown on its page */
};

/* The list or page as it was last drawn. */
struct top_viewport {
	const struct top_list *list; /* not owned */
	size_t visible;		     /* number of visible lines */
	/* page of a process: number of panels, first visible one, number of visible ones */
	size_t panels, first_panel, visible_panels;
};

/* Returns the index of the chosen line; 0, the first, if none is chosen or the line is gone. */
size_t top_chosen(const struct top_state *state, const struct top_list *list);

/* Chooses the first line of a list, if it has one. */
void top_choose_first(struct top_state *state, const struct top_list *list);

/* Handles a key on the page of a process. */
void top_handle_page_key(struct top_state *state, int key, const struct top_viewport *shown);

/*
 * Handles a key that moves within the list below the ports, or opens a process. Returns false if
 * the key is for the ports: another key, Up on the first line, or any key if no line is visible.
 */
bool top_handle_key_below(struct top_state *state, int key, const struct top_viewport *shown);

/*
 * Handle a key in the list: top_type_filter() while .filtering is set, top_handle_key() otherwise.
 */
void top_handle_key(struct top_state *state, int key, const struct top_viewport *shown);
void top_type_filter(struct top_state *state, int key);

/* top_list.c: process whose page is open. After it has ended, its last state stays. */

/* The process whose page is open. */
struct process_view {
	struct top_row row; /* its last known row; .pid 0: no page is open */
	bool ended;	    /* it is no longer listed */
	struct top_page page;
	bool with_page; /* .page is known */
};

/*
 * Begins with the process that the state has opened, if the list has a row of it; otherwise with
 * none.
 */
void process_view_open(struct process_view *view, const struct top_state *state,
		       const struct top_list *list);

/* Takes the process's row and page from an update, if it has them. Without a row, sets .ended. */
void process_view_take(struct process_view *view, const struct top_update *update);

#endif
