/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/explain/weights.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>

#include "base/text.h"
#include "linux/memory/nodes.h"

#define LIST_SIZE     256
#define WORTH	      1.01 /* times as much bandwidth */
#define BEYOND	      1.1  /* times a peak: counters differ less from the data that was moved */
#define MBPS_PER_GBPS 1000

static double GBps(double MBps)
{
	return MBps / MBPS_PER_GBPS;
}

/* Sets the program's traffic with these shares of it on each node. */
static void set_traffic(const struct interleave *nodes, const double *shares, double waiting,
			struct weights_way *out)
{
	out->MBps = interleave_MBps(nodes, shares, waiting);
	out->cxl_share = 0;
	for (size_t k = 0; k < nodes->count; k++)
		out->cxl_share += nodes->nodes[k].cxl ? shares[k] : 0;
}

static void find_best(struct weights *w, double waiting)
{
	const double share = interleave_best(&w->nodes, waiting);
	double shares[INTERLEAVE_NODES];

	if (interleave_weights(&w->nodes, share, waiting, w->best.weights))
		interleave_shares_of(&w->nodes, w->best.weights, shares);
	else
		interleave_shares(&w->nodes, round(share), shares);
	set_traffic(&w->nodes, shares, waiting, &w->best);
}

static void find_kernel(struct weights *w, const struct memory_layout *layout, double waiting)
{
	double shares[INTERLEAVE_NODES];

	w->kernel.MBps = NAN;
	if (!interleave_auto_weights(&w->nodes, layout, w->kernel.weights))
		return;
	interleave_shares_of(&w->nodes, w->kernel.weights, shares);
	set_traffic(&w->nodes, shares, waiting, &w->kernel);
}

/* Checks that traffic is not above the peaks of the sweep, up to which latency is known. */
static int check_peak(const struct weights *w, bool cxl, struct error *err)
{
	const double share = cxl ? w->demand.cxl_share : 1 - w->demand.cxl_share;
	const double MBps = share * w->demand.MBps;
	const double peak = interleave_peak(&w->nodes, cxl);

	return MBps <= BEYOND * peak
		       ? 0
		       : error_set(
				 err, ERROR_FAILED, -ERANGE,
				 "%s carried %.1f GB/s, but at most %.1f GB/s in the sweep: under "
				 "such a load its latency is unknown; sweep this machine as it is "
				 "now: cxlmon sweep FILE",
				 cxl ? "CXL memory" : "DRAM", GBps(MBps), GBps(peak));
}

int weights_find(const struct sweep_points *sweep, const struct table *table,
		 const struct memory_layout *layout, const struct weights_demand *demand,
		 struct weights *out, struct error *err)
{
	double shares[INTERLEAVE_NODES];

	if (!(demand->MBps > 0))
		return error_set(err, ERROR_FAILED, -ENODATA,
				 "memory traffic is unknown or zero: record -m cxl,dram while the "
				 "program runs");
	*out = (struct weights){.demand = *demand};
	if (interleave_make(sweep, demand->read_share, table, layout, &out->nodes))
		return error_set(err, ERROR_FAILED, -ENODATA,
				 "the sweep has not measured both DRAM and CXL memory up to the "
				 "maximum: cxlmon sweep FILE, without --node");
	if (check_peak(out, true, err) || check_peak(out, false, err))
		return err->code;
	interleave_shares(&out->nodes, demand->cxl_share, shares);
	const double waiting = interleave_waiting(&out->nodes, shares, demand->MBps);
	find_best(out, waiting);
	find_kernel(out, layout, waiting);
	return 0;
}

/* Text. */

/* Returns false if all pages are in one kind of memory. */
static bool has_weights(const struct weights_way *way)
{
	return way->cxl_share > 0 && way->cxl_share < 1;
}

/* Returns the traffic with the best distribution, as a multiple of the present traffic. */
static double best_times(const struct weights *w)
{
	return w->best.MBps / w->demand.MBps;
}

/* Returns true if weights are better than pages as they are, and than one kind of memory. */
static bool weights_advised(const struct weights *w)
{
	return has_weights(&w->best) && best_times(w) >= WORTH;
}

static const char *weights_text(const struct weights *w, const unsigned *weights,
				char text[LIST_SIZE])
{
	text[0] = '\0';
	for (size_t k = 0; k < w->nodes.count; k++)
		text_append(text, LIST_SIZE, "%s%u", k ? ":" : "", weights[k]);
	return text;
}

static const char *nodes_text(const struct weights *w, char text[LIST_SIZE])
{
	text[0] = '\0';
	for (size_t k = 0; k < w->nodes.count; k++)
		text_append(text, LIST_SIZE, "%s%d", k ? "," : "", w->nodes.nodes[k].node);
	return text;
}

static void print_best(const struct weights *w, FILE *out)
{
	const double times = best_times(w);
	char nodes[LIST_SIZE], weights[LIST_SIZE];

	if (times < WORTH) {
		fputs("The pages are placed well: no other split would move 1 % more.\n", out);
		return;
	}
	if (has_weights(&w->best))
		fprintf(out, "With weights %s of nodes %s (%.0f %% in CXL memory)",
			weights_text(w, w->best.weights, weights), nodes_text(w, nodes),
			100 * w->best.cxl_share);
	else
		fprintf(out, "With all pages in %s", w->best.cxl_share > 0 ? "CXL memory" : "DRAM");
	fprintf(out, ",\nthe same program would move %.1f GB/s, %.0f %% more.\n",
		GBps(w->best.MBps), 100 * (times - 1));
}

static void print_kernel(const struct weights *w, FILE *out)
{
	char weights[LIST_SIZE];

	if (isnan(w->kernel.MBps))
		return;
	fprintf(out,
		"The kernel's own weights, from the bandwidth that firmware reports, are %s:\n"
		"%.1f GB/s, ",
		weights_text(w, w->kernel.weights, weights), GBps(w->kernel.MBps));
	fprintf(out, "%.1f %% less than the best.\n",
		100 * fmax(0, 1 - w->kernel.MBps / fmax(w->best.MBps, w->demand.MBps)));
}

/*
 * Prints lines for a shell. The kernel turns off its file "auto" (from Linux 6.16 on) with the
 * first weight that is set, so "auto" is put back last. Source: the kernel's
 * Documentation/ABI/testing/sysfs-kernel-mm-mempolicy-weighted-interleave.
 */
static void print_commands(const struct weights *w, FILE *out)
{
	char nodes[LIST_SIZE];

	if (!weights_advised(w))
		return;
	fputs("\nTo set these weights (Linux 6.9 or later), and keep the present ones in a "
	      "file:\n  [ -e cxlmon-weights ] ||\n    grep -H . /" NODE_WEIGHTS "/* |\n"
	      "    sort -r >cxlmon-weights\n",
	      out);
	for (size_t k = 0; k < w->nodes.count; k++)
		fprintf(out, "  echo %u | sudo tee /" NODE_WEIGHTS "/node%d\n", w->best.weights[k],
			w->nodes.nodes[k].node);
	fprintf(out, "  numactl --weighted-interleave=%s COMMAND\n", nodes_text(w, nodes));
	fputs("To put back what was there:\n"
	      "  while IFS=: read -r file weight; do\n"
	      "    echo $weight | sudo tee $file\n"
	      "  done <cxlmon-weights && rm cxlmon-weights\n",
	      out);
}

static bool has_several_sockets(const struct weights *w)
{
	for (size_t k = 1; k < w->nodes.count; k++)
		if (w->nodes.nodes[k].socket != w->nodes.nodes[0].socket)
			return true;
	return false;
}

/* Returns whether the mix of reads and writes was not measured, so that the nearest mix is used. */
static bool is_of_another_mix(const struct weights *w)
{
	const double rounding = 0.005; /* percents are shown without decimals */

	return w->demand.read_share < w->nodes.least_read_share - rounding ||
	       w->demand.read_share > w->nodes.most_read_share + rounding;
}

void weights_print(const struct weights *w, FILE *out)
{
	const struct weights_demand *d = &w->demand;
	const size_t samples = d->samples, all = d->all_samples;

	fprintf(out,
		"Moved to and from memory: %.1f GB/s, %.0f %% reads, %.0f %% of it CXL memory\n",
		GBps(d->MBps), 100 * d->read_share, 100 * d->cxl_share);
	if (samples < all)
		fprintf(out, "(means of %zu of %zu samples: within 10 %% of the highest).\n",
			samples, all);
	else
		fprintf(out, "(mean%s of %zu sample%s).\n", samples == 1 ? "" : "s", samples,
			samples == 1 ? "" : "s");
	print_best(w, out);
	print_kernel(w, out);
	print_commands(w, out);
	fputs("\nEstimated for a program that keeps as many reads in flight as in these samples,\n"
	      "and uses all of its pages alike.\n",
	      out);
	if (is_of_another_mix(w))
		fprintf(out,
			"The sweep has measured %.0f to %.0f %% of reads: the nearest mix is used.\n",
			100 * w->nodes.least_read_share, 100 * w->nodes.most_read_share);
	if (has_several_sockets(w))
		fputs("Each node was measured from its own socket, and traffic is taken to be spread "
		      "over\nthe nodes of all sockets: reads from another socket take longer, and share "
		      "the\nlinks between them.\n",
		      out);
}

static json_t *encode_way(const struct weights *w, const struct weights_way *way)
{
	char node[16];

	if (isnan(way->MBps))
		return json_null();
	json_t *weights = json_object();
	for (size_t k = 0; has_weights(way) && k < w->nodes.count; k++) {
		snprintf(node, sizeof(node), "%d", w->nodes.nodes[k].node);
		json_object_set_new(weights, node, json_integer(way->weights[k]));
	}
	return json_pack("{s:o, s:f, s:f, s:f}", "weights", weights, "cxl_share_pct",
			 100 * way->cxl_share, "MBps", way->MBps, "times",
			 way->MBps / w->demand.MBps);
}

void weights_json(const struct weights *w, FILE *out)
{
	const struct weights_demand *d = &w->demand;
	json_t *object = json_pack(
		"{s:i, s:I, s:f, s:f, s:f, s:o, s:o, s:I, s:b, s:b}", "schema", WEIGHTS_SCHEMA,
		"samples", (json_int_t)d->samples, "MBps", d->MBps, "read_pct", 100 * d->read_share,
		"cxl_share_pct", 100 * d->cxl_share, "best", encode_way(w, &w->best), "auto",
		encode_way(w, &w->kernel), "all_samples", (json_int_t)d->all_samples,
		"several_sockets", has_several_sockets(w), "extrapolated", is_of_another_mix(w));

	if (object && !json_dumpf(object, out, JSON_INDENT(2) | JSON_REAL_PRECISION(6)))
		putc('\n', out);
	json_decref(object);
}
