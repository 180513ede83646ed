/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/heat.h"

#include <math.h>

#include "unit.h"

#define MIB (UINT64_C(1) << 20)

static struct heat_table heat;
static struct heat_node nodes[8];

static void begin(void)
{
	heat_table_init(&heat, HEAT_RANGE_SHIFT, 0);
}

static void end(void)
{
	heat_table_free(&heat);
}

FIXTURE(begin, end)

static void add(uint64_t serial, uint64_t range, int node, uint64_t period)
{
	const struct heat_range sample = {.serial = serial,
					  .pid = (unsigned)serial,
					  .first = range * 2 * MIB + 4096,
					  .node = node};

	heat_table_add(&heat, &sample, period);
}

/* A known multiset: range i of node 1 is read i + 1 times, each range of node 0 once. */
TEST(test_the_histogram_is_that_of_the_samples)
{
	for (unsigned i = 0; i < 100; i++)
		for (unsigned n = 0; n <= i; n++)
			add(1, i, 1, 10);
	for (unsigned i = 0; i < 1000; i++)
		add(2, i, 0, 10);
	heat_table_sort(&heat);
	ck_assert_uint_eq(heat_table_nodes(&heat, nodes, 8), 2);
	ck_assert_int_eq(nodes[0].node, 0);
	ck_assert_uint_eq(nodes[0].ranges, 1000);
	ck_assert_uint_eq(nodes[0].parts[0], 500);
	ck_assert_uint_eq(nodes[0].parts[1], 900);
	ck_assert_uint_eq(nodes[0].parts[2], 990);
	ck_assert_uint_eq(nodes[0].buckets[0], 1000);
	/* 30 hottest ranges have 2565 of 5050 samples, 29 have 2494; 69 have 4554; 90 have 4995 */
	ck_assert_uint_eq(nodes[1].ranges, 100);
	ck_assert_uint_eq(nodes[1].parts[0], 30);
	ck_assert_uint_eq(nodes[1].least[0], 710);
	ck_assert_uint_eq(nodes[1].parts[1], 69);
	ck_assert_uint_eq(nodes[1].parts[2], 91);
	/* buckets of 1; 2 and 3; 4 to 7; ... 64 to 100 */
	ck_assert_uint_eq(nodes[1].buckets[0], 1);
	ck_assert_uint_eq(nodes[1].buckets[2], 4);
	ck_assert_uint_eq(nodes[1].buckets[6], 37);
	ck_assert_uint_eq(heat_table_colder(&heat, 0, nodes[1].least[0]), 1000);
	ck_assert_uint_eq(heat_table_colder(&heat, 1, 30), 2);
	ck_assert_uint_eq(heat.ranges[1000].first, 99 * 2 * MIB);
}

TEST(test_a_range_is_of_one_process_and_node)
{
	add(1, 5, 1, 1);
	add(2, 5, 1, 1);
	add(1, 5, 0, 1);
	add(1, 5, 1, 1);
	ck_assert_uint_eq(heat.count, 3);
}

TEST(test_periods_weigh_and_samples_are_counted)
{
	add(1, 0, 1, 100);
	add(1, 1, 1, 1);
	add(1, 1, 1, 1);
	heat_table_sort(&heat);
	ck_assert_uint_eq(heat.ranges[0].events, 100);
	ck_assert_uint_eq(heat.ranges[1].samples, 2);
}

/* 64 of 1024 ranges are hot, and after a while 64 others. */
TEST(test_cooling_follows_a_hot_set_that_moves)
{
	heat_table_free(&heat);
	heat_table_init(&heat, HEAT_RANGE_SHIFT, 10000);
	srandom(1);
	for (unsigned phase = 0; phase < 4; phase++) {
		for (unsigned i = 0; i < 60000; i++)
			add(1,
			    random() % 10 ? phase * 64 + (unsigned)random() % 64
					  : (unsigned)random() % 1024,
			    1, 1);
		heat_table_sort(&heat);
		for (unsigned i = 0; i < 64; i++) {
			const uint64_t range = heat.ranges[i].first / (2 * MIB);

			ck_assert_msg(range / 64 == phase, "in phase %u range %u is hot", phase,
				      (unsigned)range);
		}
	}
	ck_assert_uint_eq(heat.coolings, 23);
}

TEST(test_what_has_cooled_down_is_forgotten)
{
	heat_table_free(&heat);
	heat_table_init(&heat, HEAT_RANGE_SHIFT, 8);
	for (unsigned i = 0; i < 8; i++)
		add(1, i, 1, 1000);
	add(1, 100, 1, 1000);
	ck_assert_uint_eq(heat.count, 1);
	ck_assert_uint_eq(heat.ranges[0].first, 100 * 2 * MIB);
	/* the next cooling is after as many samples again */
	for (unsigned i = 0; i < 8; i++)
		add(1, i, 1, 1000);
	ck_assert_uint_eq(heat.coolings, 1);
	add(1, 8, 1, 1000);
	ck_assert_uint_eq(heat.coolings, 2);
}

TEST(test_memory_is_bounded_whatever_the_machine)
{
	heat_table_free(&heat);
	heat_table_init(&heat, HEAT_RANGE_SHIFT, UINT64_MAX);
	for (uint64_t i = 0; i < HEAT_RANGES_MOST + 1000; i++)
		add(1, i, 1, 1);
	ck_assert_uint_eq(heat.count, HEAT_RANGES_MOST);
	ck_assert_uint_eq(heat.left_out, 1000);
}

TEST(test_a_full_table_still_counts_samples_of_its_ranges)
{
	heat_table_free(&heat);
	heat_table_init(&heat, HEAT_RANGE_SHIFT, UINT64_MAX);
	for (uint64_t i = 0; i < HEAT_RANGES_MOST; i++)
		add(1, i, 1, 1);
	add(1, 7, 1, 100);
	add(1, HEAT_RANGES_MOST, 1, 1);
	ck_assert_uint_eq(heat.left_out, 1);
	heat_table_sort(&heat);
	ck_assert_uint_eq(heat.ranges[0].first, 7 * 2 * MIB);
	ck_assert_uint_eq(heat.ranges[0].events, 101);
	ck_assert_uint_eq(heat.ranges[0].samples, 2);
}

TEST(test_without_samples_there_are_no_nodes)
{
	heat_table_sort(&heat);
	ck_assert_uint_eq(heat_table_nodes(&heat, nodes, 8), 0);
}

static const struct load_event loads = {.name = "loads"},
			       faults = {.name = "faults", .no_loads = true};
static size_t unsampled;

static struct process_report compare(double used_GiB)
{
	static struct reported_node of[2];

	heat_table_sort(&heat);
	ck_assert_uint_eq(heat_table_nodes(&heat, nodes, 8), 2);
	for (size_t i = 0; i < 2; i++)
		of[i] = (struct reported_node){nodes[i], nodes[i].node == 1, used_GiB};
	struct process_report report = {
		.event = &loads, .nodes = of, .node_count = 2, .unsampled = unsampled};
	heat_table_compare(&heat, &report);
	return report;
}

/* 512 ranges (1 GiB) of CXL memory with 16 samples each: 256 of them have half of the reads. */
TEST(test_colder_is_what_is_read_less_than_half_as_often)
{
	for (unsigned i = 0; i < 512; i++)
		for (unsigned n = 0; n < 16; n++)
			add(1, i, 1, 3);
	for (unsigned i = 0; i < 1024; i++)
		for (unsigned n = 0; n < (i % 2 ? 7 : 8); n++)
			add(1, 1000 + i, 0, 3);
	struct process_report report = compare(NAN);
	ck_assert_double_eq(report.hot_cxl_GiB, 0.5);
	ck_assert_double_eq(report.colder_dram_GiB, 1);
	ck_assert_double_nan(report.unseen_dram_GiB);
	/* 2 of the 10 GiB were sampled; the rest is as cold as can be */
	report = compare(10);
	ck_assert_double_eq(report.colder_dram_GiB, 9);
	ck_assert_double_eq(report.unseen_dram_GiB, 8);
}

/*
 * 100 ranges of node 1 with 40 samples each, and 100 of node 2 with 30: the 88 hottest, all on
 * node 1, have half of the 7000 samples. With 200 more on node 2, both nodes are in the half.
 */
TEST(test_the_hottest_half_is_that_of_all_nodes_together)
{
	struct reported_node of[3];

	for (unsigned i = 0; i < 100; i++) {
		for (unsigned n = 0; n < 40; n++)
			add(1, i, 1, 1);
		for (unsigned n = 0; n < 30; n++)
			add(1, 1000 + i, 2, 1);
	}
	/* every other range has 20 samples, half of 40, and is not colder; the others have 19 */
	for (unsigned i = 0; i < 30; i++)
		for (unsigned n = 0; n < (i % 2 ? 20 : 19); n++)
			add(1, 2000 + i, 0, 1);
	heat_table_sort(&heat);
	ck_assert_uint_eq(heat_table_nodes(&heat, nodes, 8), 3);
	for (size_t i = 0; i < 3; i++)
		of[i] = (struct reported_node){nodes[i], i > 0, NAN};
	struct process_report report = {.event = &loads, .nodes = of, .node_count = 3};
	heat_table_compare(&heat, &report);
	ck_assert_double_eq(report.hot_cxl_GiB, 88 / 512.0);
	ck_assert_double_eq(report.colder_dram_GiB, 15 / 512.0);
	/*
	 * more ranges on node 2 move the end of the half past node 1: the coldest range has 30
	 * samples
	 */
	for (unsigned i = 0; i < 200; i++)
		for (unsigned n = 0; n < 30; n++)
			add(1, 5000 + i, 2, 1);
	heat_table_sort(&heat);
	heat_table_nodes(&heat, nodes, 8);
	for (size_t i = 0; i < 3; i++)
		of[i].heat = nodes[i];
	heat_table_compare(&heat, &report);
	/* 13000 samples: 4000 in 100 ranges, and 2500 in 84 */
	ck_assert_double_eq(report.hot_cxl_GiB, 184 / 512.0);
	ck_assert_double_eq(report.colder_dram_GiB, 0);
	/* memory is faulted in once, however hot it is */
	report.event = &faults;
	heat_table_compare(&heat, &report);
	ck_assert_double_nan(report.hot_cxl_GiB);
	ck_assert_double_nan(report.colder_dram_GiB);
}

TEST(test_few_samples_do_not_say_what_is_colder)
{
	for (unsigned n = 0; n < 15; n++)
		add(1, 0, 1, 3);
	add(1, 1, 0, 3);
	ck_assert_double_nan(compare(NAN).colder_dram_GiB);
	add(1, 0, 1, 3);
	ck_assert_double_eq(compare(NAN).colder_dram_GiB, 2 / 1024.0);
}

/* DRAM looks cold if it is read by a CPU that is not sampled. */
TEST(test_nothing_is_colder_while_a_cpu_is_not_sampled)
{
	for (unsigned n = 0; n < 16; n++)
		add(1, 0, 1, 3);
	add(1, 1, 0, 3);
	unsampled = 1;
	ck_assert_double_nan(compare(NAN).colder_dram_GiB);
	unsampled = 0;
	ck_assert_double_eq(compare(NAN).colder_dram_GiB, 2 / 1024.0);
}

TEST(test_a_range_of_addresses_is_that_of_maps)
{
	struct heat_detail detail;

	ck_assert(heat_detail_parse("7f0000000000-7f0000400000", &detail));
	ck_assert(detail.first == 0x7f0000000000 && detail.end == 0x7f0000400000);
	ck_assert(heat_detail_parse("0x7f0000001000-0x7f0000400001", &detail));
	ck_assert(detail.first == 0x7f0000000000 && detail.end == 0x7f0000600000);
	static const char *const wrong[] = {"",
					    "-",
					    "1",
					    "1-",
					    "-1",
					    "2-1",
					    "1-1",
					    " 1-2",
					    "1- 2",
					    "1-2 ",
					    "1--2",
					    "x-y",
					    "1-2-3",
					    "0-ffffffffffffffff",
					    "0-10000000000000000"};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ck_assert_msg(!heat_detail_parse(wrong[i], &detail), "'%s'", wrong[i]);
}

TEST(test_pages_are_counted_and_cooled_as_ranges_are)
{
	heat_table_free(&heat);
	heat_table_init(&heat, HEAT_PAGE_SHIFT, UINT64_MAX);
	add(1, 0, 1, 10);
	add(1, 0, 1, 10);
	add(1, 1, 1, 10);
	ck_assert_uint_eq(heat.ranges[0].first, 4096);
	heat_table_cool(&heat);
	ck_assert_uint_eq(heat.count, 1);
	ck_assert_uint_eq(heat.ranges[0].samples, 1);
	ck_assert_uint_eq(heat.ranges[0].events, 10);
}
