/* SPDX-License-Identifier: BSD-3-Clause */
#include "series/series.h"

#include <errno.h>
#include <math.h>

#include "../record/counted.h"
#include "allocations.h"
#include "unit.h"

#define PLACES	2
#define COLUMNS 2
#define UNITS	3
#define SAMPLES 3000

static const struct metric bytes = {.name = "read_MBps",
				    .rows = 1 << ROW_SYSTEM | 1 << ROW_PORT,
				    .family = {.factor = 1e6, .counter = true}};
static const struct metric latency = {
	.name = "latency_ns", .rows = 1 << ROW_SYSTEM, .family = {.factor = 1e-9}};
static struct column columns[COLUMNS] = {{.metric = &bytes}, {.metric = &latency}};
static struct value values[PLACES][COLUMNS];
static struct row rows[PLACES + UNITS];
static struct table table;
static struct series series;
static uint64_t seed;

static void set_up(void)
{
	static int event;

	for (size_t r = 0; r < PLACES + UNITS; r++)
		rows[r] = row_unknown;
	rows[0].place.kind = ROW_PORT;
	rows[0].place.port = 0;
	for (size_t r = 0; r < PLACES; r++) {
		rows[r].values = values[r];
		values[r][0] = values[r][1] = value_unknown;
	}
	for (size_t u = 0; u < UNITS; u++)
		rows[PLACES + u].event = (const struct event *)&event;
	table = (struct table){.columns = columns,
			       .column_count = COLUMNS,
			       .rows = rows,
			       .row_count = PLACES + UNITS,
			       .event_rows = UNITS};
	seed = 1;
	ck_assert_int_eq(series_init(&series, &table), 0);
}

static void tear_down(void)
{
	series_free(&series);
}

FIXTURE(set_up, tear_down)

/* Returns a random number from 0 to 1. */
static double drawn(void)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (double)(seed >> 11) * 0x1p-53;
}

/* Draws values; every number is sometimes unknown, and covers a different time. */
static void draw(void)
{
	for (size_t r = 0; r < PLACES; r++)
		for (size_t c = 0; c < COLUMNS; c++) {
			values[r][c] = value_unknown;
			if (drawn() < 0.8) {
				values[r][c].number = drawn() * 40000;
				values[r][c].seconds = drawn() * 3;
			}
		}
	for (size_t u = 0; u < UNITS; u++) {
		struct row *row = &rows[PLACES + u];
		const bool known = drawn() < 0.9;

		row->interval_s = known ? drawn() * 3 : NAN;
		row->per_s = known ? drawn() * 1e9 : NAN;
		row->count = row->per_s * row->interval_s;
	}
}

/* Sums of a cell for comparison. */
struct sums {
	struct distribution ranks;
	double weighted, seconds, amount;
};

static void add_up(struct sums *sums, double number, double seconds, double amount)
{
	sums->weighted += number * seconds;
	sums->seconds += seconds;
	sums->amount += amount;
	distribution_add(&sums->ranks, number);
}

static void assert_same(const struct series_cell *cell, struct sums *sums)
{
	struct statistics s, expected;

	ck_assert_int_eq(series_statistics(&series, cell, &s), 0);
	ck_assert_int_eq(
		distribution_statistics(&sums->ranks, sums->weighted, sums->seconds, &expected), 0);
	ck_assert_uint_eq(cell->known, expected.known);
	ck_assert_double_eq(cell->weighted, sums->weighted);
	ck_assert_double_eq(cell->amount, sums->amount);
	ck_assert_uint_eq(s.known, expected.known);
	ck_assert_double_eq(s.mean, expected.mean);
	ck_assert_double_eq(s.p50, expected.p50);
	ck_assert_double_eq(s.p95, expected.p95);
	ck_assert_double_eq(s.p99, expected.p99);
	ck_assert_double_eq(s.max, expected.max);
	distribution_free(&sums->ranks);
}

TEST(test_a_metric_has_the_sums_and_statistics_of_its_values)
{
	struct sums expected = {.weighted = 0};

	ck_assert_int_eq(series_keep(&series, 1, 1, 0, SERIES_RANKS), 0);
	for (unsigned i = 0; i < SAMPLES; i++) {
		const struct value *value = &values[1][0];

		draw();
		series_add(&series, 0, 0);
		ck_assert(series.known == !isnan(value->number));
		if (isnan(value->number))
			continue;
		add_up(&expected, value->number, value->seconds,
		       value->number * 1e6 * value->seconds);
	}
	ck_assert_uint_eq(series.samples, SAMPLES);
	assert_same(series_cell(&series, 1, 0), &expected);
}

/* Steps with values that are unknown at first, and sometimes later. */
TEST(test_steps_of_all_samples_are_their_values_and_have_their_statistics)
{
	static double all[SAMPLES];
	double weighted = 0, seconds = 0;
	struct statistics s, expected;

	series_set_steps(&series, SERIES_DOUBLES, 0, 0);
	ck_assert_int_eq(series_keep(&series, 1, 1, 0, SERIES_STEPS), 0);
	for (unsigned i = 0; i < SAMPLES; i++) {
		const struct value *value = &values[1][0];

		draw();
		values[1][0] = i < 100 ? value_unknown : *value;
		series_add(&series, i, 0);
		all[i] = value->number;
		weighted += isnan(value->number) ? 0 : value->number * value->seconds;
		seconds += isnan(value->number) ? 0 : value->seconds;
	}
	const struct series_cell *cell = series_cell(&series, 1, 0);
	const double *steps = series_steps(&series, cell);
	ck_assert_uint_eq(series.step_count, SAMPLES);
	for (unsigned i = 0; i < SAMPLES; i++)
		ck_assert(isnan(all[i]) ? isnan(steps[i]) : steps[i] == all[i]);
	ck_assert_int_eq(series_statistics(&series, cell, &s), 0);
	ck_assert_int_eq(statistics_make(all, SAMPLES, weighted, seconds, &expected), 0);
	ck_assert_mem_eq(&s, &expected, sizeof(s));
}

/* Inputs of samples, some of which have too few reads for a number. */
TEST(test_what_was_counted_is_summed_up_for_the_value_of_a_longer_time)
{
	struct value_sum expected = {.last = NAN};
	struct counted counted;
	struct value value, same;

	ck_assert_int_eq(series_keep(&series, 1, 1, 1, SERIES_INPUTS), 0);
	for (unsigned i = 0; i < 100; i++) {
		const double reads = i < 10 || drawn() < 0.5 ? 3 : drawn() * 1e6;

		values[1][1] = drawn() < 0.2 ? value_unknown
					     : count_inputs(&counted, &counted_latency,
							    reads * drawn() * 500, reads, 1);
		series_add(&series, 0, 0);
		ck_assert_int_eq(value_sum_add(&expected, &values[1][1]), 0);
	}
	const struct series_cell *cell = series_cell(&series, 1, 1);
	value_sum_compute(cell->inputs, false, NULL, NULL, &value);
	value_sum_compute(&expected, false, NULL, NULL, &same);
	ck_assert_double_eq(value.number, same.number);
	ck_assert_double_eq(value.seconds, same.seconds);
	ck_assert_ptr_null(series_cell(&series, 1, 0)->inputs);
	value_sum_free(&expected);
}

TEST(test_an_event_is_the_sum_of_its_rows_and_unknown_where_one_of_them_is)
{
	const struct row *units = &rows[PLACES];
	struct sums expected = {.weighted = 0};

	ck_assert_int_eq(series_keep(&series, PLACES, UNITS, series_event(&table), SERIES_RANKS),
			 0);
	for (unsigned i = 0; i < SAMPLES; i++) {
		draw();
		series_add(&series, 0, 0);
		double per_s = 0, count = 0, seconds = INFINITY;
		for (unsigned u = 0; u < UNITS; u++) {
			per_s += units[u].per_s;
			count += units[u].count;
			seconds = fmin(seconds, units[u].interval_s);
		}
		if (isnan(per_s))
			continue;
		add_up(&expected, per_s, seconds, count);
	}
	assert_same(series_cell(&series, PLACES, series_event(&table)), &expected);
}

TEST(test_every_number_that_rows_can_have_is_kept)
{
	ck_assert_int_eq(series_keep_all(&series, 0), 0);
	for (unsigned i = 0; i < 100; i++) {
		draw();
		series_add(&series, 0, 0);
	}
	ck_assert_uint_gt(series_cell(&series, 0, 0)->known, 0);
	ck_assert_uint_gt(series_cell(&series, 1, 0)->known, 0);
	ck_assert_uint_gt(series_cell(&series, 1, 1)->known, 0);
	/* ports have no latency here */
	ck_assert_uint_eq(series_cell(&series, 0, 1)->known, 0);
	for (size_t u = 0; u < UNITS; u++)
		ck_assert_uint_gt(series_cell(&series, PLACES + u, series_event(&table))->known, 0);
}

TEST(test_what_was_never_known_or_is_not_kept_has_no_sums)
{
	struct statistics s;

	ck_assert_int_eq(series_keep(&series, 1, 1, 0, SERIES_RANKS), 0);
	series_add(&series, 0, 0);
	ck_assert(!series.known);
	ck_assert_uint_eq(series.samples, 1);
	ck_assert_uint_eq(series_cell(&series, 1, 0)->known, 0);
	ck_assert_uint_eq(series_cell(&series, 1, 1)->known, 0);
	ck_assert_int_eq(series_statistics(&series, series_cell(&series, 1, 0), &s), 0);
	ck_assert_uint_eq(s.known, 0);
	ck_assert(isnan(s.mean) && isnan(s.max));
}

/* Memory is short for the cell, its distribution, or the values of the distribution. */
TEST_LOOP(test_without_memory_for_a_sample_there_are_no_statistics, 3)
{
	struct statistics s;

	ck_assert_int_eq(series_keep(&series, 1, 1, 0, SERIES_RANKS), 0);
	values[1][0].number = values[1][0].seconds = 1;
	allocations_fail((size_t)_i + 1);
	series_add(&series, 0, 0);
	allocations_fail(0);
	series_add(&series, 0, 0);
	ck_assert_uint_eq(series_cell(&series, 1, 0)->known, _i < 2 ? 1 : 2);
	ck_assert_int_eq(series_statistics(&series, series_cell(&series, 1, 0), &s), -ENOMEM);
}
