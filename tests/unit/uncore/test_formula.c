/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/formula.h"

#include <math.h>
#include <string.h>

#include "fake_machine.h"
#include "metrics/metric.h"
#include "metrics/view.h"
#include "unit.h"

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

/* The formula of ports of case i / METRICS and metric i % METRICS; NULL: there is none. */
static const struct formula *formula_of(int i)
{
	const struct model *model = fake_model(cases[i / METRICS].model);
	const char *metric = metrics[i % METRICS];
	const struct formula *formula = model_formula(model, metric, 0);

	if (formula == device_formula(metric, 0))
		return NULL;
	return formula->source && !strcmp(formula->source, "cpmu") ? formula + 1 : formula;
}

static const struct expected *expected_of(int i)
{
	return &cases[i / METRICS].expected[i % METRICS];
}

TEST_LOOP(test_a_metric_rests_on_its_event_alone, (COUNT(cases) * METRICS))
{
	const struct formula *formula = formula_of(_i);
	const char *event = expected_of(_i)->event;

	ck_assert_int_eq(formula != NULL, event != NULL);
	if (!formula)
		return;
	ck_assert_str_eq(formula->events[0], event);
	ck_assert_ptr_null(formula->events[1]);
}

TEST_LOOP(test_a_million_events_a_second_are_as_many_MBps_as_bytes_an_event,
	  (COUNT(cases) * METRICS))
{
	const struct operand rates[FORMULA_EVENTS] = {{RATE, 1}, {7e9, 1}, {7e9, 1}, {7e9, 1}};
	const struct formula *formula = formula_of(_i);

	if (formula)
		ck_assert_double_eq_tol(formula->value(formula, rates), expected_of(_i)->bytes,
					TOLERANCE);
}

TEST_LOOP(test_no_events_are_no_bandwidth, (COUNT(cases) * METRICS))
{
	const struct operand rates[FORMULA_EVENTS] = {0};
	const struct formula *formula = formula_of(_i);

	if (formula)
		ck_assert_double_eq(formula->value(formula, rates), 0);
}

TEST_LOOP(test_reads_say_what_they_are_counted_by, (COUNT(cases) * METRICS))
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

TEST(test_scaled_is_the_first_rate_times_the_factor)
{
	const struct formula formula = {.factor = 0.25};
	const struct operand rates[FORMULA_EVENTS] = {{10, 1}, {1, 1}, {2, 1}, {3, 1}};

	ck_assert_double_eq(formula_scaled(&formula, rates), 2.5);
}

TEST(test_a_sum_is_of_all_events_times_the_factor)
{
	const struct operand rates[FORMULA_EVENTS] = {{10, 1}, {1, 7}, {2, 1}, {4, 1}};
	struct formula formula = {.events = {"a"}, .factor = 0.5};
	static const double sums[] = {5, 5.5, 6.5, 8.5};

	for (unsigned n = 0; n < sizeof(sums) / sizeof(sums[0]); n++) {
		formula.events[n] = "a";
		ck_assert_double_eq(formula_sum(&formula, rates), sums[n]);
	}
}

TEST(test_a_sum_takes_each_event_with_its_weight)
{
	const struct formula formula = {
		.events = {"a", "b", "c"}, .factor = 2, .weights = {1, 0.5}};
	const struct operand rates[FORMULA_EVENTS] = {{10, 1}, {4, 1}, {1, 1}};
	char text[FORMULA_TEXT_SIZE];

	ck_assert_double_eq(formula_sum(&formula, rates), 2 * (10 + 2 + 1));
	formula_describe(&formula, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "(a + b * 0.5 + c)"));
}

static const struct {
	double (*value)(const struct formula *formula, const struct operand *operands);
	struct operand operands[FORMULA_EVENTS];
	double expected;
} quotients[] = {
	{formula_ratio, {{125e6, 1}, {1e9, 1}}, 12.5},
	{formula_ratio, {{250e6, 2}, {2e9, 2}}, 12.5},
	{formula_ratio, {{0, 1}, {1e9, 1}}, 0},
	{formula_ratio, {{1e9, 1}, {1e9, 1}}, 100},
	{formula_ratio, {{1, 1}, {0, 1}}, NAN},
	{formula_ratio, {{0, 1}, {0, 1}}, NAN},

	/* a mean of 0.4 entries, for a million inserts a second */
	{formula_latency, {{0.4, 1}, {1e6, 1}, {2e9, 1}}, 400},
	{formula_latency, {{3.2, 8}, {8e6, 8}, {16e9, 8}}, 400},
	{formula_latency, {{0, 1}, {1e6, 1}, {2e9, 1}}, 0},
	{formula_latency, {{0, 1}, {0, 1}, {2e9, 1}}, NAN},
	{formula_latency, {{400e6, 1}, {0, 1}, {2e9, 1}}, NAN},
	{formula_latency, {{INFINITY, 1}, {1e6, 1}, {6.1e9, 1}}, INFINITY},

	/* half the time halted, or four CPUs, and it is still 3 GHz */
	{formula_frequency, {{3e9, 1}, {2e9, 1}, {2e9, 1}}, 3000},
	{formula_frequency, {{1.5e9, 1}, {1e9, 1}, {2e9, 1}}, 3000},
	{formula_frequency, {{12e9, 4}, {8e9, 4}, {8e9, 4}}, 3000},
	{formula_frequency, {{0, 1}, {1e9, 1}, {2e9, 1}}, 0},
	{formula_frequency, {{0, 1}, {0, 1}, {2e9, 1}}, NAN},
};

TEST_LOOP(test_a_quotient_is_what_it_should_be_or_says_that_it_is_none, COUNT(quotients))
{
	const struct formula formula = {.factor = 100};
	const double value = quotients[_i].value(&formula, quotients[_i].operands),
		     expected = quotients[_i].expected;

	if (isnan(expected))
		ck_assert_double_nan(value);
	else if (isinf(expected))
		ck_assert_double_infinite(value);
	else
		ck_assert_double_eq_tol(value, expected, TOLERANCE);
}

/* Occupancy, inserts, clock ticks of a unit. */
static const struct {
	double rates[3], expected;
} occupancies[] = {
	{{800e6, 1e6, 2e9}, 0.4}, {{800e6, 0, 2e9}, 0.4},	   {{800e6, 1e6, 1.6e9}, 0.5},
	{{0, 1e6, 2e9}, 0},	  {{600e6, 1e6, 6e9}, 0.1},	   {{800e6, 1e6, 0}, NAN},
	{{0, 0, 0}, NAN},	  {{800e6, 1e6, 6.1e9}, INFINITY},
};

TEST_LOOP(test_an_occupancy_is_divided_by_the_clock_of_its_unit, COUNT(occupancies))
{
	const double value = formula_mean_occupancy(occupancies[_i].rates),
		     expected = occupancies[_i].expected;

	if (isnan(expected))
		ck_assert_double_nan(value);
	else if (isinf(expected))
		ck_assert_double_infinite(value);
	else
		ck_assert_double_eq_tol(value, expected, TOLERANCE);
}

/* What else the models can say: the sources of each way, in order; "" for one without. */

#define CORE_METRICS                                                                               \
	{"instructions_per_s", {""}}, {"cycles_per_s", {""}}, {"ipc", {""}},                       \
	{                                                                                          \
		"frequency_MHz",                                                                   \
		{                                                                                  \
			""                                                                         \
		}                                                                                  \
	}
#define HBM_METRICS                                                                                \
	{"hbm_read_MBps", {""}},                                                                   \
	{                                                                                          \
		"hbm_write_MBps",                                                                  \
		{                                                                                  \
			""                                                                         \
		}                                                                                  \
	}

#define CPU_READS                                                                                  \
	{"cxl_read_local_MBps", {""}},                                                             \
	{                                                                                          \
		"cxl_read_remote_MBps",                                                            \
		{                                                                                  \
			""                                                                         \
		}                                                                                  \
	}
#define NO_HBM_METRICS                                                                             \
	{"hbm_read_MBps", {0}},                                                                    \
	{                                                                                          \
		"hbm_write_MBps",                                                                  \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}

/* What only AMD's processors have. */
#define NO_AMD                                                                                     \
	{"cxl_far_read_latency_ns", {0}},                                                          \
	{                                                                                          \
		"cxl_fill_MBps",                                                                   \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}
#define AMD_LATENCIES(...)                                                                         \
	{"cxl_far_read_latency_ns", {""}},                                                         \
	{                                                                                          \
		"cxl_fill_MBps",                                                                   \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}
#define NO_CPU_READS                                                                               \
	{"cxl_read_local_MBps", {0}},                                                              \
	{                                                                                          \
		"cxl_read_remote_MBps",                                                            \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}
#define DRAM_METRICS                                                                               \
	{"dram_read_MBps", {""}},                                                                  \
	{                                                                                          \
		"dram_write_MBps",                                                                 \
		{                                                                                  \
			""                                                                         \
		}                                                                                  \
	}
#define PORT_METRICS                                                                               \
	{"rx_mem_data_full_pct", {""}}, {"rx_mem_req_full_pct", {""}},                             \
		{"rx_mem_data_busy_pct", {""}}, {"rx_mem_req_busy_pct", {""}},                     \
		{"crc_errors_per_s", {""}}, {"retries_per_s", {""}}, {"tx_flits_per_s", {""}},     \
	{                                                                                          \
		"rx_flits_per_s",                                                                  \
		{                                                                                  \
			""                                                                         \
		}                                                                                  \
	}
#define NO_PORT_METRICS                                                                            \
	{"rx_mem_data_full_pct", {0}}, {"rx_mem_req_full_pct", {0}},                               \
		{"rx_mem_data_busy_pct", {0}}, {"rx_mem_req_busy_pct", {0}},                       \
		{"crc_errors_per_s", {0}}, {"retries_per_s", {0}}, {"tx_flits_per_s", {0}},        \
	{                                                                                          \
		"rx_flits_per_s",                                                                  \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}
#define DDR_LATENCIES                                                                              \
	{"ddr_local_read_latency_ns", {""}},                                                       \
	{                                                                                          \
		"ddr_remote_read_latency_ns",                                                      \
		{                                                                                  \
			""                                                                         \
		}                                                                                  \
	}
#define NO_DDR_LATENCIES                                                                           \
	{"ddr_local_read_latency_ns", {0}},                                                        \
	{                                                                                          \
		"ddr_remote_read_latency_ns",                                                      \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}
#define CXL_LATENCY(...)                                                                           \
	{                                                                                          \
		"cxl_read_latency_ns",                                                             \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

struct ways {
	const char *metric;
	const char *sources[ALTERNATIVES + 1]; /* NULL ends them */
};

/* On AMD, that of port or CCM n of a socket is events[n]; its bytes. */
static const struct {
	const char *model, *metric, *first, *last;
	unsigned ports;
	double bytes;
} of_df[] = {
	{"turin", "cxl_mem_read_MBps", "cxl_port_read_data_beats_0", "cxl_port_read_data_beats_3",
	 4, 64},
	{"turin", "cxl_mem_write_MBps", "cxl_port_write_data_beats_0",
	 "cxl_port_write_data_beats_3", 4, 64},
	{"venice", "cxl_mem_read_MBps", "ccm_cxl_read_data_beats_0", "ccm_cxl_read_data_beats_15",
	 16, 32},
	{"venice", "cxl_mem_write_MBps", "ccm_cxl_write_data_beats_0",
	 "ccm_cxl_write_data_beats_15", 16, 64},
};

TEST_LOOP(test_the_data_fabric_counts_each_port_by_an_event_of_its_own, COUNT(of_df))
{
	const struct formula *formula =
		model_formula(fake_model(of_df[_i].model), of_df[_i].metric, 0);
	const unsigned last = of_df[_i].ports - 1;
	struct operand rates[FORMULA_EVENTS] = {[0] = {RATE, 1}};

	ck_assert(formula->by_port);
	ck_assert_str_eq(formula->events[0], of_df[_i].first);
	ck_assert_str_eq(formula->events[last], of_df[_i].last);
	ck_assert(last + 1 == FORMULA_EVENTS || !formula->events[last + 1]);
	ck_assert_double_eq_tol(formula->value(formula, rates), of_df[_i].bytes, TOLERANCE);
	rates[last] = (struct operand){RATE, 1};
	ck_assert_double_eq_tol(formula->value(formula, rates), 2 * of_df[_i].bytes, TOLERANCE);
	ck_assert_str_eq(model_formula(fake_model(of_df[_i].model), "cxl_mem_read_MBps", 0)->source,
			 "df");
}

TEST_LOOP(test_zen_4_has_no_formula_of_cxl_bandwidth, 2)
{
	static const char *const models[] = {"genoa", "bergamo"};

	for (int m = 0; m < METRICS; m++)
		ck_assert_ptr_eq(model_formula(fake_model(models[_i]), metrics[m], 0),
				 device_formula(metrics[m], 0));
}

/* 30 units of 10 ns in 3 requests. */
TEST_LOOP(test_an_l3_s_latency_is_in_units_of_10_ns_a_sampled_request, 4)
{
	static const char *const latencies[] = {"cxl_read_latency_ns", "cxl_far_read_latency_ns",
						"ddr_local_read_latency_ns",
						"ddr_remote_read_latency_ns"};
	const struct operand rates[FORMULA_EVENTS] = {{30, 1}, {3, 1}}, none[FORMULA_EVENTS] = {0};
	const struct formula *formula = model_formula(fake_model("turin"), latencies[_i], 0);

	ck_assert_double_eq_tol(formula->value(formula, rates), 100, TOLERANCE);
	ck_assert(isnan(formula->value(formula, none)));
}

static const struct {
	const char *model;
	struct ways ways[28];
} known[] = {
	{"spr",
	 {CXL_LATENCY("acc", "exp_local"), DDR_LATENCIES, DRAM_METRICS, HBM_METRICS, PORT_METRICS,
	  CORE_METRICS, NO_CPU_READS, NO_AMD}},
	{"emr",
	 {CXL_LATENCY("acc", "exp_local"), DDR_LATENCIES, DRAM_METRICS, NO_HBM_METRICS,
	  PORT_METRICS, CORE_METRICS, NO_CPU_READS, NO_AMD}},
	{"gnr",
	 {CXL_LATENCY("acc", "exp_local"), DDR_LATENCIES, DRAM_METRICS, NO_HBM_METRICS,
	  NO_PORT_METRICS, CORE_METRICS, CPU_READS, NO_AMD}},
	{"gnr-d",
	 {CXL_LATENCY("acc", "exp_local"), DDR_LATENCIES, DRAM_METRICS, NO_HBM_METRICS,
	  NO_PORT_METRICS, CORE_METRICS, CPU_READS, NO_AMD}},
	{"srf",
	 {CXL_LATENCY("opt_acc", "opt_exp_local", "acc"), NO_DDR_LATENCIES, DRAM_METRICS,
	  NO_HBM_METRICS, NO_PORT_METRICS, CORE_METRICS, NO_CPU_READS, NO_AMD}},
	{"cwf",
	 {CXL_LATENCY("opt_acc", "opt_exp_local", "acc"), NO_DDR_LATENCIES, DRAM_METRICS,
	  NO_HBM_METRICS, NO_PORT_METRICS, CORE_METRICS, NO_CPU_READS, NO_AMD}},
	{"turin",
	 {CXL_LATENCY("l3"), DDR_LATENCIES, DRAM_METRICS, NO_HBM_METRICS, NO_PORT_METRICS,
	  CORE_METRICS, NO_CPU_READS, AMD_LATENCIES("")}},
	{"venice",
	 {CXL_LATENCY("l3"), DDR_LATENCIES, DRAM_METRICS, NO_HBM_METRICS, NO_PORT_METRICS,
	  CORE_METRICS, NO_CPU_READS, AMD_LATENCIES("")}},
	{"genoa",
	 {CXL_LATENCY("l3"), DDR_LATENCIES, DRAM_METRICS, NO_HBM_METRICS, NO_PORT_METRICS,
	  CORE_METRICS, NO_CPU_READS, AMD_LATENCIES("")}},
	{"bergamo",
	 {CXL_LATENCY("l3"), DDR_LATENCIES, DRAM_METRICS, NO_HBM_METRICS, NO_PORT_METRICS,
	  CORE_METRICS, NO_CPU_READS, AMD_LATENCIES("")}},
};

TEST_LOOP(test_a_model_makes_a_metric_in_the_ways_that_are_known, COUNT(known))
{
	const struct model *model = fake_model(known[_i].model);
	unsigned metrics_known = 0;

	for (const struct ways *w = known[_i].ways; w->metric; w++) {
		for (unsigned nth = 0; nth <= ALTERNATIVES; nth++) {
			const struct formula *formula = model_formula(model, w->metric, nth);
			const char *source = w->sources[nth];

			ck_assert_msg((formula != NULL) == (source != NULL), "%s %u", w->metric,
				      nth);
			if (!source)
				break;
			ck_assert_str_eq(formula->source ? formula->source : "", source);
		}
		metrics_known++;
	}
	/* with those of the port's bandwidth, of devices and of the kernel, these are all */
	for (const struct metric *m = metric_table; m->name; m++)
		metrics_known -= m->kind == METRIC_NUMBER && strcmp(m->group, "cxl") &&
				 strcmp(m->group, "device") && !m->node_stat;
	ck_assert_uint_eq(metrics_known, 0);
}

/* What a device counts itself is the same on every processor; sources as they are tried. */
static const struct ways ways_of_devices[] = {
	{"cpmu_read_MBps", {"cpmu", "cpmu", "m2s_req"}},
	{"cpmu_write_MBps", {"", ""}},
	{"device_dram_read_MBps", {""}},
	{"device_dram_write_MBps", {""}},
	{"amplification", {"", "", ""}},
	{"queue_clocks", {"", "", ""}},
	{"queue_residency_per_s", {""}},
	{"dram_retries_per_s", {""}},
	{"dram_throttling_per_s", {""}},
	{"dram_thermal_throttled_pct", {""}},
	{"dram_power_throttled_pct", {""}},
	{"cxl_mem_read_MBps", {"cpmu", "cpmu", "m2s_req"}},
	{"cxl_mem_write_MBps", {"", ""}},
};

TEST_LOOP(test_a_device_makes_its_metrics_in_the_same_ways_everywhere, COUNT(ways_of_devices))
{
	const struct ways *w = &ways_of_devices[_i];

	for (unsigned nth = 0; nth <= ALTERNATIVES; nth++) {
		const struct formula *formula = device_formula(w->metric, nth);

		ck_assert_int_eq(formula != NULL, w->sources[nth] != NULL);
		if (!formula)
			break;
		ck_assert_str_eq(formula->source ? formula->source : "", w->sources[nth]);
		/* those after the first take counters only where it can't be counted */
		ck_assert_int_eq(formula->fallback, nth > 0);
		for (size_t k = 0; k < COUNT(known) && strncmp(w->metric, "cxl_", 4) != 0; k++)
			ck_assert_ptr_eq(model_formula(fake_model(known[k].model), w->metric, nth),
					 formula);
	}
}

TEST(test_what_a_quotient_divides_is_its_value_times_its_weight)
{
	static const char *const names[] = {"cxl_read_latency_ns", "ipc", "frequency_MHz"};
	const struct operand operands[FORMULA_EVENTS] = {
		{30, 1, 60}, {10, 1, 20}, {2e9, 1, 4e9}, {0, 1, 0}};

	for (int i = 0; i < 3; i++) {
		const struct formula *formula = model_formula(fake_model("gnr"), names[i], 0);
		const double number = formula->value(formula, operands);

		ck_assert_double_gt(number, 0);
		ck_assert_double_eq_tol(formula_undivided(formula, operands),
					number * formula_weight(formula, operands), 1e-3);
	}
	const struct formula *rate = model_formula(fake_model("gnr"), "cxl_mem_read_MBps", 0);

	ck_assert_double_eq(formula_undivided(rate, operands), 0);
}

/* What the device says is shown, what the port asked for is compared with it. */
TEST_LOOP(test_reads_of_sapphire_and_emerald_rapids_are_first_the_device_s, 2)
{
	const struct model *model = fake_model(_i ? "emr" : "spr");
	static const char *const sources[] = {"cpmu", "m2s_req", "tor", "tor_exp_local"};

	for (unsigned nth = 0; nth < (_i ? 4 : 3); nth++) {
		const struct formula *formula = model_formula(model, "cxl_mem_read_MBps", nth);

		ck_assert_str_eq(formula->source, sources[nth]);
		ck_assert_int_eq(formula->compared, nth == 1);
		ck_assert_int_eq(formula->fallback, false);
	}
}

/*
 * Counters beside known traffic on an Emerald Rapids 8592+ with an expander of CXL 1.1: lines that
 * were read, and what TOR inserts and occupancy of DRD reads in class CXL_ACC (local) were.
 */
static const struct {
	double lines, inserts, occupancy;
	double clocks; /* a read */
} seen_reads[] = {
	{3 * 1024.0 * 1048576 / 64, 1109804, 534414836, 481.5}, /* a stream of 16 cores */
	{3 * 256.0 * 1048576 / 64, 281166, 131778274, 468.7},	/* of one */
};

/* At 2.4 GHz, 481 clocks are 200 ns; the idle latency there is 222.9 ns. */
TEST_LOOP(test_reads_that_were_seen_on_silicon_have_a_plausible_latency, COUNT(seen_reads))
{
	const struct formula *formula = model_formula(fake_model("emr"), "cxl_read_latency_ns", 0);
	const double hertz = 2.4e9;
	const double rates[FORMULA_EVENTS] = {seen_reads[_i].occupancy, seen_reads[_i].inserts,
					      hertz};
	double parts[FORMULA_OPERANDS];
	struct operand operands[FORMULA_EVENTS] = {{0}};

	ck_assert_str_eq(formula->source, "acc");
	ck_assert(formula_parts(formula, rates, 3, parts));
	for (unsigned i = 0; i < 3; i++)
		operands[i] = (struct operand){.per_second = parts[i], .units = 1};
	const double ns = formula->value(formula, operands);
	ck_assert_double_eq_tol(ns * hertz / 1e9, seen_reads[_i].clocks, 0.05);
	ck_assert(ns > 190 && ns < 222.9);
}

/* The rest comes by prefetch, so that no bandwidth follows from DRD. */
TEST_LOOP(test_demand_reads_that_were_seen_on_silicon_are_few_of_the_lines, COUNT(seen_reads))
{
	ck_assert_double_eq_tol(100 * seen_reads[_i].inserts / seen_reads[_i].lines, 2.2, 0.05);
}

/* RxC_FLITS.VALID and lines of runs of 10 s there, in millions. */
TEST_LOOP(test_flits_that_were_seen_on_silicon_are_no_bandwidth, 3)
{
	static const struct {
		double flits, lines, flits_per_line;
	} seen[] = {{104.3, 34.7, 3.00}, {4105, 2590, 1.59}, {3936, 2680, 1.47}};
	const struct formula *formula = model_formula(fake_model("emr"), "rx_flits_per_s", 0);
	const struct operand rate = {.per_second = seen[_i].flits * 1e6 / 10, .units = 1};

	ck_assert_str_eq(formula->events[0], "UNC_CXLCM_RxC_FLITS.VALID");
	ck_assert_double_eq_tol(formula->value(formula, &rate) / (seen[_i].lines * 1e6 / 10),
				seen[_i].flits_per_line, 0.01);
}

/* 300 + 100 accesses of DRAM for 150 + 50 lines of CXL.mem. */
TEST(test_amplification_is_a_quotient_of_two_sums)
{
	const struct formula *formula = device_formula("amplification", 0);
	struct operand operands[FORMULA_EVENTS] = {
		{300, 1, 600}, {100, 1, 200}, {150, 1, 300}, {50, 1, 100}};
	char text[FORMULA_TEXT_SIZE];

	ck_assert_double_eq(formula->value(formula, operands), 2);
	ck_assert_double_eq(formula_weight(formula, operands), 400);
	formula_describe(formula, text, sizeof(text));
	ck_assert_str_eq(text, "(ddr_casrd + ddr_caswr) / (s2m_drs_reads + m2s_rwd_writes)");
	operands[2] = operands[3] = (struct operand){0, 1, 0};
	ck_assert(isnan(formula->value(formula, operands)));
	ck_assert_double_eq(formula_undivided(formula, operands), 800);
	formula_describe(device_formula("queue_clocks", 1), text, sizeof(text));
	ck_assert_str_eq(text, "rd_wr_merged_queue_occ / (ddr_casrd + ddr_caswr)");
}

/* A quotient of two times is none: what is divided is counted at the same time. */
TEST_LOOP(test_whatever_is_divided_is_counted_together, COUNT(known))
{
	const struct model *model = fake_model(known[_i].model);

	for (const struct formula *f = model->formulas; f->metric; f++) {
		const bool divides = f->value == formula_ratio || f->value == formula_latency ||
				     f->value == formula_frequency;

		ck_assert_msg(f->same_group == divides, "%s", f->metric);
		ck_assert_msg(!f->any_unit || divides || f->cross_check, "%s", f->metric);
	}
}

/* But for memory traffic, a sum over the kinds of memory that a machine may have. */
TEST_LOOP(test_the_events_of_a_formula_are_of_one_kind_of_unit, COUNT(known))
{
	const struct model *model = fake_model(known[_i].model);

	for (const struct formula *f = model->formulas; f->metric; f++)
		for (unsigned e = 0; e < FORMULA_EVENTS && f->events[e]; e++) {
			const struct event *event = model_event(model, f->events[e]);

			ck_assert_msg(event != NULL, "%s", f->events[e]);
			ck_assert(f->optional ||
				  event->type == model_event(model, f->events[0])->type);
		}
}
