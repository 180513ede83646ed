/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/explain/weights.h"

#include <math.h>

#include "json_at.h"
#include "unit.h"

/* Node 0 is DRAM; node 2 is CXL memory behind a port. */
static struct row rows[] = {{.place = {.kind = ROW_PORT, .node = 2}}};
static const struct table table = {.rows = rows, .row_count = COUNT_OF(rows)};
static struct memory_node promised[] = {
	{.node = 0, .read_MBps = 300000, .write_MBps = 300000},
	{.node = 2, .read_MBps = 100000, .write_MBps = 100000},
};
static const struct memory_layout layout = {.nodes = promised, .node_count = COUNT_OF(promised)};

/* Latency rises evenly from nothing to the peaks, 300 and 100 GB/s. */
static struct sweep_point points[] = {
	{.node = 0, .read_share = 1, .chase_ns = 80},
	{.node = 0, .read_share = 1, .asked_MBps = NAN, .read_MBps = 300000, .chase_ns = 576},
	{.node = 2, .read_share = 1, .chase_ns = 240},
	{.node = 2, .read_share = 1, .asked_MBps = NAN, .read_MBps = 100000, .chase_ns = 852},
};
static const struct sweep_points sweep = {points, COUNT_OF(points)};

/* A program that has read as much as DRAM can carry. */
static const struct weights_demand demand = {
	.MBps = 300000, .read_share = 1, .samples = 1, .all_samples = 1};

static struct weights weights;
static struct error err;

static const char *printed(void (*print)(const struct weights *weights, FILE *out))
{
	FILE *out = text_open();

	print(&weights, out);
	return text_close(out);
}

static void find(const struct memory_layout *of)
{
	ck_assert_msg(!weights_find(&sweep, &table, of, &demand, &weights, &err), "%s", err.text);
}

/*
 * With weights 3:1 at 320 GB/s, both are loaded to 0.8, and a read takes 0.75 x 476.8 + 0.25 x
 * 729.6 = 540 ns: as many reads wait as before, 300 x 576 = 320 x 540.
 */
TEST(test_the_kernel_s_own_weights_are_set_beside_the_best)
{
	find(&layout);
	assert_contains(
		printed(weights_print),
		"\nThe kernel's own weights, from the bandwidth that firmware reports, are 3:1:\n"
		"320.0 GB/s, ");
	ck_assert_double_eq(weights.kernel.cxl_share, 0.25);
	ck_assert_double_ge(weights.best.MBps, weights.kernel.MBps);
	const json_t *object = json_of(printed(weights_json));

	assert_json(object, "auto.weights.0", "3");
	assert_json(object, "auto.weights.2", "1");
	assert_json(object, "auto.cxl_share_pct", "25.0");
}

TEST(test_without_promises_of_firmware_the_kernel_s_weights_are_not_known)
{
	find(&(const struct memory_layout){.nodes = NULL});
	assert_lacks(printed(weights_print), "The kernel's own weights");
	const json_t *object = json_of(printed(weights_json));

	assert_json(object, "auto", "null");
	ck_assert(json_is_object(json_at(object, "best")));
}
