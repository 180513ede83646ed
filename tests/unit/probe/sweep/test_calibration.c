/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/sweep/calibration.h"

#include <math.h>

#include "unit.h"

static struct bytes file;
static struct calibration_run seen;

static void tear_down(void)
{
	bytes_free(&file);
}

FIXTURE(NULL, tear_down)

/* Tells if a run is valid, and is read as it was written. */
static bool recode(const struct calibration_run *run)
{
	calibration_block.encode(&(struct coder){.out = &file}, run);
	struct coder c = {.at = file.data, .left = file.size};
	ck_assert_int_eq(calibration_block.decode(&c, &seen), 0);
	return !c.bad && !c.left;
}

#define COUNTS                                                                                     \
	{                                                                                          \
		.work = 1e9, .cycles = 3e9, .demand = 2e9, .cache = 5e8, .store = 1e8,             \
		.read_cost = 110, .prefetched = 0.5                                                \
	}

static const struct calibration_run usual = {
	.kernel = KERNEL_CHASE,
	.chains = 4,
	.dram_node = 0,
	.cxl_node = 2,
	.dram = COUNTS,
	.cxl = COUNTS,
};

/* Unknown counts are NAN; without counts of reads, a run of stores is complete. */
TEST(test_a_run_is_kept_to_the_last_bit)
{
	struct calibration_run run = usual;

	run.cxl = (struct stall_counts){.work = 1e9 / 3,
					.cycles = 6e9 + 1,
					.demand = 1e10 / 3,
					.store = 7,
					.read_cost = 1e3 / 7,
					.prefetched = NAN};
	ck_assert(recode(&run));
	ck_assert_mem_eq(&seen, &run, sizeof(run));
	run.kernel = KERNEL_STORES;
	run.chains = 1;
	run.dram.demand = run.dram.cache = run.dram.store = run.dram.read_cost = NAN;
	bytes_free(&file);
	ck_assert(recode(&run));
	ck_assert_mem_eq(&seen, &run, sizeof(run));
}

/* Changes to a run. */
static const struct {
	double work, cycles, demand, cache, store, read_cost, prefetched;
} impossible[] = {
	{.work = -1},	   {.work = NAN},	 {.work = 1e300},    {.cycles = -1},
	{.cycles = NAN},   {.cycles = 1e300},	 {.demand = -1},     {.demand = 4e9},
	{.cache = -1},	   {.cache = 4e9},	 {.store = -1},	     {.store = 4e9},
	{.read_cost = -1}, {.read_cost = 1e300}, {.prefetched = -1}, {.prefetched = 1.5},
};

static double changed(double number, double to)
{
	return to == 0 ? number : to;
}

TEST_LOOP(test_counts_that_can_not_be_are_damage, 2 * COUNT_OF(impossible))
{
	struct calibration_run run = usual;
	struct stall_counts *s = _i % 2 ? &run.dram : &run.cxl;
	const int i = _i / 2;

	s->work = changed(s->work, impossible[i].work);
	s->cycles = changed(s->cycles, impossible[i].cycles);
	s->demand = changed(s->demand, impossible[i].demand);
	s->cache = changed(s->cache, impossible[i].cache);
	s->store = changed(s->store, impossible[i].store);
	s->read_cost = changed(s->read_cost, impossible[i].read_cost);
	s->prefetched = changed(s->prefetched, impossible[i].prefetched);
	ck_assert(!recode(&run));
}

TEST(test_a_run_that_did_nothing_is_damage)
{
	struct calibration_run run = usual;

	run.dram.work = 0;
	ck_assert(!recode(&run));
}

static const struct calibration_run others[] = {
	{.kernel = CALIBRATION_KERNELS, .chains = 1, .cxl_node = 1},
	{.kernel = KERNEL_CHASE, .chains = 0, .cxl_node = 1},
	{.kernel = KERNEL_CHASE, .chains = KERNEL_CHAINS_MOST + 1, .cxl_node = 1},
	{.kernel = KERNEL_STREAM, .chains = 2, .cxl_node = 1},
	{.kernel = KERNEL_CHASE, .chains = 1, .dram_node = 1, .cxl_node = 1},
	{.kernel = KERNEL_CHASE, .chains = 1, .dram_node = -1, .cxl_node = 1},
	{.kernel = KERNEL_CHASE, .chains = 1, .cxl_node = -1},
};

TEST_LOOP(test_kernels_and_nodes_that_can_not_be_are_damage, COUNT_OF(others))
{
	struct calibration_run run = others[_i];

	run.dram = run.cxl = usual.dram;
	ck_assert(!recode(&run));
}

TEST(test_runs_have_a_name_and_a_slowdown)
{
	struct calibration_run run = usual;
	char name[CALIBRATION_NAME_SIZE];

	ck_assert_str_eq(calibration_name(&run, name), "chase 4");
	/* half of the work in the same time */
	run.cxl.work /= 2;
	ck_assert_double_eq(calibration_slowdown(&run), 2);
	run.kernel = KERNEL_STREAM;
	ck_assert_str_eq(calibration_name(&run, name), "stream");
	run.kernel = KERNEL_STORES;
	ck_assert_str_eq(calibration_name(&run, name), "stores");
	run.dram.cycles = NAN;
	ck_assert_double_nan(calibration_slowdown(&run));
}

TEST(test_no_more_clocks_are_lost_than_there_are)
{
	const double values[STALL_METRICS] = {
		[STALL_DEMAND] = 100.5, [STALL_CACHE] = -0.5,	 [STALL_STORE] = NAN,
		[STALL_READ_COST] = 7,	[STALL_PREFETCHED] = 50,
	};
	const struct stall_counts counts = stall_counts_of(values, 200);

	ck_assert_double_eq(counts.cycles, 200);
	ck_assert_double_eq(counts.demand, 200);
	ck_assert_double_eq(counts.cache, 0);
	ck_assert_double_nan(counts.store);
	ck_assert_double_eq(counts.read_cost, 7);
	ck_assert_double_eq(counts.prefetched, 0.5);
}
