/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/explain/explain.h"

#include <math.h>

#include "json_at.h"
#include "sampled.h"
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

/* Explains samples as cxlmon explain does. */
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
	ck_assert_int_eq(explain_init(&explained, &m.view.table, &info), 0);
	for (unsigned i = 0; i < samples; i++) {
		sim_monitor_sample(&m);
		explain_add(&explained, &m.sample, NULL);
	}
	explain_conclude(&explained, &findings);
}

static const struct not_checked *find_not_checked(const char *name)
{
	const struct rule *const *rule = explain_rules;

	while (strcmp((*rule)->name, name) != 0)
		rule++;
	for (size_t i = 0; i < findings.not_checked_count; i++)
		if (findings.not_checked[i].what == (*rule)->checks)
			return &findings.not_checked[i];
	return NULL;
}

static const struct finding *find_finding(const char *rule)
{
	for (size_t i = 0; i < findings.count; i++)
		if (!strcmp(findings.all[i].rule, rule))
			return &findings.all[i];
	return NULL;
}

#define X8 "spr,ports=1,link_width=8,link_max_width=8"

/*
 * Machines for each rule: one that has the fault, one that nearly has it, and one that has another
 * fault with the same symptom, which another rule names.
 */
static const struct machine_row {
	const char *rule, *fault, *near, *other, *other_rule;
} machines[] = {
	/* little bandwidth: a narrow link is full, but is as wide as its ends can be */
	{"link_degraded", "turin,ports=1,read=5,link_width=8",
	 "turin,ports=1,read=5,link_width=8,link_max_width=8", X8 ",read=26", "link_saturated"},
	{"link_degraded", "turin,ports=1,read=5,link_speed=16",
	 "turin,ports=1,read=5,link_speed=32", "turin,ports=1,read=5,aer_correctable=1",
	 "io_errors"},
	{"happened", "turin,ports=1,read=5,link_change=2,link_change_width=4,link_back=4",
	 "turin,ports=1,read=5", "turin,ports=1,read=5,link_width=4", "link_degraded"},
	/* heat: a device that slows down, and one that is merely warm or says so */
	{"throttled", "gnr,ports=1,read=5,cpmu_kind=throttled",
	 "gnr,ports=1,read=5,cpmu_kind=cxl4,temperature=97",
	 "gnr,ports=1,read=5,cpmu_kind=cxl4,health=32,temperature=97", "device_unwell"},
	{"device_unwell", "spr,ports=1,read=5,health=16,temperature=88",
	 "spr,ports=1,read=5,health=0,temperature=84",
	 "gnr,ports=1,read=5,cpmu_kind=throttled,temperature=97", "throttled"},
	{"device_unwell", "spr,ports=1,read=5,health=1536", "spr,ports=1,read=5,health=0",
	 "spr,ports=1,read=5,corrected=2", "media_errors"},
	/* link errors, errors of the device's memory, uncorrectable and advisory errors */
	{"uncorrectable_errors", "turin,ports=1,read=5,aer_fatal=0.5", "turin,ports=1,read=5",
	 "turin,ports=1,read=5,aer_correctable=0.5", "io_errors"},
	/* a refused request does not show by itself that data may be lost */
	{"uncorrectable_errors", "spr,ports=1,read=5,aer_nonfatal=0.5", "spr,ports=1,read=5",
	 "spr,ports=1,read=5,aer_unsupported=0.5", "other_errors"},
	{"uncorrectable_errors", "spr,ports=1,read=5,aer_nonfatal=0.5", "spr,ports=1,read=5",
	 "spr,ports=1,read=5,aer_advisory=0.5", "other_errors"},
	{"link_errors", "spr,ports=1,read=5,crc=1", "spr,ports=1,read=5,crc=0.9",
	 "spr,ports=1,read=5,corrected=2", "media_errors"},
	{"link_errors", "spr,ports=1,read=5,retry=1", "spr,ports=1,read=5,retry=0.9",
	 "spr,ports=1,read=5,aer_fatal=0.5", "uncorrectable_errors"},
	{"io_errors", "turin,ports=1,read=5,aer_correctable=0.5", "turin,ports=1,read=5",
	 "turin,ports=1,read=5,aer_advisory=0.5", "other_errors"},
	{"io_errors", "spr,ports=1,read=5,aer_correctable=0.5", "spr,ports=1,read=5",
	 "spr,ports=1,read=5,crc=1", "link_errors"},
	/* an internal error may be one of CXL.mem's link */
	{"other_errors", "turin,ports=1,read=5,aer_internal=0.5", "turin,ports=1,read=5",
	 "turin,ports=1,read=5,aer_correctable=0.5", "io_errors"},
	{"media_errors", "spr,ports=1,read=5,corrected=2", "spr,ports=1,read=5,corrected=0.9",
	 "spr,ports=1,read=5,crc=2", "link_errors"},
	{"other_errors", "spr,ports=1,read=5,aer_advisory=0.5", "spr,ports=1,read=5",
	 "spr,ports=1,read=5,aer_correctable=0.5", "io_errors"},
	/* full: a link by reads, by writes, by both; or the device at its end */
	{"link_saturated", X8 ",read=25.3", X8 ",read=25.1", X8 ",read=24,limit=24", "buffer_full"},
	{"link_saturated", X8 ",write=21.9,full=5", X8 ",write=21.7,full=5",
	 X8 ",read=18,latency=900", "reads_slow"},
	{"link_saturated", X8 ",read=18.3,write=18.3", X8 ",read=18.1,write=18.1",
	 X8 ",read=5,write=5,full=40", "buffer_full"},
	{"buffer_full", "spr,ports=1,read=5,full=10", "spr,ports=1,read=5,full=9.9",
	 X8 ",read=26,full=5", "link_saturated"},
	{"buffer_full", "spr,ports=1,limit=30,read=27,write=3",
	 "spr,ports=1,limit=30,read=23,write=1", "spr,ports=1,limit=30,read=27,write=3,full=0",
	 "reads_slow"},
	/* latency, by how full the fullest link is: also for only a part of the time */
	{"link_nearly_full", X8 ",read=24,latency=900,promised_latency=300",
	 X8 ",read=24,latency=440,promised_latency=300",
	 X8 ",read=26,latency=900,promised_latency=300", "link_saturated"},
	{"link_nearly_full", X8 ",read=24,latency=900,promised_latency=300,begin=5",
	 X8 ",read=24,latency=440,promised_latency=300,begin=5",
	 X8 ",read=1,latency=900,promised_latency=300,begin=5", "latency_high"},
	{"reads_slow", X8 ",read=18,latency=1200,promised_latency=300,promised_bandwidth=27",
	 X8 ",read=18,latency=440,promised_latency=300,promised_bandwidth=27",
	 X8 ",read=24,latency=1200,promised_latency=300,promised_bandwidth=27", "link_nearly_full"},
	{"reads_slow", X8 ",read=20,latency=900,promised_latency=300,begin=4",
	 X8 ",read=20,latency=440,promised_latency=300,begin=4",
	 X8 ",read=1.5,latency=900,promised_latency=300,begin=4", "latency_high"},
	{"reads_slow", X8 ",read=18,latency=820", X8 ",read=18,latency=810",
	 X8 ",read=18,latency=900,full=10", "buffer_full"},
	/* the latency that firmware reports may not be of any device */
	{"reads_slow", X8 ",read=18,latency=820,promised_latency=1510",
	 X8 ",read=18,latency=810,promised_latency=1510",
	 X8 ",read=1,latency=820,promised_latency=1510", "latency_high"},
	{"reads_slow", X8 ",read=18,latency=820,promised_latency=91",
	 X8 ",read=18,latency=320,promised_latency=91",
	 X8 ",read=24,latency=820,promised_latency=91", "link_nearly_full"},
	{"reads_slow", "spr,ports=1,read=20,limit=20,full=0,promised_latency=320",
	 "spr,ports=1,read=14,limit=20,full=0,promised_latency=320",
	 "spr,ports=1,read=20,limit=20,promised_latency=320", "buffer_full"},
	{"reads_slow", "spr,ports=1,read=20,limit=20,full=0,ramp=6,latency=200",
	 "spr,ports=1,read=14,limit=20,full=0,ramp=6,latency=200",
	 "spr,ports=1,read=20,limit=20,ramp=6,latency=200", "buffer_full"},
	/* less than promised: accesses wait in the device, or its link is full */
	{"below_promise", "gnr,ports=1,read=5,cpmu_kind=cxl4,promised_bandwidth=7",
	 "gnr,ports=1,read=5,cpmu_kind=cxl4,promised_bandwidth=6.5",
	 "gnr,ports=1,read=3.2,cpmu_kind=cxl4,promised_bandwidth=7,link_width=1,link_max_width=1",
	 "link_saturated"},
	{"below_promise", "gnr,ports=2,ways=2,read=5,cpmu_kind=cxl4,promised_bandwidth=14",
	 "gnr,ports=2,ways=2,read=5,cpmu_kind=cxl4,promised_bandwidth=13",
	 "gnr,ports=2,ways=2,read=5,cpmu_kind=full,promised_bandwidth=14,latency=900",
	 "reads_slow"},
	{"latency_high", "spr,ports=1,read=1,latency=380,promised_latency=250",
	 "spr,ports=1,read=1,latency=370,promised_latency=250",
	 "spr,ports=1,read=3.2,latency=380,promised_latency=250", "reads_slow"},
	/* reads through the links of another socket, which may be full */
	{"latency_high", "gnr,sockets=2,ports=1,read=1,remote=30,latency=820",
	 "gnr,sockets=2,ports=1,read=1,remote=30,latency=810",
	 "gnr,sockets=2,ports=1,read=1,remote=40,latency=820", "remote_reads"},
	{"latency_high", "spr,ports=1,read=0.11,latency=820", "spr,ports=1,read=0.09,latency=820",
	 "turin,ports=1,read=0.11,latency=820", "latency_unexplained"},
	{"latency_high", "spr,ports=1,read=1,latency=820", "spr,ports=1,read=1,latency=810",
	 "spr,ports=1,read=1,latency=820,full=40", "buffer_full"},
	/* a device that is slow, or many reads of DRAM in the occupancy of its few */
	{"latency_high",
	 "spr,ports=1,read=0.5,dram_read=3,tor_leak=8,latency=440,promised_latency=300",
	 "spr,ports=1,read=0.5,dram_read=3,tor_leak=8,latency=400,promised_latency=300",
	 "spr,ports=1,read=0.5,dram_read=3,tor_leak=8,latency=440,promised_latency=300,full=40",
	 "buffer_full"},
	/* use of links unknown: by their devices, or by their flits */
	{"latency_unexplained", "turin,ports=1,read=18,latency=820",
	 "turin,ports=1,read=18,latency=810", "turin,ports=1,read=18,link_width=8",
	 "link_degraded"},
	{"latency_unexplained",
	 "gnr,ports=1,read=5,latency=460,promised_latency=300,link_width=1,link_max_width=1,"
	 "link_speed=64",
	 "gnr,ports=1,read=5,latency=440,promised_latency=300,link_width=1,link_max_width=1,"
	 "link_speed=64",
	 "gnr,ports=1,read=0.3,latency=460,promised_latency=300,link_width=1,link_max_width=1,"
	 "link_speed=64",
	 "latency_high"},
	/* most requests are prefetches, or demand reads take as long as those */
	{"prefetched", "spr,ports=1,read=5,l2_prefetch=40,l3_prefetch=10,prefetch_latency=640",
	 "spr,ports=1,read=5,l2_prefetch=40,l3_prefetch=9,prefetch_latency=640",
	 "spr,ports=1,read=5,l2_prefetch=40,latency=900,prefetch_latency=640", "reads_slow"},
	{"prefetched", "gnr,ports=1,read=0.11,l3_prefetch=60",
	 "gnr,ports=1,read=0.09,l3_prefetch=60", "gnr,ports=1,read=1,latency=900", "latency_high"},
	/* bytes of devices differ: in one region, or without a common region */
	{"uneven", "spr,ways=2,read=5,imbalance=11", "spr,ways=2,read=5,imbalance=9",
	 "spr,ways=2,read=5,latency=900", "reads_slow"},
	{"uneven", "spr,ports=4,ways=4,read=5,imbalance=50",
	 "spr,ports=4,ways=1,read=5,imbalance=50", "spr,ports=4,ways=4,read=1,latency=900",
	 "latency_high"},
	{"uneven", "spr,ways=2,read=0.11,imbalance=50", "spr,ways=2,read=0.09,imbalance=50",
	 "turin,ports=1,read=5,link_width=8", "link_degraded"},
	{"remote_reads", "gnr,sockets=2,ports=1,read=5,remote=34",
	 "gnr,sockets=2,ports=1,read=5,remote=33",
	 "gnr,sockets=2,ports=1,read=5,remote=20,latency=900", "reads_slow"},
	/* traffic between sockets, the share of CXL data of which is known on some processors */
	{"upi_nearly_full", "spr,sockets=2,ports=4,read=26,remote=100",
	 "spr,sockets=2,ports=4,read=25.9,remote=100", "gnr,sockets=2,ports=1,read=5,remote=40",
	 "remote_reads"},
	/* the same of DRAM, with little CXL data */
	{"upi_nearly_full", "gnr,sockets=2,ports=1,read=1,remote=30,dram_read=692",
	 "gnr,sockets=2,ports=1,read=1,remote=30,dram_read=690",
	 "gnr,sockets=2,ports=1,read=1,remote=30,dram_read=690,latency=820", "latency_high"},
	/* pages that move both ways while DRAM is full, or one way */
	{"thrashing", "spr,ports=1,read=5,promote=1000,demote=500,dram_used=91",
	 "spr,ports=1,read=5,promote=1000,demote=500,dram_used=89",
	 "spr,ports=1,read=5,promote=1000,dram_used=91", "nothing_found"},
	{"same_tier", "spr,ports=1,read=5,tiers=1", "spr,ports=1,read=5,tiers=2",
	 "spr,ports=1,read=5,tiers=2,latency=900", "reads_slow"},
	{"thrashing", "spr,ports=1,read=5,promote=500,demote=1000,dram_used=91",
	 "spr,ports=1,read=5,promote=490,demote=1000,dram_used=91",
	 "spr,ports=1,read=5,demote=1000,dram_used=91,latency=900", "reads_slow"},
};

/* Returns whether a finding belongs to the machine; the throttled CPMU also retries DRAM. */
static bool belongs(const struct finding *finding, const char *rule, const char *spec)
{
	return !strcmp(finding->rule, rule) ||
	       (!strcmp(finding->rule, "media_errors") && strstr(spec, "=throttled"));
}

static void explain_all(const char *spec)
{
	char text[256];

	snprintf(text, sizeof(text), "%s,clock=virtual", spec);
	/* devices report their errors every 30 s */
	explain(text, strstr(spec, "_prefetch=") ? EXPLAIN_METRICS ",path" : EXPLAIN_METRICS,
		strstr(spec, "corrected=") ? 70 : SAMPLES);
}

/* Asserts that all sentences are of one rule, and complete. */
static void assert_alone(const char *rule, const char *spec)
{
	ck_assert_msg(find_finding(rule) != NULL, "%s: no %s: %s", spec, rule,
		      findings.all[0].sentence);
	for (size_t i = 0; i < findings.count; i++) {
		const struct finding *finding = &findings.all[i];

		ck_assert_msg(belongs(finding, rule, spec), "%s: %s", spec, finding->sentence);
		ck_assert(finding->advice || !strcmp(rule, "nothing_found"));
		ck_assert_uint_le(finding->samples, explained.samples);
		assert_lacks(finding->sentence, "{");
		assert_lacks(finding->sentence, "unknown");
	}
}

TEST_LOOP(test_each_fault_is_found_alone, (int)COUNT_OF(machines))
{
	explain_all(machines[_i].fault);
	assert_alone(machines[_i].rule, machines[_i].fault);
}

TEST_LOOP(test_what_is_nearly_a_fault_is_none, (int)COUNT_OF(machines))
{
	explain_all(machines[_i].near);
	assert_alone("nothing_found", machines[_i].near);
	ck_assert(!find_not_checked(machines[_i].rule) || !strcmp(machines[_i].rule, "happened"));
}

TEST_LOOP(test_another_fault_with_the_same_symptom_has_its_own_sentence, (int)COUNT_OF(machines))
{
	explain_all(machines[_i].other);
	assert_alone(machines[_i].other_rule, machines[_i].other);
}

/* Every rule except misplaced has machines; its machines are in tests/integration/test_explain. */
TEST(test_every_rule_has_its_machines)
{
	for (size_t r = 0; explain_rules[r]; r++) {
		const struct rule *rule = explain_rules[r];
		size_t i = 0;

		while (i < COUNT_OF(machines) && strcmp(machines[i].rule, rule->name) != 0)
			i++;
		ck_assert_msg(i < COUNT_OF(machines) || rule->of == SAMPLED_LOADS, "%s",
			      rule->name);
	}
}

/* Returns the text that a format prints after the last sample. */
static const char *printed(const struct format *format)
{
	struct sink sink = {.format = format, .state = &explained, .out = text_open()};

	format->finish(&sink);
	return text_close(sink.out);
}

TEST(test_a_sentence_has_its_numbers_and_its_evidence)
{
	explain_all("spr,ways=2,read=20,imbalance=20");
	ck_assert_str_eq(findings.all[0].sentence,
			 "region0: its devices are not used evenly: mem0 moves 20.0 GB/s, but mem1 "
			 "only 16.0 GB/s; addresses go to the next device each 256 bytes.");
	ck_assert_str_eq(findings.all[0].where, "region0");
	ck_assert_uint_eq(findings.all[0].evidence_count, 2);
	ck_assert_str_eq(findings.all[0].evidence[1].name, "least_MBps");
	ck_assert_double_eq_tol(findings.all[0].evidence[1].number, 16000, 0.001);
}

TEST(test_latencies_of_prefetches_stand_beside_those_of_demand_reads)
{
	explain_all(
		"spr,ports=1,read=5,l2_prefetch=50,l3_prefetch=21,latency=320,prefetch_latency=640");
	ck_assert_str_eq(
		findings.all[0].sentence,
		"socket 0: 71 % of the requests for CXL memory are prefetches: prefetches "
		"into L1 and L2 take 640 ns, prefetches into L3 640 ns, demand reads 320 ns.");
}

TEST(test_a_degraded_link_is_described)
{
	explain_all("turin,ports=2,link_width=8");
	ck_assert_uint_eq(findings.count, 2);
	ck_assert_str_eq(findings.all[1].sentence,
			 "mem1: its link is degraded, narrower or slower than both its ends "
			 "support: x8 of x16 at 32 GT/s, at most 31.5 GB/s each way.");
}

static void explain_sampled(const struct process_report *hot)
{
	explain("spr,ports=1,clock=virtual", "cxl", 0);
	sim_monitor_sample(&m);
	explain_add(&explained, &m.sample, hot);
	explain_conclude(&explained, &findings);
}

static const char *misplaced(double unseen_dram_GiB)
{
	const struct process_report hot = sampled_loads(unseen_dram_GiB);

	explain_sampled(&hot);
	ck_assert_str_eq(findings.all[0].rule, "misplaced");
	return findings.all[0].sentence;
}

/* The part of DRAM without samples is told if the amount in use is known. */
TEST(test_hot_CXL_memory_beside_colder_DRAM_is_told)
{
	assert_contains(misplaced(2.5),
			"The hottest 4.000 GiB of CXL memory have half of its sampled loads, and "
			"CXL memory 60.0 % of all; 8.000 GiB of DRAM were sampled less than half "
			"as often, 2.500 GiB of these never. Samples are demand loads: ");
	ck_assert_uint_eq(findings.all[0].evidence_count, 4);
	ck_assert_str_eq(findings.all[0].evidence[3].name, "unseen_dram_GiB");
	ck_assert_double_eq(findings.all[0].evidence[3].number, 2.5);
	assert_contains(misplaced(NAN), "less than half as often. Samples are demand loads: ");
	ck_assert_uint_eq(findings.all[0].evidence_count, 3);
}

/* Samples are 60 % of the lines of CXL memory, and just below or above 30 % of DRAM's lines. */
TEST_LOOP(test_DRAM_that_samples_show_less_than_half_as_well_may_be_hot, 2)
{
	struct process_report hot = sampled_loads(NAN);

	hot.counted_MB[MEMORY_CXL] = 1000 * 64 / 1e6;
	hot.counted_MB[MEMORY_DRAM] = (_i ? 1320 : 1345) * 64 / 1e6;
	explain_sampled(&hot);
	ck_assert_str_eq(findings.all[0].rule, _i ? "misplaced" : "not_known");
	if (!_i)
		return;
	ck_assert_str_eq(findings.all[0].evidence[4].name, "dram_sampled_pct");
	ck_assert_double_eq_tol(findings.all[0].evidence[4].number, 30.3, 0.05);
	ck_assert_uint_eq(findings.all[0].evidence[4].decimals, 1);
}

TEST(test_what_happened_is_told_once_and_counted)
{
	explain_all("turin,ports=1,read=5,link_change=2,link_change_width=4,link_back=4");
	ck_assert_uint_eq(findings.count, 1);
	ck_assert_str_eq(findings.all[0].sentence,
			 "mem0: link between 0000:1e:01.1 and 0000:1f:00.0 is 32.0 GT/s x4, was "
			 "32.0 GT/s x16, the first of 2 such events, while it was measured.");
	explain_all("turin,ports=1,read=5,link_change=2,link_change_width=4");
	ck_assert_str_eq(findings.all[findings.count - 1].sentence,
			 "mem0: link between 0000:1e:01.1 and 0000:1f:00.0 is 32.0 GT/s x4, was "
			 "32.0 GT/s x16, while it was measured.");
}

TEST(test_a_device_in_which_accesses_wait_is_judged_by_what_firmware_promises)
{
	explain_all("gnr,ports=1,read=20,cpmu_kind=cxl4,promised_bandwidth=30");
	ck_assert_uint_eq(findings.count, 1);
	ck_assert_str_eq(findings.all[0].sentence,
			 "socket 0 port 0 mem0: the device transfers less than firmware reports "
			 "(HMAT, CDAT): 20.0 of 30.0 GB/s at the peak, although accesses wait 40 "
			 "clocks in the queue of its DRAM (an estimate), and its link has room.");
}

#define LEAK "with so many reads of DRAM, CXL latency may be too high"

/* The device is not slow: 100 GB/s of DRAM are in the occupancy of 0.5 or 4 of CXL memory. */
TEST(test_a_latency_that_reads_of_DRAM_may_have_raised_is_not_judged)
{
	explain_all("spr,ports=1,read=0.5,dram_read=100,tor_leak=8,promised_latency=300");
	assert_alone("nothing_found", "0.5");
	ck_assert_str_eq(find_not_checked("latency_high")->reason, LEAK);
	ck_assert_str_eq(find_not_checked("reads_slow")->reason, LEAK);
	explain_all("spr,ports=1,read=4,dram_read=100,tor_leak=16,promised_latency=300");
	assert_alone("nothing_found", "4");
	ck_assert_str_eq(find_not_checked("reads_slow")->reason, LEAK);
	explain_all("turin,ports=1,read=8,dram_read=100,latency=900");
	ck_assert_str_eq(findings.all[0].rule, "latency_unexplained");
}

TEST(test_a_latency_of_multiplexed_events_is_said_to_be_an_estimate)
{
	static const char estimate[] =
		" The latency is an estimate: of multiplexed events, few reads, an uncertain time or unit.";

	explain_all(X8 ",read=24,latency=900");
	assert_lacks(findings.all[0].sentence, estimate);
	explain(X8 ",read=24,latency=900,clock=virtual", EXPLAIN_METRICS, 0);
	sim_monitor_sample(&m);
	explain_socket_row(&explained, 0)
		->values[table_find(&m.view.table, "cxl_read_latency_ns")]
		.scaled = true;
	explain_add(&explained, &m.sample, NULL);
	explain_conclude(&explained, &findings);
	ck_assert_str_eq(findings.all[0].rule, "link_nearly_full");
	assert_contains(findings.all[0].sentence, "an upper estimate. The latency is");
	assert_contains(findings.all[0].sentence, estimate);
}

/* Bytes in a receive buffer do not show that anything waits: less traffic gives no finding. */
TEST(test_a_buffer_that_is_not_empty_is_no_finding)
{
	explain_all("spr,ports=1,read=20,limit=30,full=0,promised_bandwidth=30");
	ck_assert_str_eq(findings.all[0].rule, "nothing_found");
	ck_assert_str_eq(find_not_checked("below_promise")->reason,
			 "no CXL device has a count of it");
}

TEST(test_latency_is_set_beside_what_it_is_judged_by)
{
	explain_all(X8 ",read=18,latency=1200,promised_latency=300,dram_read=5");
	ck_assert_str_eq(findings.all[0].sentence,
			 "socket 0: reads of CXL memory are slow although links have room: at the "
			 "peak, they take 1200 ns, 4.0 times the 300 ns that firmware reports, "
			 "and reads of local DRAM 110 ns; no link carries more than 65.8 % of its "
			 "maximum.");
	explain_all(X8 ",read=18,latency=900");
	assert_contains(findings.all[0].sentence,
			"900 ns, 2.2 times the 410 ns that such devices are published to take "
			"without load at most");
}

/* The fullest link decides: another link has room, and the latency is the mean of both. */
TEST(test_latency_of_a_socket_is_judged_by_its_fullest_link)
{
	explain_all("spr,ports=2,ways=2,imbalance=60,read=26,latency=900,link_width=8,"
		    "link_max_width=8");
	ck_assert_ptr_nonnull(find_finding("link_saturated"));
	ck_assert_ptr_null(find_finding("reads_slow"));
	ck_assert_ptr_null(find_finding("latency_high"));
}

TEST(test_a_direction_is_named_with_what_it_can_take)
{
	explain_all(X8 ",read=6,write=21,full=0");
	assert_contains(findings.all[0].sentence,
			"data to the device takes 66.7 % of its raw rate; the computed maximum for "
			"this mix of reads and writes is 71.2 %.");
	explain_all(X8 ",read=25.3,write=1");
	assert_contains(findings.all[0].sentence, "data from the device takes 80.3 %");
}

/* Read requests outnumber reads. */
TEST(test_a_link_that_is_full_by_an_estimate_is_said_to_be)
{
	static const char estimate[] = " Reads are counted as requests here, which is an upper "
				       "estimate.";

	explain_all(X8 ",read=20,memspecrd=30");
	ck_assert_str_eq(findings.all[0].rule, "link_saturated");
	assert_contains(findings.all[0].sentence, estimate);
	explain_all("gnr,ports=1,link_width=8,link_max_width=8,read=26");
	ck_assert_str_eq(findings.all[0].rule, "link_saturated");
	assert_lacks(findings.all[0].sentence, estimate);
	explain_all(X8 ",write=23");
	assert_lacks(findings.all[0].sentence, estimate);
}

TEST(test_256_byte_flits_are_not_judged)
{
	explain_all("spr,ports=1,link_width=1,link_max_width=1,link_speed=64,read=7.5");
	ck_assert_str_eq(findings.all[0].rule, "nothing_found");
	ck_assert_str_eq(find_not_checked("link_saturated")->reason,
			 "the capacity of 256-byte flits is unknown");
	ck_assert_str_eq(find_not_checked("reads_slow")->reason,
			 "the capacity of 256-byte flits is unknown");
}

TEST(test_a_device_of_two_regions_makes_none_uneven)
{
	explain_all("spr,ways=2,read=5,imbalance=50");
	ck_assert_str_eq(findings.all[0].rule, "uneven");
	struct cxl_region regions[2] = {info.memory.regions[0], info.memory.regions[0]};

	regions[1].ways = regions[1].device_count = 1;
	info.memory.regions = regions;
	info.memory.region_count = 2;
	tear_down();
	ck_assert_int_eq(explain_init(&explained, &m.view.table, &info), 0);
	explain_add(&explained, &m.sample, NULL);
	explain_conclude(&explained, &findings);
	ck_assert_ptr_null(find_finding("uneven"));
}

/* One device has exact counts, the other an upper estimate. */
TEST(test_devices_that_are_counted_otherwise_are_not_compared)
{
	explain_all("spr,ways=2,read=5,imbalance=50");
	const size_t source = table_find(&m.view.table, "cxl_mem_read_MBps");

	sim_monitor_row(&m, 0, 1)->values[source].text = "cpmu";
	tear_down();
	ck_assert_int_eq(explain_init(&explained, &m.view.table, &info), 0);
	explain_add(&explained, &m.sample, NULL);
	explain_conclude(&explained, &findings);
	ck_assert_ptr_null(find_finding("uneven"));
	ck_assert_ptr_nonnull(find_not_checked("uneven"));
}

TEST(test_errors_by_kind_are_of_the_run_alone)
{
	explain("turin,ports=1,read=5,aer_correctable=2,aer_advisory=1,clock=virtual",
		EXPLAIN_METRICS, 3);
	tear_down();
	ck_assert_int_eq(explain_init(&explained, &m.view.table, &info), 0);
	for (unsigned i = 0; i < 3; i++) {
		sim_monitor_sample(&m);
		explain_add(&explained, &m.sample, NULL);
	}
	explain_conclude(&explained, &findings);
	ck_assert_uint_eq(findings.count, 2);
	ck_assert_str_eq(findings.all[0].sentence,
			 "device mem0: a link from root port to device has errors, as AER "
			 "reports: BadTLP 2/s.");
	assert_contains(findings.all[1].sentence, "does not show the cause: NonFatalErr 1/s.");
}

/* A recording has only the sum of all kinds. */
TEST(test_errors_whose_kind_is_not_known_are_not_of_the_link)
{
	explain_all("turin,ports=1,read=5,aer_correctable=2");
	m.view.table.tallies.count = 0;
	explain_conclude(&explained, &findings);
	ck_assert_uint_eq(findings.count, 1);
	assert_contains(findings.all[0].sentence, ": 2/s of unknown kinds, as a recording "
						  "has only the sum of all kinds.");
	ck_assert_str_eq(find_not_checked("io_errors")->reason,
			 "a recording has only the sum of all kinds of errors that AER reports");
}

/* AER has only errors of CXL.io: it does not show that CXL.mem has none. */
TEST(test_without_events_of_the_link_its_errors_are_not_checked)
{
	explain_all("turin,ports=1,read=5,aer_correctable=2");
	ck_assert_str_eq(findings.all[0].rule, "io_errors");
	ck_assert_str_eq(find_not_checked("link_errors")->what,
			 "link errors of CXL.mem and CXL.cache");
	ck_assert_str_eq(find_not_checked("link_errors")->reason,
			 "cxlmon knows no such event of this processor");
}

TEST(test_uncorrectable_errors_are_named_by_severity_and_kind)
{
	explain_all("spr,ports=1,read=5,aer_nonfatal=0.5,aer_fatal=2");
	assert_contains(findings.all[0].sentence, ": SDES 2/s (fatal), CmpltTO 0.5/s (not fatal).");
}

/* A refused request need not be a fault, however severe it is set to be. */
TEST(test_a_refused_request_that_is_fatal_is_named)
{
	explain_all("spr,ports=1,read=5,aer_fatal=2");
	const struct tallies *tallies = &m.view.table.tallies;

	for (size_t i = 0; i < tallies->count; i++)
		if (tallies->items[i].severity == AER_FATAL && *tallies->items[i].kind)
			strcpy(tallies->items[i].kind, "UnsupReq");
	explain_conclude(&explained, &findings);
	ck_assert_uint_eq(findings.count, 1);
	ck_assert_str_eq(findings.all[0].rule, "other_errors");
	assert_contains(findings.all[0].sentence, ": UnsupReq ");
	assert_contains(findings.all[0].sentence, "/s (fatal).");
}

TEST(test_a_device_that_is_unwell_is_quoted)
{
	explain_all("spr,ports=1,health=48,temperature=88");
	ck_assert_str_eq(findings.all[0].sentence,
			 "socket 0 port 0 mem0: the device reports: temperature critical, "
			 "temperature high.");
	ck_assert_str_eq(findings.all[0].evidence[0].name, "device_temperature_C");
	ck_assert_double_eq(findings.all[0].evidence[0].number, 88);
	ck_assert_uint_eq(findings.all[0].evidence[0].decimals, 0);
}

/* Devices are asked every 30 s. */
TEST(test_errors_that_a_device_has_corrected_count)
{
	explain("spr,ports=1,corrected=2,clock=virtual", "health", 70);
	ck_assert_str_eq(findings.all[0].rule, "media_errors");
	assert_contains(findings.all[0].sentence, ": corrected errors 2/s.");
}

TEST(test_what_was_not_measured_is_not_judged_but_named)
{
	explain("spr,ports=1,read=5,crc=100,clock=virtual", "cxl", SAMPLES);
	ck_assert_str_eq(findings.all[0].sentence,
			 "Nothing could be checked: no value that a rule needs was measured.");
	ck_assert_str_eq(find_not_checked("link_errors")->groups, "link");
	ck_assert_str_eq(find_not_checked("link_errors")->reason, "not measured: group link");
	ck_assert_ptr_null(find_not_checked("uneven"));
}

/* Reasons of rules whose metrics were measured. */
static const struct {
	const char *spec, *rule, *reason;
} reasons[] = {
	{"gnr,ports=1,read=5", "buffer_full", "cxlmon knows no such event of this processor"},
	{"gnr,ports=1,read=5", "throttled", "no CXL device has a count of it"},
	{"gnr,ports=1,read=5,cpmu_kind=cxl4", "below_promise", "firmware reports no bandwidth"},
	{"gnr,ports=1,read=5", "media_errors",
	 "no device has reported it twice: devices are asked every 30 s, only by root"},
	{"genoa,ports=1,read=5", "link_saturated", "cxlmon knows no such event of this processor"},
	{"genoa,ports=1,read=5", "latency_high",
	 "link utilisation is unknown: cxlmon knows no such event of this processor"},
	{"turin,ports=1,read=5", "link_saturated",
	 "no port has both known traffic and a known device"},
	{"spr,ports=1,write=5", "latency_high", "CXL latency was known in no sample"},
	{"spr,ports=1,read=5", "link_degraded", "the kernel does not show both ends of links"},
};

TEST_LOOP(test_why_a_rule_has_no_answer, (int)COUNT_OF(reasons))
{
	explain_all(reasons[_i].spec);
	const struct not_checked *it = find_not_checked(reasons[_i].rule);

	ck_assert_ptr_nonnull(it);
	ck_assert_str_eq(it->reason, reasons[_i].reason);
	ck_assert_str_eq(it->groups, "");
}

/* A device of CXL 1.1 on a kernel that does not show its link. */
TEST(test_a_hidden_link_is_the_reason)
{
	explain("spr,ports=1,read=5,clock=virtual", EXPLAIN_METRICS, 0);
	sim_monitor_sample(&m);
	m.machine.devices[0].hops[0].now = (struct pci_link){0, 0};
	for (size_t c = 0; c < m.view.table.column_count; c++)
		if (m.view.table.columns[c].metric->share_of)
			sim_monitor_row(&m, 0, 0)->values[c].number = NAN;
	explain_add(&explained, &m.sample, NULL);
	explain_conclude(&explained, &findings);
	ck_assert_str_eq(find_not_checked("link_saturated")->reason,
			 "the kernel does not show the link of a CXL 1.1 device");
}

/* The latency is of all ports of the socket, including the ports that were left out. */
TEST(test_of_selected_ports_links_of_others_are_not_known)
{
	explain(X8 ",read=18,latency=1200,clock=virtual", EXPLAIN_METRICS, 0);
	recording_add_option(&info, "port", "0");
	sim_monitor_sample(&m);
	explain_add(&explained, &m.sample, NULL);
	explain_conclude(&explained, &findings);
	ck_assert_str_eq(findings.all[0].rule, "latency_unexplained");
	ck_assert_uint_eq(findings.count, 1);
	ck_assert_str_eq(find_not_checked("reads_slow")->reason, "not all ports were selected");
}

/* Sets a port's value in the latest sample. */
static void set_value(const char *metric, double number)
{
	const size_t column = table_find(&m.view.table, metric);

	struct value *value = &sim_monitor_row(&m, 0, 0)->values[column];
	const struct program *program = value->inputs->formula->program;

	for (unsigned i = 0; i < program->input_count; i++)
		if (program->inputs[i].kind == INPUT_EVENT)
			value->inputs->items[i].per_second *= number / value->number;
	value->number = number;
}

/* The link is known in one sample, the latency in the other. */
TEST(test_two_figures_are_judged_in_the_same_samples)
{
	explain(X8 ",read=18,latency=1200,clock=virtual", EXPLAIN_METRICS, 0);
	for (unsigned i = 0; i < 2; i++) {
		sim_monitor_sample(&m);
		const struct row *socket = explain_socket_row(&explained, 0);

		if (i)
			set_value("link_read_pct", NAN);
		else
			socket->values[table_find(&m.view.table, "cxl_read_latency_ns")].number =
				NAN;
		explain_add(&explained, &m.sample, NULL);
	}
	explain_conclude(&explained, &findings);
	ck_assert_ptr_null(find_finding("reads_slow"));
	ck_assert_str_eq(find_not_checked("reads_slow")->reason,
			 "its inputs were not known in the same samples");
}

/* One sample before the highest is within a tenth of it, and two after it, one of these barely. */
TEST(test_a_sample_within_a_tenth_of_the_highest_is_busy)
{
	static const double traffic[] = {27500, 28000, 31000, 31000, 27903, 29217};

	explain(X8 ",read=26,clock=virtual", "cxl,port", 0);
	for (size_t i = 0; i < COUNT_OF(traffic); i++) {
		sim_monitor_sample(&m);
		set_value("cxl_mem_read_MBps", traffic[i]);
		set_value("link_read_pct", traffic[i] / 31508 * 100);
		explain_add(&explained, &m.sample, NULL);
	}
	explain_conclude(&explained, &findings);
	const struct finding *full = find_finding("link_saturated");

	ck_assert_uint_eq(full->samples, 5);
	ck_assert_str_eq(full->evidence[0].name, "share_pct");
	ck_assert_double_eq_tol(full->evidence[0].number, 93.39, 0.005);
}

/* For DMR's ports, health and AER have values; latency and links have no events. */
TEST(test_that_nothing_limits_is_said_of_the_checks_with_an_answer)
{
	explain("dmr,ports=1,clock=virtual", EXPLAIN_METRICS, SAMPLES);
	ck_assert_str_eq(findings.all[0].sentence,
			 "These checks found no limit of CXL: health of devices, uncorrectable "
			 "errors, link errors that AER reports, tiering.");
	ck_assert_ptr_nonnull(find_not_checked("reads_slow"));
}

/* Machines without an input of any check; one socket has no reads through another. */
static const char *const unjudged[][2] = {{"gnr,ports=1,clock=virtual", "core"},
					  {"genoa,sockets=2,ports=1,clock=virtual", "dram"}};

TEST_LOOP(test_without_any_input_nothing_can_be_said, (int)COUNT_OF(unjudged))
{
	explain(unjudged[_i][0], unjudged[_i][1], SAMPLES);
	info.device_count = info.memory.region_count = 0;
	explain_conclude(&explained, &findings);
	ck_assert_uint_eq(findings.count, 1);
	ck_assert_str_eq(findings.all[0].rule, "not_known");
}

TEST(test_one_tier_for_dram_and_cxl_memory_is_said)
{
	explain("spr,ports=1,read=5,tiers=1,clock=virtual", "cxl", SAMPLES);
	ck_assert_str_eq(findings.all[0].sentence,
			 "mem0: its memory (node 1) and DRAM (node 0) are in one memory tier: the "
			 "kernel demotes and promotes no pages between them.");
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
	ck_assert_str_eq(findings.all[0].rule, "link_errors");
}

TEST(test_there_are_ten_sentences_at_most)
{
	explain("spr,ports=12,ways=2,imbalance=50,health=16,crc=100,read=28,link_width=8,clock="
		"virtual",
		"cxl,link,port,health", 2);
	ck_assert_uint_eq(findings.count, FINDINGS_MOST);
	/*
	 * twelve devices that are unwell and have errors, six that are saturated, and six regions
	 */
	ck_assert_uint_eq(findings.left_out, 12 + 12 + 6 + 6 - FINDINGS_MOST);
}

TEST(test_one_rule_leaves_room_for_others)
{
	explain("spr,ports=12,crc=100,clock=virtual", "link", 2);
	ck_assert_uint_eq(findings.count, 3);
	ck_assert_uint_eq(findings.left_out, 9);
}

/* Returns the evidence of the only sentence. */
static double read_while_busy(void)
{
	ck_assert(findings.none);
	ck_assert_str_eq(findings.all[0].evidence[0].name, "cxl_mem_read_MBps");
	return findings.all[0].evidence[0].number;
}

/* Traffic that begins after 8 of 10 samples. */
TEST(test_values_while_busy_are_those_of_the_highest_traffic)
{
	explain("spr,ports=1,read=10,latency=300,begin=8,clock=virtual", "cxl,latency", 10);
	ck_assert_double_eq_tol(read_while_busy(), 10000, 1);
	ck_assert_uint_eq(findings.all[0].samples, 2);
	assert_contains(printed(&format_explain),
			"   Measured in 2 of 10 samples: CXL read 10000.0 MB/s");
}

/* The highest traffic comes last, and each sample may be the first of the busy ones. */
TEST(test_a_ramp_is_judged_by_its_end)
{
	explain("spr,ports=1,read=10,ramp=10,clock=virtual", "cxl", 20);
	ck_assert_double_ge(read_while_busy(), 9900);
}

/* A damaged recording may have sums that are not numbers, and a clock that was set back. */
TEST(test_numbers_that_can_not_be_are_not_known)
{
	explain("spr,ports=1,read=5,crc=5,clock=virtual", "cxl,link", 1);
	const struct row *row = sim_monitor_row(&m, 0, 0);

	for (size_t c = 0; c < m.view.table.column_count; c++) {
		const struct inputs *inputs = row->values[c].inputs;

		for (unsigned i = 0; inputs && i < inputs->formula->program->input_count; i++)
			inputs->items[i] = (struct input_value){1.7e308, 1e9};
		row->values[c].number = 1.7e308;
	}
	m.sample.wall_ns = 1;
	for (unsigned i = 0; i < 3; i++)
		explain_add(&explained, &m.sample, NULL);
	explain_conclude(&explained, &findings);
	for (size_t i = 0; i < findings.count; i++)
		for (size_t n = 0; n < findings.all[i].evidence_count; n++)
			ck_assert(isfinite(findings.all[i].evidence[n].number));
	ck_assert_ptr_null(find_finding("link_errors"));
	assert_json(json_of(printed(&format_explain_json)), "seconds", "1.0");
}

TEST(test_the_only_sample_of_a_short_run_is_as_long_as_the_run)
{
	explain("spr,ports=1,read=5,clock=virtual", "cxl", 1);
	info.started_ns = m.sample.wall_ns - 250000000;
	assert_contains(printed(&format_explain), "Some Rapids: 1 sample in 0.25 s\n");
	/* a part of a recording, or a clock that was set back */
	info.started_ns = m.sample.wall_ns - UINT64_C(3000000000);
	assert_contains(printed(&format_explain), "Some Rapids: 1 sample in 1 s\n");
	info.started_ns = m.sample.wall_ns + 1;
	assert_contains(printed(&format_explain), "Some Rapids: 1 sample in 1 s\n");
}

TEST(test_findings_are_numbered_with_what_to_do)
{
	explain("spr,ports=1,read=5,crc=2.5,clock=virtual", "cxl,link", 4);
	const char *text = printed(&format_explain);

	assert_contains(
		text,
		"Some Rapids: 4 samples in 4 s\n\n1. socket 0 port 0 mem0: its link has errors, "
		"after which it sends the damaged data again: CRC errors 2.5/s.\n   Measured: "
		"CXL read 5000.0 MB/s, CXL write 0.0 MB/s\n   What to do: Reseat the card");
	assert_contains(
		text,
		"\nNot checked: links' width and speed (the kernel does not show both ends of "
		"links),\n   throttling, ");
	assert_contains(text, "tiering (not measured: groups "
			      "latency,queue,port,health,device,tiering)");
	ck_assert_ptr_null(strstr(text, "throttling (not measured: group device)"));
}

TEST(test_advice_follows_the_last_of_the_findings_that_it_is_for)
{
	explain("gnr,sockets=2,read=5,latency=900,wave=1,clock=virtual", "cxl,latency", SAMPLES);
	ck_assert_uint_eq(findings.count, 2);
	ck_assert_str_ne(findings.all[0].sentence, findings.all[1].sentence);
	ck_assert_ptr_eq(findings.all[0].advice, findings.all[1].advice);
	ck_assert_ptr_null(explain_advice(&findings, 0));
	ck_assert_ptr_eq(explain_advice(&findings, 1), findings.all[1].advice);
	const char *advice = strstr(printed(&format_explain), "\n   What to do: ");

	ck_assert_ptr_nonnull(advice);
	ck_assert_ptr_null(strstr(advice + 1, "\n   What to do: "));
}

static const struct {
	const char *metrics, *command;
} commands[] = {
	{"cxl,link", "sudo cxlmon record -m "
		     "cxl,link,latency,queue,port,health,device,tiering FILE"},
	{NULL, "sudo cxlmon record -m " EXPLAIN_METRICS " FILE"},
	{"cxl; reboot", "sudo cxlmon record -m " EXPLAIN_METRICS " FILE"},
	{"", "sudo cxlmon record -m " EXPLAIN_METRICS " FILE"},
};

/* A recording is a file of anyone's: only names of groups get into a command for root. */
TEST_LOOP(test_a_command_records_what_was_not_measured, (int)COUNT_OF(commands))
{
	char text[EXPLAIN_COMMAND_SIZE];

	explain("spr,ports=1,read=5,clock=virtual", "cxl,link", 2);
	recording_add_option(&info, "metrics", commands[_i].metrics);
	ck_assert_str_eq(explain_command_text(&explained, &findings, text), commands[_i].command);
	findings.not_checked_count = 0;
	ck_assert_str_eq(explain_command_text(&explained, &findings, text), "");
}

TEST(test_what_holds_for_several_ports_is_one_sentence_with_the_numbers_of_each_if_they_differ)
{
	explain("spr,ports=2,read=5,crc=2.5,clock=virtual", "cxl,link", 4);
	ck_assert_uint_eq(findings.count, 2);
	assert_contains(
		printed(&format_explain),
		"\n1. socket 0 port 0 mem0, socket 0 port 1 mem1, each: its link has errors, "
		"after which it sends the damaged data again: CRC errors 2.5/s.\n   Measured: "
		"CXL read 5000.0 MB/s, CXL write 0.0 MB/s\n   What to do: Reseat");
	explain("spr,ports=2,read=5,crc=2.5,wave=1,clock=virtual", "cxl,link", 4);
	ck_assert_uint_eq(findings.count, 2);
	const char *text = printed(&format_explain);

	assert_contains(text, ", each: its link has errors");
	assert_contains(text, "\n   socket 0 port 0 mem0: Measured: CXL read ");
	assert_contains(text, "\n   socket 0 port 1 mem1: Measured: CXL read ");
	ck_assert_ptr_null(strstr(text, "\n2. "));
}

/* Numbers that differ stand in the order of the places; those that are equal stand once. */
TEST(test_sentences_that_differ_only_in_numbers_are_one)
{
	explain("gnr,ports=2,link_width=8,read=27,wave=1,clock=virtual", "cxl,port", SAMPLES);
	ck_assert_uint_eq(findings.count, 2);
	ck_assert_str_ne(strchr(findings.all[0].sentence, ':'),
			 strchr(findings.all[1].sentence, ':'));
	const char *text = printed(&format_explain);

	assert_contains(text,
			"\n1. socket 0 port 0 mem0, socket 0 port 1 mem1, each: its link is "
			"saturated: at the peak, data from the device takes 85.7 / 91.2 % of "
			"its raw rate; the computed maximum for this mix of reads and writes is "
			"86.9 %.\n   socket 0 port 0 mem0: Measured");
	ck_assert_ptr_null(strstr(text, "\n2. "));
}

TEST(test_json_has_the_same)
{
	explain("spr,ports=1,read=5,crc=2.5,clock=virtual", "cxl,link", 4);
	const json_t *object = json_of(printed(&format_explain_json));

	assert_json(object, "samples", "4");
	assert_json(object, "findings.0.rule", "\"link_errors\"");
	assert_json(object, "findings.0.samples", "4");
	assert_json(object, "findings.0.memdev", "\"mem0\"");
	assert_json(object, "findings.0.port", "0");
	ck_assert_str_eq(json_string_value(json_at(object, "findings.0.sentence")),
			 findings.all[0].sentence);
	assert_double(json_real_value(json_at(object, "findings.0.evidence.cxl_mem_read_MBps")),
		      5000, 0.001);
}

TEST(test_reads_through_another_socket_are_a_whole_percentage)
{
	explain_all("gnr,sockets=2,ports=1,read=5,remote=34.4");
	ck_assert_str_eq(findings.all[0].sentence,
			 "socket 0: its CPUs read 34 % of their CXL data through another socket.");
}
