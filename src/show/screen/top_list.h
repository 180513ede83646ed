/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of processes: its rows, its keys, and the process whose page is open. */
#ifndef CXLMON_SHOW_SCREEN_TOP_LIST_H
#define CXLMON_SHOW_SCREEN_TOP_LIST_H

#include "probe/top/top_groups.h"
#include "probe/top/top_watcher.h"

/* top_list.c: rows are processes, or groups of them, which may have their processes below */

/* What rows are sorted by, the largest first, but for names and pids. */
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

/* How the rows are shown. */
struct top_choice {
	enum top_by by;
	bool tree; /* groups have their processes below */
	enum top_sort sort;
	bool reversed;		      /* the smallest first, and names from the end */
	char filter[TOP_FILTER_SIZE]; /* a part of names; "": all */
};

struct top_line {
	const struct top_row *row;     /* a process, or the sum of a group */
	const struct top_group *group; /* NULL: rows are of processes alone */
	bool below;		       /* it is a process below its group */
};

struct top_list {
	struct top_summary summary;
	struct top_row *rows; /* summary.row_count, as they came */
	bool taken;	      /* there are some */
	/* made by top_list_arrange() */
	struct top_group *groups;
	struct top_line *lines;
	size_t count, group_count; /* of lines, and groups */
};

/* 0 or -ENOMEM, then it is as before. Freed by top_list_free(). */
int top_list_take(struct top_list *list, const struct top_summary *summary,
		  const struct top_row *rows);
void top_list_free(struct top_list *list);

/* Makes the lines of the last rows that were taken. Where memory is short, there are none. */
void top_list_arrange(struct top_list *list, const struct top_choice *choice);

/* top_keys.c: the keys that other pages do not have */

/* What was chosen and how it is shown. Initially {0}. */
struct top_state {
	struct top_choice choice;
	bool filtering; /* what is typed is the filter */
	/* the line that is chosen, wherever it is; none: the first */
	unsigned pid;
	uint64_t started;
	char group[PROCESS_CGROUP_SIZE]; /* unless it is a process */
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

/* top_list.c: the process whose page is open; it stays as it was at last when it has ended */

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
