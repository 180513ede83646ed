/* SPDX-License-Identifier: BSD-3-Clause */
/* CPMUs in a plan with units of the uncore: each is frozen by its own register. */
#include <inttypes.h>

#include "poller/pmu_state.h"
#include "sim_machine.h"
#include "tests/registers.h"
#include "uncore/devices/cpmus.h"
#include "uncore/units/cpmu.h"
#include "unit.h"

#define SPEC   "spr,sockets=2,cpus=2,ports=2,read=6.4,write=3.2,clock=virtual,cpmu=1"
#define SECOND UINT64_C(1000000000)
#define READS  UINT64_C(100000000) /* lines per second */
#define WRITES UINT64_C(50000000)

enum {
	MEM_DATA,
	MEM_RD,
	MEM_WR,
	CMP,
	CAS_READ,
	CAS_BOTH,
	TICKS,
	EVENTS, /* number of the events of every CPMU */
	OCCUPANCY_READ = EVENTS,
	OCCUPANCY,
	RESIDENCY_READ,
	RETRIES,
	THROTTLING,
	REQUESTS,
	CAS_WRITE,
	ALL_EVENTS
};

#define COUNTED(name, group, events, a_second)                                                     \
	{                                                                                          \
		{name, PMU_CPMU, .modifiers = CPMU_EVENT(0x1E98, group, events)}, a_second         \
	}

static const struct counted_event {
	struct event event;
	uint64_t a_second;
} all[ALL_EVENTS] = {
	[MEM_DATA] = COUNTED("mem_data", 0x25, 0x1, READS),
	[MEM_RD] = COUNTED("mem_rd", 0x20, 0x2, READS),
	[MEM_WR] = COUNTED("mem_wr", 0x21, 0x2, WRITES),
	[CMP] = COUNTED("cmp", 0x24, 0x1, WRITES),
	[CAS_READ] = COUNTED("cas_read", 0x8000, 0x4, READS),
	[CAS_BOTH] = COUNTED("cas", 0x8000, 0xC, READS + WRITES),
	[TICKS] = COUNTED("ticks", 0x00, 0x1, SECOND),
	[OCCUPANCY_READ] = COUNTED("occupancy_read", 0x8001, 0x1, 40 * READS),
	[OCCUPANCY] = COUNTED("occupancy", 0x8001, 0x4, 40 * READS + 24 * WRITES),
	[RESIDENCY_READ] = COUNTED("residency_read", 0x8002, 0x1, READS),
	[RETRIES] = COUNTED("retries", 0x8003, 0xF, 0),
	[THROTTLING] = COUNTED("throttling", 0x8004, 0x3, 0),
	[REQUESTS] = COUNTED("requests", 0x20, 0x102, READS + READS / 10),
	[CAS_WRITE] = COUNTED("cas_write", 0x8000, 0x8, WRITES),
};

static struct sim_machine m;
static struct plan plan;
static struct pmu_state pmu;
static struct error err;
static struct request requests[32];
static size_t request_count;

static void set_up(void)
{
	request_count = 0;
	sim_machine_open(&m, SPEC);
}

static void tear_down(void)
{
	pmu_state_free(&pmu);
	plan_free(&plan);
}

static void add(struct unit *unit, const struct event *event)
{
	ck_assert_ptr_nonnull(event);
	requests[request_count++] = (struct request){.unit = unit, .event = event};
}

static struct unit *cpmu_unit_of(size_t n)
{
	struct unit *unit = &m.machine.cpmus[n].unit;

	ck_assert_msg(!unit_open(&m.spy.base, unit, &err), "%s", err.text);
	return unit;
}

static void add_uncore(uint16_t type, const char *name)
{
	for (int socket = 0; socket < 2; socket++)
		add(sim_machine_unit(&m, socket, type, 0), model_event(m.machine.model, name));
}

static void start(enum freeze_policy policy)
{
	int rc = plan_make(&m.machine, requests, request_count, policy, &plan, &err);

	if (!rc)
		rc = pmu_state_init(&pmu, &plan, &err);
	if (!rc)
		rc = pmu_state_start(&pmu, &err);
	ck_assert_msg(!rc, "%s", err.text);
}

static void write_domains(bool frozen)
{
	for (size_t d = 0; d < plan.domain_count; d++) {
		const struct domain_state *domain = &pmu.domains[d];

		if (domain->freezes)
			ck_assert_int_eq(
				reg_write(&m.spy.base, &domain->control.reg,
					  frozen ? domain->control.stop : domain->control.start,
					  &err),
				0);
	}
}

static const struct counter *counter_of(size_t request)
{
	return &plan.counters[plan.counter_of_request[request]];
}

static uint64_t value_of(size_t request)
{
	uint64_t value;

	ck_assert_int_eq(reg_read(&m.spy.base, &counter_of(request)->reg, &value, &err), 0);
	return value;
}

FIXTURE(set_up, tear_down)

TEST(test_all_events_are_counted_at_once_on_counters_that_can)
{
	struct unit *unit = cpmu_unit_of(1);

	/* 7 events on 6 counters: all except one */
	for (unsigned e = 0; e < EVENTS; e++)
		if (e != CAS_BOTH)
			add(unit, &all[e].event);
	start(FREEZE_AUTO);
	ck_assert_uint_eq(plan.round_count, 1);
	ck_assert_uint_eq(counter_of(0)->reg.address, m.machine.cpmus[1].address + 0xC00);
	ck_assert(counter_of(EVENTS - 2)->free_running && !counter_of(0)->free_running);
	const uint64_t ticks = value_of(EVENTS - 2);
	write_domains(false);
	sim_machine_wait(&m, SECOND);
	write_domains(true);
	sim_machine_wait(&m, SECOND);
	for (unsigned e = 0; e < CAS_BOTH; e++)
		ck_assert_uint_eq(value_of(e), all[e].a_second);
	ck_assert_uint_eq(value_of(EVENTS - 2) - ticks, 2 * SECOND);
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
}

TEST(test_events_that_do_not_fit_take_turns)
{
	struct unit *unit = cpmu_unit_of(0);

	for (unsigned e = MEM_RD; e <= CAS_BOTH; e++)
		add(unit, &all[e].event);
	start(FREEZE_AUTO);
	ck_assert_uint_eq(plan.round_count, 2);
	write_domains(false);
	sim_machine_wait(&m, SECOND);
	write_domains(true);
	ck_assert_uint_eq(value_of(0), READS);
	ck_assert_int_eq(pmu_state_rotate(&pmu, 0, 1, &err), 0);
	write_domains(false);
	sim_machine_wait(&m, SECOND);
	write_domains(true);
	ck_assert_uint_eq(value_of(4), READS + WRITES);
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
}

static const struct {
	enum freeze_policy policy;
	/* a unit with MSRs, so that a socket is frozen by one write; NULL: none */
	const char *with;
} beside[] = {
	{FREEZE_AUTO, NULL},
	{FREEZE_AUTO, "UNC_CHA_CLOCKTICKS"},
	{FREEZE_UNITS, "UNC_CHA_CLOCKTICKS"},
	{FREEZE_NEVER, NULL},
	{FREEZE_NEVER, "UNC_CHA_CLOCKTICKS"},
	{FREEZE_ALWAYS, "UNC_CHA_CLOCKTICKS"},
};

TEST_LOOP(test_a_cpmu_is_frozen_by_its_own_register_beside_units_of_the_uncore, COUNT_OF(beside))
{
	const bool never = beside[_i].policy == FREEZE_NEVER;

	for (size_t n = 0; n < m.machine.cpmu_count; n++)
		add(cpmu_unit_of(n), &all[MEM_WR].event);
	add_uncore(PMU_CXLCM, "UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_REQ");
	if (beside[_i].with)
		add_uncore(PMU_CHA, beside[_i].with);
	const uint64_t before = sim_state_hash(m.sim);
	start(beside[_i].policy);
	for (size_t d = 0; d < plan.domain_count; d++) {
		const struct unit *unit = plan.units[plan.domains[d].first_unit].unit;
		const struct domain_state *domain = &pmu.domains[d];

		ck_assert(domain->freezes == !never);
		if (unit->type != PMU_CPMU)
			continue;
		ck_assert_uint_eq(plan.domains[d].unit_count, 1);
		ck_assert(never || domain->control.reg.address == unit->control + 0x18);
		ck_assert(unit_is_frozen(&m.spy.base, unit) == !never);
	}
	write_domains(false);
	sim_machine_wait(&m, SECOND);
	write_domains(true);
	for (size_t r = 0; r < request_count; r++)
		if (requests[r].unit->type != PMU_CHA)
			ck_assert_uint_eq(value_of(r), WRITES);
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), before);
}

/* Every kind of CPMU: each event that it can count, on the counters that it has, exactly. */

#define KIND "arm,cpus=2,ports=1,read=6.4,write=3.2,memspecrd=10,clock=virtual,cpmu_kind="

#define BIT(e) (1U << (e))
#define USUAL  (BIT(EVENTS) - 1) | BIT(REQUESTS) | BIT(CAS_WRITE)
#define CXL4                                                                                       \
	(BIT(OCCUPANCY_READ) | BIT(OCCUPANCY) | BIT(RESIDENCY_READ) | BIT(RETRIES) |               \
	 BIT(THROTTLING))

static const struct {
	const char *name;
	unsigned events[2]; /* events that each CPMU of the device can count; 0: no such CPMU */
	size_t rounds[2];   /* rounds that they need */
	bool stays;	    /* its counters cannot be restored: they continue to run */
	bool holds;	    /* a threshold of 1: a clock with several events counts once */
} kinds[] = {
	{"full", {USUAL}, {2}},
	{"fixed", {BIT(MEM_DATA) | BIT(MEM_WR) | BIT(CAS_READ) | BIT(CAS_WRITE)}, {1}},
	{"one", {(USUAL) & ~BIT(TICKS)}, {8}},
	{"readonly", {USUAL}, {2}, true},
	{"nofreeze", {USUAL}, {2}, true},
	{"overflow", {USUAL}, {2}},
	{"filters", {USUAL}, {2}},
	{"threshold", {USUAL}, {2}, false, true},
	{"cxl4", {USUAL | CXL4}, {2}},
	{"estimate", {(USUAL) & ~BIT(MEM_DATA)}, {2}},
	{"two",
	 {(USUAL) & ~(BIT(CAS_READ) | BIT(CAS_BOTH) | BIT(CAS_WRITE)),
	  BIT(CAS_READ) | BIT(CAS_BOTH) | BIT(CAS_WRITE) | BIT(TICKS)},
	 {2, 2}},
};

static void request_all(size_t n, unsigned expected)
{
	struct unit *unit = cpmu_unit_of(n);

	for (unsigned e = 0; e < ALL_EVENTS; e++) {
		ck_assert_msg(!unit_event_counters(unit, &all[e].event) == !(expected & BIT(e)),
			      "%s", all[e].event.name);
		if (expected & BIT(e))
			add(unit, &all[e].event);
	}
}

/* Counts for a second, and checks the counters of the current round. */
static void count_a_second(size_t u, size_t round, bool holds, unsigned *seen)
{
	const struct round *g = &plan.rounds[plan.units[u].first_round + round];
	uint64_t before[UNIT_MAX_COUNTERS];

	write_domains(false);
	for (size_t i = 0; i < g->counter_count; i++)
		ck_assert_int_eq(reg_read(&m.spy.base, &plan.counters[g->first_counter + i].reg,
					  &before[i], &err),
				 0);
	sim_machine_wait(&m, SECOND);
	for (size_t i = 0; i < g->counter_count; i++) {
		const struct counter *counter = &plan.counters[g->first_counter + i];
		const struct counted_event *counted = (const struct counted_event *)counter->event;
		uint64_t value;

		ck_assert_int_eq(reg_read(&m.spy.base, &counter->reg, &value, &err), 0);
		const bool sum = counted == &all[CAS_BOTH] || counted == &all[REQUESTS];
		ck_assert_msg((value - before[i]) % (counter->mask + 1) ==
				      (holds && sum ? READS : counted->a_second),
			      "%s: %" PRIu64, counted->event.name, value - before[i]);
		*seen |= BIT(counted - all);
	}
	write_domains(true);
}

/* Adds up controls: a counter's value cannot be restored if it is not written. */
static void keep_controls(void *context, const char *name, uint64_t value)
{
	uint64_t *sum = context;

	if (!strstr(name, " ctr"))
		*sum = *sum * 31 + value;
}

static uint64_t state(bool controls_alone)
{
	uint64_t sum = 0;

	if (!controls_alone)
		return sim_state_hash(m.sim);
	sim_for_each_state(m.sim, keep_controls, &sum);
	return sum;
}

TEST_LOOP(test_every_kind_counts_what_it_can_and_is_restored, COUNT_OF(kinds))
{
	char spec[128];
	unsigned seen[2] = {0};

	sim_machine_close(&m);
	snprintf(spec, sizeof(spec), KIND "%s", kinds[_i].name);
	sim_machine_open(&m, spec);
	ck_assert_uint_eq(m.machine.cpmu_count, kinds[_i].events[1] ? 2 : 1);
	for (size_t n = 0; n < m.machine.cpmu_count; n++)
		request_all(n, kinds[_i].events[n]);
	sim_machine_wait(&m, SECOND / 3);
	const uint64_t before = state(kinds[_i].stays);
	start(FREEZE_AUTO);
	ck_assert_uint_eq(plan.unit_count, m.machine.cpmu_count);
	for (size_t u = 0; u < plan.unit_count; u++) {
		const size_t n = plan.units[u].unit->id;

		ck_assert_uint_eq(plan.units[u].round_count, kinds[_i].rounds[n]);
		for (size_t g = 0; g < plan.units[u].round_count; g++) {
			count_a_second(u, g, kinds[_i].holds, &seen[n]);
			ck_assert(unit_controls_intact(
				&m.spy.base, plan.units[u].unit,
				plan.rounds[plan.units[u].first_round + g].controls));
			ck_assert_int_ge(pmu_state_rotate(&pmu, u,
							  (g + 1) % plan.units[u].round_count,
							  &err),
					 0);
		}
		ck_assert_uint_eq(seen[n], kinds[_i].events[n]);
	}
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
	ck_assert_uint_eq(state(kinds[_i].stays), before);
}

/* Writes a register, past the guard. */
static void write_register(const struct unit *unit, uint64_t offset, uint64_t value)
{
	struct platform *p = &m.spy.base;

	ck_assert_int_eq(raw_mmio_write(p, &unit->window, offset, 8, value), 0);
}

static uint64_t overflow_of(const struct unit *unit)
{
	uint64_t value;

	ck_assert_int_eq(raw_mmio_read(&m.spy.base, &unit->window, 0x10, 8, &value), 0);
	return value;
}

TEST(test_overflows_of_a_run_are_cleared_and_those_before_it_stay)
{
	sim_machine_close(&m);
	sim_machine_open(&m, KIND "overflow");
	struct unit *unit = cpmu_unit_of(0);

	for (unsigned e = MEM_DATA; e <= CAS_READ; e++)
		add(unit, &all[e].event);
	write_register(unit, 0x10, 0x09);
	ck_assert_uint_eq(overflow_of(unit), 0x34);
	const uint64_t before = sim_state_hash(m.sim);
	start(FREEZE_AUTO);
	ck_assert_uint_eq(plan.round_count, 1);
	for (unsigned e = MEM_DATA; e <= CAS_READ; e++)
		write_register(unit, counter_of(e)->reg.address - unit->control,
			       (UINT64_C(1) << 48) - WRITES / 2);
	write_domains(false);
	sim_machine_wait(&m, SECOND);
	write_domains(true);
	ck_assert_uint_eq(overflow_of(unit), 0x3D);
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
	ck_assert_uint_eq(overflow_of(unit), 0x34);
	ck_assert_uint_eq(sim_state_hash(m.sim), before);
}

/*
 * Restores a counter that was taken over: a simulated counter that is changed while it is enabled
 * counts nonsense.
 */
TEST(test_a_counter_that_is_taken_over_counts_on_for_its_owner)
{
	const uint64_t theirs = 0x102 | UINT64_C(2) << 24 | UINT64_C(2) << 59; /* MemRd */

	sim_machine_close(&m);
	sim_machine_open(&m, KIND "filters");
	m.machine.cpmus[0].unit.ownership = OWNERSHIP_FORCE;
	struct unit *unit = cpmu_unit_of(0);

	write_register(unit, 0x440, UINT64_MAX); /* without filters */
	for (unsigned i = 2; i < 6; i++)
		write_register(unit, 0x200 + 8 * i, theirs);
	for (unsigned e = MEM_RD; e <= CAS_BOTH; e++)
		add(unit, &all[e].event);
	const uint64_t before = sim_state_hash(m.sim);
	start(FREEZE_AUTO);
	ck_assert_uint_eq(plan.round_count, 2);
	for (size_t round = 0; round < 4; round++) {
		unsigned seen = 0;

		count_a_second(0, round % 2, false, &seen);
		ck_assert_int_eq(pmu_state_rotate(&pmu, 0, (round + 1) % 2, &err), 0);
	}
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), before);
	const struct reg counter = unit_counter(unit, 2);
	uint64_t first, last;
	ck_assert_int_eq(reg_read(&m.spy.base, &counter, &first, &err), 0);
	sim_machine_wait(&m, SECOND);
	ck_assert_int_eq(reg_read(&m.spy.base, &counter, &last, &err), 0);
	ck_assert_uint_eq(last - first, READS);
}

TEST(test_one_that_does_not_respond_is_left_out)
{
	sim_machine_close(&m);
	sim_machine_open(&m, "spr,ports=1,clock=virtual,cpmu_kind=silent");
	ck_assert_uint_eq(m.machine.cpmu_count, 0);
	ck_assert_int_eq(m.machine.cpmu_error.code, -ENXIO);
}
