/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/top/top_list.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void drop_lines(struct top_list *list)
{
	free(list->groups);
	free(list->lines);
	list->groups = NULL;
	list->lines = NULL;
	list->count = list->group_count = 0;
}

int top_list_take(struct top_list *list, const struct top_summary *summary,
		  const struct process_row *rows)
{
	const size_t size = summary->row_count * sizeof(*rows);
	struct process_row *copy = malloc(size + 1);

	if (!copy)
		return -ENOMEM;
	memcpy(copy, rows, size);
	drop_lines(list); /* they point to the rows */
	free(list->rows);
	list->rows = copy;
	list->summary = *summary;
	list->taken = true;
	return 0;
}

void top_list_free(struct top_list *list)
{
	drop_lines(list);
	free(list->rows);
	*list = (struct top_list){.count = 0};
}

/* Order. */

static double number_of(const struct process_row *row, enum top_sort sort)
{
	const double numbers[] = {
		[TOP_SORT_READ] = row->reads.cxl.MBps,	[TOP_SORT_CXL] = row->memory.cxl,
		[TOP_SORT_DRAM] = row->memory.dram,	[TOP_SORT_P50] = row->reads.cxl.p50_ns,
		[TOP_SORT_P99] = row->reads.cxl.p99_ns,
	};

	return isnan(numbers[sort]) ? -1 : numbers[sort];
}

static const char *name_of(const struct top_line *line)
{
	return line->group && !line->below ? line->group->name : line->row->is.name;
}

/* Compares two lines. Above 0: b is before a. */
static int compare_by(const struct top_line *a, const struct top_line *b, enum top_sort sort)
{
	const struct process_row *x = a->row, *y = b->row;

	if (sort == TOP_SORT_USER)
		return strcmp(x->is.user, y->is.user);
	if (sort == TOP_SORT_NAME)
		return strcmp(name_of(a), name_of(b));
	if (sort == TOP_SORT_PID)
		return (x->is.pid > y->is.pid) - (x->is.pid < y->is.pid);
	const double first = number_of(x, sort), second = number_of(y, sort);
	return (first < second) - (first > second);
}

/* Compares two lines by several orders, the last of which is TOP_SORT_PID. */
static int compare_in_turn(const struct top_line *a, const struct top_line *b,
			   const enum top_sort *sorts)
{
	int order;

	do
		order = compare_by(a, b, *sorts);
	while (!order && *sorts++ != TOP_SORT_PID);
	return order;
}

int top_row_compare(const void *a, const void *b)
{
	static const enum top_sort sorts[] = {TOP_SORT_READ, TOP_SORT_CXL, TOP_SORT_PID};

	return compare_in_turn(&(struct top_line){a}, &(struct top_line){b}, sorts);
}

static int compare_lines(const void *a, const void *b, void *context)
{
	static const enum top_sort then[] = {TOP_SORT_READ, TOP_SORT_CXL, TOP_SORT_NAME,
					     TOP_SORT_PID};
	const struct top_choice *choice = context;
	const int order = compare_by(a, b, choice->sort);

	if (order)
		return choice->reversed ? -order : order;
	return compare_in_turn(a, b, then);
}

static void sort_lines(struct top_line *lines, size_t count, const struct top_choice *choice)
{
	if (count && choice->sort != TOP_SORTS)
		qsort_r(lines, count, sizeof(*lines), compare_lines, (void *)choice);
}

/* Lines. */

static bool is_wanted(const struct top_line *line, const char *filter)
{
	return !*filter || strcasestr(line->row->is.name, filter) ||
	       (line->group && strcasestr(line->group->name, filter));
}

/* Fills lines with the processes that match. Returns their number. */
static size_t fill_lines(struct top_list *list, const struct top_choice *choice,
			 struct top_line *lines)
{
	size_t count = 0;

	for (size_t i = 0; i < list->summary.row_count; i++) {
		struct top_line *line = &lines[count];

		*line = (struct top_line){.row = &list->rows[i], .below = choice->by != BY_PROCESS};
		if (line->below)
			line->group = top_group_of(list->groups, &list->group_count, line->row,
						   choice->by);
		count += line->below == (line->group != NULL) && is_wanted(line, choice->filter);
	}
	return count;
}

/* Adds groups of all processes that match, and in a tree their processes below them. */
static void put_groups(struct top_list *list, const struct top_line *processes, size_t count,
		       const struct top_choice *choice, struct top_line *groups)
{
	const bool known = list->summary.by == choice->by && !*choice->filter;
	size_t found = 0;

	for (size_t i = 0; i < count; i++) {
		struct top_group *group = &list->groups[processes[i].group - list->groups];

		top_group_add(group, processes[i].row);
		if (!known)
			group->sum.reads.cxl.p50_ns = group->sum.reads.cxl.p99_ns = NAN;
	}
	for (size_t g = 0; g < list->group_count; g++)
		if (list->groups[g].processes)
			groups[found++] = (struct top_line){.row = &list->groups[g].sum,
							    .group = &list->groups[g]};
	sort_lines(groups, found, choice);
	for (size_t g = 0; g < found; g++) {
		list->lines[list->count++] = groups[g];
		for (size_t i = 0; choice->tree && i < count; i++)
			if (processes[i].group == groups[g].group)
				list->lines[list->count++] = processes[i];
	}
}

void top_list_arrange(struct top_list *list, const struct top_choice *choice)
{
	const size_t most = list->summary.row_count;
	struct top_line *processes = calloc(2 * most + 1, sizeof(*processes));

	drop_lines(list);
	list->groups = choice->by == BY_PROCESS ? NULL : calloc(most + 1, sizeof(*list->groups));
	list->lines = calloc(2 * most + 1, sizeof(*list->lines));
	if (!processes || !list->lines || (choice->by != BY_PROCESS && !list->groups)) {
		free(processes);
		return;
	}
	const size_t count = fill_lines(list, choice, processes);
	sort_lines(processes, count, choice);
	if (choice->by == BY_PROCESS) {
		memcpy(list->lines, processes, count * sizeof(*processes));
		list->count = count;
	} else {
		put_groups(list, processes, count, choice, processes + most);
	}
	free(processes);
}
