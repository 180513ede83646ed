/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples without a physical address, whose memory is found by its region: Diamond Rapids. */
#include "process/intake.h"

#include <math.h>

#include "unit.h"

static const struct load_event event = {.name = "mem-loads", .period = 7, .counts = true};
static unsigned numbers[] = {2, 3};
static const struct cxl_nodes nodes = {.numbers = numbers, .count = 2};
static struct process_intake intake;
static struct sampler sampler;
static struct load_sample sample;

static void pass(struct sampler *s, sample_visitor *visit, void *context)
{
	(void)s;
	visit(context, &(struct sample_record){.kind = RECORD_SAMPLE, .sample = sample});
}

/*
 * DRAM of nodes 0 and 1, CXL memory of 2 and 3, both in region 4, and a range that belongs to no
 * node
 */
static void begin(void)
{
	static const struct sampler_ops ops = {.read = pass};
	static const struct region_node regions[] = {{0, 0}, {0, 1}, {2, 2}, {2, 3},
						     {4, 0}, {4, 2}, {5, 3}, {5, -1}};

	sampler = (struct sampler){
		.ops = &ops, .sampling = {.events = {&event}, .event_count = 1}, .cpus = 1};
	intake = (struct process_intake){.sampler = &sampler, .nodes = &nodes};
	intake.map.ranges = calloc(1, sizeof(*intake.map.ranges));
	intake.map.ranges[0] = (struct memory_range){0, 1 << 30, 2};
	intake.map.count = 1;
	intake.map.regions = calloc(1, sizeof(regions));
	memcpy(intake.map.regions, regions, sizeof(regions));
	intake.map.region_count = COUNT_OF(regions);
	sample = (struct load_sample){.pid = 10,
				      .tid = 10,
				      .address = 0x200000,
				      .period = 5,
				      .latency_ns = NAN,
				      .level = LOAD_DRAM,
				      .load = true};
	ck_assert_int_eq(process_intake_init(&intake, NULL), 0);
	ck_assert_int_eq(process_intake_add_set(&intake, &(struct row_set){.by = BY_PROCESS}), 0);
}

static void end(void)
{
	process_intake_free(&intake);
}

FIXTURE(begin, end)

static enum read_memory memory_read(void)
{
	static const struct sampled_row *rows[SAMPLED_ROWS_MOST];

	process_intake_read(&intake);
	ck_assert_uint_eq(sampled_rows_sort(&intake.sets[0].rows, TIME_INTERVAL, rows), 1);
	for (int memory = 0; memory < READ_MEMORIES; memory++)
		if (rows[0]->counts[TIME_INTERVAL][memory].samples)
			return (enum read_memory)memory;
	ck_abort_msg("no sample was counted");
}

TEST_LOOP(test_a_region_says_what_memory_it_is, 9)
{
	static const enum read_memory expected[] = {
		MEMORY_UNKNOWN, MEMORY_DRAM,	MEMORY_UNKNOWN, MEMORY_CXL,	MEMORY_UNKNOWN,
		MEMORY_UNKNOWN, MEMORY_UNKNOWN, MEMORY_UNKNOWN, MEMORY_UNKNOWN,
	};

	sample.region = _i - 1;
	ck_assert_int_eq(memory_read(), expected[_i]);
}

TEST(test_the_address_is_more_exact_than_the_region)
{
	sample.region = 0;
	sample.physical = 4096;
	ck_assert_int_eq(memory_read(), MEMORY_CXL);
}
