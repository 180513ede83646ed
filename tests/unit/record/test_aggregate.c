/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/recording_file.h"

#include <math.h>

#include "allocations.h"
#include "base/text.h"
#include "counted.h"
#include "uncore/units/unit.h"
#include "unit.h"

#define ROWS	5
#define COLUMNS 4

static const struct metric metrics[COLUMNS] = {
	{.name = "read_MBps", .group = "cxl", .family.counter = true},
	{.name = "source", .group = "cxl", .kind = METRIC_SOURCE, .of = "read_MBps"},
	{.name = "latency_ns", .group = "latency"},
	{.name = "cpu", .group = "core", .kind = METRIC_CPU},
};
static struct column columns[COLUMNS] = {
	{&metrics[0]}, {&metrics[1]}, {&metrics[2]}, {&metrics[3]}};
static const struct pmu_type pmu_type = {.name = "cha"};
static const struct unit units[3] = {{.pmu_type = &pmu_type, .id = 0},
				     {.pmu_type = &pmu_type, .id = 1},
				     {.pmu_type = &pmu_type, .id = 0, .socket = 1}};
static const struct event event = {.name = "SOME.EVENT"}, other = {.name = "OTHER"};

static struct counted counted[ROWS][COLUMNS];
static struct value values[ROWS][COLUMNS];
static struct row rows[ROWS];
static struct table from;
static struct aggregate s;

/* Makes a row of each scope: a CPU, two ports, a socket, the system. */
static void set_up(void)
{
	static const enum row_kind kinds[ROWS] = {ROW_CPU, ROW_PORT, ROW_PORT, ROW_SOCKET,
						  ROW_SYSTEM};

	for (int r = 0; r < ROWS; r++) {
		for (int c = 0; c < COLUMNS; c++)
			values[r][c] = value_unknown;
		rows[r] = (struct row){.place = {.kind = kinds[r],
						 .socket = r == 4 ? -1 : 0,
						 .port = r,
						 .pci = "",
						 .memdev = ""},
				       .interval_s = 1,
				       .counted_pct = 100,
				       .values = values[r],
				       .count = NAN,
				       .per_s = NAN};
	}
	from = (struct table){.model = "spr",
			      .columns = columns,
			      .column_count = COLUMNS,
			      .rows = rows,
			      .row_count = ROWS};
}

static void tear_down(void)
{
	aggregate_free(&s);
}

static void begin(enum scope finest)
{
	aggregate_free(&s);
	ck_assert_int_eq(aggregate_init(&s, &from, &(struct aggregate_choice){.finest = finest}),
			 0);
}

static void add_sample(const struct sample *sample)
{
	ck_assert_int_eq(aggregate_add(&s, sample), 0);
}

static void add(void)
{
	add_sample(&(struct sample){.wall_ns = 1});
}

/* Adds a sample whose system has this bandwidth, for this time. */
static void add_rate(double MBps, double seconds)
{
	values[4][0] = count_rate(&counted[4][0], MBps, seconds);
	rows[4].interval_s = seconds;
	add();
}

static const struct row *last_row(void)
{
	return &s.table.rows[s.table.row_count - 1];
}

FIXTURE(set_up, tear_down)

TEST(test_a_rate_is_all_that_was_counted_by_all_the_time)
{
	begin(SCOPE_SYSTEM);
	add_rate(100, 1);
	add_rate(400, 0.5);
	add_rate(0, 0.5);
	aggregate_close(&s);
	ck_assert_uint_eq(s.table.row_count, 1);
	ck_assert_double_eq(last_row()->values[0].number, 150);
	ck_assert_double_eq(last_row()->values[0].seconds, 2);
	ck_assert_str_eq(last_row()->values[0].text, "rxc");
	ck_assert_double_eq(last_row()->interval_s, 2);
	/* later samples begin new sums */
	add_rate(7, 1);
	aggregate_close(&s);
	ck_assert_double_eq(last_row()->values[0].number, 7);
	ck_assert_double_eq(last_row()->interval_s, 1);
}

/* The rate equals a run's, which is rounded by the digits after a half. */
TEST(test_a_rate_of_whole_events_is_exact)
{
	begin(SCOPE_SYSTEM);
	for (int i = 0; i < 20; i++)
		add_rate((1313616 + (i == 7)) / 0.1, 0.1);
	aggregate_close(&s);
	ck_assert_double_eq(last_row()->values[0].number, 13136160.5);
	ck_assert_double_eq(last_row()->values[0].seconds, 2);
}

TEST(test_memory_in_use_is_that_at_the_end)
{
	begin(SCOPE_SYSTEM);
	for (int i = 1; i <= 3; i++) {
		values[4][2] = count_inputs(&counted[4][2], &counted_level, i, 0, 1);
		add();
	}
	values[4][2] = value_unknown;
	add();
	aggregate_close(&s);
	ck_assert_double_eq(last_row()->values[2].number, 3);
	ck_assert_double_eq(last_row()->values[2].seconds, 3);
}

static void add_latency(double ns, double reads)
{
	values[4][2] = count_reads(&counted[4][2], ns, reads);
	add();
}

TEST(test_a_latency_is_that_of_all_reads_together)
{
	begin(SCOPE_SYSTEM);
	add_latency(100, 3000);
	add_latency(500, 1000);
	add_latency(0, 0); /* no reads */
	aggregate_close(&s);
	ck_assert_double_eq_tol(last_row()->values[2].number, 200, 1e-12);
	ck_assert_double_eq(last_row()->values[2].seconds, 3);
	ck_assert_str_eq(last_row()->values[2].text, "acc");
	ck_assert(!last_row()->values[2].scaled);
}

/* Reads that end in this sample began in another one. */
TEST(test_an_occupancy_without_reads_counts_with_the_reads_of_other_samples)
{
	begin(SCOPE_SYSTEM);
	add_latency(100, 3000);
	values[4][2] = count_inputs(&counted[4][2], &counted_latency, 300000, 0, 1);
	ck_assert_double_nan(values[4][2].number);
	add();
	aggregate_close(&s);
	ck_assert_double_eq(last_row()->values[2].number, 200);
	add();
	aggregate_close(&s);
	ck_assert_double_nan(last_row()->values[2].number);
}

/* Adds few reads, scaled to three times the units. */
static void add_few(double reads)
{
	values[4][2] = count_reads(&counted[4][2], 300, 3 * reads);
	counted[4][2].inputs.reads = reads;
	value_compute(&counted[4][2].inputs, false, &values[4][2]);
	add();
}

TEST(test_reads_of_samples_with_too_few_make_a_latency_together)
{
	begin(SCOPE_SYSTEM);
	add_few(4);
	add_few(5);
	aggregate_close(&s);
	ck_assert_double_nan(last_row()->values[2].number);
	ck_assert_double_eq(last_row()->values[2].inputs->reads, 9);
	ck_assert_str_eq(last_row()->values[2].text, "acc");
	add_few(5);
	add_few(5);
	aggregate_close(&s);
	ck_assert_double_eq(last_row()->values[2].number, 300);
	ck_assert(last_row()->values[2].scaled);
	add_latency(100, 300);
	add_few(9);
	aggregate_close(&s);
	ck_assert_double_eq_tol(last_row()->values[2].number, (100 * 300 + 300 * 27) / 327.0, 1e-9);
}

/*
 * A run with that interval has no estimate: each sample has few reads, but together there are many.
 */
TEST(test_many_samples_of_few_reads_are_no_estimate)
{
	begin(SCOPE_SYSTEM);
	for (int i = 0; i < 24; i++)
		add_latency(100, 100);
	aggregate_close(&s);
	ck_assert(last_row()->values[2].scaled);
	for (int i = 0; i < 25; i++)
		add_latency(100, 100);
	aggregate_close(&s);
	ck_assert_double_eq(last_row()->values[2].number, 100);
	ck_assert(!last_row()->values[2].scaled);
}

/* A row's accelerators are read in one sample, and its expanders in the next. */
TEST(test_a_latency_by_several_formulas_is_their_mean_by_reads)
{
	struct formula second = counted_latency;

	second.source = "exp_local";
	begin(SCOPE_SYSTEM);
	for (int twice = 0; twice < 2; twice++) {
		add_latency(100, 6);
		values[4][2] = count_inputs(&counted[4][2], &second, 500 * 2, 2, 1);
		add();
		aggregate_close(&s);
		ck_assert_double_nan(last_row()->values[2].number);
		ck_assert_str_eq(last_row()->values[2].text, "exp_local");
		add_latency(100, 3000);
		values[4][2] = count_inputs(&counted[4][2], &second, 500 * 1000, 1000, 1);
		add();
		aggregate_close(&s);
		ck_assert_double_eq(last_row()->values[2].number, 200);
		ck_assert_double_eq(last_row()->values[2].seconds, 2);
		ck_assert_str_eq(last_row()->values[2].text, "exp_local");
	}
}

TEST(test_a_rate_by_several_formulas_is_all_that_they_counted)
{
	struct formula second = counted_rate;

	begin(SCOPE_SYSTEM);
	add_rate(100, 1);
	values[4][0] = count_rate(&counted[4][0], 400, 0.5);
	counted[4][0].inputs.formula = &second;
	add();
	aggregate_close(&s);
	ck_assert_double_eq(last_row()->values[0].number, 200);
	ck_assert_double_eq(last_row()->values[0].seconds, 1.5);
}

/* first / (second + 4): no mean of its values equals its value. */
static const struct program own_program = {
	.inputs = {{INPUT_PART, 0}, {INPUT_PART, 1}},
	.input_count = 2,
	.steps = {{.kind = OP_INPUT},
		  {.kind = OP_INPUT, .index = 1},
		  {.kind = OP_NUMBER, .number = 4},
		  {.kind = OP_ADD},
		  {.kind = OP_DIVIDE}},
	.step_count = 5,
};
static const struct formula own_formula = {.program = &own_program};

static void add_own(double first, double second, double seconds)
{
	values[4][2] = count_inputs(&counted[4][2], &own_formula, first, second, seconds);
	add();
}

TEST(test_a_formula_is_computed_from_the_means_of_its_inputs)
{
	begin(SCOPE_SYSTEM);
	add_own(100, 6, 1);
	add_own(20, -4, 3); /* divided by 0 */
	ck_assert_double_nan(values[4][2].number);
	aggregate_close(&s);
	ck_assert_double_eq(last_row()->values[2].number, (100 + 60) / (6 - 12 + 16.0));
	ck_assert_double_eq(last_row()->values[2].seconds, 4);
	/* a single one is exact to the last bit; nothing is left of earlier ones */
	add_own(1 / 3.0, 0.1, 1);
	aggregate_close(&s);
	ck_assert_double_eq(last_row()->values[2].number, values[4][2].number);
	add_own(100, 6, 1);
	add_own(100, 6, 1);
	aggregate_close(&s);
	ck_assert_double_eq(last_row()->values[2].number, 10);
}

/* One unit was read twice as late: the sum has all that the units have counted. */
TEST(test_inputs_have_times_of_their_own)
{
	static const struct program program = {
		.inputs = {{INPUT_PART, 0}, {INPUT_PART, 1}},
		.input_count = 2,
		.steps = {{.kind = OP_INPUT}, {.kind = OP_INPUT, .index = 1}, {.kind = OP_ADD}},
		.step_count = 3,
	};
	static const struct formula sum = {.program = &program};
	struct value *value = &values[4][0];

	begin(SCOPE_SYSTEM);
	for (int i = 0; i < 2; i++) {
		*value = count_inputs(&counted[4][0], &sum, 100, 300, 1);
		counted[4][0].items[1].ns = 2e9;
		value_compute(&counted[4][0].inputs, true, value);
		ck_assert_double_eq(value->number, 400);
		ck_assert_double_eq(value->number * value->seconds, 100 + 600);
		add();
	}
	aggregate_close(&s);
	ck_assert_double_eq(last_row()->values[0].number, 400);
	ck_assert_double_eq(last_row()->values[0].seconds * 400, 2 * (100 + 600));
}

/* The user-defined metric names a column that is not shown. */
TEST(test_a_metric_that_names_another_has_its_value_of_the_same_time)
{
	static const struct program twice = {
		.inputs = {{INPUT_METRIC, 0}},
		.input_count = 1,
		.metric_count = 1,
		.steps = {{.kind = OP_INPUT},
			  {.kind = OP_NUMBER, .number = 2},
			  {.kind = OP_MULTIPLY}},
		.step_count = 3,
	};
	static const struct formula formula = {.program = &twice};
	static const struct metric own = {.name = "own", .group = "custom", .program = &twice};
	static struct column with_own[] = {{&metrics[3]}, {&own, .named = {2}}, {&metrics[2]}};

	from.columns = with_own;
	from.column_count = 2;
	from.named_count = 1;
	for (enum scope finest = SCOPE_CPU; finest <= SCOPE_SYSTEM; finest += SCOPE_SYSTEM) {
		begin(finest);
		for (int i = 0; i < 2; i++) {
			values[4][2] = count_reads(&counted[4][2], i ? 500 : 100, i ? 1000 : 3000);
			values[4][1] =
				count_inputs(&counted[4][1], &formula, values[4][2].number, 0, 1);
			add();
		}
		aggregate_close(&s);
		const size_t own_column = finest == SCOPE_CPU;

		ck_assert_uint_eq(s.table.column_count, 1 + own_column);
		ck_assert_double_eq(last_row()->values[own_column].number, 2 * 200);
	}
}

TEST(test_what_is_not_known_has_no_source)
{
	begin(SCOPE_SYSTEM);
	add_rate(1.7e308, 1.7);
	aggregate_close(&s);
	ck_assert_str_eq(last_row()->values[1].text, "rxc");
	add_rate(1.7e308, 1.7);
	add_rate(1.7e308, 1.7); /* the sum overflows */
	aggregate_close(&s);
	ck_assert_str_eq(last_row()->values[1].text, "");
}

TEST(test_one_sample_is_the_same_to_the_last_bit)
{
	begin(SCOPE_CPU);
	values[1][0] = count_rate(&counted[1][0], 1 / 3.0, 0.1);
	values[1][1].text = "rxc";
	counted[1][0].inputs.scaled = values[1][0].scaled = true;
	values[1][2] = count_inputs(&counted[1][2], &counted_latency, 1 / 7.0, 1e6 / 3, 0.3);
	rows[2].interval_s = rows[2].counted_pct = NAN;
	rows[1].counted_pct = 100 / 3.0;
	rows[1].interval_s = 0.1;
	add();
	aggregate_close(&s);
	ck_assert_uint_eq(s.table.row_count, ROWS);
	ck_assert_uint_eq(s.table.column_count, COLUMNS);
	for (int r = 0; r < ROWS; r++) {
		const struct row *row = &s.table.rows[r];

		ck_assert_int_eq(row->place.kind, rows[r].place.kind);
		ck_assert_mem_eq(&row->interval_s, &rows[r].interval_s, sizeof(double));
		ck_assert_mem_eq(&row->counted_pct, &rows[r].counted_pct, sizeof(double));
		for (int c = 0; c < COLUMNS; c++) {
			ck_assert_mem_eq(&row->values[c].number, &values[r][c].number,
					 sizeof(double));
			ck_assert_mem_eq(&row->values[c].seconds, &values[r][c].seconds,
					 sizeof(double));
			ck_assert_str_eq(row->values[c].text, values[r][c].text);
			ck_assert_int_eq(row->values[c].scaled, values[r][c].scaled);
		}
	}
}

TEST(test_what_is_known_of_a_part_of_the_time_is_shown_for_that)
{
	begin(SCOPE_SYSTEM);
	add_rate(100, 1);
	values[4][0] = value_unknown;
	rows[4].interval_s = rows[4].counted_pct = NAN;
	add();
	rows[4].counted_pct = 40;
	add_rate(300, 3);
	aggregate_close(&s);
	ck_assert_double_eq(last_row()->values[0].number, 250);
	ck_assert_double_eq(last_row()->values[0].seconds, 4);
	ck_assert_double_eq(last_row()->interval_s, 4);
	/* 1 s of 1, and 1.2 s of 3 */
	ck_assert_double_eq(last_row()->counted_pct, 55);
	ck_assert_str_eq(last_row()->values[0].text, "rxc");
	aggregate_close(&s);
	ck_assert_double_nan(last_row()->values[0].number);
	ck_assert_double_nan(last_row()->interval_s);
	ck_assert_double_nan(last_row()->counted_pct);
}

TEST(test_times_and_missed_deadlines_are_added_up)
{
	begin(SCOPE_CPU);
	add_sample(
		&(struct sample){.wall_ns = 10, .missed = 1, .frozen_ns = 5, .lost_readings = 2});
	add_sample(&(struct sample){.wall_ns = 20, .missed = 2, .frozen_ns = 6, .skipped = 3});
	ck_assert_uint_eq(s.samples, 2);
	aggregate_close(&s);
	ck_assert_uint_eq(s.samples, 0);
	ck_assert_uint_eq(s.sample.wall_ns, 20);
	ck_assert_uint_eq(s.sample.missed, 3);
	ck_assert_uint_eq(s.sample.frozen_ns, 11);
	ck_assert_uint_eq(s.sample.lost_readings, 2);
	ck_assert_uint_eq(s.sample.skipped, 3);
}

TEST(test_doubts_are_since_the_earliest_and_end_with_the_samples_that_had_them)
{
	begin(SCOPE_CPU);
	add_sample(&(struct sample){.wall_ns = 100});
	add_sample(&(struct sample){.wall_ns = 200, .doubtful_since_ns = 50});
	add_sample(&(struct sample){.wall_ns = 300, .doubtful_since_ns = 250});
	aggregate_close(&s);
	ck_assert_uint_eq(s.sample.doubtful_since_ns, 50);
	add_sample(&(struct sample){.wall_ns = 400});
	aggregate_close(&s);
	ck_assert_uint_eq(s.sample.doubtful_since_ns, 0);
}

static const struct {
	enum scope finest;
	size_t rows, columns;
} scopes[] = {
	{SCOPE_CPU, 5, 4},
	{SCOPE_PORT, 4, 3},
	{SCOPE_SOCKET, 2, 3},
	{SCOPE_SYSTEM, 1, 3},
};

TEST_LOOP(test_rows_are_those_of_the_scope_and_above, COUNT_OF(scopes))
{
	begin(scopes[_i].finest);
	ck_assert_uint_eq(s.table.row_count, scopes[_i].rows);
	/* the number of a CPU is for rows of CPUs */
	ck_assert_uint_eq(s.table.column_count, scopes[_i].columns);
	for (size_t r = 0; r < s.table.row_count; r++)
		ck_assert_int_ge(row_scope(&s.table.rows[r]), scopes[_i].finest);
	ck_assert_int_eq(last_row()->place.kind, ROW_SYSTEM);
}

/* Makes rows of two CHAs of a socket and one of another, for two events; the first one twice. */
static void make_events(void)
{
	static struct row many[9];

	for (int r = 0; r < 9; r++) {
		many[r] = rows[0];
		many[r].place.kind = ROW_SOCKET;
		many[r].place.socket = units[r % 3].socket;
		many[r].unit = &units[r % 3];
		many[r].event = r < 6 ? &event : &other;
		many[r].count = r + 1;
		many[r].per_s = 10 * (r + 1);
		many[r].interval_s = 0.1;
		many[r].counted_pct = 100 - r;
	}
	from.rows = many;
	from.row_count = from.event_rows = 9;
	from.column_count = 0;
}

TEST(test_events_of_units_stay_apart_down_to_ports)
{
	make_events();
	begin(SCOPE_PORT);
	add();
	add();
	aggregate_close(&s);
	ck_assert_uint_eq(s.table.row_count, 9);
	ck_assert_uint_eq(s.table.event_rows, 9);
	ck_assert(!s.table.rows[4].summed);
	ck_assert_double_eq(s.table.rows[4].count, 10);
	ck_assert_double_eq_tol(s.table.rows[4].per_s, 50, 1e-9);
	ck_assert_double_eq_tol(s.table.rows[4].interval_s, 0.2, 1e-9);
}

TEST(test_events_are_summed_over_the_units_of_a_scope)
{
	/* for each -e: socket 0, socket 1, the system */
	static const double counts[] = {1 + 2, 3, 6, 4 + 5, 6, 15, 7 + 8, 9, 24};

	make_events();
	begin(SCOPE_SOCKET);
	add();
	aggregate_close(&s);
	ck_assert_uint_eq(s.table.row_count, 9);
	for (size_t r = 0; r < 9; r++) {
		const struct row *row = &s.table.rows[r];

		ck_assert(row->summed);
		ck_assert_int_eq(row->place.kind, r % 3 == 2 ? ROW_SYSTEM : ROW_SOCKET);
		ck_assert_int_eq(row->place.socket, r % 3 == 2 ? -1 : (int)(r % 3));
		ck_assert_ptr_eq(row->event, r < 6 ? &event : &other);
		ck_assert_double_eq(row->count, counts[r]);
		ck_assert_double_eq(row->per_s, 10 * counts[r]);
	}
	ck_assert_double_eq(s.table.rows[0].counted_pct, 99);
	begin(SCOPE_SYSTEM);
	from.rows[1].count = from.rows[1].per_s = NAN; /* a part of the first sum */
	add();
	aggregate_close(&s);
	ck_assert_uint_eq(s.table.row_count, 3);
	ck_assert_double_nan(s.table.rows[0].count);
	ck_assert_double_nan(s.table.rows[0].per_s);
	ck_assert_double_eq(s.table.rows[1].count, 15);
}

TEST(test_numbers_without_a_sum_are_not_known)
{
	begin(SCOPE_SYSTEM);
	add_rate(1.7e308, 1.7e308);
	add_rate(1.7e308, 1.7e308);
	aggregate_close(&s);
	ck_assert_double_nan(last_row()->values[0].number);
	ck_assert_double_nan(last_row()->interval_s);
}

TEST(test_where_memory_is_short_it_does_not_begin)
{
	size_t nth = 0;
	int rc;

	do {
		aggregate_free(&s);
		allocations_fail(++nth);
		rc = aggregate_init(&s, &from, &(struct aggregate_choice){.finest = SCOPE_SYSTEM});
		allocations_fail(0);
		ck_assert(!rc || rc == -ENOMEM);
	} while (rc);
	ck_assert_uint_gt(nth, 6);
	add_rate(7, 1);
	aggregate_close(&s);
	ck_assert_double_eq(last_row()->values[0].number, 7);
}

static void choose(const char *groups)
{
	aggregate_free(&s);
	ck_assert_int_eq(aggregate_init(&s, &from, &(struct aggregate_choice){SCOPE_CPU, groups}),
			 0);
}

static void assert_columns(const char *expected)
{
	char names[80] = "";

	for (size_t c = 0; c < s.table.column_count; c++)
		text_list(names, sizeof(names), "%s", s.table.columns[c].metric->name);
	ck_assert_str_eq(names, expected);
}

TEST(test_groups_have_columns_in_their_order_and_the_others_are_kept_for_formulas)
{
	choose("latency,cxl");
	assert_columns("latency_ns, read_MBps, source");
	ck_assert_uint_eq(s.table.columns[2].source_of, 1);
	ck_assert_uint_eq(s.table.named_count, 1);
	ck_assert_str_eq(s.table.columns[3].metric->name, "cpu");
	choose("cxl,latency,cxl");
	assert_columns("read_MBps, source, latency_ns");
	choose("latency,all");
	assert_columns("latency_ns, read_MBps, source, cpu");
	choose(NULL);
	assert_columns("read_MBps, source, latency_ns, cpu");
	ck_assert_uint_eq(s.table.named_count, 0);
	ck_assert_ptr_null(aggregate_lacks(&from, "latency,cxl,all"));
	ck_assert_str_eq(aggregate_lacks(&from, "cxl,late,core"), "late,core");
}
