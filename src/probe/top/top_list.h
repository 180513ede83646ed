/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of the list: processes, groups of processes, or both as a tree; their choice and order. */
#ifndef CXLMON_PROBE_TOP_TOP_LIST_H
#define CXLMON_PROBE_TOP_TOP_LIST_H

#include "probe/top/top_groups.h"

/*
 * Orders of lines. Numbers descend, an unknown number is least; pids, users and names ascend. If
 * lines are equal in this, then reads, CXL memory, name and pid decide, one after another.
 * TOP_SORTS: the order of rows, see top_row_compare().
 */
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
	/*
	 * text that a process's name, or its group's name, contains; upper and lower case are the
	 * same. "": any name
	 */
	char filter[TOP_FILTER_SIZE];
};

/*
 * Compares two struct process_row by reads from CXL memory, then by CXL memory, then by pid, for
 * qsort(): the order of rows.
 */
int top_row_compare(const void *a, const void *b);

/* A line. Points into the list. */
struct top_line {
	const struct process_row *row; /* a process, or the sum of a group */
	const struct top_group *group; /* group of this line; NULL: a line is a process */
	bool below;		       /* the line is a process below its group */
};

/* The latest rows, and the lines made from them. Initially zero; freed by top_list_free(). */
struct top_list {
	struct top_summary summary;
	struct process_row *rows; /* summary.row_count rows, by top_row_compare() */
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

#endif
