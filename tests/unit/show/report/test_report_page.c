/* SPDX-License-Identifier: BSD-3-Clause */
/* A recording as series, and as a page. */
#include "show/report/report_page.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <unistd.h>

#include "../../record/counted.h"
#include "../explain/sampled.h"
#include "base/number.h"
#include "show/page/chart.h"
#include "show/page/plot.h"
#include "unit.h"

#define SAMPLES 1000 /* more than a series has room for at first */

static struct recording_file file;
static struct report report;
static struct error flaw, err;

/* Writes a recording. Sample n, of a second, has the value n + 1 in the row of the whole system. */
static void put_recording(struct bytes *out)
{
	static const struct metric metric = {.name = "cxl_mem_read_MBps",
					     .help = "CXL read",
					     .unit = "MB/s",
					     .group = "cxl",
					     .rows = 1U << ROW_SYSTEM};
	struct counted counted;
	struct value value;
	struct column column = {&metric, {{&counted_rate}, 1}};
	struct row row = {.place = {.kind = ROW_SYSTEM,
				    .socket = -1,
				    .port = -1,
				    .cpu = -1,
				    .node = -1,
				    .pci = "",
				    .memdev = ""},
			  .values = &value,
			  .interval_s = 1,
			  .counted_pct = 100};
	const struct table table = {.model = "spr",
				    .columns = &column,
				    .column_count = 1,
				    .rows = &row,
				    .row_count = 1};
	const struct recording_info info = {
		.program = "1", .processor = "P", .interval_ns = NS_PER_S, .started_ns = NS_PER_S};

	recording_put_header(out, &info, &table);
	for (size_t i = 0; i < SAMPLES; i++) {
		value = count_rate(&counted, (double)i + 1, 1);
		recording_put_sample(out, &table, &(struct sample){.wall_ns = (i + 2) * NS_PER_S},
				     NULL);
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
	ck_assert_msg(!recording_file_open(path, NULL, &file, &err), "%s", err.text);
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
	const struct plotted *s = report_series(&report, 0, 0);

	ck_assert_uint_eq(report.samples, SAMPLES);
	for (size_t i = 0; i < SAMPLES; i++) {
		ck_assert_double_eq(s->values[i], (double)i + 1);
		ck_assert_double_eq(report.times[i], (double)i + 1);
	}
	ck_assert_double_eq(s->statistics.max, SAMPLES);
	ck_assert_str_eq(s->source, "rxc");
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
	assert_contains(text, "<dt>Samples</dt><dd>1\u202f000</dd>");
	assert_contains(text, "<h2>The whole system, on average</h2>\n<div class=\"tiles\"><div");
	assert_contains(text, "<table");
	assert_lacks(text, "There are no samples");
}

/* The recording has 1000 s, and 1000 MB/s. */
TEST(test_a_chart_over_time_ends_with_the_recording)
{
	FILE *out = text_open();

	charts_over_time(&report, out);
	const char *text = text_close(out);
	assert_contains(
		text,
		"data-unit=\"GB/s\" data-xunit=\"min\" data-x=\"16.6666667\" data-from=\"0\" data-y=\"1\"");
}

/* Returns the text between two parts: a failure cannot show a whole page. */
static const char *between(const char *text, const char *before, const char *behind)
{
	static char part[512];
	const char *from = strstr(text, before), *end = from ? strstr(from, behind) : NULL;

	ck_assert_msg(end != NULL, "no \"%s\", or no \"%s\" behind it", before, behind);
	from += strlen(before);
	snprintf(part, sizeof(part), "%.*s", (int)(end - from), from);
	return part;
}

static const char *charts_with(const struct memory_layout *memory)
{
	const struct recording_info *recorded = report.info;
	struct recording_info info = *recorded;
	FILE *out = text_open();

	info.memory = *memory;
	report.info = &info;
	charts_over_time(&report, out);
	report.info = recorded;
	return text_close(out);
}

TEST(test_the_legend_of_a_chart_names_its_line)
{
	FILE *out = text_open();

	charts_over_time(&report, out);
	assert_contains(between(text_close(out), "<ul class=\"legend\">", "</ul>"),
			"</svg>system<b></b></li>");
}

/* Both regions give a device the same numbers, because one of them spans two devices. */
TEST(test_a_chart_has_a_line_at_each_promise_of_firmware)
{
	struct memory_node nodes[] = {{.node = 1, .read_MBps = 500},
				      {.node = 2, .read_MBps = 1000},
				      {.node = 3, .read_MBps = 750},
				      {.node = 4}};
	struct cxl_region regions[] = {{.node = 1, .ways = 1},
				       {.node = 2, .ways = 2},
				       {.node = 3, .ways = 1},
				       {.node = 4, .ways = 1},
				       {.node = -1, .ways = 1}};
	const struct memory_layout memory = {nodes, COUNT_OF(nodes), regions, COUNT_OF(regions)};
	const char *text = charts_with(&memory);

	ck_assert_str_eq(between(text, "; ", "</p>"), "firmware: 0.5 GB/s; firmware: 0.8 GB/s");
	/* 1 GB/s is 156 above 164 */
	ck_assert_str_eq(between(text, "<path class=\"level\"", "<svg"),
			 " d=\"M42 86H392\"><title>firmware: 0.5 GB/s</title></path>"
			 "<path class=\"level\" d=\"M42 47H392\"><title>firmware: 0.8 GB/s</title>"
			 "</path>");
	text = charts_with(&(struct memory_layout){.nodes = NULL});
	ck_assert_ptr_null(strstr(text, "firmware"));
}

static void add_loads(void)
{
	const struct process_report hot = sampled_loads(2.5);

	explain_add(&report.explain, &(struct sample){.wall_ns = (SAMPLES + 2) * NS_PER_S}, &hot);
}

TEST(test_a_finding_has_all_that_it_rests_on)
{
	FILE *out = text_open();

	add_loads();
	ck_assert_int_eq(report_page(&report, &flaw, out), 0);
	ck_assert_str_eq(between(text_close(out), "<p class=\"note\">Measured: ", "</p>"),
			 "colder DRAM 8.000 GiB, hot CXL 4.000 GiB, "
			 "CXL reads 60.0 %, unseen DRAM 2.500 GiB");
}

#define UNKNOWN                                                                                    \
	{                                                                                          \
		NAN, NAN                                                                           \
	}

/* Curves, and their sentences: parts that a curve lacks are left out. */
static const struct {
	struct curve curve;
	const char *sentence;
} sweeps[] = {
	{{320, {26560, 640}, {30000, 1920}, {30000, 1920}, true},
	 "100 % reads: a read takes 320 ns without load, 640 ns at 26.6 GB/s (the knee), "
	 "and 1\u202f920 ns (6.00 times) at the peak, 30.0 GB/s."},
	/* almost twice as long */
	{{110, UNKNOWN, {120000, 219}, {120000, 219}, true},
	 "100 % reads: a read takes 110 ns without load, and 219 ns (1.99 times) at the peak, 120 "
	 "GB/s. There is no knee: latency does not double."},
	/* other traffic slowed a step down */
	{{100, UNKNOWN, {9000, 150}, {2000, 800}, true},
	 "100 % reads: a read takes 100 ns without load, and 150 ns (1.50 times) at the peak, 9.00 "
	 "GB/s. It takes longest, 800 ns (8.00 times), at 2.00 GB/s. There is no knee: latency "
	 "doubles, but not for good."},
	/* less is carried after the peak */
	{{100, {2500, 200}, {3000, 300}, {1500, 900}, true},
	 "100 % reads: a read takes 100 ns without load, 200 ns at 2.50 GB/s (the knee), "
	 "and 300 ns (3.00 times) at the peak, 3.00 GB/s. It takes longest, 900 ns (9.00 times), at "
	 "1.50 GB/s."},
	/* the sweep was stopped: before the knee, and after it */
	{{320, UNKNOWN, {12000, 328}, {12000, 328}, false},
	 "100 % reads: a read takes 320 ns without load, and 328 ns (1.02 times) at the highest "
	 "measured load, 12.0 GB/s. There is no knee up to there: latency does not double."},
	{{320, {26560, 640}, {28500, 1028}, {28500, 1028}, false},
	 "100 % reads: a read takes 320 ns without load, 640 ns at 26.6 GB/s (the knee), and "
	 "1\u202f028 ns (3.21 times) at the highest measured load, 28.5 GB/s."},
	/* its beginning was left out; the latency of no step is known; nothing is */
	{{NAN, UNKNOWN, {30000, 1920}, {30000, 1920}, true},
	 "100 % reads: a read takes 1\u202f920 ns at the peak, 30.0 GB/s. Latency without load "
	 "was not measured, so that no knee can be found."},
	{{320, UNKNOWN, {30000, NAN}, {20000, 340}, true},
	 "100 % reads: a read takes 320 ns without load; its latency is unknown at the peak, 30.0 "
	 "GB/s. Without it, no knee can be found."},
	{{NAN, UNKNOWN, {30000, NAN}, UNKNOWN, true},
	 "100 % reads: latency is unknown at the peak, 30.0 GB/s. Latency without load was not "
	 "measured, so that no knee can be found."},
	{{NAN, UNKNOWN, UNKNOWN, UNKNOWN, false}, "100 % reads: nothing is known."},
};

TEST_LOOP(test_a_sentence_says_what_a_curve_has, COUNT_OF(sweeps))
{
	FILE *out = text_open();

	sweep_sentence(1, &sweeps[_i].curve, out);
	ck_assert_str_eq(text_close(out), sweeps[_i].sentence);
}

/*
 * The knee of node 0 is between its last two steps; node 1 has none, and its chart begins just
 * below its latency, while others use its memory. The latency in the counters is unknown for the
 * first step.
 */
TEST(test_a_sweep_has_a_sentence_a_chart_and_figures_of_each_node)
{
	/* in this order */
	static const char *const parts[] = {
		"<li data-node=\"0\"><b>node 0 (DRAM of socket 0)</b><p>100 % reads: a read takes "
		"100 ns without load, 200 ns at 15.0 GB/s (the knee), and 250 ns (2.50 times) at "
		"the peak, 20.0 GB/s.</p></li>",
		"<li data-node=\"1\">",
		"<p>Other programs used this memory",
		"There is no knee: latency does not double.</p></li>",
		"<figure class=\"chart sweep\" data-node=\"0\">",
		"<path class=\"line c0\" data-name=\"100 % reads\" data-series=\"0\" "
		"d=\"M42 101.6L217 70.4L392 8\"/>",
		"<path class=\"dots c0\" data-name=\"100 % reads\" data-series=\"0\" "
		"d=\"M217 70.4h0M392 8h0\"/>",
		"<title>peak: 20\u202f000 MB/s, 250 ns</title>",
		"<title>knee: 15\u202f000 MB/s, 200 ns</title>",
		"<figure class=\"chart sweep\" data-node=\"1\">",
		">from 300, not 0</text>",
		"<tbody data-node=\"0\">",
		"by dependent reads</th><td data-of=\"unloaded\">100.0</td>"
		"<td data-of=\"knee\">15\u202f000.0</td><td data-of=\"peak\">20\u202f000.0</td>"
		"<td data-of=\"at_peak\">250.0</td>",
		"by counters</th><td data-of=\"unloaded\"></td><td data-of=\"knee\"></td>"
		"<td data-of=\"peak\">20\u202f000.0</td><td data-of=\"at_peak\">250.0</td>",
		"<tbody data-node=\"1\">",
		"<td data-of=\"at_peak\">330.0</td>",
	};
	struct sweep_point points[6];

	for (int i = 0; i < 6; i++) {
		static const double MBps[] = {0, 10000, 20000},
				    latencies[] = {100, 150, 250, 320, 325, 330};

		points[i] = (struct sweep_point){
			.node = i / 3,
			.read_share = 1,
			.asked_MBps = i % 3 == 2 ? NAN : MBps[i % 3],
			.read_MBps = MBps[i % 3],
			.chase_ns = latencies[i],
			.counted = {i == 3 ? 5000 : MBps[i % 3], 0, i % 3 ? latencies[i] : NAN},
		};
	}
	report.sweep = (struct sweep_points){points, COUNT_OF(points)};
	FILE *out = text_open();
	const int rc = report_sweep(&report, out);

	report.sweep = (struct sweep_points){0};
	ck_assert_int_eq(rc, 0);
	const char *text = text_close(out);
	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		text = strstr(text, parts[i]);
		ck_assert_msg(text != NULL, "not there, or not in this place: %s", parts[i]);
	}
}

/* Counters of the step without load, and if they show more than its own reads. */
static const struct {
	double asked_MBps, read_MBps, write_MBps;
	bool said;
} others[] = {
	{0, 200, 0, false},    {0, 400, 0, false}, /* each read also brings the next line */
	{0, 1900, 0, false},			   /* 5 % of the peak, and the chase's */
	{0, 1901, 0, true},			   /* reads of others */
	{0, 1000, 901, true},			   /* reads and writes of others */
	{0, NAN, 5000, false},			   /* unknown */
	{10, 5000, 0, false},			   /* the step's own load */
};

TEST_LOOP(test_traffic_of_others_is_named, COUNT_OF(others))
{
	struct sweep_point points[] = {
		{.asked_MBps = others[_i].asked_MBps,
		 .chase_ns = 320,
		 .counted = {others[_i].read_MBps, others[_i].write_MBps, 320}},
		{.asked_MBps = NAN, .read_MBps = 20000, .write_MBps = 10000, .chase_ns = 1920},
	};
	FILE *out = text_open();

	sweep_others_sentence(&(struct sweep_points){points, 2}, 0, 2, out);
	ck_assert_str_eq(text_close(out),
			 others[_i].said
				 ? "<p>Other programs used this memory, too: while the sweep made "
				   "no load, the counters saw 1.50 GB/s more than its own reads. "
				   "Latency without load, knee and peak include such traffic.</p>"
				 : "");
}

/* Ranges are 2 MiB: a GiB was seen, of which a quarter has half of the samples. */
TEST(test_how_hot_the_memory_of_a_node_is_is_told)
{
	static const struct load_event event = {.name = "loads", .counts = true};
	static const struct sampled_row all, rest;
	static struct kept_name unnamed = {.text = ""};
	static const struct process_names names = {.at = &unnamed};
	const struct reported_node node = {.heat = {.node = 2,
						    .ranges = 512,
						    .parts = {128, 256, 384},
						    .buckets = {510, 0, 2}},
					   .cxl = true,
					   .used_GiB = 3.5};
	const struct process_report hot = {.by = "process",
					   .names = &names,
					   .event = &event,
					   .all = &all,
					   .others = &rest,
					   .nodes = &node,
					   .node_count = 1};
	FILE *out = text_open();

	report.hot = &hot;
	report_hot(&report, out);
	report.hot = NULL;
	const char *page = text_close(out);
	assert_contains(page,
			"<th scope=\"row\">(all) node 0 CPU 0</th><td data-of=\"cxl_samples\">0");
	assert_contains(page, "<th scope=\"row\">1 sample</th>");
	assert_contains(page, "<th scope=\"row\">4 to 7 samples</th>");
	ck_assert_str_eq(between(page, "node 2 (CXL) <small>", "</small>"),
			 "50 % of its samples in 0.25 GiB, 90 % of its samples in 0.5 GiB, 99 % "
			 "of its samples in 0.75 GiB, 1 GiB seen, 2.5 GiB used but never sampled");
}
