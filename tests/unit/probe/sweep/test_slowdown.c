/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fit and the prediction, compared with the model of the simulator, and cases that they refuse.
 */
#include "probe/sweep/slowdown.h"

#include <math.h>

#include "sim/sim_machine.h"
#include "sim/sim_stalls.h"
#include "tests/sim/keys.h"
#include "unit.h"

#define PROGRAMS  1000
#define TOLERANCE 1e-6 /* tolerance of sums of squares, which differ from 0 by rounding */

/* Chains of the chases; a run of a stream and one of stores follow. */
static const unsigned chains[] = {1, 2, 4, 8, 16};
#define CHASES		  COUNT_OF(chains)
#define RUNS		  (CHASES + 2)
#define STREAM_PREFETCHED 0.8 /* see sim_stalls.c */

static struct calibration_run runs[RUNS + 2];
static struct slowdown_model model;
static struct error err;

/* Numbers that look random: the finaliser of splitmix64. */
static uint64_t drawn;

static double draw(double least, double most)
{
	uint64_t x = ++drawn * UINT64_C(0x9E3779B97F4A7C15);

	x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
	x ^= x >> 31;
	return least + (most - least) * (double)(x >> 11) / 0x1p53;
}

static struct sim_spec machine_of(double dram, double cxl, double overlap)
{
	return (struct sim_spec){.ddr_latency = dram, .latency = cxl, .overlap = overlap};
}

/* Returns counts of the same work, in any memory. */
static struct stall_counts counts_of(const struct sim_stalls *s, double prefetched)
{
	return (struct stall_counts){
		.work = 1,
		.cycles = (double)s->cycles,
		.demand = (double)s->demand / 100,
		.cache = (double)s->cache / 100,
		.store = (double)s->store / 100,
		.read_cost = s->reads > 0 ? (double)(s->demand / s->reads) : NAN,
		.prefetched = prefetched,
	};
}

static struct stall_counts with_share(struct sim_spec program, double percent)
{
	program.cxl_share = percent;
	const struct sim_stalls s = sim_stalls_of(&program);

	return counts_of(&s, program.prefetched / 100);
}

static struct stall_counts kernel_in(const struct sim_spec *machine,
				     const struct calibration_run *run, double latency_ns)
{
	const struct sim_kernel_run found =
		sim_run_kernel(machine, run->kernel, run->chains, latency_ns);

	return counts_of(&found.stalls, STREAM_PREFETCHED);
}

/*
 * Calibrates a machine whose kernels differ from the model as programs do: by its .deviation, and
 * .seed.
 */
static void calibrate(const struct sim_spec *machine)
{
	for (size_t i = 0; i < RUNS; i++) {
		struct calibration_run run = {
			.kernel = i < CHASES	? KERNEL_CHASE
				  : i == CHASES ? KERNEL_STREAM
						: KERNEL_STORES,
			.chains = i < CHASES ? chains[i] : 1,
			.cxl_node = 1,
		};

		run.dram = kernel_in(machine, &run, machine->ddr_latency);
		run.cxl = kernel_in(machine, &run, machine->latency);
		runs[i] = run;
	}
}

static int fit_first(size_t count)
{
	return slowdown_fit(&(struct calibration_runs){runs, count}, &model, &err);
}

static void fit_some(size_t count)
{
	ck_assert_msg(!fit_first(count), "%s", err.text);
}

static void refuse(size_t count, int code, const char *why)
{
	ck_assert_int_eq(fit_first(count), code);
	ck_assert_int_eq(err.kind, ERROR_FAILED);
	assert_contains(err.text, why);
}

/*
 * Returns a machine whose programs differ from the model by a standard deviation of some percent.
 */
static struct sim_spec random_machine(unsigned number, double deviation)
{
	const double dram = draw(70, 200);
	struct sim_spec machine = machine_of(dram, dram * draw(1.3, 6), draw(0, 200));

	test_values_set(&machine, &(struct test_values){.deviation = deviation, .seed = number});
	return machine;
}

static struct sim_spec random_program(struct sim_spec machine)
{
	machine.demand_stall = draw(0, 60);
	machine.cache_stall = draw(0, 25);
	machine.store_stall = draw(0, 15);
	machine.parallelism = draw(1, 16);
	machine.prefetched = draw(0, 100);
	return machine;
}

/* Begins with the same numbers, whatever ran before. */
static void set_up(void)
{
	drawn = 0;
}

FIXTURE(set_up, NULL)

TEST(test_coefficients_are_those_of_the_simulated_machine)
{
	const struct sim_spec machine = machine_of(100, 300, 100);

	calibrate(&machine);
	fit_some(RUNS);
	assert_double(model.demand_ratio.value, 2, TOLERANCE);
	assert_double(model.overlap.value, 100, TOLERANCE * 100);
	assert_double(model.cache_ratio.value, 2, TOLERANCE);
	assert_double(model.store_ratio.value, 2, TOLERANCE);
	ck_assert_uint_eq(model.kernels, RUNS);
	ck_assert_double_eq(model.least_cost, runs[CHASES - 1].dram.read_cost);
	ck_assert_double_eq(model.most_cost, runs[0].dram.read_cost);
	assert_double(model.spread, 0, TOLERANCE);
	assert_double(model.overlap.error, 0, TOLERANCE * 100);
}

TEST(test_without_deviation_the_slowdown_is_that_of_the_simulator)
{
	for (unsigned i = 0; i < PROGRAMS; i++) {
		const struct sim_spec machine = random_machine(i, 0), s = random_program(machine);
		const double percent = draw(0, 100);
		const struct stall_counts dram = with_share(s, 0), some = with_share(s, percent);

		calibrate(&machine);
		fit_some(RUNS);
		const struct slowdown found = slowdown_predict(&model, &dram);
		const double share = percent / 100;
		assert_double(share * found.demand.value, some.demand - dram.demand, TOLERANCE);
		assert_double(share * found.cache.value, some.cache - dram.cache, TOLERANCE);
		assert_double(share * found.store.value, some.store - dram.store, TOLERANCE);
		assert_double(slowdown_at(&found.total, share, 1).value, some.cycles, TOLERANCE);
	}
}

static bool is_inside(const struct slowdown_part *part, double value)
{
	return value >= part->low && value <= part->high;
}

static void assert_nine_of_ten(unsigned inside)
{
	ck_assert_msg(inside >= 0.85 * PROGRAMS && inside <= 0.95 * PROGRAMS, "%u", inside);
}

/* Each program runs on a machine of its own, which is calibrated separately. */
TEST(test_nine_of_ten_programs_are_inside_the_interval)
{
	unsigned inside = 0, of_demand = 0, of_store = 0;

	for (unsigned i = 0; i < PROGRAMS; i++) {
		const struct sim_spec machine = random_machine(i, draw(0.5, 10)),
				      s = random_program(machine);
		const struct stall_counts dram = with_share(s, 0), cxl = with_share(s, 100);

		calibrate(&machine);
		fit_some(RUNS);
		const struct slowdown found = slowdown_predict(&model, &dram);
		inside += is_inside(&found.total, cxl.cycles - dram.cycles);
		of_demand += is_inside(&found.demand, cxl.demand - dram.demand);
		of_store += is_inside(&found.store, cxl.store - dram.store);
	}
	assert_nine_of_ten(inside);
	assert_nine_of_ten(of_demand);
	assert_nine_of_ten(of_store);
}

/* The prefetched share is unknown for the program, and for the stream. */
TEST(test_where_prefetches_are_not_known_no_fewer_are_inside)
{
	unsigned inside = 0;

	for (unsigned i = 0; i < PROGRAMS; i++) {
		const struct sim_spec machine = random_machine(i, 5), s = random_program(machine);
		struct stall_counts dram = with_share(s, 0);

		calibrate(&machine);
		runs[CHASES].dram.prefetched = NAN;
		fit_some(RUNS);
		dram.prefetched = NAN;
		const struct slowdown found = slowdown_predict(&model, &dram);
		inside += is_inside(&found.total, with_share(s, 100).cycles - 1);
	}
	ck_assert_msg(inside >= 0.9 * PROGRAMS, "%u", inside);
}

/* Calculations by hand, with numbers that are exact. */

/* Returns a run with stalls of one kind: 64 clocks in DRAM, and this share more in CXL memory. */
static struct calibration_run run_of(enum calibration_kernel kernel, unsigned number, double cost,
				     double more)
{
	struct calibration_run run = {
		.kernel = kernel,
		.chains = number,
		.dram = {.work = 1, .cycles = 100, .read_cost = cost, .prefetched = 1},
	};

	run.cxl = run.dram;
	if (kernel == KERNEL_CHASE) {
		run.dram.demand = 64;
		run.cxl.demand = 64 * (1 + more);
	} else if (kernel == KERNEL_STREAM) {
		run.dram.cache = 64;
		run.cxl.cache = 64 * (1 + more);
	} else {
		run.dram.store = 64;
		run.cxl.store = 64 * (1 + more);
	}
	return run;
}

/*
 * Calculation by hand. For reads that cost 100 cycles, 1.1 w and 0.9 w are closest to 1 for w =
 * (1.1 + 0.9) / (1.1^2 + 0.9^2) = 100 / 101, and leave squares of 2 / 101; for reads of a third of
 * that cost w is 2. So the spread is 1 / sqrt(101), with two degrees of freedom.
 */
#define BY_HAND 6
static void by_hand(void)
{
	runs[0] = run_of(KERNEL_CHASE, 1, 100, 1.1);
	runs[1] = run_of(KERNEL_CHASE, 2, 100, 0.9);
	runs[2] = run_of(KERNEL_CHASE, 3, 100. / 3, 0.5);
	runs[3] = run_of(KERNEL_CHASE, 4, 100. / 3, 0.5);
	runs[4] = run_of(KERNEL_STREAM, 1, NAN, 2);
	runs[5] = run_of(KERNEL_STORES, 1, NAN, 1.5);
}

#define SPREAD (1 / sqrt(101))
#define T      2.920 /* Student's, for two degrees */

static void fit_by_hand(void)
{
	by_hand();
	fit_some(BY_HAND);
}

TEST(test_coefficients_are_those_of_least_squares)
{
	fit_by_hand();
	ck_assert_uint_eq(model.kernels, BY_HAND);
	assert_double(model.spread, SPREAD, 1e-9);
	/* 1 / C + A / C / 100 is 100 / 101, and 2 with three times as much of the second term */
	assert_double(model.demand_ratio.value, 101. / 49, 1e-9);
	assert_double(model.overlap.value, 5100. / 49, 1e-7);
	/* the variances are 163 / 101 and 630000 / 101, the covariance is -8800 / 101 */
	const double fixed = 49. / 101, overlap = 5100. / 49;
	assert_double(model.demand_ratio.error, SPREAD * sqrt(163. / 101) / (fixed * fixed), 1e-9);
	assert_double(model.overlap.error,
		      SPREAD * sqrt((630000 + overlap * (2 * 8800 + overlap * 163)) / 101) / fixed,
		      1e-7);
	assert_double(model.cache_ratio.value, 2, 1e-9);
	assert_double(model.cache_ratio.error, SPREAD * 2, 1e-9);
	assert_double(model.store_ratio.value, 1.5, 1e-9);
	assert_double(model.store_ratio.error, SPREAD * 1.5, 1e-9);
}

TEST(test_memory_that_is_hardly_slower_than_dram_has_a_fit)
{
	by_hand();
	for (unsigned i = 0; i < 4; i++)
		runs[i].cxl.demand = 64 + (runs[i].cxl.demand - 64) / 1024;
	fit_some(BY_HAND);
	assert_double(model.demand_ratio.value, 101. / 49 / 1024, 1e-12);
	assert_double(model.overlap.value, 5100. / 49, 1e-7);
	assert_double(model.spread, SPREAD, 1e-9);
}

TEST(test_the_interval_is_that_of_students_t)
{
	const struct stall_counts program = {
		.cycles = 100, .cache = 1, .read_cost = NAN, .prefetched = 1};

	fit_by_hand();
	const struct slowdown s = slowdown_predict(&model, &program);
	/* the program differs by as much as the kernel of the coefficient */
	const double width = T * SPREAD * 0.02 * sqrt(2);
	assert_double(s.total.value, 0.02, 1e-9);
	assert_double(s.total.low, 0.02 - width, 1e-9);
	assert_double(s.total.high, 0.02 + width, 1e-9);
	ck_assert_double_eq(s.demand.high, 0);
	ck_assert_double_eq(s.store.high, 0);
}

TEST(test_nothing_is_faster_in_cxl_memory)
{
	const struct stall_counts program = {
		.cycles = 100, .cache = 10, .read_cost = NAN, .prefetched = 1};

	fit_by_hand();
	model.spread = 1;
	model.cache_ratio.error = model.cache_ratio.value;
	const struct slowdown s = slowdown_predict(&model, &program);
	ck_assert_double_eq(s.cache.low, 0);
	ck_assert_double_eq(s.total.low, 0);
	assert_double(s.total.high, 0.2 + T * 0.2 * sqrt(2), 1e-9);
}

TEST(test_the_error_of_reads_grows_beyond_the_costs_that_were_measured)
{
	struct stall_counts program = {.cycles = 100, .demand = 50, .read_cost = 100};

	fit_by_hand();
	const struct slowdown measured = slowdown_predict(&model, &program);
	program.read_cost = 10;
	const struct slowdown beyond = slowdown_predict(&model, &program);
	assert_double(measured.demand.value, 0.505, 1e-9);
	/* 1 / (1.1^2 + 0.9^2) divided by the square of w */
	assert_double(measured.demand.high, 0.505 * (1 + T * SPREAD * sqrt(1.505)), 1e-9);
	assert_double(beyond.demand.value, 0.5 * 101 / 559, 1e-9);
	ck_assert_double_gt(beyond.demand.high / beyond.demand.value,
			    measured.demand.high / measured.demand.value);
}

TEST(test_all_parts_of_a_program_differ_alike_and_coefficients_do_not)
{
	const struct stall_counts program = {
		.cycles = 100, .cache = 10, .store = 8, .read_cost = NAN, .prefetched = 0.5};

	fit_by_hand();
	const struct slowdown s = slowdown_predict(&model, &program);
	assert_double(s.cache.value, 0.1, 1e-9);
	assert_double(s.store.value, 0.12, 1e-9);
	assert_double(s.total.value, 0.22, 1e-9);
	assert_double(s.total.high, 0.22 + T * SPREAD * sqrt(0.22 * 0.22 + 0.1 * 0.1 + 0.12 * 0.12),
		      1e-9);
}

/* The interval reaches from no prefetches to only prefetches, each with its error. */
TEST(test_prefetches_that_are_not_known_widen_the_interval)
{
	struct stall_counts program = {
		.cycles = 100, .cache = 10, .read_cost = NAN, .prefetched = 1};

	fit_by_hand();
	const struct slowdown all = slowdown_predict(&model, &program);
	program.prefetched = NAN;
	const struct slowdown some = slowdown_predict(&model, &program);
	ck_assert_double_eq(some.cache.low, 0);
	ck_assert_double_eq(some.cache.value, all.cache.value / 2);
	ck_assert_double_eq(some.cache.high, all.cache.high);
	ck_assert_double_eq(some.total.low, 0);
	assert_double(some.total.value, 0.1, 1e-9);
	ck_assert_double_eq(some.total.high, all.total.high);
}

TEST(test_waits_are_of_the_same_work)
{
	fit_by_hand();
	const struct slowdown_model once = model;
	for (unsigned i = 0; i < BY_HAND; i++) {
		runs[i].cxl.work *= 2;
		runs[i].cxl.demand *= 2;
		runs[i].cxl.cache *= 2;
		runs[i].cxl.store *= 2;
	}
	fit_some(BY_HAND);
	ck_assert_double_eq(model.demand_ratio.value, once.demand_ratio.value);
	ck_assert_double_eq(model.overlap.value, once.overlap.value);
	ck_assert_double_eq(model.cache_ratio.value, once.cache_ratio.value);
	ck_assert_double_eq(model.store_ratio.value, once.store_ratio.value);
}

/* Repeated runs do not show how programs differ. */
TEST(test_several_runs_of_a_program_are_one_by_their_mean)
{
	by_hand();
	runs[5] = run_of(KERNEL_STORES, 1, NAN, 1.25);
	runs[6] = run_of(KERNEL_STORES, 1, NAN, 1.75);
	runs[7] = runs[0];
	fit_some(8);
	ck_assert_uint_eq(model.kernels, BY_HAND);
	assert_double(model.spread, SPREAD, 1e-9);
	assert_double(model.store_ratio.value, 1.5, 1e-9);
	assert_double(model.demand_ratio.value, 101. / 49, 1e-9);
}

TEST(test_where_prefetches_of_the_stream_are_not_known_its_ratio_is_not_too_small)
{
	by_hand();
	runs[4].dram.prefetched = 0.5;
	fit_some(BY_HAND);
	assert_double(model.cache_ratio.value, 4, 1e-9);
	/* a share of 1 would make the ratio less than for a read that nothing hides */
	runs[4].dram.prefetched = NAN;
	fit_some(BY_HAND);
	assert_double(model.cache_ratio.value, 101. / 49, 1e-9);
	assert_double(model.cache_ratio.error, model.demand_ratio.error, 1e-9);
	runs[4] = run_of(KERNEL_STREAM, 1, NAN, 3);
	runs[4].dram.prefetched = NAN;
	fit_some(BY_HAND);
	assert_double(model.cache_ratio.value, 3, 1e-9);
}

/* Stalls of several chains may grow more, by chance or because nothing overlaps. */
TEST(test_the_overlap_is_never_negative)
{
	by_hand();
	for (unsigned i = 0; i < 4; i++)
		runs[i] = run_of(KERNEL_CHASE, i + 1, i < 2 ? 100 : 50, i < 2 ? 1 : 1.25);
	fit_some(BY_HAND);
	ck_assert_double_eq(model.overlap.value, 0);
	assert_double(model.demand_ratio.value, 5.125 / 4.5, 1e-9);
	ck_assert_double_gt(model.overlap.error, 0);
}

TEST(test_counts_that_are_not_known_leave_their_part_empty)
{
	struct stall_counts program = {
		.cycles = 100, .demand = 10, .cache = 10, .store = 8, .read_cost = NAN};

	fit_by_hand();
	struct slowdown s = slowdown_predict(&model, &program);
	ck_assert_double_nan(s.demand.value);
	ck_assert_double_nan(s.demand.low);
	ck_assert_double_nan(s.total.value);
	ck_assert_double_nan(s.total.low);
	ck_assert_double_nan(s.total.high);
	assert_double(s.store.value, 0.12, 1e-9);
	program.demand = 0;
	program.store = NAN;
	s = slowdown_predict(&model, &program);
	ck_assert_double_eq(s.demand.value, 0);
	ck_assert_double_nan(s.store.value);
	ck_assert_double_nan(s.total.high);
	program.store = 0;
	program.cache = NAN;
	s = slowdown_predict(&model, &program);
	ck_assert_double_nan(s.cache.low);
	ck_assert_double_nan(s.total.low);
}

TEST(test_a_program_that_does_not_wait_is_not_slower)
{
	const struct stall_counts program = {.cycles = 100, .read_cost = NAN, .prefetched = NAN};

	fit_by_hand();
	const struct slowdown s = slowdown_predict(&model, &program);
	ck_assert_double_eq(s.total.value, 0);
	ck_assert_double_eq(s.total.low, 0);
	ck_assert_double_eq(s.total.high, 0);
}

/* Calibrations that cannot be fitted. */

TEST(test_too_few_runs_are_refused)
{
	by_hand();
	refuse(0, -ENODATA, "no run of the chase whose counts are known");
	refuse(1, -ENODATA, "no run of the stream");
	refuse(4, -ENODATA, "no run of the stream");
	refuse(5, -ENODATA, "no run of the stores");
	runs[1] = runs[5];
	runs[3] = runs[4];
	refuse(4, -ENODATA,
	       "a pointer chase with only 2 numbers of chains: too few for the error "
	       "of a prediction");
}

TEST(test_reads_of_one_cost_are_refused)
{
	by_hand();
	runs[2] = run_of(KERNEL_CHASE, 3, 100, 0.5);
	runs[3] = run_of(KERNEL_CHASE, 4, 100, 0.5);
	refuse(BY_HAND, -ENODATA, "at only one cost of reads: several numbers of chains");
}

TEST(test_runs_that_lack_a_count_are_left_out)
{
	by_hand();
	runs[6] = runs[0];
	runs[6].cxl = (struct stall_counts){
		.work = NAN, .cycles = NAN, .demand = NAN, .cache = NAN, .store = NAN};
	runs[7] = run_of(KERNEL_CHASE, 8, NAN, 2);
	runs[8] = run_of(KERNEL_CHASE, 16, 10, 2);
	runs[8].dram.demand = 0;
	fit_some(9);
	ck_assert_uint_eq(model.kernels, BY_HAND);
	assert_double(model.demand_ratio.value, 101. / 49, 1e-9);
	for (unsigned i = 0; i < BY_HAND; i++)
		runs[i].cxl.work = NAN;
	refuse(BY_HAND, -ENODATA, "no run of the chase");
	by_hand();
	runs[5].cxl.work = 0;
	refuse(BY_HAND, -ENODATA, "no run of the stores");
	by_hand();
	runs[4].dram.prefetched = 0;
	refuse(BY_HAND, -ENODATA, "no run of the stream");
}

TEST(test_memory_of_the_same_latency_is_refused)
{
	const struct sim_spec machine = machine_of(100, 100, 100);

	calibrate(&machine);
	refuse(RUNS, -ERANGE,
	       "a run of the chase that stalls no longer in CXL memory than in "
	       "DRAM");
	by_hand();
	runs[5] = run_of(KERNEL_STORES, 1, NAN, -0.1);
	refuse(BY_HAND, -ERANGE, "a run of the stores that stalls no longer");
}

TEST(test_waits_beyond_all_numbers_are_refused)
{
	by_hand();
	runs[4] = run_of(KERNEL_STREAM, 1, NAN, 1e300);
	refuse(BY_HAND, -ERANGE, "without limit");
	by_hand();
	for (unsigned i = 0; i < 4; i++)
		runs[i] = run_of(KERNEL_CHASE, i + 1, 100, 1e300);
	ck_assert_int_ne(fit_first(BY_HAND), 0);
}

/* The costs differ so much that a read which nothing hides would stall without end. */
TEST(test_a_chase_that_does_not_follow_the_model_is_refused)
{
	by_hand();
	for (unsigned i = 0; i < 4; i++)
		runs[i] = run_of(KERNEL_CHASE, i + 1, i < 2 ? 100 : 50, i < 2 ? 10 : 1);
	refuse(BY_HAND, -ERANGE, "does not follow the model");
}
