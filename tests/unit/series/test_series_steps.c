/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "allocations.h"
#include "series/series.h"
#include "sim_registers.h"
#include "unit.h"

#define STEPS	150
#define STEP_NS (2 * SECOND)

static const struct metric metric = {.name = "m", .rows = 1 << ROW_SYSTEM};
static struct column columns[] = {{&metric}};
static struct value value;
static struct row row;
static struct table table = {.columns = columns, .column_count = 1, .rows = &row, .row_count = 1};
static struct series series;
static uint64_t wall_ns;

static void begin_series(enum series_steps_type type, size_t most, uint64_t step_ns)
{
	series_free(&series);
	ck_assert_int_eq(series_init(&series, &table), 0);
	series_set_steps(&series, type, most, step_ns);
	ck_assert_int_eq(series_keep_all(&series, SERIES_STEPS | SERIES_PEAKS), 0);
}

static void set_up(void)
{
	row = row_unknown;
	row.values = &value;
	value = value_unknown;
	wall_ns = 100 * SECOND;
	begin_series(SERIES_DOUBLES, STEPS, STEP_NS);
}

static void tear_down(void)
{
	series_free(&series);
}

FIXTURE(set_up, tear_down)

static void add(double number, uint64_t interval_ns)
{
	value.number = number;
	wall_ns += interval_ns;
	series_add(&series, wall_ns, interval_ns);
}

static const struct series_cell *cell(void)
{
	return series_cell(&series, 0, 0);
}

static double step(size_t i)
{
	const double *steps = series_steps(&series, cell());

	ck_assert_uint_lt(i, series.step_count);
	return steps[i];
}

static double peak(void)
{
	return series_peak(&series, cell());
}

TEST(test_the_first_sample_is_a_step_and_others_are_averaged_over_two_seconds)
{
	add(8, SECOND);
	ck_assert_uint_eq(series.step_count, 1);
	add(1, SECOND);
	ck_assert_uint_eq(series.step_count, 1);
	ck_assert_double_eq(peak(), 8);
	add(3, SECOND);
	ck_assert_uint_eq(series.step_count, 2);
	ck_assert_double_eq(step(0), 8);
	ck_assert_double_eq(step(1), 2);
	ck_assert_uint_eq(series_ends(&series)[1], 103 * SECOND);
	/* includes the open step */
	add(9, SECOND);
	ck_assert_uint_eq(series.step_count, 2);
	ck_assert_double_eq(peak(), 9);
}

TEST(test_unknown_values_are_no_part_of_means_and_a_step_without_values_is_unknown)
{
	add(NAN, SECOND);
	ck_assert_ptr_null(series_steps(&series, cell()));
	ck_assert(isnan(peak()));
	add(NAN, SECOND);
	add(4, SECOND);
	ck_assert(isnan(step(0)));
	ck_assert_double_eq(step(1), 4);
}

TEST(test_a_sample_counts_in_its_step_by_the_time_that_it_covers)
{
	add(1, SECOND);
	add(10, SECOND / 2);
	add(20, 3 * SECOND / 2);
	ck_assert_double_eq(step(1), 17.5);
}

TEST(test_all_steps_may_be_kept_each_the_number_of_one_sample)
{
	begin_series(SERIES_DOUBLES, 0, 0);
	for (unsigned i = 1; i <= 10 * STEPS; i++)
		add(1e9 / i, i);
	ck_assert_uint_eq(series.step_count, 10 * STEPS);
	ck_assert_uint_eq(series.all_steps, 10 * STEPS);
	for (unsigned i = 1; i <= 10 * STEPS; i++)
		ck_assert_double_eq(step(i - 1), 1e9 / i);
}

TEST(test_steps_may_be_floats_and_get_longer)
{
	begin_series(SERIES_FLOATS, STEPS, SECOND);
	for (unsigned i = 0; i < 10 * STEPS; i++)
		add(i + 0.1, SECOND);
	series.step_ns = 2 * SECOND;
	add(1, SECOND);
	add(2, SECOND);
	const float *steps = series_steps(&series, cell());
	ck_assert_uint_eq(series.step_count, STEPS);
	ck_assert_uint_eq(series.all_steps, 10 * STEPS + 1);
	ck_assert(steps[STEPS - 1] == 1.5F);
	for (unsigned i = 0; i < STEPS - 1; i++)
		ck_assert(steps[i] == (float)(9 * STEPS + 1 + i + 0.1));
}

TEST(test_the_oldest_steps_make_room)
{
	for (unsigned i = 0; i < STEPS + 7; i++)
		add(1000 - i, 5 * SECOND);
	ck_assert_uint_eq(series.step_count, STEPS);
	ck_assert_double_eq(step(0), 1000 - 7);
	ck_assert_double_eq(step(STEPS - 1), 1000 - (STEPS + 6));
	ck_assert_double_eq(peak(), 1000 - 7);
	ck_assert_uint_eq(series_ends(&series)[0], (100 + 5 * 8) * SECOND);
}

TEST(test_time_stands_while_the_clock_is_behind)
{
	add(1, 2 * SECOND);
	wall_ns = 50 * SECOND;
	add(2, 2 * SECOND);
	ck_assert_uint_eq(series.step_count, 2);
	ck_assert_uint_eq(series_ends(&series)[1], 102 * SECOND);
}

/* Steps of a run, from its first sample on, and the open one. */
#define ALL_STEPS 1000
static struct {
	double means[ALL_STEPS], peaks[ALL_STEPS];
	double sum, peak;
	unsigned count;
	uint64_t known_ns, open_ns;
} all;

static void add_to_all(double number, uint64_t interval_ns)
{
	if (!isnan(number)) {
		all.peak = all.known_ns ? fmax(all.peak, number) : number;
		all.sum += number * (double)interval_ns;
		all.known_ns += interval_ns;
	}
	all.open_ns += interval_ns;
	if (all.count && all.open_ns < STEP_NS)
		return;
	all.means[all.count] = all.known_ns ? all.sum / (double)all.known_ns : NAN;
	all.peaks[all.count++] = all.known_ns ? all.peak : NAN;
	all.sum = 0;
	all.known_ns = all.open_ns = 0;
}

static void assert_latest_of_all(void)
{
	const unsigned first = all.count - (unsigned)series.step_count;
	double expected = all.known_ns ? all.peak : NAN;

	ck_assert_uint_eq(series.step_count, all.count < STEPS ? all.count : STEPS);
	for (unsigned i = 0; i < series.step_count; i++) {
		const double mean = all.means[first + i];

		ck_assert(isnan(mean) ? isnan(step(i)) : fabs(step(i) - mean) < 1e-13 * mean);
		expected = fmax(expected, all.peaks[first + i]);
	}
	ck_assert(isnan(expected) ? isnan(peak()) : peak() == expected);
}

/* Values are unknown until some steps have ended, and in some later steps. */
TEST(test_steps_are_the_latest_of_all_whenever_the_oldest_has_made_room)
{
	uint64_t seed = 7;

	for (unsigned i = 0; all.count < ALL_STEPS; i++) {
		seed = seed * 6364136223846793005 + 1442695040888963407;
		const double drawn = (double)(seed >> 11) * 0x1p-53;
		const double number = i < 20 || drawn < 0.3 || i / 50 % 3 == 1 ? NAN : drawn * 1e6;
		const uint64_t interval_ns = (seed >> 20) % STEP_NS;

		add(number, interval_ns);
		add_to_all(number, interval_ns);
		if (cell()->known)
			assert_latest_of_all();
	}
}

/* Memory is short for the ends of steps, their means or their maxima. */
TEST_LOOP(test_a_step_without_memory_goes_on, 3)
{
	allocations_fail((size_t)_i + 3);
	add(7, SECOND);
	allocations_fail(0);
	ck_assert_uint_eq(series.step_count, 0);
	add(1, 2 * SECOND);
	ck_assert_uint_eq(series.step_count, 1);
	ck_assert_double_eq(step(0), 3);
}

TEST_LOOP(test_a_cell_without_memory_is_kept_from_a_later_sample_on, 2)
{
	allocations_fail((size_t)_i + 1);
	add(7, 2 * SECOND);
	allocations_fail(0);
	ck_assert(isnan(peak()));
	add(3, 2 * SECOND);
	ck_assert(isnan(step(0)));
	ck_assert_double_eq(step(1), 3);
}
