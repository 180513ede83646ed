/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/screen_draw.h"

#include <math.h>

#include "unit.h"

static struct scaled_text scaled(double number, const char *unit, bool whole)
{
	const struct metric metric = {
		.name = "m", .group = "", .unit = unit, .decimals = whole ? 0 : 1};
	const struct scene scene = {.state = &(struct screen_state){.binary = false}};

	return screen_value_text(&scene, &metric, number);
}

static const struct {
	double MBps;
	const char *text;
} bandwidths[] = {
	{0, "0 B/s"},
	{0.000001, "1 B/s"},
	{0.000999, "999 B/s"},
	{0.001, "1.000 kB/s"},
	{1.2345, "1.234 MB/s"},
	{12.345, "12.35 MB/s"},
	{123.45, "123.5 MB/s"},
	{999.94, "999.9 MB/s"},
	{999.96, "1.000 GB/s"},
	{9999.4, "9.999 GB/s"},
	{9999.6, "10.00 GB/s"},
	{99996, "100.0 GB/s"},
	{47663.1, "47.66 GB/s"},
	{1e6, "1.000 TB/s"},
	{1e12, "99999 TB/s"},
};

TEST_LOOP(test_bandwidth_has_a_unit_that_fits, COUNT_OF(bandwidths))
{
	const struct scaled_text text = scale_bandwidth(bandwidths[_i].MBps, 0, false);

	ck_assert_str_eq(text.text, bandwidths[_i].text);
}

TEST(test_bandwidth_of_samples_is_an_estimate_of_three_digits)
{
	ck_assert_str_eq(scale_sampled(7500, false).text, "~7.50 GB/s");
	ck_assert_str_eq(scale_sampled(9994, false).text, "~9.99 GB/s");
	ck_assert_str_eq(scale_sampled(9996, false).text, "~10.0 GB/s");
	ck_assert_str_eq(scale_sampled(502.3, false).text, "~502 MB/s");
	ck_assert_str_eq(scale_sampled(7500, true).text, "~7.0 GiB/s");
	ck_assert_str_eq(scale_sampled(0, false).text, "~0 B/s");
	ck_assert_str_eq(scale_sampled(NAN, false).text, "-");
}

TEST(test_latency_is_in_ns_until_they_are_too_many)
{
	ck_assert_str_eq(scaled(320.4, "ns", false).text, "320 ns");
	ck_assert_str_eq(scaled(9999.4, "ns", false).text, "9999 ns");
	ck_assert_str_eq(scaled(12345, "ns", false).text, "12.3 us");
}

/* Numbers may be larger than any hardware counts. */
TEST(test_no_text_is_wider_than_its_column)
{
	for (double number = 1e-9; number < 1e15; number *= 1.0137) {
		for (int binary = 0; binary < 2; binary++) {
			ck_assert_uint_le(strlen(scale_bandwidth(number, 0, binary).text),
					  BANDWIDTH_WIDTH);
			ck_assert_uint_le(strlen(scale_sampled(number, binary).text),
					  BANDWIDTH_WIDTH);
		}
		ck_assert_uint_le(strlen(scaled(number, "ns", false).text), LATENCY_WIDTH);
		ck_assert_uint_le(strlen(scaled(number, "%", false).text), PERCENT_WIDTH);
		ck_assert_uint_le(strlen(scaled(number, "1/s", false).text), RATE_WIDTH);
		ck_assert_uint_le(strlen(scaled(number, "furlongs", false).text), OTHER_WIDTH);
		ck_assert_uint_le(strlen(scale_memory(number).text), MEMORY_WIDTH);
		ck_assert_uint_le(strlen(scaled(number, "MHz", false).text), FREQUENCY_WIDTH);
	}
}

TEST(test_rates_and_shares_are_short)
{
	ck_assert_str_eq(scaled(0.0123, "1/s", false).text, "0.012/s");
	ck_assert_str_eq(scaled(0.0001, "1/s", false).text, "<.001/s");
	ck_assert_str_eq(scaled(123456, "ns", false).text, "123 us");

	ck_assert_str_eq(scaled(0, "1/s", false).text, "0/s");
	ck_assert_str_eq(scaled(0.25, "1/s", false).text, "0.25/s");
	ck_assert_str_eq(scaled(999.4, "1/s", false).text, "999/s");
	ck_assert_str_eq(scaled(12345, "1/s", false).text, "12.3k/s");
	ck_assert_str_eq(scaled(2e9, "1/s", false).text, "2G/s");
	ck_assert_str_eq(scaled(12.34, "%", false).text, "12.3%");
	ck_assert_str_eq(scaled(1.2345, "", false).text, "1.234");
	ck_assert_str_eq(scaled(16, "lanes", true).text, "16 lanes");
	ck_assert_str_eq(scaled(23361114688.0, "x", false).text, "23361 Mx");
	ck_assert_str_eq(scale_duration(4.46).text, "4.5 s");
	ck_assert_str_eq(scale_duration(119).text, "119 s");
	ck_assert_str_eq(scale_duration(3599).text, "59 min");
	ck_assert_str_eq(scale_bandwidth(5, 20000, false).text, "0.01 GB/s");
	ck_assert_str_eq(scale_memory(0).text, "0.000 MiB");
	ck_assert_str_eq(scale_memory(1024).text, "1.000 GiB");
	ck_assert_str_eq(scale_memory(131074.734).text, "128.0 GiB");
	ck_assert_str_eq(scaled(3200, "MHz", false).text, "3.200 GHz");
}

TEST(test_intervals_are_as_they_would_be_typed)
{
	ck_assert_str_eq(scale_interval(100000).text, "100 us");
	ck_assert_str_eq(scale_interval(1500000).text, "1.5 ms");
	ck_assert_str_eq(scale_interval(500000000).text, "500 ms");
	ck_assert_str_eq(scale_interval(2500000000).text, "2.5 s");
}
