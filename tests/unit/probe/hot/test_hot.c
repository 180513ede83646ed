/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs on a simulated machine, whose three programs read 2 x 12 GB/s of CXL memory and 20 GB/s of
 * DRAM.
 */
#include "process/load_run.h"

#include <math.h>

#include "json_at.h"
#include "probe/hot/print.h"
#include "unit.h"

#define PERIOD	 10007
#define PROGRAMS 3

static const char *const programs[PROGRAMS] = {"postgres", "memcached", "batch"};
static sigset_t none;
static struct sudo_user caller;
static struct load_run run;
static struct error err;

/* Opens a run. period 0: adapted. */
static void open_run(uint64_t period)
{
	static struct load_run_options options;

	options = (struct load_run_options){
		.session = {.sim = "gnr,clock=virtual,read=12,dram_read=20",
			    .interval_ns = NS_PER_S,
			    .view = {.groups = "cxl,dram", .finest = SCOPE_SYSTEM}},
		.by = BY_PROCESS,
		.period = period,
		.wake = &none,
		.caller = &caller,
	};

	sigemptyset(&none);
	ck_assert_msg(!load_run_open(&options, &silent_log, &run, &err), "%s", err.text);
	load_run_begin(&run);
}

static void begin(void)
{
	open_run(PERIOD);
}

static void end(void)
{
	ck_assert_msg(!load_run_close(&run, &err), "%s", err.text);
}

FIXTURE(begin, end)

static void take(bool last)
{
	int signal_number;

	ck_assert_msg(!load_run_wait(&run, &signal_number, &err), "%s", err.text);
	ck_assert_int_eq(load_run_take(&run, last, &err), 1);
}

static void assert_report(enum row_time time, double seconds)
{
	const struct process_report *report = &run.report;
	uint64_t cxl = 0, dram = 0;

	ck_assert_int_eq(report->time, time);
	ck_assert_double_eq(report_seconds(report), seconds);
	ck_assert_uint_eq(report->missed, 0);
	ck_assert_uint_eq(report->period, PERIOD);
	ck_assert_double_eq(report_counted_MBps(report, MEMORY_CXL), 24000);
	ck_assert_double_eq(report_counted_MBps(report, MEMORY_DRAM), 20000);
	ck_assert_uint_eq(report->count, PROGRAMS);
	for (size_t r = 0; r < report->count; r++) {
		ck_assert_uint_eq(report->rows[r]->pid, 1001 + r);
		ck_assert_str_eq(process_name(report->names, report->rows[r]->command),
				 programs[r]);
		cxl += report_samples(report, report->rows[r], MEMORY_CXL);
		dram += report_samples(report, report->rows[r], MEMORY_DRAM);
	}
	ck_assert_uint_eq(report_samples(report, report->all, MEMORY_CXL), cxl);
	ck_assert_uint_eq(report_samples(report, report->all, MEMORY_DRAM), dram);
	/*
	 * half of the lines that ports transfer are loads; each program's last period is not
	 * complete
	 */
	assert_double((double)cxl, 12e9 / LOAD_LINE_BYTES / PERIOD * seconds, PROGRAMS);
	assert_double((double)dram, 10e9 / LOAD_LINE_BYTES / PERIOD * seconds, PROGRAMS);
}

TEST(test_a_run_is_the_sum_of_its_intervals)
{
	uint64_t samples = 0;

	for (unsigned i = 0; i < 2; i++) {
		take(i == 1);
		assert_report(TIME_INTERVAL, 1);
		samples += report_samples(&run.report, run.report.all, MEMORY_CXL);
		if (i == 0)
			ck_assert_int_eq(load_run_next(&run, &err), 0);
	}
	load_run_sum_up(&run);
	assert_report(TIME_RUN, 2);
	ck_assert_uint_eq(report_samples(&run.report, run.report.all, MEMORY_CXL), samples);
}

static const char *printed(const struct hot_format *format)
{
	FILE *out = text_open();
	struct hot_sheet sheet = {.out = out, .width = 200};

	if (format->begin)
		format->begin(&sheet);
	format->report(&sheet, &run.report);
	return text_close(out);
}

static double number(const json_t *object, const char *name)
{
	return json_number_value(json_at(object, name));
}

static void assert_figures(const json_t *object, const struct sampled_row *row)
{
	static const char *const names[] = {"cxl_samples", "dram_samples", "unplaced_samples"};
	const struct process_report *report = &run.report;

	for (size_t m = 0; m < COUNT_OF(names); m++) {
		ck_assert_ptr_nonnull(json_at(object, names[m]));
		ck_assert_double_eq(number(object, names[m]),
				    (double)report_samples(report, row, m));
	}
	for (size_t m = 0; m < MEMORY_UNKNOWN; m++) {
		assert_double(number(object, m == MEMORY_CXL ? "cxl_MBps" : "dram_MBps"),
			      report_MBps(report, row, m), 1e-3);
		assert_double(number(object, m == MEMORY_CXL ? "cxl_per_s" : "dram_per_s"),
			      report_per_s(report, row, m), 1e-3);
	}
}

TEST(test_json_has_every_row)
{
	take(true);
	const json_t *report = json_of(printed(&hot_json));
	const json_t *rows = json_at(report, "rows");
	double cxl = 0;

	ck_assert_uint_eq(json_array_size(rows), PROGRAMS);
	for (size_t r = 0; r < PROGRAMS; r++) {
		const json_t *row = json_array_get(rows, r);

		ck_assert_str_eq(json_string_value(json_at(row, "command")), programs[r]);
		assert_figures(row, run.report.rows[r]);
		cxl += number(row, "cxl_samples");
	}
	const json_t *system = json_at(report, "system");
	assert_figures(system, run.report.all);
	ck_assert_double_eq(number(system, "cxl_samples"), cxl);
	ck_assert_double_eq(number(report, "cxl_counted_MBps"), 24000);
	ck_assert_double_eq(number(report, "period"), PERIOD);
	/* equal to the third decimal */
	assert_double(number(report, "cxl_unseen_MBps"), 24000 - number(system, "cxl_MBps"), 1e-9);
	ck_assert_ptr_null(json_at(report, "heat"));

	load_run_sum_up(&run);
	/* nodes of the socket's own memory, and of two devices */
	ck_assert_uint_eq(json_array_size(json_at(json_of(printed(&hot_json)), "heat")), 3);
}

static size_t count_commas(const char *line)
{
	size_t count = 0;

	for (; *line && *line != '\n'; line++)
		count += *line == ',';
	return count;
}

TEST(test_csv_has_a_line_for_the_system_and_each_row)
{
	size_t lines = 0;

	take(true);
	const char *text = printed(&hot_csv), *line = text;
	for (; *line; line = strchr(line, '\n') + 1, lines++)
		ck_assert_uint_eq(count_commas(line), count_commas(text));
	ck_assert_uint_eq(lines, 1 + 1 + PROGRAMS);
}

/* Each fact is shown only if it applies. */
TEST(test_the_table_says_what_samples_lack)
{
	static const char *const lacks[] = {"5 lost",
					    "throttled 6 times",
					    "CPUs not sampled: 7 (no rates)",
					    "sampled 25.0 % of the time",
					    "8 records of processes lost",
					    " (others)\n"};
	static struct sampled_row others;

	take(true);
	for (size_t i = 0; i < COUNT_OF(lacks); i++)
		assert_lacks(printed(&hot_table), lacks[i]);
	run.report.lost = 5;
	run.report.throttled = 6;
	run.report.unsampled = 7;
	run.report.records_lost = 8;
	run.report.times = (struct event_times){.enabled_ns = 400, .running_ns = 100};
	others = *run.report.others;
	others.counts[TIME_INTERVAL][MEMORY_UNKNOWN].samples = 1;
	run.report.others = &others;
	for (size_t i = 0; i < COUNT_OF(lacks); i++)
		assert_contains(printed(&hot_table), lacks[i]);
}

TEST(test_the_period_is_adapted_to_what_samples_cost)
{
	end();
	open_run(0);
	take(false);
	const uint64_t first = run.report.period;
	ck_assert_double_gt(report_cost_pct(&run.report), 100 * LOAD_COST_MOST);
	/* samples at the old period are still in the next interval */
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(load_run_next(&run, &err), 0);
		take(i == 1);
	}
	ck_assert_uint_gt(run.report.period, first);
	ck_assert_double_le(report_cost_pct(&run.report), 100 * LOAD_COST_MOST);
}

static const char *printed_on_terminal(size_t reports, size_t width, size_t height)
{
	FILE *out = text_open();
	struct hot_sheet sheet = {.out = out, .width = width, .height = height};

	for (; sheet.reports < reports; sheet.reports++)
		hot_table.report(&sheet, &run.report);
	return text_close(out);
}

/*
 * The cursor needs a line after the reports, each of which has an empty line before the next. On
 * narrow terminals the header of a report, and each node, take more lines.
 */
TEST_LOOP(test_the_table_repeats_its_header_when_it_would_scroll_off, 6)
{
	const size_t header = 2, reports = 9, width = 60 + 20 * (size_t)_i;

	take(false);
	const char *one = printed_on_terminal(1, width, SIZE_MAX);
	const size_t lines = occurrences(one, "\n") - header + 1;
	ck_assert_uint_ge(lines, 1 + 1 + PROGRAMS + run.report.node_count);
	for (size_t height = header + lines; height < header + 4 * lines; height++) {
		const size_t fit = (height - header) / lines;
		const char *text = printed_on_terminal(reports, width, height);

		ck_assert_uint_eq(occurrences(text, " process\n"), (reports + fit - 1) / fit);
	}
}

/* Counts wrapped lines, such as the lines of a row whose name is wider than the terminal. */
TEST(test_lines_that_a_terminal_wraps_count_as_several)
{
	const size_t width = 16;
	size_t lines = 1, wrapped = 0;

	take(false);
	for (const char *line = printed_on_terminal(1, width, SIZE_MAX); *line;
	     line = strchr(line, '\n') + 1) {
		const size_t length = strcspn(line, "\n");

		lines += length > width ? (length - 1) / width + 1 : 1;
		wrapped += length > width;
	}
	ck_assert_uint_gt(wrapped, 0);
	/* two reports, without the two lines of the second header */
	const size_t needed = 2 * lines - 2;
	ck_assert_uint_eq(occurrences(printed_on_terminal(2, width, needed), " process\n"), 1);
	ck_assert_uint_eq(occurrences(printed_on_terminal(2, width, needed - 1), " process\n"), 2);
}

TEST(test_each_column_has_a_heading_of_two_lines)
{
	take(false);
	assert_contains(
		printed(&hot_table),
		"        CXL       DRAM     CXL     CXL     CXL     CXL    DRAM    DRAM    DRAM    "
		"DRAM       CXL      DRAM\n"
		"       MB/s       MB/s  p50 ns  p90 ns  p99 ns  max ns  p50 ns  p90 ns  p99 ns  max "
		"ns   samples   samples process\n");
}

TEST(test_in_a_file_the_header_stands_once)
{
	take(false);
	ck_assert_uint_eq(occurrences(printed_on_terminal(9, 0, 0), " process\n"), 1);
}
