/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/sweep/sweep_point.h"

#include <math.h>

#include "unit.h"

#define MOST_POINTS 6

static const struct {
	size_t count;
	struct curve_point points[MOST_POINTS];
	struct curve curve;
} curves[] = {
	/* half of the way between two points */
	{4,
	 {{0, 100}, {1000, 120}, {2000, 150}, {3000, 250}},
	 {100, {2500, 200}, {3000, 250}, {3000, 250}, false}},
	/* the knee is at a point */
	{3,
	 {{0, 100}, {1000, 200}, {1000, 500}},
	 {100, {1000, 200}, {1000, 200}, {1000, 500}, false}},
	/* less is transferred after the knee: the line goes back */
	{4,
	 {{0, 100}, {3000, 150}, {2000, 250}, {1500, 900}},
	 {100, {2500, 200}, {3000, 150}, {1500, 900}, false}},
	/* disturbed once, and later below: the last doubling counts */
	{5,
	 {{0, 100}, {1000, 300}, {2000, 100}, {3000, 300}, {3100, 900}},
	 {100, {2500, 200}, {3100, 900}, {3100, 900}, false}},
	/* only disturbed */
	{3,
	 {{0, 100}, {1000, 300}, {2000, 199}},
	 {100, {NAN, NAN}, {2000, 199}, {1000, 300}, false}},
	/* never doubled */
	{2, {{0, 100}, {120000, 110}}, {100, {NAN, NAN}, {120000, 110}, {120000, 110}, false}},
	/* unknown points are skipped anywhere */
	{6,
	 {{NAN, 90}, {0, 100}, {1000, NAN}, {2000, 100}, {NAN, 500}, {4000, 300}},
	 {100, {3000, 200}, {4000, 300}, {4000, 300}, false}},
	{2, {{0, NAN}, {10, NAN}}, {NAN, {NAN, NAN}, {10, NAN}, {NAN, NAN}, false}},
	{0, {{0, 0}}, {NAN, {NAN, NAN}, {NAN, NAN}, {NAN, NAN}, false}},
};

static void assert_curve(const struct curve *curve, const struct curve *expected)
{
	assert_double(curve->unloaded_ns, expected->unloaded_ns, 1e-9);
	assert_double(curve->knee.MBps, expected->knee.MBps, 1e-9);
	assert_double(curve->knee.ns, expected->knee.ns, 1e-9);
	assert_double(curve->most.MBps, expected->most.MBps, 1e-9);
	assert_double(curve->most.ns, expected->most.ns, 1e-9);
	assert_double(curve->slowest.MBps, expected->slowest.MBps, 1e-9);
	assert_double(curve->slowest.ns, expected->slowest.ns, 1e-9);
	ck_assert_int_eq(curve->complete, expected->complete);
}

TEST_LOOP(test_the_knee_is_where_latency_has_doubled, (int)COUNT_OF(curves))
{
	struct sweep_points all = {.count = 0};

	for (size_t i = 0; i < curves[_i].count; i++) {
		const struct curve_point *p = &curves[_i].points[i];
		const struct sweep_point point = {
			.read_MBps = p->MBps / 4,
			.write_MBps = 3 * p->MBps / 4,
			.chase_ns = p->ns,
			.counted = {p->MBps / 2, p->MBps / 2, p->ns},
		};

		ck_assert_int_eq(sweep_points_add(&all, &point), 0);
	}
	for (enum measured_by by = BY_CHASE; by <= BY_COUNTERS; by++) {
		const struct curve curve = sweep_curve(&all, 0, all.count, by);

		assert_curve(&curve, &curves[_i].curve);
	}
	sweep_points_free(&all);
}

/*
 * Parts of a sweep: a recording may begin after the step without load, and end before the one at
 * full load.
 */
static const struct {
	double asked[MOST_POINTS];
	struct curve curve;
} parts[] = {
	{{0, 1000, NAN}, {100, {1500, 200}, {2000, 300}, {2000, 300}, true}},
	{{500, 1000, NAN}, {NAN, {NAN, NAN}, {2000, 300}, {2000, 300}, true}},
	{{0, 1000, 2000}, {100, {1500, 200}, {2000, 300}, {2000, 300}, false}},
};

TEST_LOOP(test_latency_without_load_is_that_of_the_step_without_it, (int)COUNT_OF(parts))
{
	struct sweep_points all = {.count = 0};

	for (unsigned i = 0; i < 3; i++) {
		const struct sweep_point point = {.asked_MBps = parts[_i].asked[i],
						  .read_MBps = 1000 * i,
						  .chase_ns = i == 2 ? 300 : 100};

		ck_assert_int_eq(sweep_points_add(&all, &point), 0);
	}
	const struct curve curve = sweep_curve(&all, 0, all.count, BY_CHASE);
	assert_curve(&curve, &parts[_i].curve);
	sweep_points_free(&all);
}

TEST(test_a_mix_ends_where_node_or_mix_change)
{
	static const struct sweep_point points[] = {
		{.node = 1, .read_share = 1},	{.node = 1, .read_share = 1},
		{.node = 1, .read_share = 0.5}, {.node = 2, .read_share = 0.5},
		{.node = 2, .read_share = 0.5},
	};
	static const size_t ends[] = {2, 2, 3, 5, 5};
	struct sweep_points all = {.count = 0};

	for (size_t i = 0; i < COUNT_OF(points); i++)
		ck_assert_int_eq(sweep_points_add(&all, &points[i]), 0);
	for (size_t i = 0; i < COUNT_OF(points); i++)
		ck_assert_uint_eq(sweep_mix_end(&all, i), ends[i]);
	sweep_points_free(&all);
}

#define COLUMNS 6

static const struct metric metrics[COLUMNS] = {
	{.name = "cxl_mem_read_MBps"},	 {.name = "cxl_mem_write_MBps"},
	{.name = "cxl_read_latency_ns"}, {.name = "dram_read_MBps"},
	{.name = "dram_write_MBps"},	 {.name = "ddr_local_read_latency_ns"},
};
static struct column columns[COLUMNS] = {{&metrics[0]}, {&metrics[1]}, {&metrics[2]},
					 {&metrics[3]}, {&metrics[4]}, {&metrics[5]}};

TEST(test_counters_are_those_of_the_node)
{
	/* two sockets; node 4 is on two ports of the second one, node 3 on the third */
	struct value values[][COLUMNS] = {
		{{.number = 1}, {.number = 2}, {.number = NAN}},
		{{.number = 10}, {.number = 20}, {.number = NAN}},
		{{.number = 100}, {.number = NAN}, {.number = NAN}},
		{{.number = 7},
		 {.number = 8},
		 {.number = 9},
		 {.number = 71},
		 {.number = 81},
		 {.number = 91}},
		{{.number = 7},
		 {.number = 8},
		 {.number = 300},
		 {.number = 72},
		 {.number = 82},
		 {.number = 92}},
	};
	struct row rows[] = {
		{.place = {.kind = ROW_PORT, .socket = 1, .node = 4}, .values = values[0]},
		{.place = {.kind = ROW_PORT, .socket = 1, .node = 4}, .values = values[1]},
		{.place = {.kind = ROW_PORT, .socket = 1, .node = 3}, .values = values[2]},
		{.place = {.kind = ROW_SOCKET, .socket = 0, .node = -1}, .values = values[3]},
		{.place = {.kind = ROW_SOCKET, .socket = 1, .node = -1}, .values = values[4]},
	};
	const struct table table = {.columns = columns,
				    .column_count = COLUMNS,
				    .rows = rows,
				    .row_count = COUNT_OF(rows)};
	struct cxl_region regions[] = {{.node = 4}, {.node = 9}};
	const struct memory_layout memory = {.regions = regions, .region_count = 2};
	struct sweep_counted counted =
		sweep_counted(&table, &memory, &(struct sweep_point){.node = 4, .socket = 1});

	assert_double(counted.read_MBps, 11, 1e-9);
	assert_double(counted.write_MBps, 22, 1e-9);
	assert_double(counted.latency_ns, 300, 1e-9);
	counted = sweep_counted(&table, &memory, &(struct sweep_point){.node = 3, .socket = 1});
	assert_double(counted.read_MBps, 100, 1e-9);
	assert_double(counted.write_MBps, NAN, 1e-9);
	/* DRAM */
	counted = sweep_counted(&table, &memory, &(struct sweep_point){.node = 1, .socket = 1});
	assert_double(counted.read_MBps, 72, 1e-9);
	assert_double(counted.write_MBps, 82, 1e-9);
	assert_double(counted.latency_ns, 92, 1e-9);
	/* CXL memory on a port that is unknown */
	counted = sweep_counted(&table, &memory, &(struct sweep_point){.node = 9, .socket = 1});
	assert_double(counted.read_MBps, NAN, 1e-9);
	assert_double(counted.write_MBps, NAN, 1e-9);
	assert_double(counted.latency_ns, 300, 1e-9);
	/* a socket that is not shown */
	counted = sweep_counted(&table, &memory, &(struct sweep_point){.node = 0, .socket = 2});
	assert_double(counted.read_MBps, NAN, 1e-9);
	assert_double(counted.latency_ns, NAN, 1e-9);
}

static struct bytes file;
static struct sweep_point seen;

static void tear_down(void)
{
	bytes_free(&file);
}

FIXTURE(NULL, tear_down)

/* Tells if a point is valid, and is read as it was written. */
static bool recode(const struct sweep_point *point)
{
	sweep_block.encode(&(struct coder){.out = &file}, point);
	struct coder c = {.at = file.data, .left = file.size};
	ck_assert_int_eq(sweep_block.decode(&c, &seen), 0);
	return !c.bad && !c.left;
}

TEST(test_a_point_is_kept_to_the_last_bit)
{
	static const struct sweep_point point = {
		.node = 2,
		.socket = 1,
		.read_share = 2 / 3.0,
		.asked_MBps = 1e4 / 3,
		.read_MBps = 0,
		.write_MBps = NAN,
		.chase_ns = 320.25,
		.start_ns = UINT64_C(1767225600123456789),
		.end_ns = UINT64_MAX,
	};

	ck_assert(recode(&point));
	ck_assert_int_eq(seen.node, 2);
	ck_assert_int_eq(seen.socket, 1);
	ck_assert_double_eq(seen.read_share, 2 / 3.0);
	ck_assert_double_eq(seen.asked_MBps, 1e4 / 3);
	ck_assert_double_eq(seen.read_MBps, 0);
	ck_assert_double_nan(seen.write_MBps);
	ck_assert_double_eq(seen.chase_ns, 320.25);
	ck_assert_uint_eq(seen.start_ns, UINT64_C(1767225600123456789));
	ck_assert_uint_eq(seen.end_ns, UINT64_MAX);
}

static const struct sweep_point impossible[] = {
	{.node = -1, .read_share = 1},
	{.node = 1, .read_share = NAN},
	{.node = 1, .read_share = 1.25},
	{.node = 1, .read_share = -0.25},
	{.node = 1, .read_share = 1, .read_MBps = -1},
	{.node = 1, .read_share = 1, .write_MBps = 1e300},
	{.node = 1, .read_share = 1, .chase_ns = -1},
	{.node = 1, .read_share = 1, .asked_MBps = -1},
};

TEST_LOOP(test_points_that_can_not_be_are_damage, COUNT_OF(impossible))
{
	ck_assert(!recode(&impossible[_i]));
}
