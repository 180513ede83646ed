/* SPDX-License-Identifier: BSD-3-Clause */
/* Page of processes: its rows, its keys, and the process whose page is open. */
#ifndef CXLMON_SHOW_SCREEN_TOP_LIST_H
#define CXLMON_SHOW_SCREEN_TOP_LIST_H

#include "probe/top/top_groups.h"
#include "probe/top/top_watcher.h"

/* top_list.c: rows are processes, or groups of processes, maybe with their processes below. */

/* Orders of rows: the largest first, except for names and pids. */
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

/* Choice of rows and their order. */
struct top_choice {
	enum row_by by;
	bool tree; /* processes are shown below their groups */
	enum top_sort sort;
	bool reversed;		      /* the smallest first, and names backwards */
	char filter[TOP_FILTER_SIZE]; /* part of names; "": all */
};

struct top_line {
	const struct top_row *row;     /* row of a process, or the sum of a group */
	const struct top_group *group; /* NULL: rows are processes only */
	bool below;		       /* the line is a process below its group */
};

struct top_list {
	struct top_summary summary;
	struct top_row *rows; /* summary.row_count rows, in the watcher's order */
	bool taken;	      /* rows were taken */
	/* lines and groups, made by top_list_arrange() */
	struct top_group *groups;
	struct top_line *lines;
	size_t count, group_count; /* numbers of lines and groups */
};

/* Takes rows. -ENOMEM: the list is unchanged. Freed by top_list_free(). */
int top_list_take(struct top_list *list, const struct top_summary *summary,
		  const struct top_row *rows);
void top_list_free(struct top_list *list);

/* Makes the lines of the rows that were taken last. If memory is short, there are none. */
void top_list_arrange(struct top_list *list, const struct top_choice *choice);

/* top_keys.c: keys that other pages do not have. */

/* Choices of the user on the page of processes. Initially {0}. */
struct top_state {
	struct top_choice choice;
	bool filtering; /* the filter is being typed */
	/* chosen line, wherever it is; none: the first */
	unsigned pid;
	uint64_t started;
	char group[PROCESS_CGROUP_SIZE]; /* group, if the line is not a process */
	/* process whose page is open; 0: none */
	unsigned opened_pid;
	uint64_t opened_started;
	size_t first_panel; /* first panel shown on the page */
};

struct top_viewport {
	const struct top_list *list;		    /* list as drawn */
	size_t visible;				    /* visible lines */
	size_t panels, first_panel, visible_panels; /* panels of the page of a process */
};

/* Returns the index of the chosen line; the first if that line is gone. */
size_t top_chosen(const struct top_state *state, const struct top_list *list);

/* Chooses the first line of a list, which has one. */
void top_choose_first(struct top_state *state, const struct top_list *list);

/* Handles a key while the page of a process is open. */
void top_handle_page_key(struct top_state *state, int key, const struct top_viewport *shown);

/*
 * Handles a key that moves within the list below the ports, or opens a process. Returns false for
 * other keys, and Up on the first line: they are for the ports.
 */
bool top_handle_key_below(struct top_state *state, int key, const struct top_viewport *shown);

/* Handles a key while .filtering is not set, and a key that is typed while it is. */
void top_handle_key(struct top_state *state, int key, const struct top_viewport *shown);
void top_type_filter(struct top_state *state, int key);

/* top_list.c: process whose page is open. After it has ended, its last state stays. */

struct process_view {
	struct top_row row; /* .pid 0: no page is open */
	bool ended;
	struct top_page page;
	bool with_page; /* the page is of this process */
};

/* Begins with the opened process, which has a row in the list, or with none. */
void process_view_open(struct process_view *view, const struct top_state *state,
		       const struct top_list *list);

void process_view_take(struct process_view *view, const struct top_update *update);

#endif
