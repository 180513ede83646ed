/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures of a sample: cells of the table, and figures derived from several cells. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "platform/cxl_link.h"
#include "show/explain/explain_private.h"

static double value_of(const struct row *row, size_t column)
{
	return column == SIZE_MAX ? NAN : row->values[column].number;
}

/* Returns whether a row is a port of the socket that may have a device. */
static bool is_used_port(const struct explain *e, const struct row *socket, const struct row *row)
{
	const double traffic = fmax(value_of(row, e->read), value_of(row, e->write));

	return place_is_of_port(&row->place) && row->place.socket == socket->place.socket &&
	       (explain_device(e, row) || !(traffic == 0));
}

/*
 * Returns the highest figure of a socket's ports; NAN: unknown for one of them, or there is no
 * port.
 */
static double highest_figure(const struct explain *e, const struct derived *derived,
			     const struct row *socket)
{
	double most = NAN;

	if (e->lacks_ports)
		return NAN;
	for (size_t r = 0; r < table_metric_rows(e->table); r++) {
		const struct row *row = &e->table->rows[r];

		if (!is_used_port(e, socket, row))
			continue;
		const double of_port = derived->number(e, row);
		if (isnan(of_port))
			return NAN;
		most = fmax(most, of_port);
	}
	return most;
}

static double port_share(const struct explain *e, const struct row *port)
{
	const double read = value_of(port, e->link_read), write = value_of(port, e->link_write);

	return read + write >= 0 ? fmax(read, write) : NAN;
}

bool explain_has_68_byte_flits(const struct explain *e, const struct row *port)
{
	const struct cxl_device *device = explain_device(e, port);

	return device && cxl_device_has_68_byte_flits(device);
}

static double port_use(const struct explain *e, const struct row *port)
{
	return explain_has_68_byte_flits(e, port)
		       ? 100 * cxl_link_fullest(cxl_link_use(value_of(port, e->link_read) / 100,
							     value_of(port, e->link_write) / 100))
		       : NAN;
}

static double port_full(const struct explain *e, const struct row *port)
{
	return fmax(value_of(port, e->data_full), value_of(port, e->req_full));
}

static const char *read_source(const struct explain *e, const struct row *row)
{
	return e->read == SIZE_MAX ? "" : row->values[e->read].text;
}

static double is_estimate(const struct explain *e, const struct row *row)
{
	return strcmp(read_source(e, row), "m2s_req") ? 0 : 100;
}

static double is_scaled(const struct explain *e, const struct row *row)
{
	return e->latency < SIZE_MAX && row->values[e->latency].scaled ? 100 : 0;
}

static const struct derived derived_figures[] = {
	/* percent of the raw rate, in one direction */
	{"links_share_pct", "link_read_pct", port_share, true, NULL},
	/* percent of the link's capacity */
	{"links_used_pct", "link_read_pct", port_use, true, UNKNOWN_FLITS},
	{"buffers_full_pct", "rx_mem_data_full_pct", port_full, true, NULL},
	/* percent of the time in which reads are counted as requests, an upper estimate */
	{"estimated_pct", "cxl_mem_read_MBps", is_estimate, false, NULL},
	/* percent of the time in which the latency is of multiplexed events, or of few reads */
	{"scaled_latency_pct", "cxl_read_latency_ns", is_scaled, false, NULL},
	{.name = NULL},
};

const struct derived *explain_find_derived(const char *name)
{
	for (const struct derived *d = derived_figures; d->name; d++)
		if (!strcmp(d->name, name))
			return d;
	return NULL;
}

static const struct figure unknown_figure = {.number = NAN};

/*
 * Returns a cell's figure. A latency that may be too high is unknown: it would be a finding for any
 * device with few reads.
 */
static struct figure figure_of(const struct value *value)
{
	return isnan(value->number) || value->raised
		       ? unknown_figure
		       : (struct figure){.number = value->number, .cell = value};
}

/* Makes a derived figure, which weighs the same in each sample unless its time is given. */
static struct figure derived_figure(double number, double ns)
{
	return isfinite(number) ? (struct figure){.number = number, .ns = ns} : unknown_figure;
}

struct figure explain_row_figure(const struct explain *e, const struct explained_rule *kept,
				 size_t f, const struct row *row)
{
	const size_t column = kept->columns[f];
	const struct derived *derived = kept->derived[f];

	if (derived)
		return derived_figure(derived->of_fullest_port ? highest_figure(e, derived, row)
							       : derived->number(e, row),
				      NS_PER_S);
	if (column == SIZE_MAX)
		return unknown_figure;
	if (row->place.kind != ROW_NODE && !row_can_have(row, e->table->columns[column].metric))
		row = explain_socket_row(e, row->place.socket);
	return figure_of(&row->values[column]);
}

static const struct row *row_of_device(const struct explain *e, const char *name)
{
	for (size_t r = 0; r < table_metric_rows(e->table); r++)
		if (e->table->rows[r].place.kind != ROW_NODE &&
		    !strcmp(e->table->rows[r].place.memdev, name))
			return &e->table->rows[r];
	return NULL;
}

static bool counts_writes(const struct explain *e, const struct row *row)
{
	return e->write != SIZE_MAX && isfinite(row->values[e->write].number);
}

void explain_region_figures(const struct explain *e, const struct cxl_region *region,
			    struct figure out[FIGURES_MOST])
{
	const struct row *first = row_of_device(e, region->devices[0]);

	for (size_t i = 0; i < region->device_count; i++) {
		const struct row *row = row_of_device(e, region->devices[i]);

		out[i] = unknown_figure;
		if (!row || !first || e->read == SIZE_MAX ||
		    counts_writes(e, row) != counts_writes(e, first) ||
		    strcmp(read_source(e, row), read_source(e, first)) != 0)
			continue;
		const struct value *read = &row->values[e->read];
		const double written = counts_writes(e, row) ? row->values[e->write].number : 0;
		out[i] = derived_figure(read->number + written, read->seconds * NS_PER_S);
	}
}
