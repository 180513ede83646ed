/* SPDX-License-Identifier: BSD-3-Clause */
/* A recording as series, and as a page. */
#include "show/report/report_page.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <unistd.h>

#include "base/number.h"
#include "show/report/report_plot.h"
#include "unit.h"

#define SAMPLES 1000 /* more than a series has room for at first */

static struct recording_file file;
static struct report report;
static struct error flaw, err;

/* Sample n, of a second, has the value n + 1 in the row of the whole system. */
static void put_recording(struct bytes *out)
{
	static const struct metric metric = {.name = "cxl_mem_read_MBps",
					     .help = "CXL read",
					     .unit = "MB/s",
					     .group = "cxl",
					     .scopes = 1U << SCOPE_SYSTEM};
	static const struct metric *columns[] = {&metric};
	struct value value = {.text = "", .seconds = 1};
	struct row row = {.scope = SCOPE_SYSTEM,
			  .socket = -1,
			  .port = -1,
			  .cpu = -1,
			  .node = -1,
			  .pci = "",
			  .memdev = "",
			  .values = &value,
			  .interval_s = 1,
			  .counted_pct = 100};
	const struct view view = {.model = "spr",
				  .columns = columns,
				  .column_count = 1,
				  .rows = &row,
				  .row_count = 1};
	const struct recording_info info = {
		.program = "1", .processor = "P", .interval_ns = NS_PER_S, .started_ns = NS_PER_S};

	recording_put_header(out, &info, &view);
	for (size_t i = 0; i < SAMPLES; i++) {
		value.number = (double)i + 1;
		recording_put_sample(out, &view, &(struct sample){.wall_ns = (i + 2) * NS_PER_S});
	}
	recording_put_end(out, SAMPLES);
}

static void set_up(void)
{
	struct bytes bytes = {.failed = false};

	put_recording(&bytes);
	const char *path = tree_path("recording");
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ck_assert_int_eq(write(fd, bytes.data, bytes.size), bytes.size);
	close(fd);
	bytes_free(&bytes);
	ck_assert_msg(!recording_file_open(path, &file, &err), "%s", err.text);
	ck_assert_msg(!report_read(&file, &report, &flaw, &err), "%s", err.text);
	ck_assert_int_eq(flaw.code, 0);
}

static void tear_down(void)
{
	report_free(&report);
	recording_file_close(&file);
}

TREE_FIXTURE(set_up, tear_down)

TEST(test_a_series_has_every_sample)
{
	const struct series *s = report_series(&report, 0, 0);

	ck_assert_uint_eq(report.samples, SAMPLES);
	for (size_t i = 0; i < SAMPLES; i++) {
		ck_assert_double_eq(s->values[i], (double)i + 1);
		ck_assert_double_eq(report.times[i], (double)i + 1);
	}
	ck_assert_double_eq(s->statistics.max, SAMPLES);
}

static const struct {
	double least, largest;
	const char *first, *last;
	const char *unit;
} ranges[] = {
	{320, 320, "300", "380", "ns"},	       {251, 260, "240", "320", "ns"},
	{130, 250, "125", "250", "ns"},	       {110, 300, "0", "300", "ns"},
	{20000, 20000, "19", "24", "\u00b5s"}, {0, 0, "0.0", "1.0", "ns"},
	{INFINITY, 0, "0.0", "1.0", "ns"},
};

TEST_LOOP(test_an_axis_begins_below_the_least_of_values_that_are_far_from_0, COUNT_OF(ranges))
{
	const struct axis axis = axis_of_range("ns", ranges[_i].least, ranges[_i].largest);
	char text[NUMBER_SIZE];

	ck_assert_str_eq(axis.unit, ranges[_i].unit);
	ck_assert_str_eq(axis_label(&axis, 0, text), ranges[_i].first);
	ck_assert_str_eq(axis_label(&axis, axis.ticks - 1, text), ranges[_i].last);
	ck_assert_double_eq_tol(axis.from + axis.step * (axis.ticks - 1), axis.max, 1e-9);
}

TEST(test_a_page_has_a_tile_of_the_system_and_a_table)
{
	FILE *out = text_open();

	ck_assert_int_eq(report_page(&report, &flaw, out), 0);
	const char *text = text_close(out);
	assert_contains(text, "<h1>CXL memory on P</h1>");
	assert_contains(text, "<h2>The whole system, on average</h2>\n<div class=\"tiles\"><div");
	assert_contains(text, "<table");
	assert_lacks(text, "There are no samples");
}
