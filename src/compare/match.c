/* SPDX-License-Identifier: BSD-3-Clause */
#include "compare/comparison.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int make_match(struct match *match, size_t count)
{
	*match = (struct match){.of = malloc((count + 1) * sizeof(*match->of)), .count = count};
	for (size_t i = 0; match->of && i < count; i++)
		match->of[i] = NO_MATCH;
	return match->of ? 0 : -ENOMEM;
}

static void join(struct match sides[2], size_t a, size_t b)
{
	sides[0].of[a] = b;
	sides[1].of[b] = a;
}

/* A text that may be NULL, which is less than any other. */
static int compare_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_number(int a, int b)
{
	return (a > b) - (a < b);
}

static bool same_column(const struct metric *a, const struct metric *b)
{
	return a->kind == METRIC_NUMBER && b->kind == METRIC_NUMBER && !strcmp(a->name, b->name) &&
	       !compare_text(a->unit, b->unit);
}

static void match_columns(const struct view *a, const struct view *b, struct match sides[2])
{
	for (size_t i = 0; i < a->column_count; i++)
		for (size_t j = 0; j < b->column_count && sides[0].of[i] == NO_MATCH; j++)
			if (sides[1].of[j] == NO_MATCH && same_column(a->columns[i], b->columns[j]))
				join(sides, i, j);
}

static const char *pmu_type_name(const struct row *row)
{
	return row->unit && !row->summed ? row->unit->pmu_type->name : NULL;
}

static int pmu_type_number(const struct row *row)
{
	return row->unit && !row->summed ? (int)row->unit->id : -1;
}

/* Of a row of a node: that of a port's device says only where its memory was. */
static int node_number(const struct row *row)
{
	return row->of_node ? row->node : -1;
}

/* A row of a device has no other number: devices change places between runs. */
static const char *device_name(const struct row *row)
{
	return row_is_device(row) ? row_device_name(row) : NULL;
}

/* Whether two rows are about the same; in any order else. */
static int compare_rows(const struct row *a, const struct row *b)
{
	int order =
		compare_text(a->event ? a->event->name : NULL, b->event ? b->event->name : NULL);

	order = order ? order : compare_number((int)a->scope, (int)b->scope);
	order = order ? order : compare_text(a->port_name, b->port_name);
	order = order ? order : compare_number(a->socket, b->socket);
	order = order ? order : compare_number(a->port, b->port);
	order = order ? order : compare_number(a->cpu, b->cpu);
	order = order ? order : compare_number(node_number(a), node_number(b));
	order = order ? order : compare_text(device_name(a), device_name(b));
	order = order ? order : compare_number(a->summed, b->summed);
	order = order ? order : compare_text(pmu_type_name(a), pmu_type_name(b));
	return order ? order : compare_number(pmu_type_number(a), pmu_type_number(b));
}

/* Rows alike stay in their order. */
static int compare_places(const void *a, const void *b)
{
	const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;
	const int order = compare_rows(x, y);

	return order ? order : (x > y) - (x < y);
}

static const struct row **sort_rows(const struct view *view)
{
	const struct row **rows = malloc((view->row_count + 1) * sizeof(*rows));

	for (size_t i = 0; rows && i < view->row_count; i++)
		rows[i] = &view->rows[i];
	if (rows)
		qsort(rows, view->row_count, sizeof(*rows), compare_places);
	return rows;
}

static int match_rows(const struct view *a, const struct view *b, struct match sides[2])
{
	const struct row **first = sort_rows(a), **second = sort_rows(b);
	const int rc = first && second ? 0 : -ENOMEM;

	for (size_t i = 0, j = 0; !rc && i < a->row_count && j < b->row_count;) {
		const int order = compare_rows(first[i], second[j]);

		if (!order)
			join(sides, (size_t)(first[i] - a->rows), (size_t)(second[j] - b->rows));
		i += order <= 0;
		j += order >= 0;
	}
	free(first);
	free(second);
	return rc;
}

int matches_make(const struct view *a, const struct view *b, struct matches *out)
{
	*out = (struct matches){.rows = {{.count = 0}}};
	if (make_match(&out->columns[0], a->column_count) ||
	    make_match(&out->columns[1], b->column_count) ||
	    make_match(&out->rows[0], a->row_count) || make_match(&out->rows[1], b->row_count))
		return -ENOMEM;
	match_columns(a, b, out->columns);
	return match_rows(a, b, out->rows);
}

void matches_free(struct matches *matches)
{
	for (unsigned side = 0; side < 2; side++) {
		free(matches->columns[side].of);
		free(matches->rows[side].of);
	}
}
