/* SPDX-License-Identifier: BSD-3-Clause */
#include "sweep/sweep.h"

#include "output/fields.h"

static void put_row(FILE *out, enum field_style style, const struct sweep_point *point,
		    const struct sweep_counted *counted)
{
	struct fields f = {.out = out, .style = style};

	fields_index(&f, "node", point->node);
	fields_number(&f, "read_pct", 100 * point->read_share, 0);
	fields_number(&f, "asked_MBps", point->asked_MBps, 3);
	fields_number(&f, "read_MBps", point->read_MBps, 3);
	fields_number(&f, "write_MBps", point->write_MBps, 3);
	fields_number(&f, "chase_ns", point->chase_ns, 1);
	fields_number(&f, "counted_read_MBps", counted->read_MBps, 3);
	fields_number(&f, "counted_write_MBps", counted->write_MBps, 3);
	fields_number(&f, "counted_latency_ns", counted->latency_ns, 1);
	putc('\n', out);
}

void sweep_csv_header(FILE *out)
{
	put_row(out, FIELDS_NAMES, &(struct sweep_point){.node = 0}, &(struct sweep_counted){0});
}

void sweep_csv_row(const struct sweep_point *point, const struct sweep_counted *counted, FILE *out)
{
	put_row(out, FIELDS_CSV, point, counted);
}

static void put_curve(const struct sweep_points *all, size_t first, size_t end, enum measured_by by,
		      FILE *out)
{
	const struct curve curve = sweep_curve(all, first, end, by);
	const struct sweep_point *p = &all->points[first];

	fprintf(out, "%5d %5.0f  %-8s", p->node, 100 * p->read_share,
		by == BY_CHASE ? "chase" : "counters");
	field_column(out, curve.unloaded_ns, 10, 1);
	field_column(out, curve.knee.MBps, 10, 1);
	field_column(out, curve.most.MBps, 10, 1);
	field_column(out, curve.most.ns, 10, 1);
	putc('\n', out);
}

void sweep_summary(const struct sweep_points *all, FILE *out)
{
	size_t end;

	if (all->count)
		fputs(" node reads  by        unloaded      knee      peak   at peak\n"
		      "          %                 ns      MB/s      MB/s        ns\n",
		      out);
	for (size_t first = 0; first < all->count; first = end) {
		end = sweep_mix_end(all, first);
		put_curve(all, first, end, BY_CHASE, out);
		put_curve(all, first, end, BY_COUNTERS, out);
	}
}
