/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/sweep/interleave.h"

#include <errno.h>
#include <math.h>

#define SHARES	    1000 /* number of shares that are tried */
#define BISECTIONS  60
#define GOOD_ENOUGH 0.99
#define WEIGHTINESS 32 /* mm/mempolicy.c */

/* Curves. */

/*
 * Reads the steps of one mix. Skips steps that do not raise the bandwidth, and raises latencies
 * that fall.
 */
static size_t read_steps(const struct sweep_points *points, size_t first, size_t end,
			 struct curve_point steps[INTERLEAVE_STEPS])
{
	size_t count = 0;

	for (size_t i = first; i < end && count < INTERLEAVE_STEPS; i++) {
		struct curve_point p = sweep_curve_point(points, i, BY_CHASE);

		if (isnan(p.MBps) || isnan(p.ns) || (count && p.MBps <= steps[count - 1].MBps))
			continue;
		if (count)
			p.ns = fmax(p.ns, steps[count - 1].ns);
		steps[count++] = p;
	}
	return count;
}

static double latency_at(const struct interleave_node *node, double MBps)
{
	const struct curve_point *steps = node->steps;
	size_t i = 1;

	if (MBps <= steps[0].MBps || node->step_count == 1)
		return steps[0].ns;
	while (i + 1 < node->step_count && steps[i].MBps < MBps)
		i++;
	const double part = (MBps - steps[i - 1].MBps) / (steps[i].MBps - steps[i - 1].MBps);
	return steps[i - 1].ns + fmin(part, 1) * (steps[i].ns - steps[i - 1].ns);
}

static double peak_of(const struct interleave_node *node)
{
	return node->steps[node->step_count - 1].MBps;
}

/* Mixes two nodes' curves at the same parts of their peaks. */
static void mix_nodes(struct interleave_node *out, const struct interleave_node *a,
		      const struct interleave_node *b, double part_of_b)
{
	const double peak_a = peak_of(a), peak_b = peak_of(b);
	const double peak = peak_a + part_of_b * (peak_b - peak_a);

	*out = *a;
	for (size_t i = 0; i < out->step_count; i++) {
		const double load = a->steps[i].MBps / peak_a;

		out->steps[i].MBps = load * peak;
		out->steps[i].ns += part_of_b * (latency_at(b, load * peak_b) - a->steps[i].ns);
	}
}

/* The mixes of a node on both sides of a share of reads. */
struct around {
	struct interleave_node above, below;
	double above_share, below_share; /* NAN: there is none */
	double least_share, most_share;	 /* range of all mixes */
};

static void add_mix(struct around *around, const struct sweep_points *points, size_t first,
		    size_t end, double read_share)
{
	const double share = points->points[first].read_share;
	struct interleave_node node = {
		.node = points->points[first].node,
		.socket = points->points[first].socket,
	};

	node.step_count = read_steps(points, first, end, node.steps);
	if (!node.step_count || !sweep_curve(points, first, end, BY_CHASE).complete)
		return;
	around->least_share = fmin(around->least_share, share);
	around->most_share = fmax(around->most_share, share);
	if (share >= read_share && !(share >= around->above_share)) {
		around->above = node;
		around->above_share = share;
	}
	if (share <= read_share && !(share <= around->below_share)) {
		around->below = node;
		around->below_share = share;
	}
}

/* Interpolates between mixes; outside the measured mixes, takes the nearest one. */
static bool node_between(const struct around *around, double read_share,
			 struct interleave_node *out)
{
	const double above = around->above_share, below = around->below_share;

	if (isnan(above) && isnan(below))
		return false;
	if (isnan(above) || isnan(below) || above == below)
		*out = isnan(above) ? around->below : around->above;
	else
		mix_nodes(out, &around->below, &around->above,
			  (read_share - below) / (above - below));
	return true;
}

int interleave_make(const struct sweep_points *points, double read_share, const struct table *table,
		    const struct memory_layout *layout, struct interleave *out)
{
	size_t of_cxl = 0;

	*out = (struct interleave){.most_read_share = 1};
	for (size_t i = 0; i < points->count && out->count < INTERLEAVE_NODES;) {
		const int node = points->points[i].node;
		struct around around = {
			.above_share = NAN,
			.below_share = NAN,
			.least_share = INFINITY,
		};

		while (i < points->count && points->points[i].node == node) {
			const size_t end = sweep_mix_end(points, i);

			add_mix(&around, points, i, end, read_share);
			i = end;
		}
		if (!node_between(&around, read_share, &out->nodes[out->count]))
			continue;
		out->least_read_share = fmax(out->least_read_share, around.least_share);
		out->most_read_share = fmin(out->most_read_share, around.most_share);
		out->nodes[out->count].cxl = sweep_is_cxl(table, layout, node);
		of_cxl += out->nodes[out->count++].cxl;
	}
	return of_cxl && of_cxl < out->count ? 0 : -ENODATA;
}

double interleave_peak(const struct interleave *all, bool cxl)
{
	double sum = 0;

	for (size_t k = 0; k < all->count; k++)
		sum += all->nodes[k].cxl == cxl ? peak_of(&all->nodes[k]) : 0;
	return sum;
}

/* Shares. */

void interleave_shares(const struct interleave *all, double cxl_share,
		       double shares[INTERLEAVE_NODES])
{
	const double peaks[] = {interleave_peak(all, false), interleave_peak(all, true)};

	for (size_t k = 0; k < all->count; k++) {
		const bool cxl = all->nodes[k].cxl;

		shares[k] =
			(cxl ? cxl_share : 1 - cxl_share) * peak_of(&all->nodes[k]) / peaks[cxl];
	}
}

void interleave_shares_of(const struct interleave *all, const unsigned weights[INTERLEAVE_NODES],
			  double shares[INTERLEAVE_NODES])
{
	unsigned sum = 0;

	for (size_t k = 0; k < all->count; k++)
		sum += weights[k];
	for (size_t k = 0; k < all->count; k++)
		shares[k] = (double)weights[k] / sum;
}

double interleave_waiting(const struct interleave *all, const double *shares, double MBps)
{
	double mean = 0;

	for (size_t k = 0; k < all->count; k++)
		mean += shares[k] * latency_at(&all->nodes[k], shares[k] * MBps);
	return MBps * mean;
}

double interleave_MBps(const struct interleave *all, const double *shares, double waiting)
{
	double low = 0, high = INFINITY;

	for (size_t k = 0; k < all->count; k++)
		if (shares[k] > 0)
			high = fmin(high, peak_of(&all->nodes[k]) / shares[k]);
	if (interleave_waiting(all, shares, high) <= waiting)
		return high;
	for (unsigned i = 0; i < BISECTIONS; i++) {
		const double middle = (low + high) / 2;

		if (interleave_waiting(all, shares, middle) < waiting)
			low = middle;
		else
			high = middle;
	}
	return low;
}

double interleave_best(const struct interleave *all, double waiting)
{
	double shares[INTERLEAVE_NODES], best = 0, most = -1;

	for (unsigned i = 0; i <= SHARES; i++) {
		interleave_shares(all, (double)i / SHARES, shares);
		const double MBps = interleave_MBps(all, shares, waiting);
		if (MBps > most) {
			most = MBps;
			best = (double)i / SHARES;
		}
	}
	return best;
}

/* Weights. */

static double largest_share(const struct interleave *all, const double *shares)
{
	double most = 0;

	for (size_t k = 0; k < all->count; k++)
		most = fmax(most, shares[k]);
	return most;
}

bool interleave_weights(const struct interleave *all, double cxl_share, double waiting,
			unsigned weights[INTERLEAVE_NODES])
{
	double shares[INTERLEAVE_NODES], rounded[INTERLEAVE_NODES];

	if (cxl_share <= 0 || cxl_share >= 1)
		return false;
	interleave_shares(all, cxl_share, shares);
	const double wanted = GOOD_ENOUGH * interleave_MBps(all, shares, waiting);
	const double unit = largest_share(all, shares);
	for (unsigned most = 1; most <= NODE_WEIGHT_MOST; most++) {
		for (size_t k = 0; k < all->count; k++)
			weights[k] = (unsigned)fmax(1, round(shares[k] / unit * most));
		interleave_shares_of(all, weights, rounded);
		if (interleave_MBps(all, rounded, waiting) >= wanted)
			return true;
	}
	return false;
}

static unsigned common_divisor(unsigned a, unsigned b)
{
	while (b) {
		const unsigned rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Computes the weights. A node counts with the lower one of its read and write bandwidth. */
bool interleave_auto_weights(const struct interleave *all, const struct memory_layout *layout,
			     unsigned weights[INTERLEAVE_NODES])
{
	double sum = 0;
	unsigned divisor = 0;

	if (layout->node_count != all->count)
		return false;
	for (size_t i = 0; i < layout->node_count; i++)
		sum += fmin(layout->nodes[i].read_MBps, layout->nodes[i].write_MBps);
	for (size_t k = 0; k < all->count; k++) {
		const struct memory_node *node = memory_layout_node(layout, all->nodes[k].node);

		if (!node || !node->read_MBps || !node->write_MBps)
			return false;
		const double MBps = fmin(node->read_MBps, node->write_MBps);
		weights[k] = (unsigned)fmax(1, floor(WEIGHTINESS * MBps / sum));
		divisor = common_divisor(weights[k], divisor);
	}
	for (size_t k = 0; k < all->count; k++)
		weights[k] /= divisor;
	return true;
}
