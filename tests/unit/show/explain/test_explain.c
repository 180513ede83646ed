/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/explain/explain.h"

#include <jansson.h>
#include <math.h>

#include "show/explain/explain_private.h"
#include "sim_monitor.h"
#include "unit.h"

#define SAMPLES 6

static struct sim_monitor m;
static struct recording_info info;
static struct explain explained;
static struct findings findings;

static void tear_down(void)
{
	explain_free(&explained);
}

FIXTURE(NULL, tear_down)

/* As cxlmon explain does. */
static void explain(const char *spec, const char *groups, unsigned samples)
{
	const struct sim_setup setup = {.spec = spec,
					.view = {.groups = groups, .finest = SCOPE_PORT}};

	explain_free(&explained);
	sim_monitor_start_as(&m, &setup);
	info = (struct recording_info){
		.program = CXLMON_VERSION,
		.processor = "Some Rapids",
		.interval_ns = UINT64_C(1000000000),
		.devices = m.machine.devices,
		.device_count = m.machine.device_count,
		.memory = m.machine.memory,
	};
	ck_assert_int_eq(explain_init(&explained, &m.view, &info), 0);
	for (unsigned i = 0; i < samples; i++) {
		sim_monitor_sample(&m);
		explain_add(&explained, &m.sample);
	}
	explain_conclude(&explained, &findings);
}

static bool is_checked(const char *name)
{
	const struct rule *rule = explain_rules;

	while (strcmp(rule->name, name) != 0)
		rule++;
	for (size_t i = 0; i < findings.not_checked_count; i++)
		if (findings.not_checked[i].what == rule->checks.what)
			return false;
	return true;
}

/* Machines with just one fault, and those that nearly have it. */
static const struct {
	const char *rule, *fault, *near;
} machines[] = {
	{"link_degraded", "turin,ports=1,read=5,link_width=8",
	 "turin,ports=1,read=5,link_width=8,link_max_width=8"},
	{"link_degraded", "turin,ports=1,read=5,link_speed=16",
	 "turin,ports=1,read=5,link_speed=32"},
	{"throttled", "gnr,ports=1,read=5,cpmu_kind=throttled",
	 "gnr,ports=1,read=5,cpmu_kind=cxl4"},
	{"errors", "spr,ports=1,read=5,crc=1", "spr,ports=1,read=5,crc=0.9"},
	{"errors", "spr,ports=1,read=5,retry=1", "spr,ports=1,read=5,retry=0.9"},
	{"happened", "turin,ports=1,read=5,link_change=2,link_change_width=4,link_back=4",
	 "turin,ports=1,read=5"},
	{"device_unwell", "spr,ports=1,read=5,health=16,temperature=88",
	 "spr,ports=1,read=5,health=0,temperature=84"},
	{"device_unwell", "spr,ports=1,read=5,health=1536", "spr,ports=1,read=5,health=0"},
	{"errors", "turin,ports=1,read=5,aer_correctable=0.5", "turin,ports=1,read=5"},
	{"errors", "turin,ports=1,read=5,aer_fatal=0.5", "turin,ports=1,read=5"},
	{"link_saturated", "spr,ports=1,read=25.3,link_width=8",
	 "spr,ports=1,read=25.1,link_width=8"},
	{"link_saturated", "spr,ports=1,write=25.3,link_width=8",
	 "spr,ports=1,write=25.1,link_width=8"},
	{"device_slow", "spr,ports=1,read=20,limit=20,promised_latency=320",
	 "spr,ports=1,read=14,limit=20,promised_latency=320"},
	{"device_slow", "spr,ports=1,read=20,limit=20,ramp=6",
	 "spr,ports=1,read=14,limit=20,ramp=6,promised_latency=320"},
	{"below_promise", "spr,ports=1,read=5,limit=5,promised_bandwidth=7,promised_latency=320",
	 "spr,ports=1,read=5,limit=5,promised_bandwidth=6.5,promised_latency=320"},
	{"below_promise", "spr,ways=2,read=5,limit=5,promised_bandwidth=14,promised_latency=320",
	 "spr,ways=2,read=5,limit=5,promised_bandwidth=13,promised_latency=320"},
	{"latency_high", "spr,ports=1,read=1,latency=380,promised_latency=250",
	 "spr,ports=1,read=1,latency=370,promised_latency=250"},
	{"latency_high", "spr,ports=1,read=6,latency=380,promised_latency=250",
	 "spr,ports=1,read=6.4,latency=380,promised_latency=250"},
	{"uneven", "spr,ways=2,read=5,imbalance=11", "spr,ways=2,read=5,imbalance=9"},
	{"uneven", "spr,ports=4,ways=4,read=5,imbalance=50",
	 "spr,ports=4,ways=1,read=5,imbalance=50"},
	{"uneven", "spr,ways=2,read=0.11,imbalance=50", "spr,ways=2,read=0.09,imbalance=50"},
	{"remote_reads", "gnr,sockets=2,ports=1,read=5,remote=34",
	 "gnr,sockets=2,ports=1,read=5,remote=33"},
	{"thrashing", "spr,ports=1,read=5,promote=1000,demote=500,dram_used=91",
	 "spr,ports=1,read=5,promote=1000,demote=500,dram_used=89"},
	{"thrashing", "spr,ports=1,read=5,promote=500,demote=1000,dram_used=91",
	 "spr,ports=1,read=5,promote=490,demote=1000,dram_used=91"},
};

/* Of the throttled CPMU, DRAM is retried, too. */
static bool belongs(const struct finding *finding, const char *rule)
{
	return !strcmp(finding->rule, rule) ||
	       (!strcmp(rule, "throttled") && !strcmp(finding->rule, "errors"));
}

static void explain_all(const char *spec)
{
	char text[256];

	snprintf(text, sizeof(text), "%s,clock=virtual", spec);
	explain(text, EXPLAIN_METRICS, SAMPLES);
}

TEST_LOOP(test_each_fault_is_found_alone, (int)COUNT_OF(machines))
{
	explain_all(machines[_i].fault);
	ck_assert_str_eq(findings.all[0].rule, machines[_i].rule);
	for (size_t i = 0; i < findings.count; i++) {
		ck_assert_msg(belongs(&findings.all[i], machines[_i].rule), "%s",
			      findings.all[i].sentence);
		ck_assert_ptr_nonnull(findings.all[i].advice);
		assert_lacks(findings.all[i].sentence, "{");
		assert_lacks(findings.all[i].sentence, "unknown");
	}
}

TEST_LOOP(test_what_is_nearly_a_fault_is_none, (int)COUNT_OF(machines))
{
	explain_all(machines[_i].near);
	ck_assert_uint_eq(findings.count, 1);
	ck_assert_msg(!strcmp(findings.all[0].rule, "nothing_found") ||
			      !strcmp(findings.all[0].rule, "errors"),
		      "%s", findings.all[0].sentence);
	ck_assert(is_checked(machines[_i].rule));
}

/* What a format prints of the samples at the end. */
static const char *printed(const struct format *format)
{
	struct sink sink = {.format = format, .state = &explained, .out = text_open()};

	format->finish(&sink);
	return text_close(sink.out);
}

static json_t *json_printed(void)
{
	json_t *object = json_loads(printed(&format_explain_json), 0, NULL);

	ck_assert_ptr_nonnull(object);
	return object;
}

TEST(test_a_sentence_has_its_numbers_and_its_evidence)
{
	explain_all("spr,ways=2,read=20,imbalance=20");
	ck_assert_str_eq(findings.all[0].sentence,
			 "region0: its devices are not used evenly: mem0 moves 20.0 GB/s, but mem1 "
			 "only 16.0 GB/s.");
	ck_assert_str_eq(findings.all[0].where, "region0");
	ck_assert_uint_eq(findings.all[0].evidence_count, 2);
	ck_assert_str_eq(findings.all[0].evidence[1].name, "least_MBps");
	ck_assert_double_eq_tol(findings.all[0].evidence[1].number, 16000, 0.001);
}

TEST(test_a_degraded_link_is_described)
{
	explain_all("turin,ports=2,link_width=8");
	ck_assert_uint_eq(findings.count, 2);
	ck_assert_str_eq(findings.all[1].sentence,
			 "mem1: its link is narrower or slower than both its ends can be: x8 of "
			 "x16 at 32 GT/s, at most 31.5 GB/s each way.");
}

TEST(test_what_happened_is_told_once_and_counted)
{
	explain_all("turin,ports=1,read=5,link_change=2,link_change_width=4,link_back=4");
	ck_assert_uint_eq(findings.count, 1);
	ck_assert_str_eq(findings.all[0].sentence,
			 "mem0: link between 0000:1e:01.1 and 0000:1f:00.0 is 32.0 GT/s x4, was "
			 "32.0 GT/s x16, the first of 2 such events, while it was measured.");
	tear_down();
	explain_all("turin,ports=1,read=5,link_change=2,link_change_width=4");
	ck_assert_str_eq(findings.all[findings.count - 1].sentence,
			 "mem0: link between 0000:1e:01.1 and 0000:1f:00.0 is 32.0 GT/s x4, was "
			 "32.0 GT/s x16, while it was measured.");
}

/* Where latency is known, device_slow says it. */
TEST(test_a_device_without_latency_is_judged_by_what_firmware_promises)
{
	static const char spec[] =
		"spr,ports=1,read=20,limit=20,promised_bandwidth=30,promised_latency=320,clock="
		"virtual";

	explain(spec, "cxl,queue,port", SAMPLES);
	ck_assert_uint_eq(findings.count, 1);
	ck_assert_str_eq(findings.all[0].sentence,
			 "socket 0 port 0 mem0: the device moves less than firmware promises: 20.0 "
			 "of 30.0 GB/s at the peak, although its queue is in use, and data takes "
			 "only 31.7 % of the link.");
	tear_down();
	explain(spec, "cxl,queue,port,latency", SAMPLES);
	ck_assert_uint_eq(findings.count, 1);
	ck_assert_str_eq(findings.all[0].rule, "device_slow");
}

TEST(test_a_device_that_is_unwell_is_quoted)
{
	explain_all("spr,ports=1,health=48,temperature=88");
	ck_assert_str_eq(findings.all[0].sentence,
			 "socket 0 port 0 mem0: the device says of itself: temperature critical, "
			 "temperature high.");
	ck_assert_str_eq(findings.all[0].evidence[0].name, "device_temperature_C");
	ck_assert_double_eq(findings.all[0].evidence[0].number, 88);
}

/* Devices are asked each 30 s. */
TEST(test_errors_that_a_device_has_corrected_count)
{
	explain("spr,ports=1,corrected=2,clock=virtual", "health", 70);
	ck_assert_str_eq(findings.all[0].rule, "errors");
	assert_contains(findings.all[0].sentence, ": corrected errors 2/s.");
}

TEST(test_what_was_not_measured_is_not_judged_but_named)
{
	explain("spr,ports=1,read=5,crc=100,clock=virtual", "cxl", SAMPLES);
	ck_assert_str_eq(findings.all[0].rule, "nothing_found");
	ck_assert(!is_checked("errors"));
	ck_assert(is_checked("uneven"));
}

TEST(test_without_any_input_nothing_can_be_said)
{
	explain("genoa,sockets=2,ports=1,clock=virtual", "dram", SAMPLES);
	info.device_count = info.memory.region_count = 0;
	explain_conclude(&explained, &findings);
	ck_assert_uint_eq(findings.count, 1);
	ck_assert_str_eq(findings.all[0].rule, "not_known");
}

TEST(test_without_samples_that_is_said)
{
	explain("spr,crc=100,clock=virtual", "link", 0);
	ck_assert_uint_eq(findings.count, 1);
	ck_assert_str_eq(findings.all[0].sentence, "There are no samples.");
	ck_assert_uint_eq(findings.not_checked_count, 0);
}

TEST(test_one_sample_is_judged)
{
	explain("spr,ports=1,crc=100,clock=virtual", "link", 1);
	ck_assert_str_eq(findings.all[0].rule, "errors");
}

TEST(test_there_are_ten_sentences_at_most)
{
	explain("spr,ports=12,ways=2,imbalance=50,health=16,crc=100,read=28,link_width=8,clock="
		"virtual",
		"cxl,link,port,health", 2);
	ck_assert_uint_eq(findings.count, FINDINGS_MOST);
	/* twelve that are unwell and have errors, six that are saturated, and six regions */
	ck_assert_uint_eq(findings.left_out, 12 + 12 + 6 + 6 - FINDINGS_MOST);
}

TEST(test_one_rule_leaves_room_for_others)
{
	explain("spr,ports=12,crc=100,clock=virtual", "link", 2);
	ck_assert_uint_eq(findings.count, 3);
	ck_assert_uint_eq(findings.left_out, 9);
}

/* Traffic that begins after 8 of 10 samples. */
TEST(test_values_while_busy_are_those_of_the_highest_traffic)
{
	explain("spr,ports=1,read=10,latency=300,begin=8,clock=virtual", "cxl,latency", 10);
	const struct row *row = sim_monitor_row(&m, 0, 0);

	ck_assert_double_eq_tol(explain_cell(&explained, row, "cxl_mem_read_MBps").whole, 2000, 1);
	ck_assert_double_eq_tol(explain_cell(&explained, row, "cxl_mem_read_MBps").busy, 10000, 1);
}

/* The highest traffic comes last, and each sample may be the first of the busy ones. */
TEST(test_a_ramp_is_judged_by_its_end)
{
	explain("spr,ports=1,read=10,ramp=10,clock=virtual", "cxl", 20);
	ck_assert_double_ge(
		explain_cell(&explained, sim_monitor_row(&m, 0, 0), "cxl_mem_read_MBps").busy,
		9900);
}

/* As a damaged recording may have them: sums that are no numbers, and a clock that was set back. */
TEST(test_numbers_that_can_not_be_are_not_known)
{
	explain("spr,ports=1,read=5,crc=5,clock=virtual", "cxl,link", 1);
	const struct row *row = sim_monitor_row(&m, 0, 0);

	for (size_t c = 0; c < m.view.column_count; c++)
		row->values[c].number = 1.7e308;
	m.sample.wall_ns = 1;
	for (unsigned i = 0; i < 3; i++)
		explain_add(&explained, &m.sample);
	explain_conclude(&explained, &findings);
	ck_assert(isnan(explain_cell(&explained, row, "crc_errors_per_s").whole));
	json_t *object = json_printed();

	ck_assert_double_eq(json_real_value(json_object_get(object, "seconds")), 1);
	json_decref(object);
}

TEST(test_findings_are_numbered_with_what_to_do)
{
	explain("spr,ports=2,read=5,crc=2.5,clock=virtual", "cxl,link", 4);
	const char *text = printed(&format_explain);

	assert_contains(
		text,
		"Some Rapids: 4 samples in 4 s\n"
		"\n"
		"1. socket 0 port 0 mem0: transfers fail and are repeated: CRC errors 2.5/s.\n"
		"   Measured: cxl_mem_read_MBps 5000.0, cxl_mem_write_MBps 0.0\n"
		"   What to do: Reseat the card");
	assert_contains(text, "\n2. socket 0 port 1 mem1: ");
	assert_contains(text, "\nNot checked, as it was not measured: links' width and speed, "
			      "throttling (group device), ");
}

TEST(test_json_has_the_same)
{
	explain("spr,ports=1,read=5,crc=2.5,clock=virtual", "cxl,link", 4);
	json_t *object = json_printed();
	const json_t *first = json_array_get(json_object_get(object, "findings"), 0);

	ck_assert_int_eq(json_integer_value(json_object_get(object, "samples")), 4);
	ck_assert_str_eq(json_string_value(json_object_get(first, "rule")), "errors");
	ck_assert_str_eq(json_string_value(json_object_get(first, "memdev")), "mem0");
	ck_assert_int_eq(json_integer_value(json_object_get(first, "port")), 0);
	ck_assert_str_eq(json_string_value(json_object_get(first, "sentence")),
			 findings.all[0].sentence);
	ck_assert_double_eq_tol(json_real_value(json_object_get(json_object_get(first, "evidence"),
								"cxl_mem_read_MBps")),
				5000, 0.001);
	json_decref(object);
}
