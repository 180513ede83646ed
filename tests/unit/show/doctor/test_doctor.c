/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/doctor/doctor.h"

#include "fake_machine.h"
#include "msr/core_pmu.h"
#include "platform/cpus.h"
#include "platform/guard.h"
#include "platform/reg.h"
#include "tests/ops_copy.h"
#include "tests/register_kinds.h"
#include "tests/registers.h"
#include "tests/sim/faults.h"
#include "tests/sim/state.h"
#include "unit.h"

#define MOST_CHECKS 32

/* Counter controls of an EPYC's data fabric, L3 and CPU. */
#define ENABLE (UINT64_C(1) << 22)

static struct doctor doctor;
static struct check_result findings[MOST_CHECKS];
static struct doctor_verdict all;

static struct sim *sim(void)
{
	return sim_of(doctor.probe.platform);
}

static void leave(void *unused)
{
	(void)unused;
	if (doctor.probe.platform)
		probe_close(&doctor.probe);
	doctor.probe.platform = NULL;
}

/* Closes the previous machine, and opens this one until the end of the test. */
static void visit(const char *spec)
{
	struct error err;

	leave(NULL);
	at_end(leave, NULL);
	doctor = (struct doctor){.root = "/", .sim = spec};
	ck_assert_msg(!probe_open(spec, "/", &(struct log){.write = NULL}, &doctor.probe, &err),
		      "%s", err.text);
}

static void program(unsigned cpu, uint32_t msr, uint64_t value)
{
	struct platform *p = doctor.probe.platform;
	ck_assert_int_eq(raw_msr_write(p, cpu, msr, value), 0);
}

static void expect_status(enum error_kind kind)
{
	all = doctor_run(&doctor, findings);
	ck_assert_int_eq(all.kind, kind);
}

static const struct check_result *found(const char *name)
{
	for (size_t i = 0; doctor_checks[i]; i++)
		if (!strcmp(doctor_checks[i]->name, name))
			return &findings[i];
	ck_abort_msg("there is no check %s", name);
}

static void assert_found(const char *name, enum check_verdict verdict, const char *says,
			 const char *command)
{
	const struct check_result *f = found(name);

	ck_assert_int_eq(f->verdict, verdict);
	assert_contains(f->error.text, says);
	ck_assert_str_eq(f->error.command, command);
}

TEST(test_a_check_needs_only_checks_before_it)
{
	size_t count = 0;

	for (; doctor_checks[count]; count++)
		for (size_t n = 0; n < DOCTOR_NEEDS && doctor_checks[count]->needs[n]; n++) {
			size_t i = 0;

			while (i < count && doctor_checks[i] != doctor_checks[count]->needs[n])
				i++;
			ck_assert_msg(i < count, "%s needs %s", doctor_checks[count]->name,
				      doctor_checks[count]->needs[n]->name);
		}
	ck_assert_uint_le(count, MOST_CHECKS);
}

static const struct {
	const char *text, *command, *for_root, *command_for_root;
} advice[] = {
	{"the module is not loaded; to load it: sudo modprobe msr", "sudo modprobe msr",
	 "the module is not loaded; to load it: modprobe msr", "modprobe msr"},
	{"stop it (sudo kill 12)", "sudo kill 12", "stop it (kill 12)", "kill 12"},
	{"to allow writes: echo on | sudo tee a && sudo tee b", "",
	 "to allow writes: echo on | tee a && tee b", ""},
	{"missing (" ERROR_RUN_AS_ROOT "), or claimed", ERROR_COMMAND_AS_ROOT,
	 "missing (run it with all of root's capabilities), or claimed", "capsh --print"},
	{"pseudo code, sudo, or sudo - not a command", "cxlmon info",
	 "pseudo code, sudo, or sudo - not a command", "cxlmon info"},
};

TEST_LOOP(test_root_needs_no_sudo, COUNT_OF(advice))
{
	struct check_result f = {.verdict = VERDICT_FAIL};

	snprintf(f.error.text, sizeof(f.error.text), "%s", advice[_i].text);
	snprintf(f.error.command, sizeof(f.error.command), "%s", advice[_i].command);
	doctor_advise_root(&f, false);
	ck_assert_str_eq(f.error.text, advice[_i].for_root);
	ck_assert_str_eq(f.error.command, advice[_i].command_for_root);
}

static const char *const specs[] = {
	"spr,sockets=2,clock=virtual",	 "emr,clock=virtual",	"gnr,sockets=2,clock=virtual",
	"gnr-d,clock=virtual",		 "srf,clock=virtual",	"cwf,clock=virtual",
	"turin,sockets=2,clock=virtual", "venice,clock=virtual"};

/*
 * Tells if a check is skipped on simulated machines. Memory tiers are unknown. AMD has no discovery
 * tables. Intel's simulated devices are CXL 1.1 devices, whose ports are hidden.
 */
static bool not_done(const struct check *check)
{
	return !strcmp(check->name, "memory-tiers") ||
	       !strcmp(check->name,
		       doctor.probe.machine.model->units_by_cpuid ? "pci-config" : "cxl-links");
}

TEST_LOOP(test_nothing_is_wrong_with_a_simulated_machine, COUNT_OF(specs))
{
	visit(specs[_i]);
	expect_status(ERROR_NONE);
	for (size_t i = 0; doctor_checks[i]; i++) {
		const bool host = doctor_checks[i]->host_only;
		const bool skipped = host || not_done(doctor_checks[i]);

		ck_assert_msg(findings[i].verdict == (skipped ? VERDICT_SKIP : VERDICT_PASS),
			      "%s: %s", doctor_checks[i]->name, findings[i].error.text);
		if (host)
			ck_assert_str_eq(findings[i].error.text, "simulated");
	}
}

/* Health of the devices, and the finding. */
static const struct {
	const char *spec, *says;
	enum check_verdict verdict;
} healths[] = {
	{"spr,ports=1", "1 memory device reports that it is fine", VERDICT_PASS},
	{"spr,ports=2", "2 memory devices report that they are fine", VERDICT_PASS},
	{"spr,ports=1,health=1536", "mem0 reports: media data lost; see cxlmon info", VERDICT_WARN},
	{"spr,ports=2,health=512",
	 "mem0 reports: media not ready; and 1 other device; see cxlmon info", VERDICT_WARN},
	{"spr,ports=3,health=36",
	 "mem0 reports: to be replaced, temperature critical; and 2 other devices; see",
	 VERDICT_WARN},
};

TEST_LOOP(test_what_devices_say_of_themselves_is_found, COUNT_OF(healths))
{
	visit(healths[_i].spec);
	expect_status(ERROR_NONE);
	assert_found("cxl-health", healths[_i].verdict, healths[_i].says, "");
}

static const struct {
	const char *spec, *says;
	enum check_verdict verdict;
} regions[] = {
	{"dmr,sockets=2",
	 "2 L3 domains: -m region can be measured: regions 0 DRAM, 1 remote DRAM, 2 CXL, "
	 "3 remote CXL",
	 VERDICT_PASS},
	{"dmr,regions=none", "none: firmware has no ACPI table ERDT", VERDICT_PASS},
	{"dmr,regions=total", "L3 domain 0 counts all memory together", VERDICT_WARN},
};

TEST_LOOP(test_what_caches_count_by_region_is_found, COUNT_OF(regions))
{
	visit(regions[_i].spec);
	expect_status(ERROR_NONE);
	assert_found("regions", regions[_i].verdict, regions[_i].says, "");
}

TEST(test_a_device_that_says_nothing_of_itself_is_no_fault)
{
	static struct ops_copy without; /* used until the end of the test */

	visit("spr,ports=1");
	ops_copy_init(&without, doctor.probe.platform->ops);
	without.cxl.health = NULL;
	doctor.probe.platform->ops = &without.ops;
	expect_status(ERROR_NONE);
	assert_found("cxl-health", VERDICT_SKIP,
		     "mem0: cannot read its health: the device does not report it", "");
}

#define MEM0_CONFIGURATION 0x2800020210 /* configuration of the first counter that has one */

static void use_cpmu(void)
{
	struct platform *p = doctor.probe.platform;
	const uint64_t in_use = UINT64_C(0x1000000002000102);
	struct mmio_window window;

	ck_assert_int_eq(p->ops->registers->mmio_map(p, MEM0_CONFIGURATION, 8, true, &window, NULL),
			 0);
	ck_assert_int_eq(raw_mmio_write(p, &window, 0, 8, in_use), 0);
	p->ops->registers->mmio_unmap(p, &window);
}

static const char *const unknown_processors[] = {
	"intel,cpmu=1,clock=virtual", "amd,cpmu=1,clock=virtual", "arm,cpmu=1,clock=virtual"};

TEST_LOOP(test_an_unknown_processor_with_a_cpmu_is_a_warning, COUNT_OF(unknown_processors))
{
	visit(unknown_processors[_i]);
	expect_status(ERROR_NONE);
	assert_found("processor", VERDICT_WARN, "what CXL devices count themselves", "cxlmon info");
	assert_found("cpmus", VERDICT_PASS, "2 CXL devices' CPMUs respond", "");
	assert_found("discovery", VERDICT_BLOCKED, "no uncore unit of this processor is known", "");
	assert_found("msr-device", VERDICT_BLOCKED, "not needed", "");
	ck_assert(all.supports_processor);
	for (size_t i = 0; doctor_checks[i]; i++)
		ck_assert_msg(findings[i].verdict != VERDICT_FAIL, "%s: %s", doctor_checks[i]->name,
			      findings[i].error.text);
}

TEST(test_a_cpmu_that_does_not_respond_is_named)
{
	visit("arm,cpmu=1,clock=virtual");
	ck_assert_int_eq(sim_set_cpmu_dead(sim(), 0, true), 0);
	expect_status(ERROR_NONE);
	assert_found("cpmus", VERDICT_WARN, "mem0 cpmu 0", "");
	ck_assert_int_eq(sim_set_cpmu_dead(sim(), 1, true), 0);
	machine_close_units(&doctor.probe.machine);
	expect_status(ERROR_FAILED);
	assert_found("cpmus", VERDICT_FAIL, "mem0 cpmu 0", "");
}

TEST(test_without_a_cpmu_there_is_none)
{
	visit("spr,clock=virtual");
	expect_status(ERROR_NONE);
	assert_found("cpmus", VERDICT_PASS, "none", "");
}

TEST(test_a_cpmu_in_use_is_a_failure_only_where_nothing_else_counts)
{
	visit("spr,cpmu=1,clock=virtual");
	use_cpmu();
	expect_status(ERROR_NONE);
	assert_found("cpmus", VERDICT_WARN, "mem0 cpmu 0", UNIT_COMMAND_WHO_COUNTS);
	visit("arm,cpmu=1,clock=virtual");
	use_cpmu();
	expect_status(ERROR_IN_USE);
	assert_found("cpmus", VERDICT_FAIL, "mem0 cpmu 0", UNIT_COMMAND_WHO_COUNTS);
}

TEST_LOOP(test_nothing_is_written_to_any_register, COUNT_OF(specs))
{
	struct platform *untouched = sim_make(specs[_i]);
	const uint64_t state = sim_state_hash(sim_of(untouched));

	visit(specs[_i]);
	ck_assert_uint_eq(sim_state_hash(sim()), state);
	expect_status(ERROR_NONE);
	ck_assert_int_eq(all.writes, DOCTOR_WRITES_PERMITTED);
	ck_assert_uint_eq(sim_state_hash(sim()), state);
	/* with this, a write would also fail loudly */
	sim_set_writes_refused(sim(), true);
	expect_status(ERROR_PERMISSION);
	assert_found("msr-writes", VERDICT_FAIL, "the kernel refuses to write MSRs", "");
	ck_assert_int_eq(all.writes, DOCTOR_WRITES_REFUSED);
	ck_assert_uint_eq(sim_state_hash(sim()), state);
}

TEST(test_after_a_processor_that_is_not_supported_nothing_is_checked)
{
	static struct fake_machine fake;

	at_end(leave, NULL);
	fake_init(&fake);
	snprintf(fake.vendor, sizeof(fake.vendor), "CentaurHauls");
	doctor = (struct doctor){.root = "/", .sim = "spr", .probe.platform = &fake.base};
	machine_open(&fake.base, &doctor.probe.machine, &doctor.probe.machine_error);
	expect_status(ERROR_NO_UNIT);
	assert_found("processor", VERDICT_FAIL, "is not supported", "cxlmon --sim=spr");
	ck_assert(!all.supports_processor);
	for (size_t i = 1; doctor_checks[i]; i++)
		ck_assert_int_eq(findings[i].verdict, VERDICT_NOT_RUN);
}

TEST(test_a_counter_in_use_is_named_and_left_as_it_is)
{
	visit("spr,clock=virtual");
	program(0, SIM_CHA(0) + 3, 0x101);
	const uint64_t state = sim_state_hash(sim());
	expect_status(ERROR_IN_USE);
	assert_found("units-free", VERDICT_FAIL,
		     "socket 0 cha 0: counter 1 is in use (its control holds 0x101)",
		     UNIT_COMMAND_WHO_COUNTS);
	ck_assert_uint_eq(sim_state_hash(sim()), state);
	program(0, SIM_CHA(1) + 2, 0x101);
	expect_status(ERROR_IN_USE);
	assert_found("units-free", VERDICT_FAIL, "2 units are in use; first: socket 0 cha 0",
		     UNIT_COMMAND_WHO_COUNTS);
}

/* All registers of an EPYC are MSRs. */
TEST_LOOP(test_without_msrs_what_needs_them_is_skipped, 2)
{
	visit(_i ? "turin,clock=virtual" : "spr,clock=virtual");
	sim_set_msr_absent(sim(), true);
	expect_status(ERROR_PERMISSION);
	ck_assert_int_eq(found("msr-device")->verdict, VERDICT_FAIL);
	assert_found("units-free", VERDICT_BLOCKED, "needs msr-device", "");
	assert_found("freeze", VERDICT_BLOCKED, "needs msr-device", "");
	assert_found("core-counters", VERDICT_BLOCKED, "needs msr-device", "");
	if (_i)
		assert_found("cxl-units", VERDICT_BLOCKED, "needs msr-device", "");
	else
		ck_assert_int_eq(found("cxl-units")->verdict, VERDICT_PASS);
}

TEST(test_the_first_failure_in_the_table_decides_the_status)
{
	visit("spr,clock=virtual");
	sim_set_unit_dead(sim(), 0, PMU_CXLCM, 2, true);
	sim_set_unit_dead(sim(), 0, PMU_CXLCM, 4, true);
	program(0, SIM_CHA(0) + 2, 0x101);
	expect_status(ERROR_FAILED);
	ck_assert_int_eq(found("cxl-units")->verdict, VERDICT_FAIL);
	ck_assert_int_eq(found("units-free")->verdict, VERDICT_FAIL);
}

TEST(test_a_dead_unit_is_a_warning_as_long_as_another_port_answers)
{
	visit("gnr,clock=virtual");
	sim_set_unit_dead(sim(), 0, PMU_CXLDP, 3, true);
	expect_status(ERROR_NONE);
	assert_found("cxl-units", VERDICT_WARN, "1 of 2 ports are left out: socket 0 cxldp 3",
		     "sudo lspci -vv -d ::0502");
	assert_found("units-free", VERDICT_WARN,
		     "; 1 is left out: socket 0 cxldp 3: ", "sudo lspci -vv -d ::0502");
	sim_set_unit_dead(sim(), 0, PMU_CXLCM, 2, true);
	expect_status(ERROR_NONE);
	assert_found("units-free", VERDICT_WARN,
		     "; 2 are left out: socket 0 cxlcm 2, cxldp 3: ", "sudo lspci -vv -d ::0502");
	program(0, SIM_CHA(0) + 3, 0x101);
	expect_status(ERROR_IN_USE);
	assert_found("units-free", VERDICT_FAIL, "; 2 are left out: ", UNIT_COMMAND_WHO_COUNTS);
}

TEST(test_a_frozen_socket_comes_with_the_way_to_start_it)
{
	visit("spr,sockets=2,cpus=4,clock=virtual");
	program(4, SIM_FREEZE_MSR, 1);
	expect_status(ERROR_NONE);
	assert_found("freeze", VERDICT_WARN, "socket 1 is frozen", "sudo wrmsr -p 4 0x2ff0 0");
}

/* The freeze of the whole machine is not published, so cxlmon does not unfreeze it. */
TEST(test_a_frozen_machine_that_is_frozen_by_units_fails)
{
	visit("gnr,sockets=2,cpus=4,clock=virtual");
	program(4, SIM_FREEZE_MSR, 1);
	expect_status(ERROR_IN_USE);
	assert_found("freeze", VERDICT_FAIL, "socket 1 is frozen", "sudo wrmsr -p 4 0x2ff0 0");
}

TEST(test_core_counters_in_use_are_named)
{
	visit("gnr,cpus=4,clock=virtual");
	program(1, IA32_PERFEVTSEL0 + 2, PERFEVTSEL_EN | PERFEVTSEL_OS | 0xC0);
	program(1, IA32_FIXED_CTR_CTRL, 0x30);
	program(3, IA32_FIXED_CTR_CTRL, 0x30);
	expect_status(ERROR_NONE);
	assert_found("core-counters", VERDICT_WARN,
		     "counters of 2 CPUs are in use (cpu 1: fixed 1)", UNIT_COMMAND_WHO_COUNTS);
}

TEST(test_event_numbers_left_behind_and_counters_not_asked_for_are_no_use)
{
	visit("spr,cpus=4,clock=virtual");
	for (unsigned x = 0; x < 8; x++)
		program(0, IA32_PERFEVTSEL0 + x, PERFEVTSEL_OS | 0xC0);
	program(1, IA32_PERFEVTSEL0 + 7, PERFEVTSEL_EN | PERFEVTSEL_OS | 0xC0);
	program(2, IA32_FIXED_CTR_CTRL, 0x1888);
	expect_status(ERROR_NONE);
	assert_found("core-counters", VERDICT_PASS, "free", "");
}

static const struct {
	const char *spec, *check, *says;
	uint32_t msr;
} faults[] = {
	{"spr,clock=virtual", "freeze", "cpu 0 msr 0x2ff0: read failed", SIM_FREEZE_MSR},
	{"turin,clock=virtual", "cxl-units", "cpu 0 msr 0xc0010230: read failed", AMD_L3(0)},
};

TEST_LOOP(test_a_register_that_faults_is_a_failure, COUNT_OF(faults))
{
	visit(faults[_i].spec);
	sim_set_msr_fault(sim(), faults[_i].msr, -EIO);
	expect_status(ERROR_FAILED);
	assert_found(faults[_i].check, VERDICT_FAIL, faults[_i].says, "");
}

TEST(test_a_hypervisor_is_named)
{
	visit("spr,clock=virtual");
	sim_set_hypervisor(sim(), "KVMKVMKVM");
	expect_status(ERROR_NONE);
	assert_found("virtual-machine", VERDICT_WARN, "hypervisor KVMKVMKVM", "");
}

TEST(test_where_registers_may_not_be_written_the_kernel_counts)
{
	visit("spr,lockdown=integrity,clock=virtual");
	expect_status(ERROR_PERMISSION);
	ck_assert(all.uses_perf && all.perf_works && all.perf_is_complete);
	ck_assert_int_eq(all.writes, DOCTOR_WRITES_REFUSED);
	visit("spr,lockdown=integrity,paranoid=2,clock=virtual");
	expect_status(ERROR_PERMISSION);
	ck_assert(!all.uses_perf && !all.perf_works && !all.perf_is_complete);
}

TEST(test_memory_that_may_not_be_mapped_is_a_matter_of_rights)
{
	visit("spr,clock=virtual");
	sim_set_memory_denied(sim(), 0, UINT64_MAX / 2);
	expect_status(ERROR_PERMISSION);
	assert_found("cxl-units", VERDICT_FAIL, "cannot be mapped", "");
}

static const struct {
	const char *spec, *discovery, *ports, *units;
	enum check_verdict verdict;
	const char *command;
} of_amd[] = {
	{"turin,clock=virtual", "7 units, found by CPUID", "4 CXL master ports per socket",
	 "1 data fabric and 2 L3 caches respond", VERDICT_PASS, ""},
	{"venice,sockets=2,clock=virtual", "14 units, found by CPUID",
	 "CXL traffic is counted by CCM, 16 per socket", "2 data fabrics and 4 L3 caches respond",
	 VERDICT_PASS, ""},
	{"genoa,clock=virtual", "7 units, found by CPUID",
	 "no event is published that counts CXL bandwidth on Genoa; latency, dram and core "
	 "metrics work",
	 "1 data fabric and 2 L3 caches respond", VERDICT_WARN, "cxlmon -m latency,dram,core"},
};

TEST_LOOP(test_amd_is_described_in_its_own_words, COUNT_OF(of_amd))
{
	visit(of_amd[_i].spec);
	expect_status(ERROR_NONE);
	assert_found("pci-config", VERDICT_SKIP, "not needed: this processor has no discovery", "");
	assert_found("discovery", VERDICT_PASS, of_amd[_i].discovery, "");
	assert_found("cxl-ports", of_amd[_i].verdict, of_amd[_i].ports, of_amd[_i].command);
	assert_found("cxl-units", VERDICT_PASS, of_amd[_i].units, "");
	assert_found("freeze", VERDICT_PASS, "this processor has no freeze register", "");
	assert_found("core-counters", VERDICT_PASS, "free", "");
	for (size_t i = 0; doctor_checks[i]; i++)
		ck_assert_msg(!strcasestr(findings[i].error.text, "intel"), "%s",
			      findings[i].error.text);
}

static const struct {
	const char *spec;
	enum check_verdict verdict;
	const char *text, *command;
} metrics[] = {
	{"gnr,clock=virtual", VERDICT_PASS, "cxl, latency and dram are measured", ""},
	{"srf,clock=virtual", VERDICT_PASS,
	 "cxl, latency and dram are measured, except ddr_local_read_latency_ns (no event that "
	 "counts it is published for this processor)",
	 ""},
	{"genoa,clock=virtual", VERDICT_WARN,
	 "not measured here: cxl_mem_read_MBps, cxl_mem_write_MBps, cxl_cache_d2h_MBps, "
	 "cxl_cache_h2d_MBps (no event that counts it is published for this processor)",
	 "cxlmon list"},
	{"dmr,clock=virtual", VERDICT_WARN, "Diamond Rapids: no event list is published",
	 "cxlmon info"},
	{"intel,cpmu=1,clock=virtual", VERDICT_BLOCKED, DOCTOR_NO_UNCORE, ""},
};

TEST_LOOP(test_what_a_run_without_options_cannot_measure_is_said_with_the_reason, COUNT_OF(metrics))
{
	visit(metrics[_i].spec);
	doctor_run(&doctor, findings);
	assert_found("metrics", metrics[_i].verdict, metrics[_i].text, metrics[_i].command);
}

/* A run counts on the last ones: eight events of the data fabric, and all of an L3. */
TEST(test_of_amd_s_units_only_counters_that_a_run_would_use_must_be_free)
{
	visit("turin,clock=virtual");
	program(0, AMD_DF(0), ENABLE | 1);
	program(0, AMD_DF(15), 0x1F); /* left programmed */
	expect_status(ERROR_NONE);
	assert_found("units-free", VERDICT_PASS, "the 7 units that metrics need are free", "");
	program(0, AMD_DF(15), ENABLE | 0x1F);
	expect_status(ERROR_IN_USE);
	assert_found("units-free", VERDICT_FAIL,
		     "socket 0 df 0: counter 15 is in use (its control, MSR 0xc001025e, holds "
		     "0x40001f)",
		     UNIT_COMMAND_WHO_COUNTS);
	program(4, AMD_L3(5), ENABLE | 0x04);
	expect_status(ERROR_IN_USE);
	assert_found("units-free", VERDICT_FAIL, "2 units are in use; first: socket 0 df 0",
		     UNIT_COMMAND_WHO_COUNTS);
}

TEST(test_an_l3_that_another_run_of_cxlmon_holds_is_its)
{
	static struct journal_entry run = {.state = JOURNAL_RUNNING, .running_pid = 12};
	static struct undo_step steps[] = {
		{.reg = {.space = REG_MSR, .bytes = 8, .cpu = 5, .address = AMD_L3(5)},
		 .l3_scoped = true,
		 .condition = UNDO_IF_OURS,
		 .mask = UINT64_MAX}};

	visit("turin,clock=virtual");
	steps[0].l3 = doctor.probe.machine.topology.cpus[5].l3;
	run.journal.undo = (struct undo){.steps = steps, .count = 1};
	doctor.runs = &run;
	doctor.run_count = 1;
	program(4, AMD_L3(5), ENABLE | 0x04);
	expect_status(ERROR_IN_USE);
	assert_found("units-free", VERDICT_FAIL, "1 unit is in use by cxlmon (pid 12)", "");
	run.journal.serves = true;
	expect_status(ERROR_NONE);
	assert_found("units-free", VERDICT_PASS,
		     "1 unit is in use by cxlmon (pid 12), which serves it", "");
	program(0, AMD_DF(15), ENABLE | 0x1F);
	expect_status(ERROR_IN_USE);
	assert_found("units-free", VERDICT_FAIL, "in use; first: socket 0 df 0",
		     UNIT_COMMAND_WHO_COUNTS);
	program(0, AMD_DF(15), 0);
	program(4, AMD_L3(5), 0);
	program(0, AMD_L3(5), ENABLE | 0x04);
	expect_status(ERROR_IN_USE);
	assert_found("units-free", VERDICT_FAIL, "socket 0 l3 0: counter 5 is in use",
		     UNIT_COMMAND_WHO_COUNTS);
}

static const struct {
	uint64_t age_ns;
	enum check_verdict before, verdict;
	const char *says, *command;
} beats[] = {
	{500000000, VERDICT_PASS, VERDICT_PASS, "its last sample 0.5 s ago", ""},
	{60000000000, VERDICT_PASS, VERDICT_PASS, "its last sample 60.0 s ago", ""},
	{60000000001, VERDICT_PASS, VERDICT_WARN, "its last sample 60 s ago",
	 "sudo systemctl restart cxlmon"},
	{3600000000000, VERDICT_WARN, VERDICT_WARN, "its last sample 3600 s ago",
	 "sudo systemctl restart cxlmon"},
	{500000000, VERDICT_WARN, VERDICT_WARN, "of another run", "sudo cxlmon restore"},
};

TEST_LOOP(test_a_service_hangs_once_its_last_sample_is_older_than_a_minute, COUNT_OF(beats))
{
	const uint64_t now = UINT64_C(1767225600000000000);
	const struct journal_entry run = {.state = JOURNAL_RUNNING,
					  .journal = {.process.pid = 12, .serves = true},
					  .beat_ns = now - beats[_i].age_ns};
	struct check_result out;

	if (beats[_i].before == VERDICT_WARN)
		doctor_warn(&out, "sudo cxlmon restore", "of another run");
	else
		doctor_pass(&out, "no other cxlmon is running");
	doctor_report_service(&run, now, &out);
	ck_assert_int_eq(out.verdict, beats[_i].verdict);
	assert_contains(out.error.text, beats[_i].says);
	ck_assert_str_eq(out.error.command, beats[_i].command);
}

TEST(test_core_counters_of_amd_in_use_are_named)
{
	visit("turin,cpus=4,clock=virtual");
	program(1, AMD_CORE(0), ENABLE | 0xC0);
	program(2, AMD_CORE(5), 0xC0);
	expect_status(ERROR_NONE);
	assert_found("core-counters", VERDICT_PASS, "free", "");
	program(3, AMD_CORE(5), ENABLE | 0xC0);
	expect_status(ERROR_NONE);
	assert_found("core-counters", VERDICT_WARN,
		     "counters of 1 CPU are in use (cpu 3: general 5)", UNIT_COMMAND_WHO_COUNTS);
}

TEST(test_each_event_of_cpus_is_tried)
{
	visit("gnr,cpus=4,clock=virtual");
	expect_status(ERROR_NONE);
	assert_found("core-events", VERDICT_PASS, "the kernel counts all 25 events", "");
	ck_assert(all.core_works);
}

/* The die of this CHA has CPUs, but the kernel shows no PMU. */
TEST(test_units_on_which_the_kernel_does_not_count_need_no_die_without_cpus)
{
	visit("spr,chas=2,extra_chas=1,clock=virtual");
	expect_status(ERROR_NONE);
	assert_found("perf-units", VERDICT_WARN,
		     "the kernel counts on 42 of 43 units, and not on the others, as on a die "
		     "without an online CPU; first: socket 0 cha 2",
		     "");
}

TEST(test_without_events_of_cores_nothing_is_said_to_be_refused)
{
	visit("vera,clock=virtual");
	expect_status(ERROR_NONE);
	assert_found("core-events", VERDICT_SKIP, "cxlmon has no core metrics for this processor",
		     "");
	ck_assert(!all.core_works);
}

/* If the processor is supported, the checks of its CPUs have failed. */
TEST_LOOP(test_cores_of_a_processor_that_is_not_supported_are_tried, 2)
{
	char works[DOCTOR_WORKS_SIZE];

	visit("spr,clock=virtual");
	doctor_find_works(&doctor, &(const struct doctor_verdict){.supports_processor = _i}, works);
	ck_assert_str_eq(works, _i ? "cxlmon -m tiering,port,health, cxlmon who"
				   : "cxlmon -m tiering,port,health,core, cxlmon who");
}

TEST(test_a_guest_of_amd_is_told_what_is_hidden)
{
	struct platform *p = sim_make("turin,clock=virtual");

	sim_set_hypervisor(sim_of(p), "KVMKVMKVM");
	doctor = (struct doctor){.root = "/", .sim = "turin", .probe.platform = p};
	ck_assert_int_eq(machine_open(p, &doctor.probe.machine, &doctor.probe.machine_error), 0);
	doctor.probe.machine_error = doctor.probe.machine.uncore_error;
	doctor.probe.kernel_error.code = -ENODEV;
	expect_status(ERROR_NO_UNIT);
	assert_found("virtual-machine", VERDICT_WARN, "hypervisor KVMKVMKVM", "");
	assert_found("discovery", VERDICT_FAIL,
		     "CPUID shows no counters of the data fabric and of L3 caches (leaf 80000001h, "
		     "ECX bits 24 and 28); a virtual machine hides them: run cxlmon on the host",
		     "");
	assert_found("cxl-units", VERDICT_BLOCKED, "needs discovery", "");
	machine_close(&doctor.probe.machine);
}
