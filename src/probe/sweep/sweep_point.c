/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/sweep/sweep_point.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"

static const struct curve_point unknown_point = {NAN, NAN};

static double value_of(const struct table *table, const struct row *row, const char *metric)
{
	const size_t c = table_find(table, metric);

	return c < table->column_count ? row->values[c].number : NAN;
}

static double of_socket(const struct table *table, int socket, const char *metric)
{
	for (size_t r = 0; r < table_metric_rows(table); r++)
		if (table->rows[r].place.kind == ROW_SOCKET &&
		    table->rows[r].place.socket == socket)
			return value_of(table, &table->rows[r], metric);
	return NAN;
}

static bool has_port(const struct table *table, int node)
{
	for (size_t r = 0; r < table_metric_rows(table); r++)
		if (place_is_of_port(&table->rows[r].place) && table->rows[r].place.node == node)
			return true;
	return false;
}

bool sweep_is_cxl(const struct table *table, const struct memory_layout *layout, int node)
{
	return memory_layout_has_region(layout, node) || has_port(table, node);
}

struct sweep_counted sweep_counted(const struct table *table, const struct memory_layout *layout,
				   const struct sweep_point *point)
{
	const bool cxl = sweep_is_cxl(table, layout, point->node);
	const double none = has_port(table, point->node) ? 0 : NAN;
	struct sweep_counted sum = {.read_MBps = none, .write_MBps = none};

	for (size_t r = 0; r < table_metric_rows(table); r++) {
		const struct row *row = &table->rows[r];

		if (!place_is_of_port(&row->place) || row->place.node != point->node)
			continue;
		sum.read_MBps += value_of(table, row, "cxl_mem_read_MBps");
		sum.write_MBps += value_of(table, row, "cxl_mem_write_MBps");
	}
	if (!cxl) {
		sum.read_MBps = of_socket(table, point->socket, "dram_read_MBps");
		sum.write_MBps = of_socket(table, point->socket, "dram_write_MBps");
	}
	sum.latency_ns = of_socket(table, point->socket,
				   cxl ? "cxl_read_latency_ns" : "ddr_local_read_latency_ns");
	return sum;
}

int sweep_points_add(struct sweep_points *all, const struct sweep_point *point)
{
	if (array_room(&all->points, all->count, 1, sizeof(*all->points)))
		return -ENOMEM;
	all->points[all->count++] = *point;
	return 0;
}

void sweep_points_free(struct sweep_points *all)
{
	free(all->points);
	*all = (struct sweep_points){.count = 0};
}

size_t sweep_mix_end(const struct sweep_points *all, size_t first)
{
	const struct sweep_point *p = &all->points[first];
	size_t i = first;

	while (i < all->count && all->points[i].node == p->node &&
	       all->points[i].read_share == p->read_share)
		i++;
	return i;
}

struct curve_point sweep_curve_point(const struct sweep_points *all, size_t point,
				     enum measured_by by)
{
	const struct sweep_point *p = &all->points[point];

	return by == BY_CHASE ? (struct curve_point){p->read_MBps + p->write_MBps, p->chase_ns}
			      : (struct curve_point){p->counted.read_MBps + p->counted.write_MBps,
						     p->counted.latency_ns};
}

/* Returns the point at which the line from one point to a higher one reaches a latency. */
static struct curve_point point_between(const struct curve_point *low,
					const struct curve_point *high, double ns)
{
	const double part = (ns - low->ns) / (high->ns - low->ns);

	return (struct curve_point){low->MBps + part * (high->MBps - low->MBps), ns};
}

/* Follows latencies after the one without load; a step below the double latency ends a knee. */
static void follow_knee(struct curve *curve, const struct curve_point *before,
			const struct curve_point *p)
{
	const double doubled = KNEE_FACTOR * curve->unloaded_ns;

	if (!(p->ns >= doubled))
		curve->knee = unknown_point;
	else if (before->ns < doubled)
		curve->knee = point_between(before, p, doubled);
}

struct curve sweep_curve(const struct sweep_points *all, size_t first, size_t end,
			 enum measured_by by)
{
	struct curve curve = {NAN, unknown_point, unknown_point, unknown_point, false};
	struct curve_point before = unknown_point;

	for (size_t i = first; i < end; i++) {
		const struct curve_point p = sweep_curve_point(all, i, by);
		const double asked = all->points[i].asked_MBps;

		if (isnan(p.MBps))
			continue;
		curve.complete |= isnan(asked);
		if (!(p.MBps <= curve.most.MBps))
			curve.most = p;
		if (isnan(p.ns))
			continue;
		if (!(p.ns <= curve.slowest.ns))
			curve.slowest = p;
		if (isnan(curve.unloaded_ns) && asked == 0)
			curve.unloaded_ns = p.ns;
		follow_knee(&curve, &before, &p);
		before = p;
	}
	return curve;
}

static struct sweep_point code_point(struct coder *c, struct sweep_point p)
{
	p.node = code_index(c, p.node);
	p.socket = code_index(c, p.socket);
	p.read_share = code_number(c, p.read_share);
	p.asked_MBps = code_number(c, p.asked_MBps);
	p.read_MBps = code_number(c, p.read_MBps);
	p.write_MBps = code_number(c, p.write_MBps);
	p.chase_ns = code_number(c, p.chase_ns);
	p.start_ns = code_varint(c, p.start_ns);
	p.end_ns = code_varint(c, p.end_ns);
	return p;
}

static void encode_points(struct coder *c, const void *content)
{
	code_point(c, *(const struct sweep_point *)content);
}

/*
 * Tells if a number of a recording is out of range; NAN is not. Values (MB/s, or ns) beyond any
 * machine would not fit on an axis.
 */
static bool is_impossible(double number)
{
	return number < 0 || number > 1e15;
}

static int decode_points(struct coder *c, void *content)
{
	struct sweep_point *p = content;

	*p = code_point(c, *p);
	c->bad |= p->node < 0 || !(p->read_share >= 0 && p->read_share <= 1) ||
		  is_impossible(p->asked_MBps) || is_impossible(p->read_MBps) ||
		  is_impossible(p->write_MBps) || is_impossible(p->chase_ns);
	return 0;
}

const struct block_kind sweep_block = {
	.type = 'P',
	.invalid = "a point of a sweep is not valid",
	.encode = encode_points,
	.size = sizeof(struct sweep_point),
	.decode = decode_points,
};
