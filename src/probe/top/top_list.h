/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of the list: processes, groups of processes, or both as a tree; their choice and order. */
#ifndef CXLMON_PROBE_TOP_TOP_LIST_H
#define CXLMON_PROBE_TOP_TOP_LIST_H

#include "probe/top/top.h"

/* top_groups.c: cgroups, containers, VMs and users, each with the sum of its processes. */

struct top_group {
	char name[PROCESS_CGROUP_SIZE];
	size_t processes;
	struct process_row sum; /* sum of rows: see top_group_add() */
};

/*
 * Returns the group of a process. If it is not among the *count groups, adds it: groups must have
 * room. NULL: the process has no group of this kind.
 */
struct top_group *top_group_of(struct top_group *groups, size_t *count,
			       const struct process_row *row, enum row_by by);

/*
 * Adds a row to a group, and counts it in .processes. These members of .sum are set; others stay
 * unknown or 0:
 * - .memory, .reads.share_pct, .reads.cxl.samples, and MBps of .reads.cxl and .reads.dram: sums
 * - .age_s: the highest age of the rows
 * - p50_ns and p99_ns of .reads.cxl: the row's .reads.group_p50_ns and .group_p99_ns, which
 *   top_group_latencies() has computed over the CXL reads of all rows in the group
 */
void top_group_add(struct top_group *group, const struct process_row *row);

/*
 * Sets top->summary.by to top->by. Unless it is BY_PROCESS, also sets .reads.group_p50_ns and
 * .group_p99_ns of all rows in groups. Returns 0 or -ENOMEM.
 */
int top_group_latencies(struct top *top);

/* top_list.c */

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
