/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/info/info.h"

#include "json_at.h"
#include "tests/ops_copy.h"
#include "tests/sim/state.h"
#include "unit.h"

static struct probe probe;
static const char *text;
static json_t *info;

static void look(const char *spec)
{
	struct error err;

	ck_assert_msg(!probe_open(spec, "/", &(struct log){.write = NULL}, &probe, &err), "%s",
		      err.text);
}

/* Prints the probe as text and JSON. */
static void print(bool all)
{
	FILE *out = text_open();

	info_print(out, &probe, all);
	text = text_close(out);
	info = info_json(&probe);
}

static void show(const char *spec)
{
	look(spec);
	print(false);
}

static void tear_down(void)
{
	probe_close(&probe);
	json_decref(info);
	info = NULL;
}

FIXTURE(NULL, tear_down)

static const struct {
	const char *spec, *part;
} lists[] = {
	{"spr,cpus=1", "1, with 1 CPU online\n"},
	{"spr,cpus=2", "1, with 2 CPUs online\n"},
	{"spr,chas=2", "2 x 4 counters of 48 bits in MSR and perf: 0,1\n"},
	{"turin,link_width=8,link_speed=16",
	 "CXL links:\n"
	 "  mem0  0000:1e:01.1 - 0000:1f:00.0  16.0 GT/s x8  15.8 GB/s each way  "
	 "(could be 32.0 GT/s x16)\n"},
	/* without a port */
	{"spr,ports=1", "CXL links:\n  mem0  0000:1f:00.0  32.0 GT/s x16  63 GB/s each way\n"},
	{"venice", "CCMs (core complex masters) that count CXL traffic:\n  s0 ccm0   df 0  \n"},
	{"genoa", "CXL ports: no event that counts them is published\n"},
};

TEST_LOOP(test_cpus_units_links_and_ports_are_listed, COUNT(lists))
{
	show(lists[_i].spec);
	assert_contains(text, lists[_i].part);
}

TEST(test_units_of_one_type_and_socket_share_a_line_with_their_ids)
{
	show("spr,sockets=2,ports=3,chas=8");
	assert_contains(
		text,
		"socket 0 die 0  cha        8 x 4 counters of 48 bits in MSR and perf: 0-7\n");
	assert_contains(
		text,
		"socket 1 die 0  cxlcm      3 x 8 counters of 48 bits in memory and perf: 2,4,6\n");
	assert_lacks(text, "msr 0x");
}

TEST(test_each_unit_by_itself_comes_with_its_address)
{
	look("spr");
	print(true);
	assert_contains(text,
			"cha        1: 4 counters of 48 bits in MSR and perf, cpu 0 msr 0x2010, "
			"uncore_cha_1\n");
	assert_contains(text, "pci 0000:1e:0c.0 offset 0x438, uncore_m2m_0\n");
}

TEST(test_the_processor_its_pmu_and_what_was_left_out_are_shown)
{
	show("emr,cpus=4,invalid=1");
	assert_contains(text, "Emerald Rapids: GenuineIntel family 6 model 207 stepping 1\n");
	assert_contains(text, "simulated by cxlmon\n");
	assert_contains(text, "1, with 4 CPUs online\n");
	assert_contains(text, "version 5, 8 general counters of 48 bits, 4 fixed counters of 48 "
			      "bits, full-width writes\n");
	assert_contains(text, "1 (unknown access type)");
	assert_contains(text, "s0 p1   cxlcm 4    cxldp 5    pci 0000:20:00.0  memdev mem1  ");
}

TEST(test_a_port_whose_device_is_not_known_has_none)
{
	look("spr,ports=1");
	probe.machine.ports[0].device = NULL;
	print(false);
	assert_contains(text, "cxldp 3    pci -  memdev -  node -\n");
	assert_json(info, "ports.0.pci", "null");
	assert_json(info, "ports.0.memdev", "null");
	assert_json(info, "ports.0.node", "null");
	assert_json(info, "ports.0.memory_bytes", "null");
}

TEST(test_json_has_the_same_facts)
{
	show("gnr,sockets=2,ports=3,cpus=4");
	assert_json(info, "schema", "1");
	assert_json(info, "sockets", "2");
	assert_json(info, "cpus_online", "8");
	assert_json(info, "processor.model", "173");
	assert_json(info, "core_pmu.general_width_bits", "48");
	ck_assert_uint_eq(json_array_size(json_at(info, "discovery_tables")), 2);
	ck_assert_uint_eq(json_array_size(json_at(info, "units")),
			  probe.machine.discovery.unit_count);
	assert_json(info, "units.0.address", "\"0x2000\"");
	ck_assert_uint_eq(json_array_size(json_at(info, "ports")), 6);
	assert_json(info, "ports.5.socket", "1");
	assert_json(info, "ports.5.cxldp", "7");
	assert_json(info, "ports.5.memdev", "\"mem5\"");
	assert_json(info, "ports.5.node", "7");
	assert_json(info, "errors", "[]");
}

TEST(test_a_survey_writes_to_no_register)
{
	struct platform *untouched = sim_make("spr,clock=virtual");

	look("spr,clock=virtual");
	ck_assert_uint_eq(sim_state_hash(sim_of(probe.platform)),
			  sim_state_hash(sim_of(untouched)));
}

TEST(test_amd_s_units_counters_and_ports_are_shown)
{
	show("turin,sockets=2,cpus=8");
	assert_contains(text, "Turin: AuthenticAMD family 26 model 2 stepping 1\n");
	assert_contains(text, "Core PMU:  6 general counters of 48 bits\n");
	assert_contains(text, "Discovery: by CPUID\nUnits:\n");
	assert_contains(
		text,
		"  socket 0 die 0  df         1 x 16 counters of 48 bits in MSR and perf: 0\n"
		"  socket 0 die 0  l3         2 x 6 counters of 48 bits in MSR and perf: 0,1\n"
		"  socket 0 die 0  umc        4 x 4 counters of 48 bits in MSR and perf: 0-3\n"
		"  socket 1 die 0  df         1 x 16 counters of 48 bits in MSR and perf: 0\n"
		"  socket 1 die 0  l3         2 x 6 counters of 48 bits in MSR and perf: 0,1\n"
		"  socket 1 die 0  umc        4 x 4 counters of 48 bits in MSR and perf: 0-3\n"
		"CXL ports:\n"
		"  s0 p0   df 0  ");
	ck_assert_ptr_null(strstr(text, "Intel"));
}

TEST_LOOP(test_protocols_are_listed_and_flits_of_what_is_not_of_cxl_1, 2)
{
	show(_i ? "turin,ports=1" : "spr,ports=1,cpmu=1");
	assert_contains(text, _i ? "CXL protocols:\n  mem0  CXL.io, CXL.mem, flits of 68 bytes\n"
				 : "CXL protocols:\n  mem0  CXL.io, CXL.mem\n");
	assert_json(info, "links.0.protocols", "[\"io\",\"mem\"]");
	assert_json(info, "links.0.flit_bytes", _i ? "68" : "null");
}

TEST(test_the_health_of_devices_is_listed_in_words)
{
	show("spr,ports=1,temperature=93,life_used=7,health=34,corrected=1000");
	assert_contains(text,
			"Health of CXL devices:\n"
			"  mem0  performance degraded, temperature critical, 93 C, 7 % of its "
			"life used, ");
	assert_json(info, "health.0.memdev", "\"mem0\"");
	assert_json(info, "health.0.health", "34");
	assert_json(info, "health.0.text", "\"performance degraded, temperature critical\"");
	assert_json(info, "health.0.temperature_C", "93.0");
	assert_json(info, "health.0.life_used_pct", "7.0");
	ck_assert(json_is_integer(json_at(info, "health.0.corrected_errors")));
	assert_json(info, "health.1", NULL);
}

TEST(test_a_device_that_has_lost_its_data_is_not_fine)
{
	show("spr,ports=1,health=1536");
	assert_contains(text, "Health of CXL devices:\n  mem0  media data lost, 45 C, ");
	assert_json(info, "health.0.health", "1536");
	assert_json(info, "health.0.text", "\"media data lost\"");
}

TEST(test_errors_on_the_way_to_devices_are_listed)
{
	show("spr,ports=1");
	assert_contains(text, "Errors since boot from root port to CXL device:\n  mem0  0 "
			      "correctable, 0 nonfatal, 0 fatal\n");
	assert_json(info, "aer.0.memdev", "\"mem0\"");
	assert_json(info, "aer.0.correctable", "0");
}

TEST(test_a_device_that_does_not_tell_its_health_is_listed_with_the_reason)
{
	static struct ops_copy ops; /* used until tear_down() */

	look("spr,ports=1");
	ops_copy_init(&ops, probe.platform->ops);
	ops.cxl.health = NULL;
	ops.cxl.stats = NULL;
	probe.platform->ops = &ops.ops;
	print(false);
	assert_contains(text, "  mem0  unknown: the device does not report it\n");
	assert_contains(text, "  mem0  not visible to the kernel\n");
	assert_json(info, "health.0.error", "\"the device does not report it\"");
	assert_json(info, "health.0.health", NULL);
}

TEST(test_regions_and_what_firmware_promises_are_listed)
{
	show("spr,ports=2,ways=2,promised_bandwidth=30.5,promised_latency=250");
	assert_contains(text, "Memory, by firmware and kernel:\n"
			      "  node 0  read 120 GB/s  write 120 GB/s\n"
			      "  node 1  read 30.5 GB/s 250 ns  write 30.5 GB/s 250 ns\n"
			      "CXL regions:\n"
			      "  region0  node 1  ram  512 GiB  2 ways of 256 bytes  mem0, mem1\n");
	assert_json(info, "nodes.1.node", "1");
	assert_json(info, "nodes.1.read_MBps", "30500.0");
	assert_json(info, "nodes.1.memory_tier", "null");
	assert_json(info, "regions.0.interleave_ways", "2");
	assert_json(info, "regions.0.memdevs", "[\"mem0\",\"mem1\"]");
}

TEST(test_regions_whose_bytes_are_counted_are_listed_by_range)
{
	show("dmr,sockets=2,ports=1");
	assert_contains(text, "Memory regions, counted in 2 L3 domains:\n");
	assert_contains(
		text,
		"  0x100000000000-0x103fffffffff  node 0  region 0: DRAM  region 1: remote DRAM\n");
	assert_contains(text, "  region 2: CXL  region 3: remote CXL\n");
	assert_json(info, "memory_regions.l3_domains", "2");
	assert_json(info, "memory_regions.error", "null");
	assert_json(info, "memory_regions.ranges.0.base", "\"0x100000000000\"");
	assert_json(info, "memory_regions.ranges.0.node", "0");
	assert_json(info, "memory_regions.ranges.0.remote.region", "1");
	assert_json(info, "memory_regions.ranges.0.local.memory", "\"DRAM\"");
}

TEST(test_a_region_of_two_kinds_of_memory_is_not_known)
{
	show("dmr,regions=mixed");
	assert_contains(text, "Memory regions, counted in 1 L3 domain:\n");
	assert_contains(text, "  region 0: unknown  region 1: unknown\n");
}

TEST_LOOP(test_of_a_machine_without_tables_nothing_is_said, 2)
{
	show(_i ? "gnr" : "dmr,regions=none");
	assert_lacks(text, "Memory regions");
	assert_json(info, "memory_regions.l3_domains", "null");
	assert_json(info, "memory_regions.error", "null");
	assert_json(info, "memory_regions.ranges", "[]");
}

TEST(test_nodes_of_which_nothing_is_said_and_cpmus_that_are_not_there_are_not_listed)
{
	show("spr,ports=1");
	assert_lacks(text, "Memory, by firmware");
	assert_lacks(text, "CPMU");
	assert_contains(text, "CXL regions:\n  region0  node 1  ram  256 GiB  mem0\n");
}

TEST(test_json_has_the_same_facts_of_amd)
{
	show("venice,sockets=2");
	assert_json(info, "core_pmu.general_counters", "6");
	assert_json(info, "core_pmu.general_width_bits", "48");
	assert_json(info, "core_pmu.fixed_counters", "0");
	assert_json(info, "core_pmu.version", "null");
	assert_json(info, "discovery_tables", "[]");
	assert_json(info, "ports.31.scope", "\"ccm\"");
	assert_json(info, "ports.31.socket", "1");
	assert_json(info, "ports.31.port", "15");
	assert_json(info, "ports.31.df", "0");
	assert_json(info, "ports.31.cxlcm", "null");
	assert_json(info, "ports.32", NULL);
	assert_json(info, "units.0.address", "\"0xc0010240\"");
	assert_json(info, "units.0.perf", "\"amd_df\"");
	assert_json(info, "errors", "[]");
}

TEST(test_an_error_stands_where_the_fact_would)
{
	look("spr");
	probe.pmu = (struct core_pmu_info){0};
	error_set(&probe.pmu_error, ERROR_FAILED, -1, "no PMU today");
	probe.warning_count = 2;
	snprintf(probe.warnings[0], sizeof(probe.warnings[0]), "a unit is odd");
	snprintf(probe.warnings[1], sizeof(probe.warnings[1]), "a table is left out");
	print(false);
	assert_contains(text, "Core PMU:  unknown: no PMU today\n");
	assert_contains(text, "\n  a unit is odd\n  a table is left out\n");
	assert_json(info, "core_pmu", "null");
	assert_json(info, "errors", "[\"a unit is odd\",\"a table is left out\",\"no PMU today\"]");
}

TEST(test_a_processor_without_cpuid_is_named_as_the_kernel_names_it)
{
	show("arm,cpmu=1");
	assert_contains(text, "Processor: unknown processor, without CPUID\n");
	assert_contains(text, "Its name:  Arm processor, part 0xfff\n");
	assert_contains(text, "Core PMU:  unknown: cxlmon does not know the counters");
	assert_json(info, "processor.vendor", "null");
	assert_json(info, "processor.family", "null");
	assert_json(info, "processor.name", "\"Arm processor, part 0xfff\"");
	assert_json(info, "processor.known_as", "\"other\"");
}

TEST(test_cpmus_are_shown_with_what_they_can_count)
{
	show("spr,cpmu=1");
	assert_contains(
		text,
		"CPMUs of CXL devices:\n"
		"  mem0  cpmu 0  0000:1f:00.0  0x2800020000  6 counters of 48 bits (1 free-running, 1 "
		"fixed, 4 configurable), can be frozen, written while frozen; groups 25h "
		"(fixed), 00h, 20h, 21h, 24h, 25h, 8000h\n"
		"  mem1  cpmu 1  0000:20:00.0  0x2800120000  6 counters");
	assert_lacks(text, "PMU cxl_pmu");
	assert_json(info, "cpmus.1.memdev", "\"mem1\"");
	assert_json(info, "cpmus.1.address", "\"0x2800120000\"");
	assert_json(info, "cpmus.1.configurable", "4");
	assert_json(info, "cpmus.1.width_bits", "48");
	assert_json(info, "cpmus.1.can_freeze", "true");
	assert_json(info, "cpmus.1.writable", "true");
	assert_json(info, "cpmus.1.groups.2.group", "32");
	assert_json(info, "cpmus.1.groups.2.events", "1823");
	assert_json(info, "cpmus.1.id", "1");
	assert_json(info, "cpmus.1.pmu", "null");
	assert_json(info, "cpmus.2", NULL);
	assert_json(info, "cpmu_error", "null");
}

TEST(test_cpmus_are_shown_with_the_kernels_pmu)
{
	show("spr,cpmu=1,cxl_pmu=1");
	assert_contains(text, "groups 25h (fixed), 00h, 20h, 21h, 24h, 25h, 8000h; PMU "
			      "cxl_pmu_mem0.0\n");
	assert_json(info, "cpmus.1.pmu", "\"cxl_pmu_mem1.0\"");
}

TEST(test_why_a_cpmu_is_left_out_is_shown)
{
	look("spr");
	error_set(&probe.machine.cpmu_error, ERROR_FAILED, -ENXIO, "CPMU of mem7: no response");
	print(false);
	assert_contains(text, "  left out: CPMU of mem7: no response\n");
	assert_json(info, "cpmus", "[]");
	assert_json(info, "cpmu_error", "\"CPMU of mem7: no response\"");
}

TEST(test_without_a_cpmu_nothing_is_known_of_it)
{
	show("arm");
	assert_contains(text, "Processor: unknown: this processor (Arm processor, part 0xfff) is "
			      "not supported");
	assert_json(info, "processor", "null");
}
