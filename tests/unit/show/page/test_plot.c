/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "formula/custom_metric.h"
#include "show/page/chart.h"
#include "show/page/plot.h"
#include "unit.h"

HTML_EMBED(style_sheet, "show/page/page.css");

static const struct {
	double value;
	unsigned decimals;
	const char *text;
} numbers[] = {
	{0, 0, "0"},
	{0.05, 1, "0.1"},
	{999.9, 1, "999.9"},
	{999.96, 1, "1\u202f000.0"},
	{12345.6, 1, "12\u202f345.6"},
	{123456, 0, "123\u202f456"},
	{1234567.25, 2, "1\u202f234\u202f567.25"},
	{-123, 0, "-123"},
	{-1234.5, 1, "-1\u202f234.5"},
	{1e15, 0, "1\u202f000\u202f000\u202f000\u202f000\u202f000"},
	{INFINITY, 1, "inf"},
};

TEST_LOOP(test_digits_are_in_groups_of_three, COUNT(numbers))
{
	char text[NUMBER_SIZE];

	ck_assert_str_eq(number_grouped(numbers[_i].value, numbers[_i].decimals, text),
			 numbers[_i].text);
}

TEST(test_the_largest_number_has_room)
{
	char text[NUMBER_SIZE];

	ck_assert_uint_lt(strlen(number_grouped(-1.7e308, 100, text)), NUMBER_SIZE);
	ck_assert_str_eq(text + strlen(text) - 10, ".000000000");
}

static const struct {
	const char *unit;
	double largest;
	const char *shown;
	unsigned ticks;
	const char *first, *last;
} axes[] = {
	{"MB/s", 0, "MB/s", 6, "0.2", "1.0"},
	{"MB/s", 990, "MB/s", 6, "200", "1\u202f000"},
	{"MB/s", 19000, "GB/s", 5, "5", "20"},
	{"MB/s", 1300, "GB/s", 4, "0.5", "1.5"},
	{"ns", 320, "ns", 5, "100", "400"},
	{"ns", 25000, "\u00b5s", 6, "5", "25"},
	{"1/s", 2.5e6, "10\u2076/s", 6, "0.5", "2.5"},
	{"%", 100, "%", 6, "20", "100"},
	{"MiB", 800, "MiB", 5, "200", "800"},
	{"MiB", 5000, "GiB", 6, "1", "5"},
	{"MiB", 3e6, "TiB", 4, "1", "3"},
	{"", 1.25, "", 6, "0.25", "1.25"},
};

TEST_LOOP(test_an_axis_has_round_numbers_and_a_unit_that_fits, COUNT(axes))
{
	const struct axis axis = axis_of_range(axes[_i].unit, 0, axes[_i].largest);
	char text[NUMBER_SIZE];

	ck_assert_str_eq(axis.unit, axes[_i].shown);
	ck_assert_uint_eq(axis.ticks, axes[_i].ticks);
	ck_assert_str_eq(axis_label(&axis, 1, text), axes[_i].first);
	ck_assert_str_eq(axis_label(&axis, axis.ticks - 1, text), axes[_i].last);
	ck_assert_double_ge(axis.max, axes[_i].largest * axis.factor * (1 - 1e-9));
}

static const struct {
	double seconds;
	const char *unit, *first, *last;
} times[] = {
	{0, "s", "0.2", "1.0"},	       {0.05, "ms", "10", "50"}, {60, "s", "10", "60"},
	{119.9, "s", "20", "100"},     {600, "min", "2", "10"},	 {4 * 3600, "h", "1", "4"},
	{5 * 86400, "days", "1", "5"},
};

TEST_LOOP(test_time_ends_with_the_recording, COUNT(times))
{
	const struct axis axis = axis_of_time(times[_i].seconds);
	char text[NUMBER_SIZE];

	ck_assert_str_eq(axis.unit, times[_i].unit);
	ck_assert_str_eq(axis_label(&axis, 1, text), times[_i].first);
	ck_assert_str_eq(axis_label(&axis, axis.ticks - 1, text), times[_i].last);
}

/* Returns the drawing in a plot of 10 s and 0 to 1. */
static const char *draw(const double *x, const double *const *y, size_t lines, size_t count,
			bool band)
{
	FILE *out = text_open();
	const struct plot plot = {.out = out, .x = axis_of_time(10), .y = axis_of_range("", 0, 1)};
	const struct plot_mark mark = {band ? "band" : "line", "<a&\"b\">", 3, 4};

	if (band)
		plot_band(&plot, x, y, lines, count, &mark);
	else
		plot_line(&plot, x, *y, count, &mark);
	return text_close(out);
}

static const char *draw_line(const double *x, const double *y, size_t count)
{
	return draw(x, &y, 1, count, false);
}

static const char *draw_band(const double *x, const double *y, size_t count)
{
	return draw(x, &y, 1, count, true);
}

TEST(test_a_line_is_interrupted_where_nothing_is_known)
{
	const double x[] = {0, 2, 4, 6, 8, 10}, y[] = {0, 1, NAN, 0.5, NAN, 1};
	const char *text = draw_line(x, y, COUNT_OF(x));

	ck_assert_str_eq(text, "<path class=\"line c3\" data-name=\"&lt;a&amp;&quot;b&quot;&gt;\" "
			       "data-series=\"3\" d=\"M42 164L112 8M252 86h0M392 8h0\"/>");
}

/*
 * Makes count samples that alternate between 0.25 and 0.75, of which every other takes three times
 * as long.
 */
static void alternate(double *x, double *y, size_t count)
{
	const double step = 10.0 / (double)(2 * count);
	double at = 0;

	for (size_t i = 0; i < count; i++) {
		at += i % 2 ? 3 * step : step;
		x[i] = at;
		y[i] = i % 2 ? 0.75 : 0.25;
	}
}

static double *new_values(size_t count)
{
	double *values = calloc(count, sizeof(*values));

	ck_assert_ptr_nonnull(values);
	at_end(free, values);
	return values;
}

static const struct {
	size_t samples;
	unsigned columns; /* 0: drawn one by one */
} reductions[] = {{2, 0},      {350, 0},    {351, 175},	   {700, 350},
		  {1399, 699}, {1400, 700}, {1000000, 700}};

TEST_LOOP(test_more_samples_than_pixels_are_columns_of_two_or_more, COUNT(reductions))
{
	const size_t count = reductions[_i].samples;

	ck_assert_int_eq(plot_is_reduced(count), reductions[_i].columns != 0);
	if (reductions[_i].columns)
		ck_assert_uint_eq(plot_columns(count), reductions[_i].columns);
}

/* The mean by time is 0.625, which is 97.5 below the top of 156. */
TEST(test_a_long_line_is_the_mean_by_time_in_a_band_from_the_least_to_the_most)
{
	const size_t count = 100000;
	double *x = new_values(count), *y = new_values(count);

	alternate(x, y, count);
	const char *line = draw_line(x, y, count), *band = draw_band(x, y, count);
	ck_assert_uint_eq(occurrences(line, "M"), 1);
	ck_assert_uint_eq(occurrences(line, "L"), PLOT_COLUMNS - 1);
	for (const char *at = strpbrk(strstr(line, "d=\""), "ML"); at; at = strpbrk(at + 1, "ML")) {
		char *end;

		strtod(at + 1, &end);
		ck_assert_double_eq_tol(strtod(end, NULL), 164 - 0.625 * 156, 1);
	}
	ck_assert_uint_eq(occurrences(band, "M"), 1);
	ck_assert_uint_eq(occurrences(band, "Z"), 1);
	/* 0.75 and 0.25 */
	assert_contains(
		band,
		"class=\"band c3\" data-name=\"&lt;a&amp;&quot;b&quot;&gt;\" data-series=\"3\" d=\"M42 47L");
	assert_contains(band, "L392 47L392 125L");
	assert_contains(band, "L42 125Z");
}

/* The first two values are in a column of 0.5 from 42 on, and both have no duration. */
TEST(test_values_of_a_long_line_that_take_no_time_weigh_the_same)
{
	const size_t count = 1400;
	double *x = new_values(count), *y = new_values(count);

	alternate(x, y, count);
	x[0] = x[1] = 0;
	ck_assert_ptr_nonnull(strstr(draw_line(x, y, count), " d=\"M42.25 86L"));
}

TEST(test_single_extremes_of_a_long_line_stay_visible_in_its_band)
{
	const size_t count = 100000;
	double *x = new_values(count), *y = new_values(count);

	alternate(x, y, count);
	y[40000] = 1;
	y[70000] = 0;
	const char *text = draw_band(x, y, count);
	assert_contains(text, " 8L");
	assert_contains(text, " 164L");
	/* at most two points per column, and the corners */
	ck_assert_uint_lt(strlen(text), (size_t)PLOT_COLUMNS * 2 * 13 + 200);
}

TEST(test_unknown_values_interrupt_a_long_line_and_its_band)
{
	const size_t count = 100000;
	double *x = new_values(count), *y = new_values(count);

	alternate(x, y, count);
	for (size_t i = 50000; i < 60000; i++)
		y[i] = NAN;
	const char *line = draw_line(x, y, count), *band = draw_band(x, y, count);
	/* a column may have both known and unknown values, and is then drawn by itself */
	ck_assert_uint_ge(occurrences(line, "M"), 2);
	ck_assert_uint_le(occurrences(line, "M"), 3);
	ck_assert_uint_eq(occurrences(band, "M"), occurrences(line, "M"));
	ck_assert_uint_eq(occurrences(band, "Z"), occurrences(line, "M"));
	ck_assert_ptr_null(strstr(line, "nan"));
	ck_assert_ptr_null(strstr(band, "nan"));
	for (size_t i = 0; i < count; i++)
		y[i] = NAN;
	line = draw_line(x, y, count), band = draw_band(x, y, count);
	assert_contains(line, "d=\"\"");
	assert_contains(band, "d=\"\"");
}

TEST(test_a_band_of_several_lines_contains_all_of_them)
{
	const size_t count = 1000;
	double *x = new_values(count), *low = new_values(count), *high = new_values(count);
	const double *const y[] = {low, high};

	alternate(x, low, count);
	for (size_t i = 0; i < count; i++)
		high[i] = 1;
	const char *text = draw(x, y, 2, count, true);
	assert_contains(text, "d=\"M42 8L");
	assert_contains(text, "L42 125Z");
	ck_assert_uint_eq(occurrences(text, "M"), 1);
}

TEST(test_a_short_line_has_no_band)
{
	const double x[] = {5, 10}, y[] = {0, 1};
	const char *text = draw_band(x, y, 2);

	ck_assert_str_eq(text, "");
}

/* Returns the dashes that the style sheet has for only a class: "9 4"; "" if none. */
static const char *dashes_of(unsigned line, char text[64])
{
	char rule[32];

	text[0] = '\0';
	snprintf(rule, sizeof(rule), ".c%u{stroke-dasharray:", line);
	const char *at = strstr(style_sheet, rule);
	if (at)
		snprintf(text, 64, "%.*s", (int)strcspn(at + strlen(rule), "}"), at + strlen(rule));
	return text;
}

/* If lines overlap, the lower one is visible through the gaps of the upper one. */
TEST(test_no_two_lines_of_a_chart_have_the_same_dashes)
{
	char a[64], b[64];

	ck_assert_str_eq(dashes_of(0, a), "");
	for (unsigned i = 0; i < 8; i++)
		for (unsigned k = 0; k < i; k++)
			ck_assert_str_ne(dashes_of(i, a), dashes_of(k, b));
	assert_contains(style_sheet, ".line{stroke-width:1.7;stroke-opacity:.9}");
}

TEST(test_dots_on_the_same_spot_are_one)
{
	const double x[] = {5, 5, 0, NAN, 10}, y[] = {0.5, 0.5, NAN, 1, 0};
	FILE *out = text_open();
	const struct plot plot = {.out = out, .x = axis_of_time(10), .y = axis_of_range("", 0, 1)};
	const struct plot_mark mark = {"dots", "a", 0, 1};

	plot_points(&plot, x, y, COUNT_OF(x), &mark);
	ck_assert_str_eq(
		text_close(out),
		"<path class=\"dots c0\" data-name=\"a\" data-series=\"0\" d=\"M217 86h0M392 164h0\"/>");
}

static double number_behind(const char *text, const char *before)
{
	const char *at = strstr(text, before);

	ck_assert_msg(at != NULL, "\"%s\" does not contain \"%s\"", text, before);
	return strtod(at + strlen(before), NULL);
}

/* Draws a plot whose axis does not begin at 0. */
static const char *draw_frame(void)
{
	FILE *out = text_open();
	const struct plot plot = {
		.out = out, .x = axis_of_time(10), .y = axis_of_range("ns", 320, 330)};

	plot_frame(&plot, "time");
	plot_begin_lines(&plot);
	plot_end_lines(&plot);
	return text_close(out);
}

TEST(test_what_is_written_below_a_plot_is_on_one_line)
{
	const char *text = draw_frame();
	const double y = number_behind(text, "<text x=\"0\" y=\"");

	assert_contains(text, "\">from 300, not 0</text>");
	assert_contains(text, "\" text-anchor=\"end\">time, s</text>");
	ck_assert_double_eq(number_behind(text, "</text><text x=\"392\" y=\""), y);
	ck_assert_double_gt(y, PLOT_BOTTOM);
	ck_assert_double_lt(y, PLOT_HEIGHT);
}

/* Otherwise lines would not meet the ticks of their values. */
TEST(test_lines_are_drawn_in_the_scale_of_their_frame)
{
	const char *lines = strstr(draw_frame(), "<svg class=\"inner\"");
	const double x = number_behind(lines, " x=\""), width = number_behind(lines, " width=\"");
	char box[64];

	snprintf(box, sizeof(box), " viewBox=\"%g 0 %g %d\">", x, width, PLOT_HEIGHT);
	assert_contains(lines, box);
	ck_assert_double_eq(number_behind(lines, " y=\""), 0);
	ck_assert_double_eq(number_behind(lines, " height=\""), PLOT_HEIGHT);
	/* the same room at both ends, for lines that end there */
	ck_assert_double_lt(x, PLOT_LEFT);
	ck_assert_double_eq(PLOT_LEFT - x, x + width - PLOT_RIGHT);
}

TEST(test_no_text_ends_an_element_or_an_attribute)
{
	FILE *out = text_open();

	html_print(out, "<p title=\"%s\">%s %d %%</p>", "\"><script>", "it's & so", 5);
	ck_assert_str_eq(text_close(out),
			 "<p title=\"&quot;&gt;&lt;script&gt;\">it&#39;s &amp; so 5 %</p>");
}

TEST(test_a_text_of_any_bytes_is_valid_and_visible_in_a_page)
{
	FILE *out = text_open();

	html_text(out, "caf\303\251 \377\033[m\302\2331m\302");
	ck_assert_str_eq(text_close(out), "caf\303\251 ??[m??1m?");
}

/* A bandwidth begins at 0 even if it was never 0. */
TEST(test_a_chart_of_latency_begins_below_the_least_of_it)
{
	static const double x[] = {1, 2};
	static const struct {
		const char *unit, *from;
	} charts[] = {{"ns", "data-unit=\"ns\" data-xunit=\"s\" data-x=\"2\" data-from=\"300\""},
		      {"MB/s", "data-unit=\"MB/s\" data-xunit=\"s\" data-x=\"2\" data-from=\"0\""}};
	double values[] = {320, 330};
	const struct plotted series = {.values = values, .statistics = {.max = 330}};

	for (size_t i = 0; i < COUNT_OF(charts); i++) {
		const struct chart chart = {.name = "metric",
					    .title = "metric",
					    .unit = charts[i].unit,
					    .help = "",
					    .lines = {{&series, x, COUNT_OF(x), "a line"}},
					    .count = 1,
					    .levels = {250, 1000},
					    .level_count = 2};
		FILE *out = text_open();

		chart_over_time(&chart, out);
		const char *text = text_close(out);
		assert_contains(text, charts[i].from);
		/* levels beyond the axis have no line */
		ck_assert_int_eq(strstr(text, "<title>firmware: 250 MB/s<") != NULL, i == 1);
		assert_lacks(text, "<title>firmware: 1");
	}
}

TEST(test_every_group_has_a_title)
{
	for (const struct metric *m = metric_table; m->name; m++)
		ck_assert_str_ne(chart_group_title(m->group), m->group);
	ck_assert_str_ne(chart_group_title(CUSTOM_GROUP), CUSTOM_GROUP);
	ck_assert_str_eq(chart_group_title("device"), "Counted by the CXL devices");
}
