/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/compare/compare_private.h"

#include <math.h>

#include "json_at.h"
#include "platform/device_health.h"
#include "platform/kernel_stats.h"

#include "unit.h"

#define SAMPLES 100
#define ROWS	3
#define COLUMNS 2

static struct condition condition;
static struct error err;

static const struct metric metrics[] = {
	{.name = "read_MBps", .group = "cxl", .unit = "MB/s", .decimals = 3},
	{.name = "latency_ns", .group = "latency", .unit = "ns", .decimals = 1},
	{.name = "source", .group = "cxl", .kind = METRIC_SOURCE, .of = "read_MBps"},
	{.name = "other_ns",
	 .group = "latency",
	 .heading = "other latency",
	 .unit = "ns",
	 .decimals = 1},
	{.name = "health",
	 .group = "health",
	 .unit = "state",
	 .source = SOURCE_HEALTH,
	 .number = DEVICE_STATE},
};
static const struct pmu_type pmu_type = {.name = "cha"};
static const struct unit units[] = {{.pmu_type = &pmu_type, .id = 0},
				    {.pmu_type = &pmu_type, .id = 1}};
static const struct event event = {.name = "SOME.EVENT"};
static const struct error no_flaw;

/* A recording of two ports and the system, made by hand. */
struct recorded {
	struct recording_info info;
	struct column columns[COLUMNS];
	struct row rows[ROWS];
	struct table table;
	struct report report;
	struct plotted series[ROWS * (COLUMNS + 1)];
	double values[ROWS * (COLUMNS + 1)][SAMPLES];
	double times[SAMPLES];
};

static struct recorded a, b;
static struct comparison c;

static void begin(struct recorded *r)
{
	*r = (struct recorded){.info = {.program = "0.1.0",
					.processor = "a processor",
					.interval_ns = 1000000000}};
	for (int i = 0; i < ROWS; i++)
		r->rows[i] = (struct row){.place = {.kind = i == 2 ? ROW_SYSTEM : ROW_PORT,
						    .socket = i == 2 ? -1 : 0,
						    .port = i == 2 ? -1 : i,
						    .cpu = -1,
						    .pci = "",
						    .memdev = i == 1 ? "mem1" : "",
						    .node = -1}};
	for (unsigned i = 0; i < COLUMNS; i++)
		r->columns[i].metric = &metrics[i];
	r->table = (struct table){
		.columns = r->columns, .column_count = COLUMNS, .rows = r->rows, .row_count = ROWS};
	for (unsigned i = 0; i < SAMPLES; i++)
		r->times[i] = i + 1;
	r->report = (struct report){.info = &r->info,
				    .table = &r->table,
				    .times = r->times,
				    .samples = SAMPLES,
				    .series = r->series,
				    .series_count = ROWS * COLUMNS};
	for (unsigned i = 0; i < ROWS * COLUMNS; i++) {
		r->series[i].row = &r->rows[i / COLUMNS];
		r->series[i].metric = r->columns[i % COLUMNS].metric;
		r->series[i].statistics = (struct statistics){0, NAN, NAN, NAN, NAN, NAN};
	}
}

static void set_up(void)
{
	begin(&a);
	begin(&b);
}

static void tear_down(void)
{
	comparison_free(&c);
}

/* Fills in values around a mean, the same in every call. */
static void fill(struct recorded *r, size_t row, size_t column, double mean)
{
	const size_t i = row * COLUMNS + column;
	double sum = 0;

	for (unsigned k = 0; k < SAMPLES; k++) {
		r->values[i][k] = mean + (k * 7 % 11) - 5;
		sum += r->values[i][k];
	}
	r->series[i].values = r->values[i];
	ck_assert_int_eq(
		statistics_make(r->values[i], SAMPLES, sum, SAMPLES, &r->series[i].statistics), 0);
}

static void compare(void)
{
	const struct compared_side sides[SIDES] = {{"a.cxl", &a.report, &no_flaw},
						   {"b.cxl", &b.report, &no_flaw}};

	comparison_free(&c);
	ck_assert_int_eq(comparison_make(sides, SCOPE_CPU, &c), 0);
}

static const char *written(void (*write)(const struct comparison *comparison, FILE *out))
{
	FILE *out = text_open();

	write(&c, out);
	return text_close(out);
}

static void table_unwrapped(const struct comparison *comparison, FILE *out)
{
	compare_table(comparison, 0, out);
}

FIXTURE(set_up, tear_down)

TEST(test_what_differs_is_said)
{
	fill(&a, 0, 0, 1000);
	fill(&b, 0, 0, 1000);
	fill(&a, 2, 1, 400);
	fill(&b, 2, 1, 420);
	compare();
	ck_assert_uint_eq(c.compared_count, 2);
	ck_assert_uint_eq(c.judged, 2);
	ck_assert_uint_eq(c.differ, 1);
	ck_assert_str_eq(plotted_name(c.compared[0].series[SIDE_A]), "read_MBps");
	ck_assert_int_eq(c.compared[0].verdict, COMPARED_SAME);
	ck_assert_double_eq(c.compared[0].p, 1);
	ck_assert_str_eq(plotted_name(c.compared[1].series[SIDE_A]), "latency_ns");
	ck_assert_int_eq(c.compared[1].verdict, COMPARED_DIFFERS);
	ck_assert_double_le(c.compared[1].p, 0.001);
	ck_assert_double_eq_tol(compared_difference(&c.compared[1], STATISTIC_MEAN), 20, 1e-9);
	ck_assert_double_eq_tol(compared_difference_pct(&c.compared[1], STATISTIC_P50), 5, 0.1);
	ck_assert_uint_eq(c.unmatched_count, 0);
}

TEST(test_rows_are_found_wherever_they_stand)
{
	fill(&a, 1, 0, 1000);
	b.rows[0].place.port = 1;
	b.rows[1].place.port = 0;
	b.rows[1].place.memdev = "mem7"; /* another device at the same port */
	fill(&b, 0, 0, 1000);
	compare();
	ck_assert_uint_eq(c.compared_count, 1);
	ck_assert_ptr_eq(c.compared[0].series[SIDE_B]->row, &b.rows[0]);
	ck_assert_int_eq(c.compared[0].verdict, COMPARED_SAME);
}

TEST(test_columns_are_found_by_name)
{
	fill(&a, 2, 0, 1000);
	b.columns[0].metric = &metrics[2];
	b.columns[1].metric = &metrics[0];
	fill(&b, 2, 1, 1000);
	compare();
	ck_assert_uint_eq(c.compared_count, 1);
	ck_assert_ptr_eq(c.compared[0].series[SIDE_B], &b.series[2 * COLUMNS + 1]);
}

TEST(test_what_only_one_has_is_said)
{
	char text[UNMATCHED_SIZE];

	a.columns[1].metric = &metrics[3];
	fill(&a, 0, 1, 100);
	fill(&b, 0, 0, 1000);
	b.rows[1].place.port = 5;
	compare();
	/* b's latency_ns has no value */
	ck_assert_uint_eq(c.unmatched_count, 3);
	ck_assert_str_eq(compare_unmatched(&c.unmatched[0], text), "other latency");
	ck_assert_int_eq(c.unmatched[0].side, SIDE_A);
	ck_assert_str_eq(compare_unmatched(&c.unmatched[1], text), "socket 0 port 1 mem1");
	ck_assert_str_eq(compare_unmatched(&c.unmatched[2], text), "socket 0 port 5 mem1");
	ck_assert_int_eq(c.unmatched[2].side, SIDE_B);
	assert_contains(written(table_unwrapped),
			"\nOnly in A: other latency, socket 0 port 1 mem1\n"
			"Only in B: socket 0 port 5 mem1\n");
	/* programs know metrics by the names of columns */
	assert_json(json_kept(compare_json(&c)), "only.0.what", "\"other_ns\"");
	ck_assert_uint_eq(c.compared_count, 1);
	ck_assert_int_eq(c.compared[0].verdict, COMPARED_ABSENT);
	ck_assert_str_eq(compared_verdict(&c.compared[0]), "not in A");
	ck_assert(isnan(c.compared[0].p));
	ck_assert(isnan(compared_difference(&c.compared[0], STATISTIC_MAX)));
	ck_assert_uint_eq(c.judged, 0);
}

TEST(test_few_samples_are_no_sameness)
{
	char text[ADVICE_SIZE];

	fill(&a, 2, 0, 1000);
	fill(&b, 2, 0, 1005);
	b.report.samples = 39;
	b.series[2 * COLUMNS].statistics.known = 39;
	for (unsigned k = 0; k < SAMPLES; k++)
		a.times[k] = b.times[k] = (k + 1) / 100.0;
	compare();
	ck_assert_int_eq(c.compared[0].verdict, COMPARED_TOO_SHORT);
	ck_assert_str_eq(compared_advice(&c.compared[0], text),
			 "too short to tell: record at least 0.4 s");
	ck_assert_uint_eq(c.judged, 0);
}

/* Two recordings of this many samples, whose values cycle from a start by a step. */
struct side_values {
	unsigned samples;
	double first, step;
	unsigned different;
};

static const struct {
	struct side_values sides[SIDES];
	enum range range;
	const char *advice;
	size_t apart;
} ranges[] = {
	/* a constant, and a hundredth more; twice as much; less */
	{{{60, 20000, 0, 1}, {60, 20200, 0, 1}},
	 RANGE_ABOVE,
	 "all 60 values of B are above all 60 of A; too few independent values to exclude chance: "
	 "record at least 100 s",
	 1},
	{{{60, 20000, 0, 1}, {60, 40000, 0, 1}},
	 RANGE_ABOVE,
	 "all 60 values of B are above all 60 of A; too few independent values to exclude chance: "
	 "record at least 100 s",
	 1},
	{{{60, 20000, 0, 1}, {2, 10000, 10, 2}},
	 RANGE_BELOW,
	 "all 2 values of B are below all 60 of A; too few independent values to exclude chance: "
	 "record at least 100 s",
	 1},
	/* slow: 43 to 52, compared with a constant */
	{{{60, 43, 0.15, 60}, {60, 60, 0, 1}},
	 RANGE_ABOVE,
	 "all 60 values of B are above all 60 of A; too few independent values to exclude chance: "
	 "record at least 720 s",
	 1},
	/*
	 * almost apart: the highest value of A is the lowest of B, not above it in the digits shown
	 */
	{{{30, 10, 1, 11}, {30, 20, 1, 10}},
	 RANGE_OVERLAPS,
	 "too short to tell: record at least 40 s",
	 0},
	{{{30, 10, 1, 11}, {30, 20.0004, 1, 10}},
	 RANGE_OVERLAPS,
	 "too short to tell: record at least 40 s",
	 0},
	{{{30, 10, 1, 11}, {30, 20.001, 1, 10}},
	 RANGE_ABOVE,
	 "all 30 values of B are above all 30 of A; too few independent values to exclude chance: "
	 "record at least 40 s",
	 1},
	/* one inside the other; one value, which is not a range */
	{{{30, 10, 1, 11}, {30, 12, 1, 3}},
	 RANGE_OVERLAPS,
	 "too short to tell: record at least 40 s",
	 0},
	{{{60, 20000, 0, 1}, {1, 10000, 0, 1}},
	 RANGE_OVERLAPS,
	 "too short to tell: record at least 100 s",
	 0},
	/* the same throughout, except for differences that no output shows */
	{{{20, 0, 0, 1}, {30, 0, 0.0001, 2}},
	 RANGE_EQUAL,
	 "all 30 values of B equal all 20 of A; too few independent values to exclude chance: "
	 "record at least 40 s",
	 0},
	/* enough values for a verdict, which says it */
	{{{100, 20000, 0, 1}, {100, 20200, 0, 1}}, RANGE_ABOVE, "differs", 0},
	{{{100, 20000, 0, 1}, {100, 20000, 0, 1}}, RANGE_EQUAL, "same", 0},
};

static void fill_side(struct recorded *r, size_t row, const struct side_values *values)
{
	struct plotted *s = &r->series[row * COLUMNS];
	double sum = 0;

	for (unsigned k = 0; k < values->samples; k++) {
		r->values[row * COLUMNS][k] =
			values->first + values->step * (k % values->different);
		sum += r->values[row * COLUMNS][k];
	}
	s->values = r->values[row * COLUMNS];
	r->report.samples = values->samples;
	ck_assert_int_eq(
		statistics_make(s->values, values->samples, sum, values->samples, &s->statistics),
		0);
}

TEST_LOOP(test_values_that_do_not_overlap_are_said_to, (int)COUNT_OF(ranges))
{
	char text[ADVICE_SIZE];

	fill_side(&a, 2, &ranges[_i].sides[SIDE_A]);
	fill_side(&b, 2, &ranges[_i].sides[SIDE_B]);
	compare();
	ck_assert_int_eq(c.compared[0].range, ranges[_i].range);
	ck_assert_str_eq(compared_advice(&c.compared[0], text), ranges[_i].advice);
	ck_assert_uint_eq(c.apart, ranges[_i].apart);
}

/* Every form has the rows in the order of their verdicts. */
TEST(test_what_does_not_overlap_comes_behind_what_differs)
{
	static const char plain[] = "all 60 values of B are above all 60 of A; too few independent "
				    "values to exclude chance: record at least 100 s";
	static const char apart[] = "\nAll values of B are above, or below, all of A, but too few "
				    "are independent to exclude chance: record at least 100 s\n";
	const char *text;

	fill(&a, 0, 0, 1000);
	fill(&b, 0, 0, 2000);
	fill_side(&a, 1, &(struct side_values){60, 1, 0, 1});
	fill_side(&b, 1, &(struct side_values){60, 2, 0, 1});
	fill(&a, 2, 0, 1000);
	fill(&b, 2, 0, 1000);
	compare();
	ck_assert_uint_eq(c.differ, 1);
	ck_assert_uint_eq(c.apart, 1);
	text = written(table_unwrapped);
	assert_contains(text, "1 of 2 means differ; 1 cannot be judged\n"
			      "A and B do not overlap in 1 of the others: all values of B are "
			      "above, or below, all of A\n\n");
	assert_contains(text, apart);
	ck_assert(strstr(text, "\nMeans that differ\n") < strstr(text, apart));
	ck_assert(strstr(text, apart) < strstr(text, "\nThe same\n"));
	text = written(compare_csv);
	assert_contains(text, ",verdict,p_value,record_s,range\n");
	assert_contains(text, ",too short to tell,,100,above\n");
	text = written(compare_page);
	assert_contains(text, "<h2>What does not overlap</h2>");
	assert_contains(text, plain);
	ck_assert(strstr(text, "What differs") < strstr(text, "What does not overlap"));
	assert_contains(text, "<h3>read_MBps, socket 0 port 1 mem1 <small>");
	const json_t *object = json_kept(compare_json(&c));
	assert_json(object, "rows.1.range", "\"above\"");
	assert_json(object, "rows.2.range", "null");
	for (enum statistic f = 0; f < STATISTICS; f++) {
		const json_t *both = json_at(json_at(object, "rows.1"), statistic_names[f]);

		ck_assert_double_lt(json_number_value(json_at(both, "a")),
				    json_number_value(json_at(both, "b")));
	}
}

/* Rows of groups come after the ports. */
TEST(test_rows_of_groups_of_tasks_have_their_names_in_a_column)
{
	fill(&a, 0, 0, 1000);
	fill(&b, 0, 0, 1000);
	fill(&a, 2, 0, 1000);
	fill(&b, 2, 0, 1000);
	a.rows[2].place.group = b.rows[2].place.group = "batch";
	compare();
	ck_assert_uint_eq(c.compared_count, 2);
	const char *text = written(compare_csv);
	assert_contains(text, ",record_s,range,resctrl_group\n");
	assert_contains(text, ",same,1.000000,,,\n");
	assert_contains(text, ",same,1.000000,,,batch\n");
}

/*
 * Means of which the difference is not significant among so many rows, though their values are
 * apart.
 */
TEST(test_values_apart_are_said_to_be_also_without_significance)
{
	char text[ADVICE_SIZE];
	struct plotted sides[SIDES] = {{.statistics = {.known = 600}},
				       {.statistics = {.known = 60}}};
	const struct compared pair = {.series = {&sides[SIDE_A], &sides[SIDE_B]},
				      .verdict = COMPARED_SAME,
				      .range = RANGE_BELOW,
				      .record_s = NAN};

	ck_assert(compared_is_apart(&pair));
	ck_assert_str_eq(compared_advice(&pair, text),
			 "all 60 values of B are below all 600 of A, but not significantly");
}

/* Every form says how long to record, rounded up. */
TEST(test_a_ramp_is_too_short)
{
	const char *text;
	char name[ADVICE_SIZE];

	fill(&a, 2, 0, 1000);
	fill(&b, 2, 0, 1000);
	for (unsigned k = 0; k < SAMPLES; k++) {
		b.values[2 * COLUMNS][k] = 950 + k;
		b.times[k] = 1.01 * (k + 1);
	}
	compare();
	ck_assert_int_eq(c.compared[0].verdict, COMPARED_TOO_SHORT);
	ck_assert_str_eq(compared_verdict(&c.compared[0]), "too short to tell");
	ck_assert_double_eq_tol(c.compared[0].record_s, 1300, 1e-9);
	ck_assert_str_eq(compared_advice(&c.compared[0], name),
			 "too short to tell: record at least 1300 s");
	assert_contains(written(table_unwrapped), "\nToo short to tell: record at least 1300 s\n");
	text = written(compare_csv);
	assert_contains(text, ",too short to tell,,1300,\n");
	text = written(compare_page);
	assert_contains(text, "No mean can be judged: the tables say why.");
	assert_contains(text, "too short to tell: record at least 1300 s</td>");
	assert_contains(text, "short to tell</b>: the samples are too few, or correlated for too ");
	const json_t *object = json_kept(compare_json(&c));
	assert_json(object, "rows.0.verdict", "\"too short to tell\"");
	assert_double(json_real_value(json_at(object, "rows.0.record_s")), 1300, 1e-9);
}

/* Asserts that each form names the difference before any number. */
static void assert_named(const char *what, const char *in_a, const char *in_b)
{
	char line[160];
	const char *text = written(table_unwrapped);

	snprintf(line, sizeof(line), "Recorded differently: %s: %s in A, %s in B", what, in_a,
		 in_b);
	assert_contains(text, line);
	ck_assert(strstr(text, line) < strstr(text, "means differ"));
	text = written(compare_page);
	assert_contains(text, line);
	ck_assert(strstr(text, line) < strstr(text, "What differs"));
	const json_t *first = json_at(json_kept(compare_json(&c)), "differences.0");
	ck_assert_str_eq(json_string_value(json_at(first, "what")), what);
	ck_assert_str_eq(json_string_value(json_at(first, "a")), in_a);
	ck_assert_str_eq(json_string_value(json_at(first, "b")), in_b);
}

/* Fills the same rows, of ports and the system, with much higher values for B. */
static void fill_all(void)
{
	for (unsigned row = 0; row < ROWS; row++)
		for (unsigned column = 0; column < COLUMNS; column++) {
			fill(&a, row, column, 1000);
			fill(&b, row, column, 2000);
		}
}

TEST(test_other_processors_are_not_judged)
{
	char text[CONDITION_TEXT_SIZE];

	fill_all();
	b.info.processor = "another";
	compare();
	ck_assert_uint_eq(c.judged, 0);
	ck_assert_uint_eq(c.apart, 0);
	ck_assert_str_eq(compared_verdict(&c.compared[0]), "measured differently");
	assert_named("processor", "a processor", "another");
	/* conditions on them are undecided */
	ck_assert_int_eq(condition_parse("read_MBps.mean>+1%", &condition, NULL), 0);
	ck_assert_int_eq(condition_of(&condition, &c.compared[0]), CONDITION_UNKNOWN);
	assert_contains(condition_describe(&condition, &c.compared[0], text),
			"(+100.01 %), but measured differently");
}

TEST(test_another_source_is_another_measurement)
{
	fill_all();
	strcpy(a.series[0].source, "m2s_req");
	strcpy(b.series[0].source, "cpmu");
	strcpy(a.series[COLUMNS].source, "m2s_req");
	strcpy(b.series[COLUMNS].source, "cpmu");
	compare();
	ck_assert_uint_eq(c.difference_count, 1);
	assert_named("read_MBps", "m2s_req", "cpmu");
	for (size_t i = 0; i < c.compared_count; i++)
		ck_assert_int_eq(c.compared[i].verdict, *c.compared[i].series[SIDE_A]->source
								? COMPARED_UNLIKE
								: COMPARED_DIFFERS);
	ck_assert_uint_eq(c.judged, 4);
}

/* Sums of metrics of ports are left out, but neither the ports nor metrics of sockets. */
TEST(test_sums_over_other_devices_are_not_judged)
{
	static const struct metric by_port = {.name = "read_MBps",
					      .group = "cxl",
					      .unit = "MB/s",
					      .rows = 1U << ROW_PORT | 1U << ROW_SYSTEM};

	a.columns[0].metric = b.columns[0].metric = &by_port;
	for (unsigned row = 0; row < ROWS; row++)
		a.series[row * COLUMNS].metric = b.series[row * COLUMNS].metric = &by_port;
	fill_all();
	a.info.options[0] = (struct recording_option){"device", "mem0"};
	a.info.option_count = 1;
	compare();
	assert_named("device", "mem0", "all");
	for (size_t i = 0; i < c.compared_count; i++) {
		const struct plotted *s = c.compared[i].series[SIDE_A];
		const bool sum = s->metric == &by_port && s->row->place.kind == ROW_SYSTEM;

		ck_assert_int_eq(c.compared[i].verdict, sum ? COMPARED_UNLIKE : COMPARED_DIFFERS);
	}
	/* with other sockets, no value of the system is comparable */
	a.info.options[0].name = "socket";
	compare();
	ck_assert_uint_eq(c.judged, 4);
	a.info.options[0].name = "metrics";
	compare();
	assert_named("metrics", "mem0", "default");
	ck_assert_uint_eq(c.judged, 6);
}

TEST(test_a_recording_beside_itself_is_called_the_same)
{
	static const char same[] = "A and B are the same recording.";

	fill(&a, 0, 0, 1000);
	fill(&b, 0, 0, 1000);
	a.values[0][7] = b.values[0][7] = NAN;
	compare();
	const char *text = written(table_unwrapped);
	assert_contains(text, same);
	ck_assert_ptr_null(strstr(text, "means differ"));
	assert_contains(written(compare_page), same);
	assert_json(json_kept(compare_json(&c)), "same_recording", "true");
	b.values[0][8]++;
	compare();
	ck_assert(!c.identical);
	b.values[0][8]--;
	b.values[0][0]++;
	compare();
	ck_assert(!c.identical);
	b.values[0][0]--;
	b.info.started_ns = 1;
	compare();
	ck_assert(!c.identical);
}

TEST(test_what_no_output_shows_is_no_difference)
{
	for (unsigned k = 0; k < SAMPLES; k++) {
		a.values[1][k] = 400;
		b.values[1][k] = 400.04;
	}
	a.series[1].values = a.values[1];
	b.series[1].values = b.values[1];
	compare();
	ck_assert_int_eq(c.compared[0].verdict, COMPARED_SAME);
	for (unsigned k = 0; k < SAMPLES; k++)
		b.values[1][k] = 400.06;
	compare();
	ck_assert_int_eq(c.compared[0].verdict, COMPARED_DIFFERS);
}

TEST(test_nothing_is_a_percentage_of_zero)
{
	fill(&a, 2, 0, 0);
	fill(&b, 2, 0, 10);
	a.series[2 * COLUMNS].statistics.mean = 0;
	compare();
	ck_assert(isnan(compared_difference_pct(&c.compared[0], STATISTIC_MEAN)));
	ck_assert_double_eq_tol(compared_difference(&c.compared[0], STATISTIC_MEAN), 10, 0.2);
}

/* A hostile recording may have the same row twice, and columns of the same name. */
TEST(test_rows_alike_are_matched_one_by_one)
{
	for (unsigned i = 0; i < ROWS; i++) {
		a.rows[i] = a.rows[2];
		b.rows[i] = b.rows[2];
		fill(&a, i, 0, 100 * (i + 1));
		fill(&b, i, 0, 100 * (i + 1));
	}
	a.columns[1].metric = b.columns[1].metric = &metrics[0];
	b.table.row_count = 2;
	compare();
	ck_assert_uint_eq(c.compared_count, 2);
	ck_assert_ptr_eq(c.compared[1].series[SIDE_B]->row, &b.rows[1]);
	ck_assert_uint_eq(c.differ, 0);
	ck_assert_uint_eq(c.unmatched_count, 1);
	ck_assert_ptr_eq(c.unmatched[0].row, &a.rows[2]);
}

/* Makes the last row that of an event of one CHA. */
static void make_event(struct recorded *r, const struct unit *unit, double mean)
{
	struct plotted *s = &r->series[2 * (COLUMNS + 1) + COLUMNS];

	r->rows[2] = (struct row){.place = {.kind = ROW_PORT,
					    .socket = 0,
					    .port = -1,
					    .cpu = -1,
					    .pci = "",
					    .memdev = "",
					    .port_name = ""},
				  .event = &event,
				  .unit = unit};
	r->table.event_rows = 1;
	r->report.series_count = ROWS * (COLUMNS + 1);
	for (unsigned k = 0; k < SAMPLES; k++)
		r->values[8][k] = mean;
	s->row = &r->rows[2];
	s->values = r->values[8];
	s->statistics = (struct statistics){SAMPLES, mean, mean, mean, mean, mean};
}

TEST(test_events_are_compared_by_unit)
{
	make_event(&a, &units[1], 100);
	make_event(&b, &units[1], 200);
	compare();
	ck_assert_uint_eq(c.compared_count, 1);
	ck_assert_str_eq(plotted_name(c.compared[0].series[SIDE_A]), "SOME.EVENT");
	ck_assert_str_eq(plotted_unit(c.compared[0].series[SIDE_A]), "1/s");
	ck_assert_int_eq(c.compared[0].verdict, COMPARED_DIFFERS);
	assert_contains(written(compare_page), "<h2>Events</h2>");
	make_event(&b, &units[0], 200);
	compare();
	ck_assert_uint_eq(c.compared_count, 0);
	ck_assert_uint_eq(c.unmatched_count, 2);
}

TEST(test_the_table_begins_with_what_differs)
{
	fill(&a, 0, 0, 1000);
	fill(&b, 0, 0, 1000);
	fill(&a, 2, 1, 400);
	fill(&b, 2, 1, 420);
	compare();
	const char *text = written(table_unwrapped);
	assert_contains(text, "A: a.cxl: a processor, 100 samples of 1 s\n"
			      "B: b.cxl: a processor, 100 samples of 1 s\n"
			      "1 of 2 means differ\n");
	ck_assert(strstr(text, "\n  latency_ns") < strstr(text, "\n  read_MBps"));
	assert_lacks(text, "intervals");
	assert_lacks(written(compare_page), "intervals differ");
	b.info.interval_ns = 2000000000;
	assert_contains(written(table_unwrapped), "The intervals differ: p95, p99 and max");
	assert_contains(written(compare_page), "The intervals differ: p95, p99 and max");
}

/*
 * Health in A is critical, then fine; in B it ends as to be replaced, with media "data lost". Bits
 * have no mean.
 */
TEST(test_health_has_no_mean_and_is_compared_as_it_was_last)
{
	a.columns[1].metric = b.columns[1].metric = &metrics[4];
	for (size_t i = 1; i < ROWS * COLUMNS; i += COLUMNS)
		a.series[i].metric = b.series[i].metric = &metrics[4];
	for (size_t row = 0; row < 2; row++) {
		fill(&a, row, 1, 32);
		fill(&b, row, 1, 1000);
		a.values[row * COLUMNS + 1][SAMPLES - 2] = 0;
		a.values[row * COLUMNS + 1][SAMPLES - 1] = NAN;
		b.values[row * COLUMNS + 1][SAMPLES - 1] = row ? 0 : 3 * DEVICE_MEDIA + 4;
	}
	compare();
	ck_assert_uint_eq(c.compared_count, 2);
	ck_assert_uint_eq(c.judged, 0);
	ck_assert_uint_eq(c.differ, 0);
	ck_assert_uint_eq(c.states_differ, 1);
	ck_assert_int_eq(c.compared[0].verdict, COMPARED_DIFFERS);
	ck_assert_int_eq(c.compared[1].verdict, COMPARED_SAME);
	ck_assert_double_nan(statistic_of(c.compared[0].series[SIDE_A], STATISTIC_MEAN));
	ck_assert_double_nan(compared_difference(&c.compared[0], STATISTIC_MAX));
	const char *text = written(table_unwrapped);
	assert_contains(text, "\n0 of 0 means differ\nHealth at the end differs in 1 row\n");
	assert_contains(text, "  A: fine; B: media data lost, to be replaced\n");
	assert_lacks(text, "do not overlap");
	text = written(compare_page);
	assert_contains(text,
			"<td data-of=\"verdict\">A: fine; B: media data lost, to be replaced");
	assert_lacks(text, "No mean");
	ck_assert_int_eq(condition_parse("health.max>+0", &condition, &err), 0);
	ck_assert_int_lt(condition_check(&condition, &c, &err), 0);
	assert_contains(err.text, "is a sum of states, which has no mean");
}

TEST(test_nothing_in_common_is_written_too)
{
	compare();
	const char *text = written(table_unwrapped);
	assert_contains(text, "0 of 0 means differ\n");
	assert_contains(text, "Nothing can be compared");
	text = written(compare_page);
	assert_contains(text, "<p class=\"eyebrow\">cxlmon compare</p><h1>Two recordings</h1>");
	assert_contains(text, "Nothing can be compared");
	assert_contains(text, "</html>");
}

TEST(test_a_row_is_drawn_if_it_differs_or_is_the_coarsest)
{
	for (unsigned row = 0; row < ROWS; row++) {
		fill(&a, row, 0, 1000);
		fill(&b, row, 0, row == 1 ? 1100 : 1000);
	}
	compare();
	const char *text = written(compare_page);
	assert_lacks(text, "<h3>read_MBps, socket 0 port 0");
	assert_contains(text, "<h3>read_MBps, socket 0 port 1 mem1 <small>");
	assert_contains(text, "<h3>read_MBps, system <small>");
	assert_contains(text, "<td data-of=\"mean\">1\u202f000.0 \u2192 1\u202f100.0 <");
	assert_contains(text, "data-name=\"A: a.cxl\"");
	assert_contains(text, "data-name=\"B: b.cxl\"");
}

/* Conditions for a mean of 400 in A and 420 in B. */
static const struct {
	const char *text;
	enum condition_state state;
} conditions[] = {
	{"latency_ns.mean>+4.9%", CONDITION_TRUE},    {"latency_ns.mean>+5.1%", CONDITION_FALSE},
	{"latency_ns.mean>-1%", CONDITION_TRUE},      {"latency_ns.mean<+5.1%", CONDITION_TRUE},
	{"latency_ns.mean<-1%", CONDITION_FALSE},     {"latency_ns.mean>+19.9", CONDITION_TRUE},
	{"latency_ns.mean > +20.1", CONDITION_FALSE}, {"latency_ns.p50>+0", CONDITION_TRUE},
	{"latency_ns.p95>+10%", CONDITION_FALSE},     {"latency_ns.p99 <+21", CONDITION_TRUE},
	{"latency_ns.max> +19", CONDITION_TRUE},      {"read_MBps.max>+19", CONDITION_OTHER},
};

TEST_LOOP(test_a_condition_holds_or_not, (int)COUNT_OF(conditions))
{
	fill(&a, 2, 1, 400);
	fill(&b, 2, 1, 420);
	compare();
	ck_assert_int_eq(condition_parse(conditions[_i].text, &condition, &err), 0);
	ck_assert_int_eq(condition_check(&condition, &c, &err), 0);
	ck_assert_int_eq(condition_of(&condition, &c.compared[0]), conditions[_i].state);
}

TEST(test_more_than_nothing_is_above_any_percentage)
{
	fill(&a, 2, 0, 0);
	fill(&b, 2, 0, 10);
	a.series[2 * COLUMNS].statistics.mean = 0;
	compare();
	ck_assert_int_eq(condition_parse("read_MBps.mean>+900%", &condition, NULL), 0);
	ck_assert_int_eq(condition_of(&condition, &c.compared[0]), CONDITION_TRUE);
	b.series[2 * COLUMNS].statistics.mean = 0;
	ck_assert_int_eq(condition_of(&condition, &c.compared[0]), CONDITION_FALSE);
	b.series[2 * COLUMNS].statistics.mean = NAN;
	ck_assert_int_eq(condition_of(&condition, &c.compared[0]), CONDITION_UNKNOWN);
}

TEST(test_a_condition_may_be_on_an_event)
{
	char text[CONDITION_TEXT_SIZE];

	make_event(&a, &units[1], 100);
	make_event(&b, &units[1], 200);
	compare();
	ck_assert_int_eq(condition_parse("SOME.EVENT.max>+99.5%", &condition, &err), 0);
	ck_assert_int_eq(condition_check(&condition, &c, &err), 0);
	ck_assert_int_eq(condition_of(&condition, &c.compared[0]), CONDITION_TRUE);
	assert_contains(condition_describe(&condition, &c.compared[0], text), "SOME.EVENT, ");
	assert_contains(text, " cha 1: max is 100.000 in A, 200.000 in B: +100.000 (+100.00 %)");
}

static const struct {
	const char *text, *why;
} malformed[] = {
	{"", "no > or <"},
	{"latency_ns.mean", "no > or <"},
	{"latency_ns.mean=+1", "no > or <"},
	{"latency_ns>+1", "no mean, p50, p95, p99 or max"},
	{"latency_ns.p90>+1", "no mean, p50, p95, p99 or max"},
	{".mean>+1", "no mean, p50, p95, p99 or max"},
	{"mean>+1", "no mean, p50, p95, p99 or max"},
	{">+1", "no mean, p50, p95, p99 or max"},
	{"latency_ns.mean>10%", "the difference has no sign"},
	{"latency_ns.mean>", "the difference has no sign"},
	{"latency_ns.mean>=+1", "the difference has no sign"},
	{"latency_ns.mean>+", "the difference is not a number"},
	{"latency_ns.mean>+-1", "the difference is not a number"},
	{"latency_ns.mean>+inf", "the difference is not a number"},
	{"latency_ns.mean>+nan", "the difference is not a number"},
	{"latency_ns.mean>+0x10", "the difference is not a number"},
	{"latency_ns.mean>+1e5", "the difference is not a number"},
	{"latency_ns.mean>+1ns", "neither a number in the metric's unit nor %"},
	{"latency_ns.mean>+1%%", "neither a number in the metric's unit nor %"},
	{"latency_ns.mean>+1.2.3", "the difference is not a number"},
};

TEST_LOOP(test_a_malformed_condition_is_refused, (int)COUNT_OF(malformed))
{
	ck_assert_int_lt(condition_parse(malformed[_i].text, &condition, &err), 0);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	assert_contains(err.text, malformed[_i].why);
	assert_contains(err.text, "cxl_read_latency_ns.p99>+10%");
}

TEST(test_a_name_that_is_too_long_is_refused)
{
	char text[EVENT_NAME_SIZE + 16];

	for (unsigned length = EVENT_NAME_SIZE - 1; length <= EVENT_NAME_SIZE; length++) {
		memset(text, 'x', length);
		snprintf(text + length, sizeof(text) - length, ".mean>+1");
		ck_assert_int_eq(!condition_parse(text, &condition, &err),
				 length < EVENT_NAME_SIZE);
	}
	assert_contains(err.text, "no metric has such a long name");
}

static const struct {
	const char *text, *why;
} unknown[] = {
	{"latncy_ns.mean>+1", "'latncy_ns': did you mean 'latency_ns'?"},
	{"source.mean>+1", "neither recording has a metric or event 'source'"},
	{"dram_read_MBps.mean>+1", "neither recording has dram_read_MBps: expected recordings made "
				   "with -m dram"},
};

TEST_LOOP(test_a_metric_of_neither_is_refused, (int)COUNT_OF(unknown))
{
	b.columns[0].metric = &metrics[2];
	a.columns[0].metric = &metrics[2];
	compare();
	ck_assert_int_eq(condition_parse(unknown[_i].text, &condition, &err), 0);
	ck_assert_int_lt(condition_check(&condition, &c, &err), 0);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	assert_contains(err.text, unknown[_i].why);
}

static void table_on_80_columns(const struct comparison *comparison, FILE *out)
{
	compare_table(comparison, 80, out);
}

TEST(test_a_table_fits_80_columns_and_cuts_no_word)
{
	/* percentages and values that have more digits than there is room for */
	fill(&a, 0, 0, 1);
	fill(&b, 0, 0, 1e12);
	fill(&a, 2, 1, 400);
	fill(&b, 2, 1, 420);
	compare();
	const char *text = written(table_on_80_columns);

	assert_contains(text, "      1e+12  +");
	assert_contains(text, "parts of each\nrecording is significant, at 5 % for all rows");
	for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
		ck_assert_msg(end - line <= 80, "%.*s", (int)(end - line), line);
}
