/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/row_set.h"

#include <math.h>

#include "platform/load_sample.h"
#include "unit.h"

static struct row_set set;
static struct heat_detail detail;
static const struct sampled_row *rows[SAMPLED_ROWS_MOST];

static void end(void)
{
	row_set_free(&set);
}

FIXTURE(NULL, end)

static void start(enum row_by by)
{
	set = (struct row_set){.by = by, .detail = detail};
	ck_assert_int_eq(row_set_init(&set), 0);
}

static void add(uint64_t serial, enum read_memory memory, uint64_t period, double ns,
		uint64_t address)
{
	const struct process_entry process = {.pid = (unsigned)serial, .serial = serial};
	const struct load_sample sample = {
		.period = period, .latency_ns = ns, .address = address, .pid = process.pid};

	row_set_add(&set, &sample,
		    &(struct sample_place){.process = &process,
					   .memory = memory,
					   .node = memory == MEMORY_CXL ? 2 : 0,
					   .counts = true,
					   .timed = !isnan(ns)});
}

TEST(test_rows_have_the_sums_of_their_samples)
{
	start(BY_PROCESS);
	add(1, MEMORY_CXL, 100, 300, 0);
	add(1, MEMORY_CXL, 50, 500, 0);
	add(1, MEMORY_DRAM, 7, NAN, 0);
	add(2, MEMORY_CXL, 400, NAN, 0);
	ck_assert_uint_eq(sampled_rows_sort(&set.rows, TIME_INTERVAL, rows), 2);
	ck_assert_uint_eq(rows[0]->pid, 2);
	ck_assert_uint_eq(rows[0]->counts[TIME_INTERVAL][MEMORY_CXL].events, 400);
	ck_assert_uint_eq(rows[1]->counts[TIME_INTERVAL][MEMORY_CXL].samples, 2);
	ck_assert_uint_eq(rows[1]->counts[TIME_INTERVAL][MEMORY_CXL].events, 150);
	ck_assert_uint_eq(rows[1]->counts[TIME_INTERVAL][MEMORY_DRAM].events, 7);
	ck_assert_uint_eq(rows[1]->latencies[TIME_INTERVAL][MEMORY_CXL]->count, 2);
	ck_assert_double_eq(rows[1]->latencies[TIME_INTERVAL][MEMORY_CXL]->max, 500);
	ck_assert_uint_eq(set.rows.all.counts[TIME_RUN][MEMORY_CXL].events, 550);
}

TEST(test_only_rows_with_timed_samples_have_room_for_latencies)
{
	start(BY_PROCESS);
	add(1, MEMORY_CXL, 100, 300, 0);
	add(2, MEMORY_CXL, 400, NAN, 0);
	ck_assert_uint_eq(sampled_rows_sort(&set.rows, TIME_INTERVAL, rows), 2);
	ck_assert_ptr_null(rows[0]->latencies[TIME_RUN][MEMORY_CXL]);
	ck_assert_uint_eq(sampled_row_latencies(rows[0], TIME_RUN, MEMORY_CXL)->count, 0);
	ck_assert_uint_eq(sampled_row_latencies(rows[1], TIME_RUN, MEMORY_CXL)->count, 1);
	ck_assert_ptr_null(rows[1]->latencies[TIME_RUN][MEMORY_DRAM]);
}

TEST(test_an_interval_begins_anew_and_the_run_goes_on)
{
	start(BY_PROCESS);
	add(1, MEMORY_CXL, 100, 300, 0);
	sampled_rows_next(&set.rows);
	ck_assert_uint_eq(sampled_rows_sort(&set.rows, TIME_INTERVAL, rows), 0);
	add(1, MEMORY_CXL, 10, 300, 0);
	ck_assert_uint_eq(sampled_rows_sort(&set.rows, TIME_INTERVAL, rows), 1);
	ck_assert_uint_eq(rows[0]->counts[TIME_INTERVAL][MEMORY_CXL].events, 10);
	ck_assert_uint_eq(rows[0]->counts[TIME_RUN][MEMORY_CXL].events, 110);
	ck_assert_uint_eq(rows[0]->latencies[TIME_RUN][MEMORY_CXL]->count, 2);
}

TEST(test_groups_are_of_processes_and_cpus_of_samples)
{
	static const struct process_entry processes[] = {
		{.pid = 1, .serial = 1, .uid = 0, .user = 1, .group = 4, .cgroup = 6},
		{.pid = 2, .serial = 2, .uid = 9, .user = 2, .group = 4, .cgroup = 7},
		{.pid = 3, .serial = 3, .uid = 9, .user = 2, .group = 5, .cgroup = 7}};
	static const struct {
		enum row_by by;
		uint32_t
			/* row with the samples of two processes, and row of the third */
			names[2];
	} kinds[] = {
		{BY_USER, {2, 1}}, {BY_VM, {4, 5}}, {BY_CONTAINER, {4, 5}}, {BY_CGROUP, {7, 6}}};

	for (size_t k = 0; k < COUNT_OF(kinds); k++) {
		start(kinds[k].by);
		for (unsigned i = 0; i < 3; i++)
			row_set_add(&set, &(struct load_sample){.period = 1, .pid = i + 1},
				    &(struct sample_place){.process = &processes[i],
							   .memory = MEMORY_CXL,
							   .node = 1,
							   .counts = true});
		ck_assert_uint_eq(sampled_rows_sort(&set.rows, TIME_INTERVAL, rows), 2);
		for (size_t r = 0; r < 2; r++) {
			ck_assert_uint_eq(rows[r]->name, kinds[k].names[r]);
			ck_assert_uint_eq(rows[r]->counts[TIME_RUN][MEMORY_CXL].samples, 2 - r);
			ck_assert(!rows[r]->pid && !rows[r]->command && rows[r]->cpu == -1);
		}
		end();
	}
	start(BY_CPU);
	for (unsigned i = 0; i < 3; i++)
		row_set_add(&set, &(struct load_sample){.period = 1, .cpu = i == 2 ? 8 : 0},
			    &(struct sample_place){.process = &processes[i], .counts = true});
	ck_assert_uint_eq(sampled_rows_sort(&set.rows, TIME_INTERVAL, rows), 2);
	ck_assert(rows[0]->cpu == 0 && rows[1]->cpu == 8 && !rows[0]->name);
}

TEST(test_pages_are_of_2_MiB_of_a_process)
{
	start(BY_PAGE);
	add(1, MEMORY_CXL, 1, NAN, 0x7f0000000000);
	add(1, MEMORY_CXL, 1, NAN, 0x7f00001fffff);
	add(1, MEMORY_CXL, 1, NAN, 0x7f0000200000);
	add(2, MEMORY_CXL, 1, NAN, 0x7f0000000000);
	ck_assert_uint_eq(sampled_rows_sort(&set.rows, TIME_INTERVAL, rows), 3);
	ck_assert_uint_eq(rows[0]->address, 0x7f0000000000);
	ck_assert_uint_eq(rows[0]->counts[TIME_INTERVAL][MEMORY_CXL].samples, 2);
	ck_assert_int_eq(rows[0]->node, 2);
}

TEST(test_pages_of_4_KiB_are_those_of_the_range_that_was_asked_for)
{
	ck_assert(heat_detail_parse("7f0000000000-7f0000200000", &detail));
	start(BY_PAGE);
	add(1, MEMORY_CXL, 1, NAN, 0x7effffffffff);
	add(1, MEMORY_CXL, 1, NAN, 0x7f0000000000);
	add(1, MEMORY_CXL, 1, NAN, 0x7f0000000fff);
	add(1, MEMORY_CXL, 1, NAN, 0x7f00001fffff);
	add(1, MEMORY_CXL, 1, NAN, 0x7f0000200000);
	add(1, MEMORY_CXL, 1, NAN, 0x7f0000201000);
	add(1, MEMORY_CXL, 1, NAN, 0x7f0000202000);
	detail = (struct heat_detail){0};
	ck_assert_uint_eq(sampled_rows_sort(&set.rows, TIME_INTERVAL, rows), 4);
	ck_assert_uint_eq(rows[0]->address, 0x7f0000200000);
	ck_assert_uint_eq(rows[1]->address, 0x7f0000000000);
	ck_assert_uint_eq(rows[1]->counts[TIME_INTERVAL][MEMORY_CXL].samples, 2);
	ck_assert_uint_eq(rows[2]->address, 0x7effffe00000);
	ck_assert_uint_eq(rows[3]->address, 0x7f00001ff000);
}

TEST(test_rows_of_nodes_are_of_no_process)
{
	start(BY_NODE);
	add(1, MEMORY_CXL, 1, NAN, 0);
	add(2, MEMORY_CXL, 1, NAN, 0);
	add(2, MEMORY_DRAM, 1, NAN, 0);
	ck_assert_uint_eq(sampled_rows_sort(&set.rows, TIME_INTERVAL, rows), 2);
	ck_assert(rows[0]->node == 2 && rows[1]->node == 0);
	ck_assert_uint_eq(rows[0]->pid, 0);
}

static uint64_t sum_of_rows(enum row_time time)
{
	uint64_t sum = sampled_row_samples(&set.rows.others, time);

	for (size_t i = 0; i < set.rows.count; i++)
		sum += sampled_row_samples(set.rows.at[i], time);
	return sum;
}

/* Each sample is in a row or among the others, however many processes there are. */
TEST(test_memory_is_bounded_and_no_sample_is_lost)
{
	start(BY_PROCESS);
	for (uint64_t serial = 1; serial <= 3 * SAMPLED_ROWS_MOST; serial++) {
		add(serial, MEMORY_CXL, 1, NAN, 0);
		if (serial % 1000 == 0) {
			ck_assert_uint_eq(sum_of_rows(TIME_RUN), serial);
			sampled_rows_next(&set.rows);
		}
	}
	ck_assert_uint_le(set.rows.count, SAMPLED_ROWS_MOST);
	ck_assert_uint_eq(sum_of_rows(TIME_RUN), 3 * SAMPLED_ROWS_MOST);
	sampled_rows_sort(&set.rows, TIME_RUN, rows);
}

TEST(test_what_does_not_fit_in_an_interval_is_among_the_others)
{
	start(BY_PROCESS);
	for (uint64_t serial = 1; serial <= SAMPLED_ROWS_MOST + 10; serial++)
		add(serial, MEMORY_CXL, 1, NAN, 0);
	ck_assert_uint_eq(set.rows.count, SAMPLED_ROWS_MOST);
	ck_assert_uint_eq(sampled_row_samples(&set.rows.others, TIME_INTERVAL), 10);
}
