/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/sweep/interleave.h"

#include <math.h>

#include "unit.h"

static struct sweep_points points;
static struct interleave nodes;

static void tear_down(void)
{
	sweep_points_free(&points);
}

FIXTURE(NULL, tear_down)

/* Nodes from 2 on have CXL memory. */
static struct cxl_region regions[] = {{.node = 2}, {.node = 3}};
static const struct memory_layout swept = {.regions = regions, .region_count = COUNT_OF(regions)};
static const struct table table;

static int make_nodes(double read_share)
{
	return interleave_make(&points, read_share, &table, &swept, &nodes);
}

/*
 * Adds a curve: latency is ns without load, and rises as in a queue, to ten times as much at the
 * peak.
 */
static void add_curve(int node, double read_share, double peak, double ns)
{
	for (unsigned step = 0; step <= 10; step++) {
		const double load = step / 10.0;
		const struct sweep_point point = {
			.node = node,
			.read_share = read_share,
			.asked_MBps = step == 10 ? NAN : load * peak,
			.read_MBps = load * peak * read_share,
			.write_MBps = load * peak * (1 - read_share),
			.chase_ns = fmin(ns / (1 - load), 10 * ns),
		};

		ck_assert_int_eq(sweep_points_add(&points, &point), 0);
	}
}

static void make(double read_share)
{
	ck_assert_int_eq(make_nodes(read_share), 0);
}

/* Both memories reach their peaks together. */
TEST(test_a_program_that_waits_for_bandwidth_uses_all_of_it)
{
	double shares[INTERLEAVE_NODES];
	unsigned weights[INTERLEAVE_NODES];

	add_curve(0, 1, 300000, 100);
	add_curve(2, 1, 100000, 300);
	make(1);
	ck_assert_double_eq(interleave_best(&nodes, INFINITY), 0.25);
	interleave_shares(&nodes, 0.25, shares);
	ck_assert_double_eq_tol(interleave_MBps(&nodes, shares, INFINITY), 400000, 1e-6);
	ck_assert(interleave_weights(&nodes, 0.25, INFINITY, weights));
	ck_assert_uint_eq(weights[0], 3);
	ck_assert_uint_eq(weights[1], 1);
}

TEST(test_a_program_that_hardly_reads_stays_in_the_faster_memory)
{
	unsigned weights[INTERLEAVE_NODES];

	add_curve(0, 1, 300000, 100);
	add_curve(2, 1, 100000, 300);
	make(1);
	const double waiting =
		interleave_waiting(&nodes, (const double[INTERLEAVE_NODES]){1, 0}, 1000);
	ck_assert_double_eq(interleave_best(&nodes, waiting), 0);
	ck_assert(!interleave_weights(&nodes, 0, waiting, weights));
}

/* Nodes of a kind share by their peaks, and all weights stay from 1 to 255. */
TEST(test_several_nodes_of_a_kind_share_by_their_peaks)
{
	double shares[INTERLEAVE_NODES];
	unsigned weights[INTERLEAVE_NODES];

	add_curve(2, 1, 20000, 300);
	add_curve(3, 1, 40000, 300);
	add_curve(0, 1, 120000, 100);
	add_curve(1, 1, 120000, 100);
	make(1);
	interleave_shares(&nodes, 0.3, shares);
	ck_assert_double_eq_tol(shares[0], 0.1, 1e-12);
	ck_assert_double_eq_tol(shares[1], 0.2, 1e-12);
	ck_assert_double_eq_tol(shares[2], 0.35, 1e-12);
	ck_assert(interleave_weights(&nodes, 0.2, INFINITY, weights));
	ck_assert_uint_eq(weights[0], 1);
	ck_assert_uint_eq(weights[1], 2);
	ck_assert_uint_eq(weights[2], 6);
	ck_assert_uint_eq(weights[3], 6);
	/* the smallest weights with little loss are taken in place of 1 : 2 : 748 : 748 */
	ck_assert(interleave_weights(&nodes, 0.002, INFINITY, weights));
	ck_assert_uint_eq(weights[0], 1);
	ck_assert_uint_eq(weights[1], 1);
	ck_assert_uint_eq(weights[2], 5);
	ck_assert_uint_eq(weights[3], 5);
}

/*
 * Halfway between 100 and 50 % of reads, values are halfway; outside the measured mixes, the
 * nearest one holds.
 */
TEST(test_a_mix_that_was_not_measured_is_between_those_that_were)
{
	double shares[INTERLEAVE_NODES];

	add_curve(0, 1, 100000, 100);
	add_curve(0, 0.5, 80000, 200);
	add_curve(2, 1, 10000, 300);
	make(0.75);
	ck_assert_double_eq_tol(nodes.nodes[0].steps[0].ns, 150, 1e-9);
	ck_assert_double_eq_tol(nodes.nodes[0].steps[10].MBps, 90000, 1e-6);
	ck_assert_double_eq_tol(nodes.nodes[0].steps[5].ns, 300, 1e-9);
	interleave_shares(&nodes, 0, shares);
	ck_assert_double_eq_tol(interleave_MBps(&nodes, shares, INFINITY), 90000, 1e-6);
	make(0.25);
	ck_assert_double_eq_tol(nodes.nodes[0].steps[10].MBps, 80000, 1e-6);
	ck_assert_double_eq_tol(nodes.nodes[1].steps[10].MBps, 10000, 1e-6);
}

TEST(test_both_kinds_of_memory_are_needed)
{
	add_curve(0, 1, 100000, 100);
	ck_assert_int_eq(make_nodes(1), -ENODATA);
	add_curve(2, 1, 10000, 300);
	make(1);
	/* a sweep that ended early has no peak */
	points.count--;
	ck_assert_int_eq(make_nodes(1), -ENODATA);
	points.count = 0;
	ck_assert_int_eq(make_nodes(1), -ENODATA);
}

static uint64_t state;

static double random_between(double low, double high)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return low + (high - low) * (double)(state >> 33) / (double)(UINT64_C(1) << 31);
}

/* A search of every ten-thousandth compares: the chosen share, and the weights, lose little. */
TEST_LOOP(test_the_best_share_is_that_of_a_finer_search, 30)
{
	double shares[INTERLEAVE_NODES], most = 0;
	unsigned weights[INTERLEAVE_NODES];

	state = (uint64_t)_i + 1;
	add_curve(0, 1, random_between(50000, 400000), random_between(80, 150));
	add_curve(2, 1, random_between(10000, 200000), random_between(120, 500));
	make(1);
	const double waiting = random_between(1, 1000) * 1e5;
	for (unsigned i = 0; i <= 10000; i++) {
		interleave_shares(&nodes, i / 10000.0, shares);
		most = fmax(most, interleave_MBps(&nodes, shares, waiting));
	}
	const double best = interleave_best(&nodes, waiting);
	interleave_shares(&nodes, best, shares);
	ck_assert_double_ge(interleave_MBps(&nodes, shares, waiting), 0.995 * most);
	if (best <= 0 || best >= 1)
		return;
	if (interleave_weights(&nodes, best, waiting, weights))
		interleave_shares_of(&nodes, weights, shares);
	ck_assert_double_ge(interleave_MBps(&nodes, shares, waiting), 0.98 * most);
}

/* Weights are 32 parts by the lower of both directions, divided by their common divisor. */
TEST(test_the_kernel_s_own_weights_are_by_what_firmware_promises)
{
	struct memory_node promised[] = {
		{.node = 0, .read_MBps = 300000, .write_MBps = 240000},
		{.node = 2, .read_MBps = 60000, .write_MBps = 80000},
	};
	const struct memory_layout layout = {.nodes = promised, .node_count = 2};
	unsigned weights[INTERLEAVE_NODES];

	add_curve(0, 1, 100000, 100);
	add_curve(2, 1, 10000, 300);
	make(1);
	ck_assert(interleave_auto_weights(&nodes, &layout, weights));
	ck_assert_uint_eq(weights[0], 25); /* 25.6 of 32 */
	ck_assert_uint_eq(weights[1], 6);  /* 6.4 */
	promised[0].write_MBps = 180000;
	ck_assert(interleave_auto_weights(&nodes, &layout, weights));
	ck_assert_uint_eq(weights[0], 3);
	ck_assert_uint_eq(weights[1], 1);
	promised[1].read_MBps = 0;
	ck_assert(!interleave_auto_weights(&nodes, &layout, weights));
	/* another node also has memory */
	ck_assert(!interleave_auto_weights(
		&nodes, &(struct memory_layout){.nodes = promised, .node_count = 1}, weights));
}

TEST(test_memories_that_are_alike_take_turns_page_by_page)
{
	unsigned weights[INTERLEAVE_NODES];

	add_curve(0, 1, 100000, 100);
	add_curve(2, 1, 100000, 100);
	make(1);
	ck_assert(interleave_weights(&nodes, 0.5, INFINITY, weights));
	ck_assert_uint_eq(weights[0], 1);
	ck_assert_uint_eq(weights[1], 1);
}
