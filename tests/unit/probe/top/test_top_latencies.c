/* SPDX-License-Identifier: BSD-3-Clause */
/* The latencies of the last intervals, by process. */
#include "probe/top/top_latencies.h"

#include <math.h>

#include "allocations.h"
#include "unit.h"

static struct top_latencies kept;
static struct sampled_row rows[3];
static const struct sampled_row *sorted[] = {&rows[0], &rows[1], &rows[2]};
static struct process_report report;

static void begin(void)
{
	kept = (struct top_latencies){.count = 0};
	memset(rows, 0, sizeof(rows));
	report = (struct process_report){.rows = sorted};
}

static void end(void)
{
	top_latencies_free(&kept);
}

FIXTURE(begin, end)

/* Adds a row to the next interval, with samples of this latency and weight 1000. */
static struct sampled_row *sampled(unsigned pid, enum read_memory memory, unsigned samples,
				   double ns)
{
	struct sampled_row *row = &rows[report.count++];

	*row = (struct sampled_row){.pid = pid, .key = {.a = pid}};
	for (unsigned i = 0; i < samples; i++)
		sampled_row_add_latency(row, TIME_INTERVAL, memory, ns, 1000);
	return row;
}

static void pass(double seconds)
{
	report.ns = (uint64_t)(seconds * (double)NS_PER_S);
	ck_assert_int_eq(top_latencies_add(&kept, &report), 0);
	for (size_t i = 0; i < report.count; i++)
		sampled_row_free(&rows[i]);
	report.count = 0;
}

static struct latencies of(unsigned pid, enum read_memory memory)
{
	struct latencies sum = {.count = 0};

	top_latencies_sum(&kept, pid, memory, &sum);
	return sum;
}

TEST(test_before_the_first_interval_nothing_is_known)
{
	ck_assert_uint_eq(of(1, MEMORY_CXL).count, 0);
	ck_assert_uint_eq(top_latencies_ns(&kept), 0);
}

TEST(test_each_process_and_memory_has_its_own)
{
	sampled(9, MEMORY_CXL, 3, 310);
	sampled(4, MEMORY_CXL, 2, 20);
	sampled(4, MEMORY_DRAM, 1, 10);
	pass(1);
	struct latencies sum = of(9, MEMORY_CXL);
	ck_assert_uint_eq(sum.count, 3);
	ck_assert(sum.max == 310 && latencies_weight(&sum) == 3000);
	sum = of(4, MEMORY_CXL);
	ck_assert(sum.count == 2 && sum.buckets[20] == 2000);
	sum = of(4, MEMORY_DRAM);
	ck_assert(sum.count == 1 && sum.buckets[10] == 1000 && sum.max == 10);
	ck_assert_uint_eq(of(9, MEMORY_DRAM).count, 0);
	ck_assert_uint_eq(of(5, MEMORY_CXL).count, 0);
}

TEST(test_the_lowest_and_the_highest_latency_are_kept)
{
	sampled(4, MEMORY_CXL, 1, 0);
	sampled_row_add_latency(&rows[0], TIME_INTERVAL, MEMORY_CXL, 1e12, 1000);
	pass(1);
	const struct latencies sum = of(4, MEMORY_CXL);
	ck_assert_uint_eq(sum.count, 2);
	ck_assert_uint_eq(sum.buckets[0], 1000);
	ck_assert_uint_eq(sum.buckets[LATENCY_BUCKETS - 1], 1000);
}

/* The 99th percentile needs 100 samples, and each interval has 10. */
TEST(test_percentiles_are_known_as_soon_as_ten_seconds_have_enough_samples)
{
	for (unsigned i = 1; i <= 12; i++) {
		sampled(1, MEMORY_CXL, 10, 20);
		pass(1);
		const struct latencies sum = of(1, MEMORY_CXL);

		ck_assert_uint_eq(sum.count, i < 10 ? 10 * i : 100);
		ck_assert(i < 10 ? isnan(latencies_percentile(&sum, 99))
				 : latencies_percentile(&sum, 99) == 20);
	}
}

static const struct {
	double interval_s, kept_s;
	size_t intervals;
} lengths[] = {
	{1, 10, 10}, {4, 12, 3}, {10, 10, 1}, {60, 60, 1}, {0.25, 10, 40}, {0.01, 0.64, 64},
};

TEST_LOOP(test_the_last_intervals_are_kept_as_few_as_cover_ten_seconds, COUNT_OF(lengths))
{
	for (unsigned i = 0; i < 100; i++) {
		sampled(1, MEMORY_CXL, 1, i < 31 ? i : 31);
		pass(lengths[_i].interval_s);
	}
	ck_assert_uint_eq(of(1, MEMORY_CXL).count, lengths[_i].intervals);
	ck_assert_uint_eq(kept.count, lengths[_i].intervals);
	ck_assert_uint_eq(top_latencies_ns(&kept), (uint64_t)(lengths[_i].kept_s * NS_PER_S));
}

TEST(test_what_leaves_takes_its_maximum_along)
{
	sampled(1, MEMORY_CXL, 1, 5000);
	pass(9);
	sampled(1, MEMORY_CXL, 1, 30);
	pass(9);
	ck_assert(of(1, MEMORY_CXL).max == 5000);
	pass(1);
	const struct latencies sum = of(1, MEMORY_CXL);
	ck_assert(sum.max == 30 && sum.count == 1);
}

TEST(test_a_guest_is_part_of_its_process_and_an_earlier_process_of_the_pid_is_not)
{
	sampled(1, MEMORY_CXL, 7, 10)->key = (struct row_key){.a = 1};
	pass(1);
	sampled(1, MEMORY_CXL, 3, 10)->key = (struct row_key){.a = 2};
	sampled(1, MEMORY_CXL, 2, 20)->key = (struct row_key){.a = 2, .b = 1};
	sampled(1, MEMORY_CXL, 5, 30)->key = (struct row_key){.a = 1};
	pass(1);
	ck_assert_uint_eq(of(1, MEMORY_CXL).count, 5);
}

TEST(test_where_memory_is_short_the_interval_is_left_out)
{
	sampled(1, MEMORY_CXL, 7, 10);
	report.ns = NS_PER_S;
	for (size_t nth = 1; nth <= 2; nth++) {
		allocations_fail(nth);
		ck_assert_int_eq(top_latencies_add(&kept, &report), -ENOMEM);
	}
	allocations_fail(0);
	ck_assert_uint_eq(top_latencies_ns(&kept), 0);
	pass(1);
	ck_assert_uint_eq(of(1, MEMORY_CXL).count, 7);
}
