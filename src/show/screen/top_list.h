/* SPDX-License-Identifier: BSD-3-Clause */
/* The tab of processes: its lines, its keys, and the process whose page is open. */
#ifndef CXLMON_SHOW_SCREEN_TOP_LIST_H
#define CXLMON_SHOW_SCREEN_TOP_LIST_H

#include "probe/top/top_groups.h"
#include "probe/top/top_watcher.h"

/* top_list.c: the lines of the list: processes, groups of processes, or both as a tree. */

/* Orders of lines. Numbers descend, except pids; pids, users and names ascend. */
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
	enum row_by by; /* BY_PROCESS: lines are processes; else groups of this kind */
	bool tree;	/* below each group are its processes */
	enum top_sort sort;
	bool reversed; /* the order of .sort is reversed */
	/* text that the name of a process or of its group has, in upper or lower case; "": any */
	char filter[TOP_FILTER_SIZE];
};

/* A line. Points into the list. */
struct top_line {
	const struct process_row *row; /* a process, or the sum of a group */
	const struct top_group *group; /* its group; NULL: there are no groups */
	bool below;		       /* the line is a process below its group */
};

/* The latest rows, and the lines made from them. Initially zero; freed by top_list_free(). */
struct top_list {
	struct top_summary summary;
	struct process_row *rows; /* summary.row_count rows, in the watcher's order */
	bool taken;		  /* rows were taken at least once */
	struct top_group *groups; /* groups and lines, made by top_list_arrange() */
	struct top_line *lines;
	size_t count, group_count; /* numbers of lines and groups */
};

/*
 * Copies the latest summary and rows. Drops the lines, until top_list_arrange() makes new ones.
 * Returns 0 or -ENOMEM, after which the list is unchanged.
 */
int top_list_take(struct top_list *list, const struct top_summary *summary,
		  const struct process_row *rows);
void top_list_free(struct top_list *list);

/* Makes the lines from the latest rows. If memory runs out, the list has no lines. */
void top_list_arrange(struct top_list *list, const struct top_choice *choice);

/* top_keys.c: keys of the tab of processes. */

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
	size_t first_panel;		 /* index of the first panel wanted on its page */
};

/* The list, or the page of a process, as it was last drawn. */
struct top_viewport {
	const struct top_list *list; /* not owned */
	size_t visible;		     /* number of visible lines of the list */
	/* page: number of panels, index of the first visible one, number of visible ones */
	size_t panels, first_panel, visible_panels;
};

/* Returns the index of the chosen line; 0: the first, or the chosen one is gone. */
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

/* top_list.c: the process whose page is open. If it ends, its last row and page are kept. */
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
