/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/screen_model.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "metrics/important.h"
#include "platform/cxl.h"
#include "platform/cxl_link.h"
#include "platform/memory.h"
#include "table/spell.h"

/* Least duration of a step of graphs; shorter samples are averaged. */
#define MIN_STEP_NS (NS_PER_S / 10)

#define STEPS 3600 /* an hour of samples of 1 s */

#define SORTED_STEPS 10

/*
 * Sets what firmware reports for the device behind a port: the latency of its region's node, and
 * the device's share of the bandwidth.
 */
static void set_promise(struct panel *p, const struct table *table)
{
	const struct cxl_device *device = p->row->place.device;
	const struct memory_node *node =
		device && table->memory ? memory_layout_node(table->memory, device->node) : NULL;
	const struct cxl_region *region =
		node ? memory_layout_region(table->memory, device->name) : NULL;

	if (!region)
		return;
	p->promised_MBps = node->read_MBps / (region->ways ? region->ways : 1);
	p->promised_ns = node->read_ns;
}

/* Returns whether a row includes a port: the port's row, its socket's, or the system's. */
static bool has_port(const struct row *row, const struct row *port)
{
	if (row->place.kind == ROW_DEVICE)
		return port == row;
	if (row->place.kind == ROW_GROUP || row->place.kind == ROW_DOMAIN)
		return false;
	return place_is_of_port(&port->place) &&
	       (row->place.socket < 0 || port->place.socket == row->place.socket) &&
	       (row->place.port < 0 || port->place.port == row->place.port);
}

/* Returns whether a column of the table can have values in a row. */
static bool has_readings(const struct table *table, const struct row *row, size_t column)
{
	const struct metric *metric = table->columns[column].metric;

	if (metric->kind != METRIC_NUMBER || table->columns[column].never_known)
		return false;
	return row_can_have(row, metric);
}

static int make_panel(struct panels *panels, size_t index)
{
	const struct table *table = panels->table;
	const struct row *row = &table->rows[index];
	struct panel *p = &panels->all[index];
	char text[LOCATION_SIZE];

	p->row = row;
	p->series = &panels->series;
	p->index = index;
	p->short_flits = true;
	set_promise(p, table);
	snprintf(p->title, sizeof(p->title), "%.95s", location_title(row, text));
	for (size_t r = 0; r < table->row_count; r++) {
		const struct row *port = &table->rows[r];

		if (!has_port(row, port))
			continue;
		p->ports++;
		p->link_MBps +=
			port->place.device ? cxl_device_rate(port->place.device) / 1e6 : NAN;
		p->short_flits &=
			port->place.device && cxl_device_has_68_byte_flits(port->place.device);
	}
	for (size_t c = 0; c < table->column_count; c++)
		if (has_readings(table, row, c) &&
		    series_keep(&panels->series, index, 1, c, SERIES_STEPS))
			return -ENOMEM;
	return 0;
}

int panels_init(struct panels *panels, const struct table *table)
{
	*panels = (struct panels){
		.table = table,
		.all = calloc(table->row_count + 1, sizeof(*panels->all)),
		.pictures = calloc(table->column_count + 1, sizeof(*panels->pictures)),
		.troubles = calloc(table->column_count + 1, sizeof(*panels->troubles)),
	};
	if (series_init(&panels->series, table) || !panels->all || !panels->pictures ||
	    !panels->troubles)
		return -ENOMEM;
	series_set_steps(&panels->series, SERIES_FLOATS, STEPS, MIN_STEP_NS);
	panels_find_columns(panels);
	for (size_t c = 0; c < table->column_count; c++)
		panels->troubles[c] = important_is_trouble(table->columns[c].metric->name);
	panels->count = table->row_count;
	for (size_t r = 0; r < table->row_count; r++) {
		const struct row *row = &table->rows[r];

		if (make_panel(panels, r))
			return -ENOMEM;
		panels->sockets += row->place.kind == ROW_SOCKET;
		panels->ports += place_is_of_port(&row->place);
	}
	return 0;
}

void panels_free(struct panels *panels)
{
	series_free(&panels->series);
	free(panels->all);
	free(panels->pictures);
	free(panels->troubles);
	*panels = (struct panels){0};
}

void panels_update(struct panels *panels, const struct sample *sample, uint64_t interval_ns)
{
	const struct marks *marks = &panels->table->marks;
	const uint64_t step_ns = interval_ns > MIN_STEP_NS ? interval_ns : MIN_STEP_NS;
	/* the wall clock may be set back, or forward */
	const uint64_t since_ns = panels->wall_ns && sample->wall_ns > panels->wall_ns
					  ? sample->wall_ns - panels->wall_ns
					  : interval_ns;

	if (!panels->first_ns)
		panels->first_ns = sample->wall_ns;
	/* samples end microseconds early or late: half a sample is tolerated */
	panels->series.step_ns = step_ns > since_ns / 2 ? step_ns - since_ns / 2 : 0;
	series_add(&panels->series, sample->wall_ns, since_ns);
	panels->wall_ns = sample->wall_ns;
	for (size_t i = 0; i < marks->count; i++)
		panels->marks[panels->mark_count++ % PANELS_MARKS] = marks->items[i];
}

static const struct series_cell *cell_of(const struct panel *p, size_t column)
{
	return series_cell(p->series, p->index, column);
}

bool panel_knows(const struct panel *p, size_t column)
{
	return cell_of(p, column)->known > 0;
}

struct curve panel_curve(const struct panel *p, size_t column)
{
	const float *values = series_steps(p->series, cell_of(p, column));

	return (struct curve){values, values ? p->series->step_count : 0};
}

double panels_ago(const struct panels *panels, size_t back)
{
	const size_t count = panels->series.step_count;
	const uint64_t *ends = series_ends(&panels->series);

	return back < count ? (double)(ends[count - 1] - ends[count - 1 - back]) / NS_PER_S : 0;
}

double panel_value(const struct panel *p, size_t column, size_t back)
{
	if (back)
		return curve_at(panel_curve(p, column), back);
	return panel_knows(p, column) ? p->row->values[column].number : NAN;
}

const char *panels_group(const struct panels *panels, size_t n)
{
	const char *last = "";

	for (size_t c = 0; n && c < panels->table->column_count; c++) {
		const char *group = panels->table->columns[c].metric->group;

		if (strcmp(group, last) != 0 && !--n)
			return group;
		last = group;
	}
	return NULL;
}

enum scope panels_next_scope(const struct panels *panels, enum scope scope)
{
	for (unsigned step = 1; step <= SCOPE_COUNT; step++)
		for (size_t i = 0; i < panels->count; i++)
			if (row_scope(panels->all[i].row) == (scope + step) % SCOPE_COUNT)
				return (scope + step) % SCOPE_COUNT;
	return scope;
}

static bool scope_knows(const struct panels *panels, enum scope scope, const char *group)
{
	for (size_t i = 0; i < panels->count; i++)
		for (size_t c = 0; c < panels->table->column_count; c++)
			if (row_scope(panels->all[i].row) == scope &&
			    !strcmp(panels->table->columns[c].metric->group, group) &&
			    panel_knows(&panels->all[i], c))
				return true;
	return false;
}

enum scope panels_scope_with(const struct panels *panels, enum scope scope, size_t n)
{
	const char *group = panels_group(panels, n);

	for (enum scope with = scope; group && with < SCOPE_COUNT; with++)
		if (scope_knows(panels, with, group))
			return with;
	return scope;
}

/*
 * Returns the traffic of the graph's last steps, so that panels do not change places with every
 * sample. -1: unknown.
 */
static double panel_traffic(const struct panels *panels, const struct panel *p)
{
	const size_t columns[] = {panels->cxl_read, panels->cxl_write};
	double sum = -1;

	for (unsigned i = 0; i < 2; i++) {
		const double mean = columns[i] == SIZE_MAX
					    ? NAN
					    : curve_mean(panel_curve(p, columns[i]), SORTED_STEPS);

		if (!isnan(mean))
			sum = fmax(sum, 0) + mean;
	}
	return sum;
}

size_t panels_choose(const struct panels *panels, enum scope scope, bool by_traffic,
		     const struct panel **out)
{
	size_t count = 0;

	for (size_t i = 0; i < panels->count; i++) {
		const struct panel *p = &panels->all[i];
		size_t at = count;

		if (row_scope(p->row) != scope)
			continue;
		/* insertion sort: there are few panels, and it is stable */
		for (; by_traffic && at &&
		       panel_traffic(panels, out[at - 1]) < panel_traffic(panels, p);
		     at--)
			out[at] = out[at - 1];
		out[at] = p;
		count++;
	}
	return count;
}

size_t panels_fold_idle(const struct panels *panels, const struct panel **chosen, size_t count)
{
	size_t busy = 0;

	for (size_t i = 0; i < count; i++) {
		const struct panel *p = chosen[i];

		if (panel_traffic(panels, p) == 0)
			continue;
		memmove(&chosen[busy + 1], &chosen[busy], (i - busy) * sizeof(*chosen));
		chosen[busy++] = p;
	}
	return busy;
}
