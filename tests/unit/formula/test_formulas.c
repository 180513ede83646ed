/* SPDX-License-Identifier: BSD-3-Clause */
#include "formula/formulas.h"

#include <math.h>

#include "base/text.h"
#include "fake_machine.h"
#include "formula/formula_parser.h"
#include "metrics/metric.h"
#include "operands.h"
#include "unit.h"
#include "view/view.h"

#define RATE	  1e6  /* events per second, so that bytes per event are MB/s */
#define TOLERANCE 1e-9 /* MB/s */

static const char *const models[] = {"spr", "emr",   "gnr",    "gnr-d", "srf",
				     "cwf", "turin", "venice", "genoa", "bergamo"};
static struct formulas formulas;

static void read_model(const char *model)
{
	struct error err = {0};

	formulas_free(&formulas);
	ck_assert_msg(!formulas_read(&formulas, fake_model(model), &err), "%s: %s", model,
		      err.text);
}

static const struct formula *formula_of(const char *model, const char *metric, unsigned nth)
{
	read_model(model);
	return formulas_find(&formulas, metric, nth);
}

static double value_of(const struct formula *formula, const struct operand *operands)
{
	return operands_value(formula->program, operands);
}

static void tear_down(void)
{
	formulas_free(&formulas);
}

FIXTURE(NULL, tear_down)

/* A formula's result has the unit of its metric, except for a power of ten. */
TEST_LOOP(test_each_formula_is_of_its_metric_s_unit, COUNT(models))
{
	struct event_catalogue catalogue;

	catalogue_init(&catalogue, fake_model(models[_i]));
	read_model(models[_i]);
	ck_assert_uint_gt(formulas.of_model, 4);
	for (size_t i = 0; i < formulas.count; i++) {
		const struct formula *f = &formulas.items[i];
		const struct metric_unit *unit = metric_unit_of(f->metric);
		struct quantity quantity;
		struct program program;

		ck_assert_int_eq(formula_parse(&(struct formula_names){.catalogue = &catalogue},
					       f->text, &program, &quantity, NULL),
				 0);
		ck_assert_msg(dimension_equal(quantity.dimension,
					      unit ? unit->dimension : (struct dimension){0, 0}),
			      "%s", f->metric);
		ck_assert_uint_eq(f->number, i + 1);
	}
	catalogue_free(&catalogue);
}

/* Events of bandwidth; a processor without a row has none. */
static const struct {
	const char *models, *metric, *event;
	double bytes;
	const char *source;
} bandwidths[] = {
	{"spr emr", "cxl_mem_read_MBps", "UNC_CXLDP_TxC_AGF_INSERTS.M2S_REQ", 64, "m2s_req"},
	{"spr emr", "cxl_mem_write_MBps", "UNC_CXLCM_TxC_PACK_BUF_INSERTS.MEM_DATA", 32, ""},
	{"spr emr", "cxl_cache_h2d_MBps", "UNC_CXLCM_TxC_PACK_BUF_INSERTS.CACHE_DATA", 32, ""},
	{"gnr gnr-d srf cwf", "cxl_mem_read_MBps", "UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_DATA", 64,
	 "rxc"},
	{"gnr gnr-d srf cwf", "cxl_mem_write_MBps", "UNC_CXLDP_TxC_AGF_INSERTS.M2S_DATA", 64, ""},
	{"gnr gnr-d srf", "cxl_cache_d2h_MBps", "UNC_CXLCM_RxC_PACK_BUF_INSERTS.CACHE_DATA", 64,
	 ""},
	{"gnr gnr-d srf", "cxl_cache_h2d_MBps", "UNC_CXLCM_TxC_PACK_BUF_INSERTS.CACHE_DATA", 64,
	 ""},
};

static bool has_word(const char *words, const char *word)
{
	const size_t length = strlen(word);

	for (; *words; words += strcspn(words, " "), words += *words == ' ')
		if (strcspn(words, " ") == length && !strncmp(words, word, length))
			return true;
	return false;
}

/* Returns a port's formula, which is not its device's; NULL: none. */
static const struct formula *port_formula(const char *model, const char *metric)
{
	const struct formula *formula = formula_of(model, metric, 0);

	if (!formula || formula->number > formulas.of_model)
		return NULL;
	while (formula->source && !strcmp(formula->source, "cpmu"))
		formula++;
	return formula;
}

TEST_LOOP(test_bandwidth_rests_on_one_event_of_known_bytes, 6 * COUNT(bandwidths))
{
	const char *model = models[_i % 6], *metric = bandwidths[_i / 6].metric;
	const struct formula *formula = port_formula(model, metric);
	int row = 0;

	while (row < COUNT(bandwidths) && !(has_word(bandwidths[row].models, model) &&
					    !strcmp(bandwidths[row].metric, metric)))
		row++;
	ck_assert_int_eq(formula != NULL, row < COUNT(bandwidths));
	if (!formula)
		return;
	struct operand rates[FORMULA_OPERANDS] = {{RATE, 1}, {7e9, 1}, {7e9, 1}, {7e9, 1}};
	ck_assert_str_eq(formula_event(formula, 0)->name, bandwidths[row].event);
	ck_assert_ptr_null(formula_event(formula, 1));
	ck_assert_double_eq_tol(value_of(formula, rates), bandwidths[row].bytes, TOLERANCE);
	ck_assert_str_eq(formula->source ? formula->source : "", bandwidths[row].source);
	/* requests carry no data */
	ck_assert_double_eq(formula->link_bytes, formula->compared ? 0 : bandwidths[row].bytes);
	rates[0].per_second = 0;
	ck_assert_double_eq(value_of(formula, rates), 0);
}

static const struct {
	const char *metric;
	struct operand operands[3];
	double expected;
} quotients[] = {
	{"rx_mem_data_full_pct", {{125e6, 1}, {1e9, 1}}, 12.5},
	{"rx_mem_data_full_pct", {{250e6, 2}, {2e9, 2}}, 12.5},
	{"rx_mem_data_full_pct", {{0, 1}, {1e9, 1}}, 0},
	{"rx_mem_data_full_pct", {{1e9, 1}, {1e9, 1}}, 100},
	{"rx_mem_data_full_pct", {{1, 1}, {0, 1}}, NAN},
	{"ipc", {{0, 1}, {0, 1}}, NAN},

	/* half the time halted, or four CPUs, and it is still 3 GHz */
	{"frequency_MHz", {{3e9, 1}, {2e9, 1}, {2e9, 1}}, 3000},
	{"frequency_MHz", {{1.5e9, 1}, {1e9, 1}, {2e9, 1}}, 3000},
	{"frequency_MHz", {{12e9, 4}, {8e9, 4}, {8e9, 4}}, 3000},
	{"frequency_MHz", {{0, 1}, {1e9, 1}, {2e9, 1}}, 0},
	{"frequency_MHz", {{0, 1}, {0, 1}, {2e9, 1}}, NAN},
};

static void assert_value(double value, double expected)
{
	if (isnan(expected))
		ck_assert_double_nan(value);
	else
		ck_assert_double_eq_tol(value, expected, TOLERANCE);
}

TEST_LOOP(test_a_quotient_is_what_it_should_be_or_says_that_it_is_none, COUNT(quotients))
{
	assert_value(value_of(formula_of("spr", quotients[_i].metric, 0), quotients[_i].operands),
		     quotients[_i].expected);
}

/* Occupancy, inserts and clock ticks of each of some equal units. */
static const struct {
	unsigned units;
	double rates[3], occupancy, ns;
} latencies[] = {
	{1, {800e6, 1e6, 2e9}, 0.4, 400}, {1, {800e6, 1e6, 1.6e9}, 0.5, 500},
	{8, {800e6, 1e6, 2e9}, 0.4, 400}, {1, {600e6, 1e6, 6e9}, 0.1, 100},
	{1, {0, 1e6, 2e9}, 0, 0},	  {1, {800e6, 0, 2e9}, 0.4, NAN},
	{1, {800e6, 1e6, 0}, NAN, NAN},	  {1, {0, 0, 0}, NAN, NAN},
};

/* Computes a latency by adding up the units as the view does. */
static double latency_of(const struct formula *formula, const double *rates, unsigned units)
{
	struct operand operands[FORMULA_OPERANDS] = {0};
	double parts[FORMULA_PARTS] = {0};

	if (!program_parts(formula->program, rates, parts))
		return NAN;
	for (unsigned i = 0; i < formula->program->operand_count; i++)
		operands[i] = (struct operand){units * rates[i], units};
	operands[FORMULA_EVENTS] = (struct operand){units * parts[0], units};
	return value_of(formula, operands);
}

TEST_LOOP(test_an_occupancy_is_divided_by_the_clock_of_its_unit, COUNT(latencies))
{
	const struct formula *formula = formula_of("emr", "cxl_read_latency_ns", 0);
	double parts[FORMULA_PARTS];

	ck_assert_double_eq(event_max_rate(formula_event(formula, 2)).per_s, CLOCK_RATE);
	ck_assert_double_gt(event_max_rate(formula_event(formula, 0)).per_clock, 1);
	ck_assert_int_eq(program_parts(formula->program, latencies[_i].rates, parts),
			 !isnan(latencies[_i].occupancy));
	assert_value(parts[0], latencies[_i].occupancy);
	assert_value(latency_of(formula, latencies[_i].rates, latencies[_i].units),
		     latencies[_i].ns);
}

/* Events of a latency (Little's law), in the order in which they take counters. */
TEST(test_a_clock_is_the_last_event_of_a_formula)
{
	static const char *const events[] = {"UNC_CHA_TOR_OCCUPANCY.IA_MISS_DRD_CXL_ACC",
					     "UNC_CHA_TOR_INSERTS.IA_MISS_DRD_CXL_ACC",
					     "UNC_CHA_CLOCKTICKS"};
	const struct formula *formula = formula_of("emr", "cxl_read_latency_ns", 0);

	for (unsigned i = 0; i < 3; i++)
		ck_assert_str_eq(formula_event(formula, i)->name, events[i]);
	ck_assert_ptr_null(formula_event(formula, 3));
}

TEST(test_hbm_moves_half_a_line_and_may_be_missing_as_other_memory_may)
{
	const struct operand rates[FORMULA_OPERANDS] = {{RATE, 1}, {RATE, 1}};
	const struct formula *formula = formula_of("spr", "dram_read_MBps", 0);

	ck_assert_double_eq_tol(value_of(formula, rates), 64 + 32, TOLERANCE);
	ck_assert(formula->program->operands[0].may_lack && formula->program->operands[1].may_lack);
}

/* Events of AMD's ports or CCMs: number n counts port n; and their bytes. */
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
	const struct formula *formula = formula_of(of_df[_i].model, of_df[_i].metric, 0);
	const unsigned last = of_df[_i].ports - 1;
	struct operand rates[FORMULA_OPERANDS] = {[0] = {RATE, 1}};

	ck_assert_uint_eq(formula->program->operand_count, of_df[_i].ports);
	for (unsigned i = 0; i <= last; i++)
		ck_assert_int_eq(formula->program->operands[i].port, (int)i);
	ck_assert_str_eq(formula_event(formula, 0)->name, of_df[_i].first);
	ck_assert_str_eq(formula_event(formula, last)->name, of_df[_i].last);
	ck_assert_double_eq_tol(value_of(formula, rates), of_df[_i].bytes, TOLERANCE);
	rates[last] = (struct operand){RATE, 1};
	ck_assert_double_eq_tol(value_of(formula, rates), 2 * of_df[_i].bytes, TOLERANCE);
	ck_assert_str_eq(formulas_find(&formulas, "cxl_mem_read_MBps", 0)->source, "df");
}

TEST_LOOP(test_zen_4_has_no_formula_of_cxl_bandwidth, 2)
{
	read_model(_i ? "genoa" : "bergamo");
	for (int i = 0; i < COUNT(bandwidths); i++)
		ck_assert_ptr_eq(formulas_find(&formulas, bandwidths[i].metric, 0),
				 formulas_find_device(&formulas, bandwidths[i].metric, 0));
}

/* Reads 30 units of 10 ns in 3 requests. */
TEST_LOOP(test_an_l3_s_latency_is_in_units_of_10_ns_a_sampled_request, 4)
{
	static const char *const names[] = {"cxl_read_latency_ns", "cxl_far_read_latency_ns",
					    "ddr_local_read_latency_ns",
					    "ddr_remote_read_latency_ns"};
	const struct operand rates[FORMULA_OPERANDS] = {{30, 1}, {3, 1}},
			     none[FORMULA_OPERANDS] = {0};
	const struct formula *formula = formula_of("turin", names[_i], 0);

	ck_assert_double_eq_tol(value_of(formula, rates), 100, TOLERANCE);
	ck_assert(isnan(value_of(formula, none)));
}

#define INTEL	"spr emr gnr gnr-d srf cwf "
#define OF_AMD	"turin venice genoa bergamo"
#define WITHOUT "-" /* a formula has no source */

/*
 * Sources of the formulas of each metric, in order; ports' bandwidth and devices are tested above
 * and below. A processor without a row has no formula.
 */
static const struct {
	const char *models, *metrics, *sources;
} known[] = {
	{"spr emr gnr gnr-d", "cxl_read_latency_ns", "acc exp_local"},
	{"srf cwf", "cxl_read_latency_ns", "opt_acc opt_exp_local acc"},
	{OF_AMD, "cxl_read_latency_ns", "l3"},
	{"spr emr gnr gnr-d " OF_AMD, "ddr_local_read_latency_ns ddr_remote_read_latency_ns",
	 WITHOUT},
	{OF_AMD, "cxl_far_read_latency_ns cxl_fill_MBps", WITHOUT},
	{INTEL OF_AMD, "dram_read_MBps dram_write_MBps", WITHOUT},
	{"spr", "hbm_read_MBps hbm_write_MBps", WITHOUT},
	{"spr emr gnr gnr-d srf cwf", "upi_read_MBps upi_write_MBps", WITHOUT},
	{"spr emr gnr gnr-d srf cwf", "upi_read_busy_pct upi_write_busy_pct", WITHOUT},
	{"gnr gnr-d", "cxl_read_local_MBps cxl_read_remote_MBps", WITHOUT},
	{"spr emr",
	 "rx_mem_data_full_pct rx_mem_req_full_pct rx_mem_data_busy_pct rx_mem_req_busy_pct "
	 "crc_errors_per_s retries_per_s tx_flits_per_s rx_flits_per_s",
	 WITHOUT},
	{"spr emr gnr gnr-d",
	 "demand_stall_pct cache_stall_pct store_stall_pct prefetched_pct read_parallelism "
	 "read_cost_cycles",
	 WITHOUT},
	{"srf", "demand_stall_pct store_stall_pct", WITHOUT},
	{"srf cwf", "cache_stall_pct", WITHOUT},
	{"spr emr gnr gnr-d",
	 "load_l1_pct load_lfb_pct load_l2_pct load_l3_pct load_dram_pct load_remote_pct", WITHOUT},
	{"gnr gnr-d", "load_cxl_pct", WITHOUT},
	{INTEL, "load_l3_miss_pct", WITHOUT},
	{"srf cwf",
	 "load_l1_pct load_l2_pct load_l3_pct cxl_l3_prefetch_MBps cxl_ownership_MBps "
	 "cxl_l3_prefetch_latency_ns cxl_ownership_latency_ns",
	 WITHOUT},
	{"srf", "load_lfb_pct", WITHOUT},
	{"spr gnr gnr-d",
	 "cxl_demand_pct cxl_demand_MBps cxl_l2_prefetch_pct cxl_l2_prefetch_MBps "
	 "cxl_l3_prefetch_pct cxl_l3_prefetch_MBps cxl_ownership_pct cxl_ownership_MBps",
	 WITHOUT},
	{"emr",
	 "cxl_demand_pct cxl_demand_MBps cxl_l2_prefetch_pct cxl_l2_prefetch_MBps "
	 "cxl_l3_prefetch_pct cxl_l3_prefetch_MBps cxl_ownership_pct cxl_ownership_MBps",
	 WITHOUT " " WITHOUT},
	{"spr emr gnr gnr-d",
	 "cxl_l2_prefetch_latency_ns cxl_l3_prefetch_latency_ns cxl_ownership_latency_ns", WITHOUT},
	{"spr emr", "cxl_code_pct cxl_code_MBps", WITHOUT},
	{OF_AMD,
	 "fill_l2_pct fill_l3_pct fill_other_l3_pct fill_dram_pct fill_remote_pct fill_cxl_pct",
	 WITHOUT},
	{INTEL OF_AMD, "instructions_per_s cycles_per_s ipc frequency_MHz", WITHOUT},
};

static const char *known_sources(const char *model, const char *metric)
{
	for (int i = 0; i < COUNT(known); i++)
		if (has_word(known[i].models, model) && has_word(known[i].metrics, metric))
			return known[i].sources;
	return "";
}

/* Lists the sources: "acc exp_local". */
static const char *sources_of(const char *metric, char *text, size_t size)
{
	const struct formula *formula;

	*text = '\0';
	for (unsigned nth = 0; (formula = formulas_find(&formulas, metric, nth)); nth++)
		text_append(text, size, "%s%s", nth ? " " : "",
			    formula->source ? formula->source : WITHOUT);
	return text;
}

TEST_LOOP(test_a_model_makes_a_metric_in_the_ways_that_are_known, COUNT(models))
{
	char text[64];

	read_model(models[_i]);
	for (const struct metric *m = metric_table; m->name; m++)
		if (m->kind == METRIC_NUMBER && !metric_is_of_kernel(m) &&
		    strcmp(m->group, "cxl") != 0 && strcmp(m->group, "device") != 0)
			ck_assert_str_eq(sources_of(m->name, text, sizeof(text)),
					 known_sources(models[_i], m->name));
}

/*
 * Formulas of devices, the same on every processor; sources in the order in which they are tried.
 */
static const struct {
	const char *metric, *sources[ALTERNATIVES + 1]; /* NULL ends them */
} ways_of_devices[] = {
	{"cpmu_read_MBps", {"cpmu", "cpmu", "m2s_req"}},
	{"cpmu_write_MBps", {"", ""}},
	{"device_dram_read_MBps", {"", ""}},
	{"device_dram_write_MBps", {"", ""}},
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

TEST_LOOP(test_a_device_makes_its_metrics_in_the_same_ways_everywhere, COUNT(models))
{
	read_model(models[_i]);
	for (int w = 0; w < COUNT(ways_of_devices); w++)
		for (unsigned nth = 0; nth <= ALTERNATIVES; nth++) {
			const char *metric = ways_of_devices[w].metric;
			const char *source = ways_of_devices[w].sources[nth];
			const struct formula *formula =
				formulas_find_device(&formulas, metric, nth);

			ck_assert_int_eq(formula != NULL, source != NULL);
			if (!formula)
				break;
			ck_assert_str_eq(formula->source ? formula->source : "", source);
			/* formulas after the first take counters only if it cannot be counted */
			ck_assert_int_eq(formula->fallback, nth > 0 && !formula->only_compared);
			if (strncmp(metric, "cxl_", 4) != 0)
				ck_assert_ptr_eq(formulas_find(&formulas, metric, nth), formula);
		}
}

/* The device's count is shown, and the port's requests are compared with it. */
TEST_LOOP(test_reads_of_sapphire_and_emerald_rapids_are_first_the_device_s, 2)
{
	static const char *const sources[] = {"cpmu", "cpmu", "m2s_req", "tor", "tor_exp_local"};

	read_model(_i ? "emr" : "spr");
	for (unsigned nth = 0; nth < (_i ? 5 : 4); nth++) {
		const struct formula *formula = formulas_find(&formulas, "cxl_mem_read_MBps", nth);

		ck_assert_str_eq(formula->source, sources[nth]);
		ck_assert_int_eq(formula->compared, nth == 2);
		ck_assert_int_eq(formula->fallback, nth == 1);
	}
}

/*
 * Counters under known traffic on an Emerald Rapids 8592+ with an expander of CXL 1.1: TOR inserts
 * and occupancy of DRD reads in class CXL_ACC (local). They are 2.2 % of the lines that were read:
 * the others were prefetched, so that DRD does not tell the bandwidth.
 */
static const struct {
	double inserts, occupancy;
	double clocks; /* clocks per read */
} seen_reads[] = {
	{1109804, 534414836, 481.5}, /* a stream of 16 cores, which read 3 GiB */
	{281166, 131778274, 468.7},  /* one core, which read 768 MiB */
};

/* 481 clocks are 200 ns at 2.4 GHz; the idle latency there is 222.9 ns. */
TEST_LOOP(test_reads_that_were_seen_on_silicon_have_a_plausible_latency, COUNT(seen_reads))
{
	const struct formula *formula = formula_of("emr", "cxl_read_latency_ns", 0);
	const double hertz = 2.4e9;
	const double rates[] = {seen_reads[_i].occupancy, seen_reads[_i].inserts, hertz};
	const double ns = latency_of(formula, rates, 1);

	ck_assert_str_eq(formula->source, "acc");
	ck_assert_double_eq_tol(ns * hertz / 1e9, seen_reads[_i].clocks, 0.05);
	ck_assert(ns > 190 && ns < 222.9);
}

/* RxC_FLITS.VALID and lines in runs of 10 s there, in millions. */
TEST_LOOP(test_flits_that_were_seen_on_silicon_are_no_bandwidth, 3)
{
	static const struct {
		double flits, lines, flits_per_line;
	} seen[] = {{104.3, 34.7, 3.00}, {4105, 2590, 1.59}, {3936, 2680, 1.47}};
	const struct formula *formula = formula_of("emr", "rx_flits_per_s", 0);
	const struct operand rate = {.per_second = seen[_i].flits * 1e6 / 10, .units = 1};

	ck_assert_str_eq(formula_event(formula, 0)->name, "UNC_CXLCM_RxC_FLITS.VALID");
	ck_assert_double_eq_tol(value_of(formula, &rate) / (seen[_i].lines * 1e6 / 10),
				seen[_i].flits_per_line, 0.01);
}

/* 300 + 100 accesses of DRAM, some with auto-precharge, for 150 + 50 lines of CXL.mem. */
TEST(test_amplification_is_a_quotient_of_two_sums)
{
	const struct formula *formula = formula_of("spr", "amplification", 0);
	struct operand operands[FORMULA_OPERANDS] = {{200, 1}, {100, 1}, {60, 1},
						     {40, 1},  {150, 1}, {50, 1}};

	ck_assert_double_eq(value_of(formula, operands), 2);
	operands[4] = operands[5] = (struct operand){0, 1};
	ck_assert(isnan(value_of(formula, operands)));
}

/* Shares in percent of the link's rate, which is the last input. */
TEST_LOOP(test_a_share_of_a_link_is_of_what_it_can_carry, 2)
{
	const struct formula *reads = formula_of(_i ? "gnr" : "spr", "cxl_mem_read_MBps", 0);
	const struct program *share = reads->share->program;
	double rates[PROGRAM_INPUTS] = {0};

	ck_assert_ptr_null(formulas_find(&formulas, "cxl_read_latency_ns", 0)->share);
	rates[0] = 16e9 / 64;
	rates[share->input_count - 1] = 64e9;
	ck_assert_uint_eq(share->inputs[share->input_count - 1].kind, INPUT_LINK);
	ck_assert_double_eq(program_value(share, rates), 25);
	rates[share->input_count - 1] = NAN;
	ck_assert_double_nan(program_value(share, rates));
}

/* Returns true for a kind of CXL requests: there are more of them than a CHA has counters. */
static bool is_kind(const struct formula *formula)
{
	return !strcmp(metric_by_name(formula->metric)->group, "path") && !formula->mean_of_reads;
}

/* A quotient of counts from two times means nothing: its operands are counted at the same time. */
TEST_LOOP(test_whatever_is_divided_is_counted_together, COUNT(models))
{
	read_model(models[_i]);
	for (size_t i = 0; i < formulas.of_model; i++) {
		const struct formula *f = &formulas.items[i];
		const bool divides = f->program->is_quotient;

		if (is_kind(f))
			continue;
		ck_assert_msg(f->same_group == divides, "%s", f->metric);
		ck_assert_msg(!f->any_unit || divides || f->cross_check, "%s", f->metric);
	}
}

/*
 * Formulas have one kind of unit, except memory traffic, a sum over the kinds of memory that a
 * machine may have.
 */
TEST_LOOP(test_the_events_of_a_formula_are_of_one_kind_of_unit, COUNT(models))
{
	read_model(models[_i]);
	for (size_t i = 0; i < formulas.count; i++) {
		const struct formula *f = &formulas.items[i];

		for (unsigned e = 1; e < f->program->operand_count; e++)
			ck_assert(f->program->operands[e].may_lack ||
				  formula_event(f, e)->type == formula_event(f, 0)->type);
	}
}
