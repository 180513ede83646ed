/* SPDX-License-Identifier: BSD-3-Clause */
/* CPMUs on which the kernel counts, and CPMUs that are left to it. */
#include "uncore/devices/cpmus.h"

#include <math.h>
#include <signal.h>

#include "platform/clock.h"
#include "platform/guard.h"
#include "platform/perf.h"
#include "sim_monitor.h"
#include "uncore/units/cpmu.h"
#include "uncore/units/perf_unit.h"
#include "unit.h"

#define MACHINE "spr,cpus=2,ports=2,read=6.4,write=3.2,clock=virtual,cpmu=1"
#define REAL	MACHINE ",cxl_pmu=1,kernel=6.12"
#define FIXED	MACHINE ",cxl_pmu=1,kernel=7.3"
#define TURN_NS UINT64_C(4000000)      /* turn of each group that the kernel multiplexes */
#define BLOCK	UINT64_C(0x2800020000) /* address of mem0's block */

#define READS  UINT64_C(100000000) /* lines per second */
#define WRITES UINT64_C(50000000)

enum { MEM_DATA, MEM_RD, MEM_WR, CAS_BOTH, CMP, CAS_READ, NXM, EVENTS };

static const struct event events[EVENTS] = {
	[MEM_DATA] = {"mem_data", PMU_CPMU, .modifiers = CPMU_EVENT(0x1E98, 0x25, 0x1)},
	[MEM_RD] = {"mem_rd", PMU_CPMU, .modifiers = CPMU_EVENT(0x1E98, 0x20, 0x2)},
	[MEM_WR] = {"mem_wr", PMU_CPMU, .modifiers = CPMU_EVENT(0x1E98, 0x21, 0x2)},
	[CAS_BOTH] = {"cas", PMU_CPMU, .modifiers = CPMU_EVENT(0x1E98, 0x8000, 0xC)},
	[CMP] = {"cmp", PMU_CPMU, .modifiers = CPMU_EVENT(0x1E98, 0x24, 0x1)},
	[CAS_READ] = {"cas_read", PMU_CPMU, .modifiers = CPMU_EVENT(0x1E98, 0x8000, 0x4)},
	[NXM] = {"nxm", PMU_CPMU, .modifiers = CPMU_EVENT(0x1E98, 0x25, 0x2)},
};
static const uint64_t a_second[EVENTS] = {READS, READS, WRITES, READS + WRITES, WRITES, READS, 0};

static struct sim_monitor m;
static struct request requests[EVENTS];
static size_t request_count;

static void tear_down(void)
{
	sim_monitor_close(&m);
	m = (struct sim_monitor){.platform = NULL};
	request_count = 0;
}

static struct unit *unit_of(size_t n)
{
	struct unit *unit = &m.machine.cpmus[n].unit;

	ck_assert_msg(!unit_open(m.platform, unit, &m.err), "%s", m.err.text);
	return unit;
}

static const struct group_of_events {
	uint16_t id;
	uint32_t events;
} named[] = {{0x00, 0x1}, {0x8000, 0x7F}, {0x20, 0x71F}, {0x21, 0x16}, {0x24, 0x7}, {0x25, 0x3}};

static void assert_group(const struct cpmu *cpmu, const struct group_of_events *group)
{
	for (unsigned g = 0; g < cpmu->group_count; g++)
		if (cpmu->groups[g].vendor == 0x1E98 && cpmu->groups[g].id == group->id) {
			ck_assert_uint_eq(cpmu->groups[g].events, group->events);
			return;
		}
	ck_abort_msg("no group 0x%x", group->id);
}

FIXTURE(NULL, tear_down)

TEST(test_each_pmu_of_the_kernel_is_a_unit_of_its_device)
{
	char name[UNIT_NAME_SIZE];

	sim_monitor_perf_machine(&m, REAL);
	ck_assert_uint_eq(m.machine.cpmu_count, 2);
	for (unsigned i = 0; i < 2; i++) {
		const struct cpmu *cpmu = &m.machine.cpmus[i];

		ck_assert_ptr_eq(cpmu->device, &m.machine.devices[i]);
		ck_assert_uint_eq(cpmu->address, BLOCK + i * 0x100000);
		ck_assert_uint_eq(cpmu->counter_count, 6);
		ck_assert_int_eq(cpmu->unit.access, ACCESS_PERF);
		ck_assert_ptr_eq(cpmu->unit.cpmu, cpmu);
		ck_assert_str_eq(cpmu->unit.perf.pmu->name, cpmu->kernel_pmu);
	}
	ck_assert_str_eq(m.machine.cpmus[1].kernel_pmu, "cxl_pmu_mem1.0");
	ck_assert_str_eq(unit_name(&m.machine.cpmus[1].unit, name), "mem1 cpmu 1");
}

TEST(test_without_the_driver_the_kernel_counts_on_none)
{
	sim_monitor_perf_machine(&m, MACHINE);
	ck_assert_uint_eq(m.machine.cpmu_count, 0);
	ck_assert_int_eq(m.machine.cpmu_error.kind, ERROR_PERMISSION);
	ck_assert_str_eq(m.machine.cpmu_error.command, "sudo modprobe cxl_pmu");
}

/* By kernel and event: true if it is counted. */
TEST(test_a_driver_of_the_first_round_counts_nothing_else_on_configurable_counters)
{
	sim_monitor_perf_machine(&m, REAL);
	struct unit *unit = unit_of(0);
	for (unsigned e = 0; e < EVENTS; e++) {
		ck_assert_int_eq(unit_can_count(unit, &events[e]), e == MEM_DATA);
		ck_assert_uint_eq(unit_event_counters(unit, &events[e]), e == MEM_DATA ? 1 : 0);
		ck_assert_int_eq(cpmu_hides(unit->cpmu, &events[e]), e != MEM_DATA);
	}
	tear_down();
	sim_monitor_perf_machine(&m, FIXED);
	unit = unit_of(0);
	for (unsigned e = 0; e < EVENTS; e++)
		ck_assert(unit_can_count(unit, &events[e]) && !cpmu_hides(unit->cpmu, &events[e]));
	cpmus_report_driver(&m.machine);
	ck_assert_uint_eq(m.notes, 0);
}

TEST_LOOP(test_where_registers_cannot_be_read_groups_are_known_by_events_and_nothing_counts, 2)
{
	const struct log silent = {0};

	ck_assert_int_eq(platform_sim(_i ? FIXED : REAL, &silent, &m.platform, &m.err), 0);
	sim_set_memory_denied(sim_of(m.platform), BLOCK, 0x1000);
	ck_assert_msg(!machine_open_perf(m.platform, &m.machine, &m.err), "%s", m.err.text);
	ck_assert_uint_eq(m.machine.cpmu_count, 2);
	struct cpmu *cpmu = &m.machine.cpmus[0];
	ck_assert_ptr_eq(cpmu->device, &m.machine.devices[0]);
	ck_assert_uint_eq(cpmu->group_count, COUNT_OF(named));
	for (size_t g = 0; g < COUNT_OF(named); g++)
		assert_group(cpmu, &named[g]);
	ck_assert_int_eq(unit_open(m.platform, &cpmu->unit, &m.err), -ENOTSUP);
	ck_assert_int_eq(m.err.kind, ERROR_PERMISSION);
	assert_contains(m.err.text,
			_i ? "mem0 cpmu 0: this kernel's driver cxl_pmu may count other "
			     "events"
			   : "mem0 cpmu 0: this kernel's driver cxl_pmu counts events "
			     "of a device's first group");
	assert_contains(m.err.text, "cannot be read: unload the driver (sudo modprobe -r cxl_pmu)");
	ck_assert(!unit_can_count(&cpmu->unit, &events[MEM_DATA]));
	ck_assert(cpmu_hides(cpmu, &events[MEM_DATA]));
	ck_assert_int_eq(unit_open(m.platform, &m.machine.cpmus[1].unit, &m.err), 0);
}

TEST(test_to_unload_a_driver_that_counts_rightly_is_no_advice)
{
	sim_monitor_machine(&m, FIXED);
	ck_assert_int_eq(unit_open(m.platform, &m.machine.cpmus[0].unit, &m.err), -EBUSY);
	ck_assert_str_eq(m.err.text, "mem0 cpmu 0: the kernel's driver cxl_pmu counts on it (PMU "
				     "cxl_pmu_mem0.0); --backend=perf counts through it");
	ck_assert_str_eq(m.err.command, "sudo cxlmon --backend=perf");
}

TEST(test_registers_of_one_that_the_kernel_counts_on_are_only_read)
{
	sim_monitor_machine(&m, REAL);
	struct unit *unit = &m.machine.cpmus[0].unit;
	ck_assert_int_eq(unit_open(m.platform, unit, &m.err), -EBUSY);
	ck_assert_int_eq(m.err.kind, ERROR_IN_USE);
	assert_contains(m.err.text, "mem0 cpmu 0: the kernel's driver cxl_pmu counts on it (PMU "
				    "cxl_pmu_mem0.0)");
	assert_contains(m.err.text, "--backend=perf counts through it, but this kernel's driver");
	ck_assert_str_eq(m.err.command, "sudo modprobe -r cxl_pmu");
	struct reg reg = {.space = REG_MMIO, .bytes = 8, .address = BLOCK};
	uint64_t value;
	ck_assert_int_eq(machine_map_register(&m.machine, &reg, &m.err), 0);
	ck_assert_int_eq(reg_read(m.platform, &reg, &value, &m.err), 0);
	ck_assert_uint_eq(value & 0x3F, 5);
	ck_assert_int_eq(reg_write(m.platform, &reg, value, &m.err), -EACCES);
}

static void prepare(const char *spec, unsigned first, unsigned last, uint64_t interval_ns)
{
	sim_monitor_perf_machine(&m, spec);
	for (unsigned e = first; e <= last; e++)
		requests[request_count++] =
			(struct request){.unit = unit_of(0), .event = &events[e]};
	sim_monitor_poller(&m, requests, request_count, .perf = true, .freeze = FREEZE_NEVER,
			   .interval_ns = interval_ns);
}

static void begin(void)
{
	ck_assert_msg(!sim_monitor_begin(&m), "%s", m.err.text);
}

static void start(const char *spec, unsigned first, unsigned last)
{
	prepare(spec, first, last, 0);
	begin();
}

/* Returns events per second; NAN: unknown. */
static double rate_of(const char *event)
{
	const struct count *count = sim_monitor_count(&m, &m.machine.cpmus[0].unit, event);

	return count->known ? (double)count->events * 1e9 / (double)count->time_running : NAN;
}

TEST(test_the_kernel_counts_what_the_device_counts)
{
	start(FIXED, MEM_DATA, CMP);
	ck_assert_uint_eq(m.plan.round_count, 1);
	for (unsigned n = 0; n < 3; n++) {
		sim_monitor_sample(&m);
		for (unsigned e = MEM_DATA; e <= CMP; e++)
			ck_assert_double_eq_tol(rate_of(events[e].name), (double)a_second[e], 1);
		ck_assert_int_eq(m.trouble.code, 0);
	}
}

TEST(test_groups_that_take_turns_stay_right)
{
	start(FIXED, MEM_DATA, NXM);
	ck_assert_uint_eq(m.plan.round_count, 2);
	for (unsigned n = 0; n < 3; n++)
		sim_monitor_sample(&m);
	for (unsigned e = MEM_DATA; e <= NXM; e++)
		ck_assert_double_eq_tol(rate_of(events[e].name), (double)a_second[e],
					(double)READS / 1e3);
	ck_assert_int_eq(m.trouble.code, 0);
}

/* A counter holds an additional event, for example from another run. */
TEST(test_what_registers_do_not_confirm_is_not_shown)
{
	start(FIXED, MEM_RD, MEM_WR);
	sim_monitor_sample(&m);
	ck_assert_double_eq_tol(rate_of("mem_rd"), READS, 1);
	const uint64_t held = memory_peek(m.platform, BLOCK + 0x210, 8);
	memory_poke(m.platform, BLOCK + 0x210, 8, held | UINT64_C(4) << 24);
	sim_monitor_sample(&m);
	ck_assert_double_nan(rate_of("mem_rd"));
	ck_assert_double_nan(rate_of("mem_wr"));
	ck_assert_int_eq(m.trouble.code, 0);
	sim_monitor_sample(&m);
	ck_assert_double_nan(rate_of("mem_rd"));
	assert_contains(m.trouble.text,
			"mem0 cpmu 0: the registers show that the kernel counts other "
			"events than those asked for");
	/* counts until it is intact again are unknown, even if the control held only briefly */
	memory_poke(m.platform, BLOCK + 0x210, 8, held & ~UINT64_C(0x100));
	memory_poke(m.platform, BLOCK + 0x210, 8, held);
	sim_monitor_sample(&m);
	ck_assert_double_nan(rate_of("mem_rd"));
	sim_monitor_sample(&m);
	ck_assert_double_eq_tol(rate_of("mem_rd"), READS, 1);
	ck_assert_double_eq_tol(rate_of("mem_wr"), (double)WRITES, 1);
}

/* The driver lifts only the first filter. */
TEST(test_what_is_counted_with_a_filter_is_not_shown)
{
	start(FIXED ",cpmu_kind=filters", MEM_RD, MEM_WR);
	for (unsigned n = 0; n < 2; n++) {
		sim_monitor_sample(&m);
		ck_assert_double_nan(rate_of("mem_rd"));
	}
	assert_contains(m.trouble.text,
			"mem0 cpmu 0: the registers show that the kernel counts other events");
}

/* Adds another program's event: the kernel changes turns on the only counter every 4 ms. */
static int add_rival(void)
{
	struct perf_event rival;

	ck_assert_int_eq(perf_unit_encode(unit_of(0), &events[MEM_WR], &rival, &m.err), 0);
	const int handle = m.platform->ops->perf->open(m.platform, &rival);
	ck_assert_int_ge(handle, 0);
	ck_assert_int_eq(m.platform->ops->perf->enable(m.platform, handle, true), 0);
	return handle;
}

/* An odd number of turns per sample: at every other sample the rival has the counter. */
TEST(test_a_group_that_waits_is_not_taken_for_one_that_miscounts)
{
	unsigned missed = 0;

	prepare(FIXED ",cpmu_kind=one", MEM_RD, MEM_RD, TURN_NS * 251);
	begin();
	sim_monitor_sample(&m);
	add_rival();
	for (unsigned n = 0; n < 8; n++) {
		sim_monitor_sample(&m);
		missed += m.events.groups[0].misses;
		ck_assert_double_eq_tol(rate_of("mem_rd"), READS, 1);
		ck_assert_int_eq(m.trouble.code, 0);
	}
	ck_assert_uint_eq(missed, 4);
}

/* An even number of turns: at every sample the rival has the counter. One miss may pass. */
TEST(test_of_a_group_that_waits_whenever_it_is_looked_at_nothing_is_known)
{
	int signal_number;
	sigset_t none;

	sigemptyset(&none);
	prepare(FIXED ",cpmu_kind=one", MEM_RD, MEM_RD, TURN_NS * 250);
	begin();
	ck_assert_int_eq(m.platform->ops->clock->sleep_until(
				 m.platform, m.platform->ops->clock->now(m.platform) + TURN_NS,
				 &none, &signal_number),
			 0);
	const int rival = add_rival();
	sim_monitor_sample(&m);
	ck_assert_double_eq_tol(rate_of("mem_rd"), READS, 1);
	ck_assert_int_eq(m.trouble.code, 0);
	sim_monitor_sample(&m);
	ck_assert_double_nan(rate_of("mem_rd"));
	assert_contains(m.trouble.text,
			"mem0 cpmu 0: the kernel has no counter free for its events");
	ck_assert_int_eq(m.platform->ops->perf->enable(m.platform, rival, false), 0);
	sim_monitor_sample(&m);
	ck_assert_double_nan(rate_of("mem_rd"));
	sim_monitor_sample(&m);
	ck_assert_double_eq_tol(rate_of("mem_rd"), READS, 1);
}

#define LIMITED "spr,cpmu=1,cxl_pmu=1,kernel=6.12,ports="

static const struct {
	const char *spec, *end;
} limited[] = {
	{LIMITED "1", "(sudo modprobe -r cxl_pmu)"},
	{LIMITED "2", "(sudo modprobe -r cxl_pmu); so with 1 other"},
	{LIMITED "3", "(sudo modprobe -r cxl_pmu); so with 2 others"},
};

TEST_LOOP(test_the_limits_of_the_driver_are_noted_once_for_all, COUNT_OF(limited))
{
	sim_monitor_perf_machine(&m, limited[_i].spec);
	for (size_t i = 0; i < m.machine.cpmu_count; i++)
		unit_of(i);
	ck_assert_uint_eq(m.notes, 0);
	cpmus_report_driver(&m.machine);
	ck_assert_uint_eq(m.notes, 1);
	assert_contains(m.note,
			"mem0 cpmu 0: this kernel's driver cxl_pmu counts only events of the "
			"device's first group (vid=0x1e98,gid=0x25) and of fixed-function");
	ck_assert_str_eq(strstr(m.note, "(sudo "), limited[_i].end);
}
