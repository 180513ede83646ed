/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs of simulated CPUs wait for, against the published model, term by term. */
#include "sim/sim_stalls.h"

#include "sim/sim_machine.h"
#include "unit.h"

#define PROGRAMS  1000
#define TOLERANCE 1e-9

/* A number from least to most: the nth of a program. */
static double draw(int program, unsigned n, double least, double most)
{
	uint64_t x = (uint64_t)program * 16 + n + 1;

	/* the finaliser of splitmix64, which makes of neighbours what looks like chance */
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
		/* as its events give it in DRAM: cycles with a read, by reads */
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
