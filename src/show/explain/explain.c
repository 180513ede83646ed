/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/explain/explain_private.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define BUSY_PART 0.9 /* of the highest traffic: what the header promises */

int explain_init(struct explain *explain, const struct view *view,
		 const struct recording_info *info)
{
	const size_t rows = view_metric_rows(view), cells = rows * view->column_count;

	*explain = (struct explain){
		.view = view,
		.info = info,
		.rows = calloc(rows + 1, sizeof(*explain->rows)),
		.cells = calloc(cells + 1, sizeof(*explain->cells)),
		.marks = calloc(MARK_KINDS, sizeof(*explain->marks)),
		.read = view_find_column(view, "cxl_mem_read_MBps"),
		.write = view_find_column(view, "cxl_mem_write_MBps"),
		.hot = {.hot_cxl_GiB = NAN, .colder_dram_GiB = NAN, .unseen_dram_GiB = NAN},
	};
	if (!explain->rows || !explain->cells || !explain->marks)
		return -ENOMEM;
	for (size_t i = 0; i < cells; i++)
		explain->cells[i].least = explain->cells[i].last = NAN;
	return 0;
}

void explain_free(struct explain *explain)
{
	free(explain->rows);
	free(explain->cells);
	free(explain->marks);
	*explain = (struct explain){.rows = NULL};
}

/* Quotients are weighted by their divisors, all else by time: see struct value. */
static void add(struct mean *mean, const struct value *value)
{
	const double weight = value->weight > 0 ? value->weight : value->seconds;

	if (!(weight > 0) || !isfinite(value->number))
		return;
	mean->sum += value->number * weight;
	mean->weight += weight;
}

static double number_in(const struct row *row, size_t column)
{
	const double number = column == SIZE_MAX ? NAN : row->values[column].number;

	return isfinite(number) ? number : 0;
}

/*
 * Whether this sample is a busy one of the row. The highest traffic is not known before the end:
 * where it rises, the samples so far are dropped if one of them is too low for it.
 */
static bool is_busy(struct explain *e, size_t r)
{
	const struct row *row = &e->view->rows[r];
	const double traffic = number_in(row, e->read) + number_in(row, e->write);
	struct explained_row *of = &e->rows[r];

	if (traffic > of->most)
		of->most = traffic;
	if (of->least < BUSY_PART * of->most) {
		for (size_t c = 0; c < e->view->column_count; c++)
			e->cells[r * e->view->column_count + c].busy = (struct mean){0};
		of->least = of->most;
	}
	if (traffic < BUSY_PART * of->most)
		return false;
	of->least = fmin(of->least, traffic);
	return true;
}

/* What devices say of their health, a rule of its own quotes. */
static void add_marks(struct explain *e, const struct marks *marks)
{
	for (size_t i = 0; i < marks->count; i++) {
		struct explained_mark *of = &e->marks[marks->items[i].kind];

		if (marks->items[i].kind != MARK_HEALTH && !of->count++)
			mark_line(&marks->items[i], of->first);
	}
}

/* Page faults are no reads. */
static void add_hot(struct explained_hot *of, const struct hot_report *hot)
{
	if (!hot || hot->event->no_loads)
		return;
	for (size_t m = 0; m < 2; m++) {
		of->events[m] += (double)hot_row_events(hot->all, hot->time, (enum hot_memory)m);
		of->counted_MB[m] += hot->counted_MB[m];
	}
	of->counts = hot->event->counts;
	if (isnan(hot->colder_dram_GiB))
		return;
	of->colder_dram_GiB = hot->colder_dram_GiB;
	of->unseen_dram_GiB = hot->unseen_dram_GiB;
	of->hot_cxl_GiB = hot->hot_cxl_GiB;
}

void explain_add(struct explain *e, const struct sample *sample)
{
	const size_t columns = e->view->column_count;

	for (size_t r = 0; r < view_metric_rows(e->view); r++) {
		const bool busy = is_busy(e, r);

		for (size_t c = 0; c < columns; c++) {
			const struct value *value = &e->view->rows[r].values[c];
			struct explained_cell *cell = &e->cells[r * columns + c];

			add(&cell->whole, value);
			if (busy)
				add(&cell->busy, value);
			cell->least = fmin(cell->least, value->number);
			cell->last = isfinite(value->number) ? value->number : cell->last;
		}
	}
	add_marks(e, &e->view->marks);
	add_hot(&e->hot, e->view->hot);
	if (!e->samples++)
		e->first_ns = sample->wall_ns;
	e->last_ns = sample->wall_ns;
}

/* A recording may have any numbers: a sum that is none is not known. */
static double mean_of(const struct mean *mean)
{
	const double number = mean->weight > 0 ? mean->sum / mean->weight : NAN;

	return isfinite(number) ? number : NAN;
}

struct explained explain_cell(const struct explain *e, const struct row *row, const char *metric)
{
	const size_t column = view_find_column(e->view, metric);

	if (column == SIZE_MAX)
		return (struct explained){NAN, NAN, NAN, NAN};
	const size_t r = (size_t)(row - e->view->rows);
	const struct explained_cell *cell = &e->cells[r * e->view->column_count + column];
	return (struct explained){mean_of(&cell->whole), mean_of(&cell->busy), cell->least,
				  cell->last};
}

const struct row *explain_socket_row(const struct explain *e, int socket)
{
	const size_t rows = view_metric_rows(e->view);

	for (size_t r = 0; r < rows; r++)
		if (e->view->rows[r].scope == SCOPE_SOCKET && e->view->rows[r].socket == socket)
			return &e->view->rows[r];
	return rows ? &e->view->rows[rows - 1] : NULL;
}

double explain_busy(const struct explain *e, const struct row *row, const char *metric)
{
	const double own = explain_cell(e, row, metric).busy;
	const struct row *socket = explain_socket_row(e, row->socket);

	return isnan(own) && socket ? explain_cell(e, socket, metric).busy : own;
}
