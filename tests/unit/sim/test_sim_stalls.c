/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits of programs of simulated CPUs, checked against the published model, term by term. */
#include "sim/sim_stalls.h"

#include <math.h>

#include "tests/sim/keys.h"
#include "unit.h"

#define PROGRAMS  1000
#define TOLERANCE 1e-9

/* A number from least to most: the nth of a program. */
static double draw(int program, unsigned n, double least, double most)
{
	uint64_t x = (uint64_t)program * 16 + n + 1;

	/* the finaliser of splitmix64, which makes consecutive numbers look random */
	x *= UINT64_C(0x9E3779B97F4A7C15);
	x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
	x ^= x >> 31;
	return least + (most - least) * (double)(x >> 11) / 0x1p53;
}

static struct sim_spec program_of(int i)
{
	return (struct sim_spec){
		.ddr_latency = draw(i, 0, 70, 200),
		.latency = draw(i, 1, 150, 900),
		.demand_stall = draw(i, 2, 0, 60),
		.cache_stall = draw(i, 3, 0, 25),
		.store_stall = draw(i, 4, 0, 15),
		.parallelism = draw(i, 5, 1, 16),
		.overlap = draw(i, 6, 0, 200),
		.prefetched = draw(i, 7, 0, 100),
	};
}

static struct sim_stalls with_share(struct sim_spec program, double percent)
{
	program.cxl_share = percent;
	return sim_stalls_of(&program);
}

static void assert_near(long double value, long double expected)
{
	ck_assert_ldouble_eq_tol(value, expected,
				 TOLERANCE * (1 + (expected < 0 ? -expected : expected)));
}

FIXTURE(NULL, NULL)

TEST(test_the_slowdown_has_the_parts_of_the_published_model)
{
	for (int i = 0; i < PROGRAMS; i++) {
		const struct sim_spec s = program_of(i);
		const struct sim_stalls dram = with_share(s, 0), cxl = with_share(s, 100);
		const long double ratio = (long double)s.latency / s.ddr_latency - 1;
		/* latency from the events in DRAM: cycles with a read, by reads */
		const long double aol = dram.demand / dram.reads;
		const long double demand = ratio / (s.overlap / aol + 1) * dram.demand / 100;
		const long double cache = ratio * (s.prefetched / 100) * dram.cache / 100;
		const long double store = ratio * dram.store / 100;

		assert_near(dram.cycles, 1);
		assert_near(cxl.cycles - dram.cycles, demand + cache + store);
		assert_near((cxl.demand - dram.demand) / 100, demand);
		assert_near((cxl.cache - dram.cache) / 100, cache);
		assert_near((cxl.store - dram.store) / 100, store);
	}
}

/* Unloaded memory: the model's cubic is a line. */
TEST(test_a_share_of_the_memory_has_that_share_of_the_slowdown)
{
	for (int i = 0; i < PROGRAMS; i++) {
		const struct sim_spec s = program_of(i);
		const double percent = draw(i, 8, 0, 100);
		const struct sim_stalls dram = with_share(s, 0), cxl = with_share(s, 100),
					some = with_share(s, percent);

		assert_near(some.cycles - 1, percent / 100 * (cxl.cycles - 1));
		assert_near(some.demand - dram.demand, percent / 100 * (cxl.demand - dram.demand));
		assert_near(some.reads, dram.reads);
	}
}

/* Each read is outstanding for its latency, and no CPU waits for more than its cycles. */
TEST(test_counts_are_those_of_reads_of_these_latencies)
{
	for (int i = 0; i < PROGRAMS; i++) {
		const struct sim_spec s = program_of(i);
		const struct sim_stalls dram = with_share(s, 0), cxl = with_share(s, 100);

		assert_near(dram.outstanding, dram.reads * s.ddr_latency * SIM_CORE_GHZ);
		assert_near(cxl.outstanding, cxl.reads * s.latency * SIM_CORE_GHZ);
		assert_near(dram.outstanding / dram.demand, s.parallelism);
		if (s.latency > s.ddr_latency)
			ck_assert(cxl.outstanding / cxl.demand >= s.parallelism * (1 - TOLERANCE));
		ck_assert(cxl.demand + cxl.cache + cxl.store <= 100 * cxl.cycles);
	}
}

/* Loads are the same in DRAM and in CXL memory. */
TEST(test_the_prefetched_share_of_loads_that_miss_finds_its_line_on_its_way)
{
	for (int i = 0; i < PROGRAMS; i++) {
		const struct sim_spec s = program_of(i);
		const struct sim_stalls dram = with_share(s, 0), cxl = with_share(s, 100);

		assert_near(dram.misses + dram.on_way, dram.reads + dram.cache / 10);
		assert_near(dram.on_way / (dram.misses + dram.on_way), s.prefetched / 100);
		assert_near(cxl.on_way, dram.on_way);
		assert_near(cxl.misses, dram.misses);
	}
}

/* A read of DRAM takes 300 cycles, one of CXL memory 900. */
static const struct sim_spec machine = {
	.ddr_latency = 100, .latency = 300, .overlap = 100, .parallelism = 3};

static const struct {
	unsigned chains, parallelism;
} chases[] = {{1, 1}, {2, 2}, {4, 4}, {8, 8}, {16, 16}, {17, 16}, {64, 16}};

/* In 98 of a hundred cycles in DRAM, as many reads as chains, at most 16, are outstanding. */
TEST_LOOP(test_a_chase_waits_for_reads_as_the_model_says, COUNT_OF(chases))
{
	const unsigned chains = chases[_i].chains;
	const long double cost = 300.0L / chases[_i].parallelism;
	const long double grown = 98 * 2 / (1 + 100 / cost);
	const struct sim_kernel_run dram = sim_run_kernel(&machine, KERNEL_CHASE, chains, 100);
	const struct sim_kernel_run cxl = sim_run_kernel(&machine, KERNEL_CHASE, chains, 300);

	assert_near(dram.stalls.cycles, 1);
	assert_near(dram.stalls.demand, 98);
	assert_near(dram.stalls.reads, 98 / cost);
	assert_near(dram.stalls.outstanding / dram.stalls.demand, chases[_i].parallelism);
	assert_near(dram.stalls.cache + dram.stalls.store, 0);
	assert_near(cxl.stalls.cycles, 1 + grown / 100);
	assert_near(cxl.stalls.demand, 98 + grown);
	assert_near(cxl.stalls.reads, dram.stalls.reads);
	/* a line by read */
	assert_near(dram.GBps, 98 / cost / 100 * 64 * SIM_CORE_GHZ);
	assert_near(cxl.GBps, dram.GBps / cxl.stalls.cycles);
}

TEST(test_a_stream_waits_for_caches_and_stores_for_stores)
{
	const struct sim_kernel_run stream = sim_run_kernel(&machine, KERNEL_STREAM, 1, 300);
	const struct sim_kernel_run stores = sim_run_kernel(&machine, KERNEL_STORES, 1, 300);
	const long double reads = 4 * 2 / (1 + 100 / (300.0L / 8));

	assert_near(stream.stalls.demand, 4 + reads);
	assert_near(stream.stalls.cache, 60 + 60 * 2 * 0.8L);
	assert_near(stream.stalls.store, 0);
	assert_near(stream.stalls.cycles, 1 + (reads + 96) / 100);
	assert_near(stream.GBps, 12 / stream.stalls.cycles);
	assert_near(stores.stalls.demand, 0);
	assert_near(stores.stalls.reads, 0);
	assert_near(stores.stalls.cache, 0);
	assert_near(stores.stalls.store, 70 + 70 * 2);
	assert_near(stores.stalls.cycles, 2.4L);
	assert_near(stores.GBps, 6 / 2.4L);
	ck_assert_double_eq(sim_run_kernel(&machine, KERNEL_STREAM, 1, 100).GBps, 12);
	ck_assert_double_eq(sim_run_kernel(&machine, KERNEL_STORES, 1, 100).GBps, 6);
}

/* Returns the growth of a program's waits, as a multiple of the model's. */
static double growth_of(struct sim_spec program, double deviation, unsigned seed)
{
	const long double by_model = with_share(program, 100).cycles - 1;

	test_values_set(&program, &(struct test_values){.deviation = deviation, .seed = seed});
	return (double)((with_share(program, 100).cycles - 1) / by_model);
}

TEST(test_programs_deviate_from_the_model_as_much_as_is_asked_for)
{
	double sum = 0, squares = 0, beyond = 0;

	for (int i = 0; i < 10 * PROGRAMS; i++) {
		const double growth = growth_of(program_of(i), 20, 1);

		sum += growth;
		squares += (growth - 1) * (growth - 1);
		beyond += fabs(growth - 1) > 0.2 * 1.645;
	}
	/* three standard errors of the mean, of the deviation, and of the tenth in both tails */
	ck_assert_double_eq_tol(sum / (10 * PROGRAMS), 1, 0.006);
	ck_assert_double_eq_tol(sqrt(squares / (10 * PROGRAMS)), 0.2, 0.0042);
	ck_assert_double_eq_tol(beyond / (10 * PROGRAMS), 0.1, 0.009);
}

TEST(test_a_program_deviates_in_all_parts_alike_and_the_same_in_each_run)
{
	struct sim_spec s = program_of(7);
	const struct sim_stalls model = with_share(s, 100);
	const double growth = growth_of(s, 20, 1);

	ck_assert_double_eq(growth_of(s, 20, 1), growth);
	ck_assert_double_ne(growth_of(s, 20, 2), growth);
	ck_assert_double_ne(growth_of(program_of(8), 20, 1), growth);
	test_values_set(&s, &(struct test_values){.deviation = 20, .seed = 1});
	const struct sim_stalls cxl = with_share(s, 100), dram = with_share(s, 0);
	assert_near(dram.cycles, 1);
	assert_near(cxl.demand - dram.demand, growth * (model.demand - dram.demand));
	assert_near(cxl.cache - dram.cache, growth * (model.cache - dram.cache));
	assert_near(cxl.store - dram.store, growth * (model.store - dram.store));
	assert_near(cxl.outstanding, model.outstanding);
}

/* Programs never become faster in CXL memory, not even with the largest deviation. */
TEST(test_waits_never_shrink)
{
	int least = 0;

	for (int i = 0; i < PROGRAMS; i++) {
		const double growth = growth_of(program_of(i), 100, 1);

		ck_assert_double_ge(growth, 0);
		least += growth == 0;
	}
	ck_assert_int_gt(least, 0);
}
