/* SPDX-License-Identifier: BSD-3-Clause */
/* Predictions for simulated programs, whose waits in CXL memory are known. */
#include "show/explain/what_if.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "json_at.h"
#include "sim_monitor.h"
#include "text_output.h"
#include "unit.h"

/* The DRAM answers in 300 cycles, and CXL memory in 900. */
#define MACHINE "gnr,cpus=2,ddr_latency=100,latency=300,overlap=100,read=1,clock=virtual,"

static struct sim_monitor m;
static struct sink output;
static const char *shown;
static struct what_if what_if;
static char warning[256];
static bool without_prefetches;
static const char *forgotten_once; /* a metric that is unknown in the first sample */

static const struct recording_info info = {.program = CXLMON_VERSION,
					   .processor = "Granite Rapids"};

static void keep_warning(void *context, enum log_level level, const char *text)
{
	(void)context;
	ck_assert_int_eq(level, LEVEL_WARNING);
	snprintf(warning, sizeof(warning), "%s", text);
}

static const struct log log_kept = {.write = keep_warning};

/* Sets the machine's calibration, as if it were fitted without any deviation. */
static void set_up(void)
{
	what_if = (struct what_if){
		.model = {.demand_ratio = {2, 0},
			  .overlap = {100, 0},
			  .cache_ratio = {2, 0},
			  .store_ratio = {2, 0},
			  .kernels = 10,
			  .least_cost = 20,
			  .most_cost = 330},
		.file = "machine.cxl",
		.processor = "Granite Rapids",
		.dram_node = 0,
		.cxl_node = 2,
		.log = &log_kept,
	};
	warning[0] = '\0';
	without_prefetches = false;
	forgotten_once = NULL;
}

FIXTURE(set_up, NULL)

static void forget(const char *metric)
{
	const size_t column = table_find(&m.view.table, metric);

	for (size_t r = 0; r < table_metric_rows(&m.view.table); r++)
		m.view.table.rows[r].values[column] = value_unknown;
}

static void run(const char *spec, const char *groups)
{
	sim_monitor_start(&m, .spec = spec, .view = {.groups = groups, .finest = SCOPE_SYSTEM});
	text_output_open(&output, &format_what_if, &m.view.table);
	output.info = &info;
	output.target = &what_if;
	for (unsigned i = 0; i < 2; i++) {
		sim_monitor_sample(&m);
		if (without_prefetches)
			forget("prefetched_pct");
		if (forgotten_once && !i)
			forget(forgotten_once);
		format_what_if.sample(&output, &m.sample);
	}
	format_what_if.finish(&output);
	shown = text_output_close(&output);
}

#define L3_DOUBT                                                                                   \
	"Prefetches that hit the L3 are not counted: with many of them, the part for\n"            \
	"caches is too high.\n"

#define SHARE_DOUBT                                                                                \
	"The share of CXL memory in its traffic is unknown: its memory is assumed to be\n"         \
	"in DRAM.\n"
/* Doubts that follow every prediction. */
#define DOUBTS SHARE_DOUBT L3_DOUBT "Events were multiplexed: their counts are estimates.\n"
#define CALIBRATED                                                                                 \
	"\nCalibrated by 10 microbenchmarks in nodes 0 and 2 of Granite Rapids.\n\n"               \
	"In parentheses: the range of 9 of 10 programs, if programs differ from the model\n"       \
	"as much as those of the calibration do. If CXL memory is busy, it takes longer.\n"
#define WAITS "demand_stall=20,cache_stall=8,store_stall=4,parallelism=3"

/* Waits for caches are 0.08 x 2, half of them for prefetches. */
TEST(test_a_program_that_waits_for_all_is_said_to_be_slower_by_parts)
{
	run(MACHINE WAITS ",prefetched=50", "stall");
	ck_assert_str_eq(
		shown,
		"With all its memory in CXL, the program would take 36 % longer (36 to 36 %):\n"
		"20 % for reads, 8 % for caches, 8 % for stores.\n" DOUBTS "\n"
		"  in CXL  times as long\n"
		"    10 %  1.04 (1.04 to 1.04)\n"
		"    25 %  1.09 (1.09 to 1.09)\n"
		"    50 %  1.18 (1.18 to 1.18)\n"
		"    75 %  1.27 (1.27 to 1.27)\n"
		"   100 %  1.36 (1.36 to 1.36)\n\n"
		"Measured in 2 samples: waits for reads 20.0 %, waits for caches 8.0 %,\n"
		"waits for stores 4.0 %, cost of a read 100.0 cycles, prefetched 50.0 %." CALIBRATED);
	ck_assert_str_eq(warning, "");
}

/* Recordings may have no counts of prefetches. */
TEST(test_where_prefetches_are_not_known_waits_for_caches_are_from_none_to_all)
{
	without_prefetches = true;
	run(MACHINE WAITS, "stall");
	ck_assert_str_eq(
		shown,
		"With all its memory in CXL, the program would take 36 % longer (28 to 44 %):\n"
		"20 % for reads, 0 to 16 % for caches, 8 % for stores.\n" DOUBTS "\n"
		"  in CXL  times as long\n"
		"    10 %  1.04 (1.03 to 1.04)\n"
		"    25 %  1.09 (1.07 to 1.11)\n"
		"    50 %  1.18 (1.14 to 1.22)\n"
		"    75 %  1.27 (1.21 to 1.33)\n"
		"   100 %  1.36 (1.28 to 1.44)\n\n"
		"Measured in 2 samples: waits for reads 20.0 %, waits for caches 8.0 %,\n"
		"waits for stores 4.0 %, cost of a read 100.0 cycles." CALIBRATED
		"It is unknown how many stalls on caches are for prefetches: from none to all.\n");
}

TEST(test_a_program_that_hardly_waits_is_said_to_stay_as_it_is)
{
	run(MACHINE "demand_stall=0.2,cache_stall=0,store_stall=0,parallelism=3", "stall");
	assert_contains(shown, "the program would take 0 % longer (0 to 0 %).\n");
	assert_contains(shown, "   100 %  1.00 (1.00 to 1.00)\n");
}

/* Without reads, these have no cost. */
TEST(test_a_program_that_waits_for_stores_alone_is_slower_by_these)
{
	run(MACHINE "demand_stall=0,cache_stall=0,store_stall=20", "stall");
	assert_contains(shown, "the program would take 40 % longer (40 to 40 %):\n"
			       "40 % for stores.\n");
	assert_contains(shown, ": waits for reads 0.0 %, waits for caches 0.0 %,\n"
			       "waits for stores 20.0 %.");
}

/* The coefficients are the same, but one is less certain. */
TEST(test_the_interval_is_that_of_the_prediction)
{
	what_if.model.spread = 0.1;
	run(MACHINE "demand_stall=0,cache_stall=0,store_stall=20", "stall");
	/* t = 1.943, of 0.40: 0.08 */
	assert_contains(shown, "the program would take 40 % longer (32 to 48 %):\n"
			       "40 % for stores.\n");
}

TEST(test_cxl_memory_that_was_used_already_is_said)
{
	run(MACHINE "dram_read=3,store_stall=20,cxl_share=25,ports=1,sockets=1", WHAT_IF_METRICS);
	/* 1 GB/s, and 3 */
	assert_contains(
		shown,
		"52 % for stores.\n25 % of the traffic was already CXL memory's, and is counted "
		"as DRAM's: the\nprogram may take less time than predicted.\n");
}

/* Such traffic was measured, but has no share. */
TEST(test_a_program_without_traffic_has_no_known_share_of_cxl_memory)
{
	run(MACHINE "read=0,write=0,dram_read=0,dram_write=0,demand_stall=20,parallelism=3",
	    WHAT_IF_METRICS);
	assert_contains(shown, "\n" SHARE_DOUBT);
}

/* The traffic is 1 GB/s and 0.5: most waits are for CXL memory, and do not get longer in it. */
TEST(test_of_a_program_whose_memory_is_in_cxl_nothing_is_predicted)
{
	run(MACHINE "dram_read=0.5,store_stall=20,cxl_share=67,ports=1,sockets=1", WHAT_IF_METRICS);
	ck_assert_int_eq(what_if.why.code, -ERANGE);
	assert_contains(what_if.why.text, "67 % of the traffic was already CXL memory's, but a "
					  "prediction needs a program with its memory in DRAM: "
					  "measure it there");
	ck_assert_str_eq(shown, "");
}

/* A read costs 300 / 3 cycles. */
TEST(test_costs_of_reads_that_were_not_calibrated_are_said_to_be_extrapolated)
{
	what_if.model.most_cost = 90;
	run(MACHINE WAITS, "stall");
	assert_contains(shown, "Its reads cost 100.0 cycles, outside of the calibrated 20.0 to "
			       "90.0: the part for\nreads is extrapolated.\n");
	what_if.model.least_cost = 110;
	what_if.model.most_cost = 330;
	run(MACHINE WAITS, "stall");
	assert_contains(shown, "outside of the calibrated 110.0 to 330.0");
	what_if.json = true;
	run(MACHINE WAITS, "stall");
	assert_contains(shown, "\"extrapolated\": true");
	what_if.json = false;
	/* does not matter without waits for reads */
	run(MACHINE "demand_stall=0,store_stall=4", "stall");
	assert_lacks(shown, "extrapolated");
	what_if.model.least_cost = 99;
	what_if.model.most_cost = 99;
	run(MACHINE WAITS, "stall");
	assert_lacks(shown, "extrapolated");
}

TEST(test_samples_in_which_not_all_was_known_are_said)
{
	forgotten_once = "store_stall_pct";
	run(MACHINE WAITS, "stall");
	assert_contains(shown, "All counts that are needed were known in 1 of 2 samples.\n");
	/* recordings may be older than this metric */
	forgotten_once = "prefetched_pct";
	run(MACHINE WAITS, "stall");
	assert_lacks(shown, "All counts");
}

TEST(test_another_processor_is_warned_of)
{
	snprintf(what_if.processor, sizeof(what_if.processor), "simulated Sapphire Rapids");
	run(MACHINE, "stall");
	assert_contains(shown, "\nThe calibration is of another machine: simulated Sapphire "
			       "Rapids, not Granite Rapids.\n");
	ck_assert_str_eq(warning, "the samples are of Granite Rapids, but machine.cxl of simulated "
				  "Sapphire Rapids");
}

/* Asserts that nothing is printed, and the reason is kept. */
static void refuse(const char *spec, const char *groups, const char *why)
{
	run(spec, groups);
	ck_assert_int_eq(what_if.why.code, -ENODATA);
	ck_assert_int_eq(what_if.why.kind, ERROR_FAILED);
	assert_contains(what_if.why.text, why);
	ck_assert_str_eq(shown, "");
}

TEST(test_without_what_cpus_wait_for_nothing_is_predicted)
{
	refuse(MACHINE, "core",
	       "were not measured: sudo cxlmon record -m stall,cxl,dram FILE while the program "
	       "runs");
	what_if.json = true;
	refuse(MACHINE, "core", "were not measured");
}

/* A damaged calibration may have such numbers. */
TEST(test_a_prediction_beyond_all_numbers_is_none)
{
	what_if.model.store_ratio.value = 1e200;
	what_if.json = true;
	run(MACHINE "demand_stall=0,cache_stall=0,store_stall=20", "stall");
	ck_assert_int_eq(what_if.why.code, -ERANGE);
	assert_contains(what_if.why.text, "without limit");
	ck_assert_str_eq(shown, "");
}

TEST(test_json_has_each_share_by_parts)
{
	static const struct {
		const char *path;
		double number;
	} reals[] = {
		{"predicted.2.cxl_share_pct", 50},
		{"predicted.2.times.value", 1.16},
		{"predicted.2.times.low", 1.16},
		{"predicted.2.times.high", 1.16},
		{"predicted.2.demand.value", 0.1},
		{"predicted.2.cache.low", 0.02},
		{"predicted.2.cache.high", 0.02},
		{"predicted.2.store.value", 0.04},
		{"measured.demand_stall_pct", 20},
		{"measured.read_cost_cycles", 100},
		{"measured.prefetched_pct", 25},
		{"calibration.overlap_cycles.value", 100},
		{"calibration.least_read_cost_cycles", 20},
		{"calibration.most_read_cost_cycles", 330},
	};

	what_if.json = true;
	run(MACHINE WAITS ",prefetched=25", "stall");
	const json_t *all = json_of(shown);
	ck_assert_int_eq(json_integer_value(json_at(all, "schema")), WHAT_IF_SCHEMA);
	assert_json(all, "samples", "2");
	assert_json(all, "multiplexed", "true");
	assert_json(all, "extrapolated", "false");
	assert_json(all, "cxl_traffic_pct", "null");
	ck_assert_uint_eq(json_array_size(json_at(all, "predicted")), PREDICTED_SHARES);
	for (size_t i = 0; i < COUNT_OF(reals); i++) {
		ck_assert(json_is_real(json_at(all, reals[i].path)));
		ck_assert_double_eq(json_real_value(json_at(all, reals[i].path)), reals[i].number);
	}
}

TEST(test_json_is_indented_and_its_numbers_have_six_digits)
{
	what_if.model.spread = 1 / 3.0;
	what_if.json = true;
	run(MACHINE WAITS, "stall");
	assert_contains(shown, "{\n  \"schema\": ");
	assert_contains(shown, "\n    \"spread_pct\": 33.3333,\n");
}

TEST(test_prefetches_that_hit_the_l3_are_no_doubt_without_waits_for_caches)
{
	run(MACHINE "demand_stall=20,cache_stall=0,parallelism=3", "stall");
	assert_lacks(shown, L3_DOUBT);
}
