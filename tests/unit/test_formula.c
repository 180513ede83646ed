/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/formula.h"

#include <string.h>

#include "fake_machine.h"
#include "suites.h"

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

#define RATE	  1e6  /* events a second, so that bytes an event are MB/s */
#define TOLERANCE 1e-9 /* MB/s */

enum { READ, WRITE, D2H, H2D, METRICS };

static const char *const metrics[METRICS] = {
	[READ] = "cxl_mem_read_MBps",
	[WRITE] = "cxl_mem_write_MBps",
	[D2H] = "cxl_cache_d2h_MBps",
	[H2D] = "cxl_cache_h2d_MBps",
};

/* What a metric rests on; no event where the processor can't have it. */
struct expected {
	const char *event;
	double bytes;
	const char *source;
};

static const struct expected spr[METRICS] = {
	[READ] = {"UNC_CXLDP_TxC_AGF_INSERTS.M2S_REQ", 64, "m2s_req"},
	[WRITE] = {"UNC_CXLCM_TxC_PACK_BUF_INSERTS.MEM_DATA", 32, NULL},
	[H2D] = {"UNC_CXLCM_TxC_PACK_BUF_INSERTS.CACHE_DATA", 32, NULL},
};

static const struct expected gnr[METRICS] = {
	[READ] = {"UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_DATA", 64, "rxc"},
	[WRITE] = {"UNC_CXLDP_TxC_AGF_INSERTS.M2S_DATA", 64, NULL},
	[D2H] = {"UNC_CXLCM_RxC_PACK_BUF_INSERTS.CACHE_DATA", 64, NULL},
	[H2D] = {"UNC_CXLCM_TxC_PACK_BUF_INSERTS.CACHE_DATA", 64, NULL},
};

static const struct expected cwf[METRICS] = {
	[READ] = {"UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_DATA", 64, "rxc"},
	[WRITE] = {"UNC_CXLDP_TxC_AGF_INSERTS.M2S_DATA", 64, NULL},
};

static const struct {
	const char *model;
	const struct expected *expected;
} cases[] = {
	{"spr", spr}, {"emr", spr}, {"gnr", gnr}, {"gnr-d", gnr}, {"srf", gnr}, {"cwf", cwf},
};

/* The formula of case i / METRICS and metric i % METRICS. */
static const struct formula *formula_of(int i)
{
	return model_formula(fake_model(cases[i / METRICS].model), metrics[i % METRICS], 0);
}

static const struct expected *expected_of(int i)
{
	return &cases[i / METRICS].expected[i % METRICS];
}

START_TEST(test_a_metric_rests_on_its_event_alone)
{
	const struct formula *formula = formula_of(_i);
	const char *event = expected_of(_i)->event;

	ck_assert_int_eq(formula != NULL, event != NULL);
	if (!formula)
		return;
	ck_assert_str_eq(formula->events[0], event);
	ck_assert_ptr_null(formula->events[1]);
}
END_TEST

START_TEST(test_a_million_events_a_second_are_as_many_MBps_as_bytes_an_event)
{
	const struct operand rates[FORMULA_EVENTS] = {{RATE, 1}, {7e9, 1}, {7e9, 1}, {7e9, 1}};
	const struct formula *formula = formula_of(_i);

	if (formula)
		ck_assert_double_eq_tol(formula->value(formula, rates), expected_of(_i)->bytes,
					TOLERANCE);
}
END_TEST

START_TEST(test_no_events_are_no_bandwidth)
{
	const struct operand rates[FORMULA_EVENTS] = {0};
	const struct formula *formula = formula_of(_i);

	if (formula)
		ck_assert_double_eq(formula->value(formula, rates), 0);
}
END_TEST

START_TEST(test_reads_say_what_they_are_counted_by)
{
	const struct formula *formula = formula_of(_i);
	const char *source = expected_of(_i)->source;

	if (!formula)
		return;
	if (source)
		ck_assert_str_eq(formula->source, source);
	else
		ck_assert_ptr_null(formula->source);
}
END_TEST

START_TEST(test_scaled_is_the_first_rate_times_the_factor)
{
	const struct formula formula = {.factor = 0.25};
	const struct operand rates[FORMULA_EVENTS] = {{10, 1}, {1, 1}, {2, 1}, {3, 1}};

	ck_assert_double_eq(formula_scaled(&formula, rates), 2.5);
}
END_TEST

Suite *suite_formula(void)
{
	Suite *suite = suite_create("formula");
	TCase *tc = tcase_create("formula");
	const int all = COUNT(cases) * METRICS;

	tcase_add_loop_test(tc, test_a_metric_rests_on_its_event_alone, 0, all);
	tcase_add_loop_test(tc, test_a_million_events_a_second_are_as_many_MBps_as_bytes_an_event,
			    0, all);
	tcase_add_loop_test(tc, test_no_events_are_no_bandwidth, 0, all);
	tcase_add_loop_test(tc, test_reads_say_what_they_are_counted_by, 0, all);
	tcase_add_test(tc, test_scaled_is_the_first_rate_times_the_factor);
	suite_add_tcase(suite, tc);
	return suite;
}
