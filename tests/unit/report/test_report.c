/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "report/html.h"
#include "report/report_axis.h"
#include "report/report_plot.h"
#include "suites.h"
#include "support.h"

#define COUNT(array) ((int)COUNT_OF(array))

static const struct {
	const char *unit;
	double largest;
	const char *shown;
	unsigned ticks;
	const char *first, *last;
} axes[] = {
	{"MB/s", 0, "MB/s", 6, "0.2", "1.0"},
	{"MB/s", 990, "MB/s", 6, "200", "1000"},
	{"MB/s", 19000, "GB/s", 5, "5", "20"},
	{"MB/s", 1300, "GB/s", 4, "0.5", "1.5"},
	{"ns", 320, "ns", 5, "100", "400"},
	{"ns", 25000, "\u00b5s", 6, "5", "25"},
	{"1/s", 2.5e6, "10\u2076/s", 6, "0.5", "2.5"},
	{"%", 100, "%", 6, "20", "100"},
	{"", 1.25, "", 6, "0.25", "1.25"},
};

START_TEST(test_an_axis_has_round_numbers_and_a_unit_that_fits)
{
	const struct axis axis = axis_of_values(axes[_i].unit, axes[_i].largest);
	char text[AXIS_LABEL_SIZE];

	ck_assert_str_eq(axis.unit, axes[_i].shown);
	ck_assert_uint_eq(axis.ticks, axes[_i].ticks);
	ck_assert_str_eq(axis_label(&axis, 1, text), axes[_i].first);
	ck_assert_str_eq(axis_label(&axis, axis.ticks - 1, text), axes[_i].last);
	ck_assert_double_ge(axis.max, axes[_i].largest * axis.factor * (1 - 1e-9));
}
END_TEST

static const struct {
	double seconds;
	const char *unit, *first, *last;
} times[] = {
	{0, "s", "0.2", "1.0"},	       {0.05, "ms", "10", "50"}, {60, "s", "10", "60"},
	{119.9, "s", "20", "100"},     {600, "min", "2", "10"},	 {4 * 3600, "h", "1", "4"},
	{5 * 86400, "days", "1", "5"},
};

START_TEST(test_time_ends_with_the_recording)
{
	const struct axis axis = axis_of_time(times[_i].seconds);
	char text[AXIS_LABEL_SIZE];

	ck_assert_str_eq(axis.unit, times[_i].unit);
	ck_assert_str_eq(axis_label(&axis, 1, text), times[_i].first);
	ck_assert_str_eq(axis_label(&axis, axis.ticks - 1, text), times[_i].last);
}
END_TEST

/* A line from 0 to 10 s and 0 to 1, as the path that is drawn; freed by the caller. */
static char *draw(const double *x, const double *y, size_t count)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const struct plot plot = {.out = out, .x = axis_of_time(10), .y = axis_of_values("", 1)};

	plot_line(&plot, x, y, count, "line", "<a&\"b\">");
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

START_TEST(test_a_line_is_interrupted_where_nothing_is_known)
{
	const double x[] = {0, 2, 4, 6, 8, 10}, y[] = {0, 1, NAN, 0.5, NAN, 1};
	char *text = draw(x, y, COUNT_OF(x));

	ck_assert_str_eq(text, "<path class=\"line\" data-name=\"&lt;a&amp;&quot;b&quot;&gt;\" "
			       "d=\"M42 164L112 8M252 86h0M392 8h0\"/>");
	free(text);
}
END_TEST

START_TEST(test_a_long_line_keeps_the_least_and_the_most_of_each_column)
{
	const size_t count = 100000;
	double *x = calloc(count, sizeof(*x)), *y = calloc(count, sizeof(*y));

	for (size_t i = 0; i < count; i++) {
		x[i] = 10.0 * (double)i / (double)count;
		y[i] = 0.5;
	}
	y[40000] = 1;
	y[70000] = 0;
	char *text = draw(x, y, count);
	/* two points in a column at most */
	ck_assert_uint_lt(strlen(text), (size_t)PLOT_COLUMNS * 2 * 16);
	ck_assert_ptr_eq(strchr(strchr(text, 'M') + 1, 'M'), NULL);
	assert_contains(text, " 8L");
	assert_contains(text, " 164L");
	free(text);
	y[50000] = NAN;
	text = draw(x, y, count);
	ck_assert_ptr_ne(strchr(strchr(text, 'M') + 1, 'M'), NULL);
	free(text);
	free(x);
	free(y);
}
END_TEST

START_TEST(test_dots_on_the_same_spot_are_one)
{
	const double x[] = {5, 5, 0, NAN}, y[] = {0.5, 0.5, NAN, 1};
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const struct plot plot = {.out = out, .x = axis_of_time(10), .y = axis_of_values("", 1)};

	ck_assert_int_eq(plot_points(&plot, x, y, COUNT_OF(x), "dots", "a"), 0);
	ck_assert_int_eq(fclose(out), 0);
	ck_assert_str_eq(text, "<path class=\"dots\" data-name=\"a\" d=\"M217 86h0\"/>");
	free(text);
}
END_TEST

START_TEST(test_no_text_ends_an_element_or_an_attribute)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	html_print(out, "<p title=\"%t\">%t 5 %%</p>", "\"><script>", "it's & so");
	ck_assert_int_eq(fclose(out), 0);
	ck_assert_str_eq(text, "<p title=\"&quot;&gt;&lt;script&gt;\">it&#39;s &amp; so 5 %</p>");
	free(text);
}
END_TEST

Suite *suite_report(void)
{
	Suite *suite = suite_create("report");
	TCase *tc = tcase_create("report");

	tcase_add_loop_test(tc, test_an_axis_has_round_numbers_and_a_unit_that_fits, 0,
			    COUNT(axes));
	tcase_add_loop_test(tc, test_time_ends_with_the_recording, 0, COUNT(times));
	tcase_add_test(tc, test_a_line_is_interrupted_where_nothing_is_known);
	tcase_add_test(tc, test_a_long_line_keeps_the_least_and_the_most_of_each_column);
	tcase_add_test(tc, test_dots_on_the_same_spot_are_one);
	tcase_add_test(tc, test_no_text_ends_an_element_or_an_attribute);
	suite_add_tcase(suite, tc);
	return suite;
}
