/* SPDX-License-Identifier: BSD-3-Clause */
/* A sweep: sentences on each node, a chart of loaded latency, and a table of numbers. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "show/page/chart.h"
#include "show/report/report_page.h"

#define LABEL_SIZE    96
#define LINE_BYTES    64
#define CHASE_FETCHES 2	   /* lines per line that the chase reads: a prefetcher may add one */
#define OTHERS_SHARE  0.05 /* part of the highest bandwidth */

static void put_ns(double ns, FILE *out)
{
	html_number(out, ns, 0);
	fputs(" ns", out);
}

static void put_GBps(double MBps, FILE *out)
{
	html_three_digits(out, MBps / 1e3);
	fputs(" GB/s", out);
}

/* Writes "1 920 ns (6.00 times)". */
static void put_slower(const struct curve *c, double ns, FILE *out)
{
	put_ns(ns, out);
	if (!(c->unloaded_ns > 0))
		return;
	fputs(" (", out);
	html_three_digits(out, ns / c->unloaded_ns);
	fputs(" times)", out);
}

static void put_unloaded(const struct curve *c, FILE *out)
{
	fputs("a read takes ", out);
	put_ns(c->unloaded_ns, out);
	fputs(" without load", out);
	if (isnan(c->knee.ns))
		return;
	fputs(", ", out);
	put_ns(c->knee.ns, out);
	fputs(" at ", out);
	put_GBps(c->knee.MBps, out);
	fputs(" (the knee)", out);
}

/* Writes the peak; without the step at full load, the highest bandwidth is not a peak. */
static void put_peak(const struct curve *c, FILE *out)
{
	const bool follows = !isnan(c->unloaded_ns);

	if (isnan(c->most.ns)) {
		fputs(follows ? "; its latency is unknown" : "latency is unknown", out);
	} else {
		fputs(follows ? ", and " : "a read takes ", out);
		put_slower(c, c->most.ns, out);
	}
	fputs(c->complete ? " at the peak, " : " at the highest measured load, ", out);
	put_GBps(c->most.MBps, out);
	fputs(".", out);
}

static void put_slowest(const struct curve *c, FILE *out)
{
	fputs(" It takes longest, ", out);
	put_slower(c, c->slowest.ns, out);
	fputs(", at ", out);
	put_GBps(c->slowest.MBps, out);
	fputs(".", out);
}

static const char *no_knee(const struct curve *c)
{
	if (isnan(c->unloaded_ns))
		return " Latency without load was not measured, so that no knee can be found.";
	if (c->slowest.ns >= KNEE_FACTOR * c->unloaded_ns)
		return " There is no knee: latency doubles, but not for good.";
	if (isnan(c->most.ns))
		return " Without it, no knee can be found.";
	return c->complete ? " There is no knee: latency does not double."
			   : " There is no knee up to there: latency does not double.";
}

void sweep_sentence(double read_share, const struct curve *c, FILE *out)
{
	html_number(out, 100 * read_share, 0);
	fputs(" % reads: ", out);
	if (isnan(c->most.MBps)) {
		fputs("nothing is known.", out);
		return;
	}
	if (!isnan(c->unloaded_ns))
		put_unloaded(c, out);
	put_peak(c, out);
	if (round(c->slowest.ns) > round(c->most.ns))
		put_slowest(c, out);
	if (isnan(c->knee.ns))
		fputs(no_knee(c), out);
}

/*
 * Returns traffic that counters saw in a step without load, in excess of the chase; NAN: unknown.
 */
static double other_MBps(const struct sweep_point *p)
{
	const double chase_MBps = CHASE_FETCHES * LINE_BYTES * 1e3 / p->chase_ns;

	return p->asked_MBps == 0 ? p->counted.read_MBps + p->counted.write_MBps - chase_MBps : NAN;
}

void sweep_others_sentence(const struct sweep_points *all, size_t first, size_t end, FILE *out)
{
	double others = 0, most = 0;

	for (size_t i = first; i < end; i++) {
		others = fmax(others, other_MBps(&all->points[i]));
		most = fmax(most, sweep_curve_point(all, i, BY_CHASE).MBps);
	}
	if (!(others > OTHERS_SHARE * most))
		return;
	fputs("<p>Other programs used this memory, too: while the sweep made no load, the "
	      "counters saw ",
	      out);
	put_GBps(others, out);
	fputs(" more than its own reads. Latency without load, knee and peak include such "
	      "traffic.</p>",
	      out);
}

/* Points of one node, mix after mix. */
struct node_curves {
	const struct sweep_points *all;
	size_t first, end;
	double *x, *y; /* room for the points of a curve */
};

static size_t node_end(const struct sweep_points *all, size_t first)
{
	size_t i = first;

	while (i < all->count && all->points[i].node == all->points[first].node)
		i++;
	return i;
}

/* Writes the place of the node's memory, as far as rows have it. */
static const char *node_label(const struct report *r, const struct sweep_point *point,
			      char text[LABEL_SIZE])
{
	for (size_t i = 0; i < r->table->row_count; i++) {
		const struct row *row = &r->table->rows[i];

		if (!place_is_of_port(&row->place) || row->place.node != point->node)
			continue;
		if (row->place.kind == ROW_DEVICE)
			snprintf(text, LABEL_SIZE, "node %d (%.32s)", point->node,
				 place_device_name(&row->place));
		else
			snprintf(text, LABEL_SIZE, "node %d (socket %d port %d%s%.32s)",
				 point->node, row->place.socket, row->place.port,
				 *row->place.memdev ? " " : "", row->place.memdev);
		return text;
	}
	snprintf(text, LABEL_SIZE, "node %d (DRAM of socket %d)", point->node, point->socket);
	return text;
}

static const char *mix_label(const struct sweep_point *point, char text[LABEL_SIZE])
{
	snprintf(text, LABEL_SIZE, "%.0f %% reads", 100 * point->read_share);
	return text;
}

/* Copies the known points of a curve to .x and .y. Returns their number. */
static size_t curve_points(const struct node_curves *node, size_t first, size_t end,
			   enum measured_by by)
{
	size_t count = 0;

	for (size_t i = first; i < end; i++) {
		const struct curve_point p = sweep_curve_point(node->all, i, by);

		if (isnan(p.MBps) || isnan(p.ns))
			continue;
		node->x[count] = p.MBps;
		node->y[count++] = p.ns;
	}
	return count;
}

static struct plot make_plot(const struct node_curves *node, FILE *out)
{
	double bandwidth = 0, least = INFINITY, latency = 0;

	for (enum measured_by by = BY_CHASE; by <= BY_COUNTERS; by++)
		for (size_t i = node->first; i < node->end; i++) {
			const struct curve_point p = sweep_curve_point(node->all, i, by);

			bandwidth = fmax(bandwidth, p.MBps);
			least = fmin(least, p.ns);
			latency = fmax(latency, p.ns);
		}
	return (struct plot){.out = out,
			     .x = axis_of_range("MB/s", 0, bandwidth),
			     .y = axis_of_range("ns", least, latency)};
}

static void put_ring(const struct plot *plot, const char *kind, const struct curve_point *p,
		     size_t mix, size_t mixes)
{
	char name[LABEL_SIZE], x[NUMBER_SIZE], y[NUMBER_SIZE];
	const struct plot_mark mark = {kind, name, mix, mixes};

	if (isnan(p->MBps) || isnan(p->ns))
		return;
	snprintf(name, sizeof(name), "%s: %s MB/s, %s ns", kind, number_grouped(p->MBps, 0, x),
		 number_grouped(p->ns, 0, y));
	plot_ring(plot, p->MBps, p->ns, &mark);
}

static void put_mix(const struct plot *plot, const struct node_curves *node, size_t first,
		    size_t mix, size_t mixes)
{
	const size_t end = sweep_mix_end(node->all, first);
	const struct curve curve = sweep_curve(node->all, first, end, BY_CHASE);
	char name[LABEL_SIZE];
	struct plot_mark mark = {"line", mix_label(&node->all->points[first], name), mix, mixes};
	size_t count = curve_points(node, first, end, BY_CHASE);

	plot_line(plot, node->x, node->y, count, &mark);
	count = curve_points(node, first, end, BY_COUNTERS);
	mark.kind = "dots";
	plot_points(plot, node->x, node->y, count, &mark);
	put_ring(plot, "peak", &curve.most, mix, mixes);
	put_ring(plot, "knee", &curve.knee, mix, mixes);
}

static void put_legend(const struct node_curves *node, size_t mixes, FILE *out)
{
	char name[LABEL_SIZE];
	size_t mix = 0;

	fputs("</svg><ul class=\"legend\">", out);
	for (size_t i = node->first; i < node->end; i = sweep_mix_end(node->all, i)) {
		fputs("<li>", out);
		plot_key(out, mix++, mixes);
		html_print(out, "%s<b></b></li>", mix_label(&node->all->points[i], name));
	}
	fputs("</ul></figure>\n", out);
}

static void put_chart(const struct report *r, const struct node_curves *node, FILE *out)
{
	const struct sweep_point *first = &node->all->points[node->first];
	const struct plot plot = make_plot(node, out);
	size_t mixes = 0;
	char label[LABEL_SIZE];
	const struct chart chart = {
		.title = node_label(r, first, label),
		.help = "Latency of reads by all bandwidth. Lines: pointer chase; dots: the "
			"counters. Rings: the knee, where latency has doubled, and the peak",
	};
	size_t mix = 0;

	for (size_t i = node->first; i < node->end; i = sweep_mix_end(node->all, i))
		mixes++;
	html_print(out, "<figure class=\"chart sweep\" data-node=\"%d\">", first->node);
	chart_begin(&chart, &plot);
	html_print(out, "<title>Loaded latency of %s</title><desc>%s</desc>", chart.title,
		   chart.help);
	plot_frame(&plot, "bandwidth");
	for (size_t i = node->first; i < node->end; i = sweep_mix_end(node->all, i))
		put_mix(&plot, node, i, mix++, mixes);
	put_legend(node, mixes, out);
}

static int put_charts(const struct report *r, FILE *out)
{
	const struct sweep_points *all = &r->sweep;
	struct node_curves node = {.all = all,
				   .x = calloc(all->count, sizeof(double)),
				   .y = calloc(all->count, sizeof(double))};
	int rc = node.x && node.y ? 0 : -ENOMEM;

	for (; !rc && node.first < all->count; node.first = node.end) {
		node.end = node_end(all, node.first);
		put_chart(r, &node, out);
	}
	free(node.x);
	free(node.y);
	return rc;
}

static void put_curve(const struct sweep_points *all, size_t first, enum measured_by by, FILE *out)
{
	const struct curve curve = sweep_curve(all, first, sweep_mix_end(all, first), by);
	char label[LABEL_SIZE];

	html_print(out, "<tr><th scope=\"row\">%s, by %s</th>",
		   mix_label(&all->points[first], label),
		   by == BY_CHASE ? "dependent reads" : "counters");
	html_cell(out, "unloaded", curve.unloaded_ns, 1);
	html_cell(out, "knee", curve.knee.MBps, 1);
	html_cell(out, "peak", curve.most.MBps, 1);
	html_cell(out, "at_peak", curve.most.ns, 1);
	fputs("</tr>\n", out);
}

static void put_node(const struct report *r, size_t first, size_t end, FILE *out)
{
	const struct sweep_points *all = &r->sweep;
	char label[LABEL_SIZE];

	html_print(
		out,
		"<tbody data-node=\"%d\"><tr class=\"group\"><th colspan=\"5\" scope=\"rowgroup\">%s</th></tr>\n",
		all->points[first].node, node_label(r, &all->points[first], label));
	for (size_t i = first; i < end; i = sweep_mix_end(all, i)) {
		put_curve(all, i, BY_CHASE, out);
		put_curve(all, i, BY_COUNTERS, out);
	}
	fputs("</tbody>\n", out);
}

static void put_table(const struct report *r, FILE *out)
{
	static const char *const headings[] = {"where",	     "without load, ns", "knee, MB/s",
					       "peak, MB/s", "at the peak, ns",	 NULL};
	const struct sweep_points *all = &r->sweep;

	html_table("Loaded latency", "loaded", headings, out);
	for (size_t first = 0; first < all->count; first = node_end(all, first))
		put_node(r, first, node_end(all, first), out);
	fputs("</table></div>\n", out);
}

/* Writes the result as measured by the chase, which is as a program sees it. */
static void put_found(const struct report *r, size_t first, size_t end, FILE *out)
{
	const struct sweep_points *all = &r->sweep;
	char label[LABEL_SIZE];

	html_print(out, "<li data-node=\"%d\"><b>%s</b>", all->points[first].node,
		   node_label(r, &all->points[first], label));
	sweep_others_sentence(all, first, end, out);
	for (size_t i = first; i < end; i = sweep_mix_end(all, i)) {
		const struct curve curve = sweep_curve(all, i, sweep_mix_end(all, i), BY_CHASE);

		fputs("<p>", out);
		sweep_sentence(all->points[i].read_share, &curve, out);
		fputs("</p>", out);
	}
	fputs("</li>\n", out);
}

int report_sweep(const struct report *r, FILE *out)
{
	const struct sweep_points *all = &r->sweep;
	int rc;

	if (!all->count)
		return 0;
	fputs("<h2>What the sweep found</h2>\n<ul class=\"findings\">", out);
	for (size_t first = 0; first < all->count; first = node_end(all, first))
		put_found(r, first, node_end(all, first), out);
	fputs("</ul>\n<h2>Loaded latency</h2>\n<div class=\"charts\">\n", out);
	rc = put_charts(r, out);
	fputs("</div>\n", out);
	put_table(r, out);
	return rc;
}
