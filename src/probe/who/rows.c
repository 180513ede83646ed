/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/who/who_private.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static void free_row(struct process_row *row)
{
	free(row->key);
	free(row->node_growth);
	free(row->dax);
	free(row->threads.at);
}

void who_rows_free(struct who_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free_row(&rows->at[i]);
	free(rows->at);
	*rows = (struct who_rows){.count = 0};
}

struct process_row *who_rows_add(struct who_rows *rows, const struct who_nodes *nodes,
				 const char *key, const char *name)
{
	const size_t size = strlen(key) + 1;
	struct process_row row = process_row_unknown;

	row.key = malloc(size + strlen(name) + 1); /* has both */
	row.node_growth = calloc(who_nodes_shown(nodes), sizeof(*row.node_growth));
	row.dax = calloc(nodes->dax_count + 1, sizeof(*row.dax));
	row.memory.cxl = row.memory.dram = 0;
	if (!row.key || !row.node_growth || !row.dax ||
	    array_room(&rows->at, rows->count, 1, sizeof(row))) {
		free_row(&row);
		return NULL;
	}
	memcpy(row.key, key, size);
	row.name = strcpy(row.key + size, name);
	rows->at[rows->count] = row;
	return &rows->at[rows->count++];
}

void who_row_set_memory(struct process_row *row, const struct who_nodes *nodes,
			const uint64_t bytes[NUMA_NODES_MOST])
{
	struct process_memory *memory = &row->memory;

	for (size_t n = 0; n < nodes->numa.count; n++)
		memory->cxl += (double)bytes[nodes->numa.numbers[n]];
	for (size_t n = 0; n < who_nodes_shown(nodes); n++)
		memory->bytes[n] = bytes[nodes->numa.numbers[n]];
	for (size_t i = 0; i < NUMA_NODES_MOST; i++)
		memory->dram += (double)bytes[i];
	memory->dram -= memory->cxl;
}

static void add_bytes(uint64_t *sum, uint64_t bytes)
{
	if (__builtin_add_overflow(*sum, bytes, sum))
		*sum = UINT64_MAX;
}

void who_row_set_dax(struct process_row *row, const struct who_nodes *nodes, const uint64_t *mapped)
{
	for (size_t i = 0; i < nodes->dax_count; i++) {
		row->dax[i] = mapped[i];
		add_bytes(&row->dax_sum, mapped[i]);
	}
}

void who_row_add(struct process_row *row, const struct who_nodes *nodes,
		 const struct process_row *other)
{
	add_bytes(&row->dax_sum, other->dax_sum);
	for (size_t i = 0; i < nodes->dax_count; i++)
		add_bytes(&row->dax[i], other->dax[i]);
	row->memory.cxl += other->memory.cxl;
	row->memory.dram += other->memory.dram;
	row->memory.partial |= other->memory.partial;
	for (size_t n = 0; n < who_nodes_shown(nodes); n++)
		row->memory.bytes[n] += other->memory.bytes[n];
}

int who_rows_add_users(struct who_watch *watch)
{
	struct who_scan *scan = &watch->scan;
	char key[16];

	for (size_t i = 0; i < scan->processes.count; i++) {
		const struct process_row *process = &scan->processes.at[i];

		snprintf(key, sizeof(key), "%u", (unsigned)process->is.uid);
		struct process_row *group =
			who_rows_add(&scan->groups, watch->nodes, key, process->is.user);
		if (!group)
			return -ENOMEM;
		who_row_add(group, watch->nodes, process);
	}
	return 0;
}

static int by_key(const void *a, const void *b)
{
	const struct process_row *x = a, *y = b;

	return strcmp(x->key, y->key);
}

static int by_bytes(const void *a, const void *b)
{
	const struct process_row *x = a, *y = b;

	if (x->memory.cxl != y->memory.cxl)
		return x->memory.cxl < y->memory.cxl ? 1 : -1;
	if (x->dax_sum != y->dax_sum)
		return x->dax_sum < y->dax_sum ? 1 : -1;
	return by_key(a, b);
}

static int by_pid(const void *a, const void *b)
{
	const struct process_row *x = a, *y = b;

	return (x->is.pid > y->is.pid) - (x->is.pid < y->is.pid);
}

static void sort_rows(struct who_rows *rows, int (*compare)(const void *, const void *))
{
	if (rows->count)
		qsort(rows->at, rows->count, sizeof(*rows->at), compare);
}

static const struct process_row *find_row(const struct who_rows *rows,
					  const struct process_row *like,
					  int (*compare)(const void *, const void *))
{
	return rows->count ? bsearch(like, rows->at, rows->count, sizeof(*like), compare) : NULL;
}

void who_rows_sort(struct who_rows *rows)
{
	sort_rows(rows, by_key);
}

void who_rows_sort_by_bytes(struct who_rows *rows)
{
	sort_rows(rows, by_bytes);
}

const struct process_row *who_rows_find(const struct who_rows *rows, char *key)
{
	return find_row(rows, &(struct process_row){.key = key}, by_key);
}

const struct process_row *who_rows_find_process(const struct who_rows *rows, unsigned pid)
{
	return find_row(rows, &(struct process_row){.is.pid = pid}, by_pid);
}

/* Merges rows of the same key, which are sorted by key. */
static void merge_same(struct who_rows *rows, const struct who_nodes *nodes)
{
	size_t kept = 0;

	for (size_t i = 0; i < rows->count; i++) {
		if (kept && !by_key(&rows->at[kept - 1], &rows->at[i])) {
			who_row_add(&rows->at[kept - 1], nodes, &rows->at[i]);
			free_row(&rows->at[i]);
		} else {
			rows->at[kept++] = rows->at[i];
		}
	}
	rows->count = kept;
}

static bool saw_all(const struct who_scan *scan)
{
	return scan->taken && !(scan->refused + scan->unclear + scan->late + scan->beyond);
}

/*
 * Tells if a row's growth can be computed. Processes that a scan left out change the sums of groups
 * of processes, but not a single process or cgroup. A row missing in a complete scan had no memory
 * then.
 */
static bool can_compare(const struct who_watch *watch, bool sums, const struct process_row *before,
			const struct process_row *row)
{
	if (row->memory.partial || (before && before->memory.partial))
		return false;
	if (sums)
		return saw_all(&watch->previous) && saw_all(&watch->scan);
	return before ? watch->previous.taken : saw_all(&watch->previous);
}

/* Returns the increase of a count; NAN: unknown, or the count was reset. */
static double increase_of(double before, double now)
{
	return now >= before ? now - before : NAN;
}

static void compare_with(const struct who_watch *watch, bool sums, const struct process_row *before,
			 struct process_row *row)
{
	const bool known = can_compare(watch, sums, before, row);
	struct row_counted *counted = &row->counted;

	if (sums && before) {
		const struct row_counted *then = &before->counted;

		counted->read_MBps = increase_of(then->read_bytes, counted->read_bytes) / 1e6 /
				     watch->scan.interval_s;
		counted->stalled_pct = 100 *
				       increase_of(then->stalled_cycles, counted->stalled_cycles) /
				       increase_of(then->cycles, counted->cycles);
	}
	row->growth = known ? row->memory.cxl - (before ? before->memory.cxl : 0) : NAN;
	for (size_t n = 0; n < who_nodes_shown(watch->nodes); n++)
		row->node_growth[n] = known ? (double)row->memory.bytes[n] -
						      (before ? (double)before->memory.bytes[n] : 0)
					    : NAN;
}

void who_rows_compare(const struct who_watch *watch, struct who_rows *rows,
		      const struct who_rows *previous)
{
	const bool groups = rows == &watch->scan.groups;
	const bool sums = groups && !row_by_cgroups(watch->by);
	const bool all = groups && watch->by == BY_RESCTRL;
	size_t kept = 0;

	sort_rows(rows, by_key);
	merge_same(rows, watch->nodes);
	for (size_t i = 0; i < rows->count; i++) {
		struct process_row *row = &rows->at[i];
		const struct process_row *before = find_row(previous, row, by_key);

		if (!all && row->memory.cxl == 0 && !row->dax_sum &&
		    !(before && before->memory.cxl > 0)) {
			free_row(row);
			continue;
		}
		compare_with(watch, sums, before, row);
		rows->at[kept++] = *row;
	}
	rows->count = kept;
}
