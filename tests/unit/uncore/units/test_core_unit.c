/* SPDX-License-Identifier: BSD-3-Clause */
/* A CPU as a unit that other programs also use. */
#include "uncore/models/models.h"

#include "msr/core_pmu.h"
#include "platform/clock.h"
#include "platform/cpus.h"
#include "sim_monitor.h"
#include "uncore/units/core_unit.h"
#include "unit.h"

#define SPEC	 "spr,cpus=3,read=1,clock=virtual"
#define CPU	 2
#define GENERAL	 8
#define CYCLES	 (PERFEVTSEL_EN | PERFEVTSEL_OS | PERFEVTSEL_USR | 0x3C)
#define ALL_FREE UINT32_C(0x80FF000F) /* four fixed, eight general, the time stamp counter */

enum { INSTRUCTIONS, CYCLES_EVENT, REFERENCE, TSC, EVENTS };

static struct sim_monitor m;
static struct request requests[16];

static void set_up(void)
{
	sim_monitor_machine(&m, SPEC);
	machine_set_ownership(&m.machine, OWNERSHIP_SHARE);
}

static struct unit *open_cpu(void)
{
	struct unit *unit = &m.machine.cpus[CPU];

	ck_assert_msg(!unit_open(m.platform, unit, &m.err), "%s", m.err.text);
	return unit;
}

/* Controls that perf and similar programs leave: they count nothing. */
static const struct {
	uint32_t msr;
	uint64_t value;
} stale[] = {
	{IA32_PERFEVTSEL0, CYCLES & ~PERFEVTSEL_EN},
	{IA32_PERFEVTSEL0 + 1, 0xC0},
	{IA32_FIXED_CTR_CTRL, 0x888}, /* interrupts of counters that are off */
};

/* Plans these events of model_core(NULL)->events, as one group. */
static int plan_events(const unsigned *events, size_t count, enum freeze_policy freeze)
{
	struct unit *unit = open_cpu();

	for (size_t i = 0; i < count; i++)
		requests[i] = (struct request){
			.unit = unit, .event = &model_core(NULL)->events[events[i]], .group = 1};
	int rc = plan_make(&m.machine, requests, count, freeze, &m.plan, &m.err);

	return rc ? rc : pmu_state_init(&m.pmu, &m.plan, &m.err);
}

static const struct counter *counter_of(size_t request)
{
	return &m.plan.counters[m.plan.counter_of_request[request]];
}

FIXTURE(set_up, NULL)

TEST(test_a_cpu_is_a_unit_of_its_socket)
{
	const struct cpu_location place = {.cpu = 7, .socket = 1, .node = 1};
	struct unit unit = core_unit(&place);
	char name[UNIT_NAME_SIZE];

	ck_assert_uint_eq(unit.type, PMU_CORE);
	ck_assert_uint_eq(unit.cpu, 7);
	ck_assert_int_eq(unit.socket, 1);
	ck_assert(!unit.open);
	ck_assert_str_eq(unit_name(&unit, name), "socket 1 core 7");
}

TEST(test_an_idle_cpu_has_all_its_counters)
{
	const uint64_t hash = sim_state_hash(m.sim);

	ck_assert_uint_eq(open_cpu()->usable, ALL_FREE);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}

TEST(test_a_cpu_that_can_not_be_reached_is_not_opened)
{
	struct unit *unit = &m.machine.cpus[CPU];

	sim_set_msr_absent(m.sim, true);
	ck_assert_int_ne(unit_open(m.platform, unit, &m.err), 0);
	ck_assert_int_eq(m.err.kind, ERROR_PERMISSION);
	ck_assert(!unit->open);
	ck_assert_ptr_null(unit->core);
}

/* Counters that another program has enabled. */
static const struct {
	uint32_t msr;
	uint64_t value;
	uint32_t taken;
} busy[] = {
	{IA32_PERFEVTSEL0, CYCLES, 1 << CORE_COUNTER_GENERAL},
	{IA32_PERFEVTSEL0 + 3, CYCLES, 1 << (CORE_COUNTER_GENERAL + 3)},
	{IA32_PERFEVTSEL0 + 7, PERFEVTSEL_EN, 1 << (CORE_COUNTER_GENERAL + 7)},
	{IA32_FIXED_CTR_CTRL, 0x001, CORE_FIXED(0)},
	/* with interrupts, as the NMI watchdog sets it */
	{IA32_FIXED_CTR_CTRL, 0x0B0, CORE_FIXED(1)},
	{IA32_FIXED_CTR_CTRL, 0x300, CORE_FIXED(2)},
	{IA32_FIXED_CTR_CTRL, 0x3033, CORE_FIXED(0) | CORE_FIXED(1) | CORE_FIXED(3)},
};

TEST_LOOP(test_what_somebody_else_has_enabled_is_not_usable_and_the_rest_is, COUNT(busy))
{
	msr_poke(m.platform, CPU, busy[_i].msr, busy[_i].value);
	ck_assert_uint_eq(open_cpu()->usable, ALL_FREE & ~busy[_i].taken);
	/* other CPUs are not concerned */
	ck_assert_int_eq(unit_open(m.platform, &m.machine.cpus[0], &m.err), 0);
	ck_assert_uint_eq(m.machine.cpus[0].usable, ALL_FREE);
}

/* Other programs' registers keep their values, while we count and after. */
TEST_LOOP(test_nothing_of_what_somebody_else_has_enabled_changes, COUNT(busy))
{
	static const unsigned events[] = {INSTRUCTIONS, CYCLES_EVENT, TSC};
	const uint32_t msr = busy[_i].msr;

	msr_poke(m.platform, CPU, msr, busy[_i].value);
	ck_assert_int_eq(plan_events(events, 3, FREEZE_ALWAYS), 0);
	const uint64_t theirs = msr == IA32_FIXED_CTR_CTRL ? busy[_i].value : UINT64_MAX;
	const uint64_t enabled = msr_peek(m.platform, CPU, IA32_PERF_GLOBAL_CTRL);

	ck_assert_msg(!poller_new(&m.pmu, SECOND, &m.poller, &m.err), "%s", m.err.text);
	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	ck_assert_uint_eq(msr_peek(m.platform, CPU, msr) & theirs, busy[_i].value);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.counts[m.plan.counter_of_request[0]].events, 3750000000);
	ck_assert_uint_eq(m.sample.counts[m.plan.counter_of_request[1]].events, 3000000000);
	ck_assert_uint_eq(msr_peek(m.platform, CPU, msr) & theirs, busy[_i].value);
	ck_assert_uint_eq(msr_peek(m.platform, CPU, IA32_PERF_GLOBAL_CTRL), enabled);

	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(msr_peek(m.platform, CPU, msr), busy[_i].value);
	ck_assert_uint_eq(msr_peek(m.platform, CPU, IA32_PERF_GLOBAL_CTRL), enabled);
}

TEST(test_the_other_one_s_counter_misses_nothing_of_a_sample_that_stops_ours)
{
	static const unsigned events[] = {INSTRUCTIONS, CYCLES_EVENT};

	msr_poke(m.platform, CPU, IA32_PERFEVTSEL0, CYCLES);
	ck_assert_int_eq(plan_events(events, 2, FREEZE_ALWAYS), 0);
	sim_set_access_time(m.sim, 1000);
	ck_assert_msg(!poller_new(&m.pmu, SECOND, &m.poller, &m.err), "%s", m.err.text);
	const uint64_t before = msr_peek(m.platform, CPU, IA32_PMC0),
		       since = m.platform->ops->clock->now(m.platform);
	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	for (unsigned k = 0; k < 3; k++)
		sim_monitor_sample(&m);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	const uint64_t after = msr_peek(m.platform, CPU, IA32_PMC0);
	ck_assert_uint_eq(after - before, 3 * (m.platform->ops->clock->now(m.platform) - since));
}

static bool on_fixed(size_t request, unsigned n)
{
	return counter_of(request)->reg.address == IA32_FIXED_CTR0 + n;
}

static bool on_general(size_t request)
{
	const uint64_t address = counter_of(request)->reg.address;

	return address >= IA32_PMC0 && address < IA32_PMC0 + GENERAL;
}

TEST(test_fixed_counters_come_first)
{
	static const unsigned events[] = {INSTRUCTIONS, CYCLES_EVENT, REFERENCE, TSC};

	ck_assert_int_eq(plan_events(events, EVENTS, FREEZE_AUTO), 0);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert(on_fixed(i, i));
		ck_assert_uint_eq(counter_of(i)->mask, (UINT64_C(1) << 48) - 1);
	}
	ck_assert_uint_eq(counter_of(TSC)->reg.address, IA32_TIME_STAMP_COUNTER);
	ck_assert_uint_eq(counter_of(TSC)->mask, UINT64_MAX);
}

TEST_LOOP(test_an_event_whose_fixed_counter_is_taken_falls_back_to_a_general_one, 2)
{
	static const unsigned events[] = {INSTRUCTIONS, CYCLES_EVENT};

	msr_poke(m.platform, CPU, IA32_FIXED_CTR_CTRL, UINT64_C(3) << (4 * _i));
	ck_assert_int_eq(plan_events(events, 2, FREEZE_AUTO), 0);
	ck_assert(on_general((size_t)_i));
	ck_assert(on_fixed(!_i, !_i));
	ck_assert_msg(!poller_new(&m.pmu, SECOND, &m.poller, &m.err), "%s", m.err.text);
	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.counts[m.plan.counter_of_request[0]].events, 3750000000);
	ck_assert_uint_eq(m.sample.counts[m.plan.counter_of_request[1]].events, 3000000000);
}

TEST(test_general_counters_that_are_taken_are_passed_over)
{
	static const unsigned events[] = {INSTRUCTIONS};

	msr_poke(m.platform, CPU, IA32_FIXED_CTR_CTRL, 3);
	for (unsigned x = 0; x < 5; x++)
		msr_poke(m.platform, CPU, IA32_PERFEVTSEL0 + x, CYCLES);
	ck_assert_int_eq(plan_events(events, 1, FREEZE_AUTO), 0);
	ck_assert_uint_eq(counter_of(0)->reg.address, IA32_PMC0 + 5);
}

TEST(test_reference_cycles_can_not_be_counted_elsewhere)
{
	static const unsigned events[] = {CYCLES_EVENT, REFERENCE, TSC};

	msr_poke(m.platform, CPU, IA32_FIXED_CTR_CTRL, 0x300);
	ck_assert_int_eq(plan_events(events, 3, FREEZE_AUTO), -ENOSPC);
	ck_assert_int_eq(m.err.kind, ERROR_USAGE);
	ck_assert_ptr_nonnull(strstr(m.err.text, "ref-cycles"));
	ck_assert_ptr_nonnull(strstr(m.err.text, "core 2"));
}

TEST(test_where_everything_is_taken_only_the_time_stamp_counter_is_left)
{
	static const unsigned events[] = {TSC, INSTRUCTIONS};

	msr_poke(m.platform, CPU, IA32_FIXED_CTR_CTRL, 0x3333);
	for (unsigned x = 0; x < GENERAL; x++)
		msr_poke(m.platform, CPU, IA32_PERFEVTSEL0 + x, CYCLES);
	ck_assert_uint_eq(open_cpu()->usable, CORE_TSC);
	ck_assert_int_eq(plan_events(events, 2, FREEZE_AUTO), -ENOSPC);
	ck_assert_int_eq(plan_events(events, 1, FREEZE_AUTO), 0);
}

/* Registers as every perf run leaves them: with event numbers, and no counter enabled. */
TEST_LOOP(test_an_event_number_left_behind_is_nobody_s_use, 3)
{
	static const enum ownership ownerships[] = {OWNERSHIP_REFUSE, OWNERSHIP_SHARE,
						    OWNERSHIP_FORCE};
	static const unsigned events[] = {INSTRUCTIONS, CYCLES_EVENT, REFERENCE, TSC};

	for (size_t i = 0; i < COUNT(stale); i++)
		msr_poke(m.platform, CPU, stale[i].msr, stale[i].value);
	const uint64_t hash = sim_state_hash(m.sim);

	machine_set_ownership(&m.machine, ownerships[_i]);
	ck_assert_int_eq(plan_events(events, EVENTS, FREEZE_AUTO), 0);
	ck_assert_uint_eq(m.machine.cpus[CPU].usable, ALL_FREE);
	ck_assert_msg(!pmu_state_start(&m.pmu, &m.err), "%s", m.err.text);
	ck_assert_int_eq(pmu_state_restore(&m.pmu, &m.err), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
	ck_assert_uint_eq(m.warnings, 0); /* nothing was taken over */
}

TEST(test_only_counters_that_are_asked_for_are_looked_at)
{
	static const unsigned instructions[] = {INSTRUCTIONS};

	machine_set_ownership(&m.machine, OWNERSHIP_REFUSE);
	msr_poke(m.platform, CPU, IA32_FIXED_CTR_CTRL, 0x0B0); /* the NMI watchdog's cycles */
	msr_poke(m.platform, CPU, IA32_PERFEVTSEL0, CYCLES);
	ck_assert_int_eq(plan_events(instructions, 1, FREEZE_AUTO), 0);
	ck_assert_msg(!pmu_state_start(&m.pmu, &m.err), "%s", m.err.text);
	ck_assert_int_eq(pmu_state_restore(&m.pmu, &m.err), 0);
	ck_assert_uint_eq(msr_peek(m.platform, CPU, IA32_FIXED_CTR_CTRL), 0x0B0);
}

TEST(test_a_counter_that_is_asked_for_and_enabled_is_refused)
{
	static const unsigned events[] = {INSTRUCTIONS, CYCLES_EVENT};

	machine_set_ownership(&m.machine, OWNERSHIP_REFUSE);
	msr_poke(m.platform, CPU, IA32_FIXED_CTR_CTRL, 0x0B0);
	msr_poke(m.platform, CPU, IA32_PERFEVTSEL0, CYCLES);
	const uint64_t hash = sim_state_hash(m.sim);

	ck_assert_int_eq(plan_events(events, 2, FREEZE_AUTO), 0);
	ck_assert_int_eq(pmu_state_start(&m.pmu, &m.err), -EBUSY);
	ck_assert_int_eq(m.err.kind, ERROR_IN_USE);
	/* the requested counter is named, and not the other */
	ck_assert_ptr_nonnull(strstr(m.err.text, "0x200000000,"));
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}

TEST(test_every_model_has_the_core_s_events)
{
	for (const struct event *event = model_core(NULL)->events; event->name; event++) {
		ck_assert_uint_eq(event->type, PMU_CORE);
		ck_assert_ptr_eq(model_event(m.machine.model, event->name), event);
		ck_assert_ptr_nonnull(event->help);
	}
}
