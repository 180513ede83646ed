/* SPDX-License-Identifier: BSD-3-Clause */
/* Events that form a round of a unit, and the rotation of rounds. */

#include "formula/formulas.h"
#include "platform/guard.h"
#include "poller/pmu_state.h"
#include "sim_machine.h"
#include "sim_registers.h"
#include "unit.h"

EACH_IN_A_PROCESS

#define SPR	     "spr,sockets=2,cpus=2,ports=2,clock=virtual"
#define TRAFFIC	     "read=8,write=8,full=5,dram_read=8"
#define MAX_REQUESTS 128
#define MS	     UINT64_C(1000000) /* ns */

#define TX_DATA	     "UNC_CXLCM_TxC_PACK_BUF_INSERTS.MEM_DATA"
#define TX_REQ	     "UNC_CXLCM_TxC_PACK_BUF_INSERTS.MEM_REQ"
#define RX_DATA	     "UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_DATA"
#define RX_REQ	     "UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_REQ"
#define RX_CACHE     "UNC_CXLCM_RxC_PACK_BUF_INSERTS.CACHE_DATA"
#define RX_FULL_DATA "UNC_CXLCM_RxC_PACK_BUF_FULL.MEM_DATA"
#define RX_FULL_REQ  "UNC_CXLCM_RxC_PACK_BUF_FULL.MEM_REQ"
#define CLOCK	     "UNC_CXLCM_CLOCKTICKS"

static const char *const nine_rx[] = {
	RX_DATA,
	RX_REQ,
	RX_CACHE,
	RX_FULL_DATA,
	RX_FULL_REQ,
	"UNC_CXLCM_RxC_PACK_BUF_NE.MEM_DATA",
	"UNC_CXLCM_RxC_PACK_BUF_NE.MEM_REQ",
	"UNC_CXLCM_RxC_FLITS.VALID",
	"UNC_CXLCM_RxC_FLITS.PROT",
};

static struct sim_machine m;
static struct plan plan;
static struct pmu_state pmu;
static struct error err;
static struct request requests[MAX_REQUESTS];
static size_t request_count;

static void tear_down(void)
{
	pmu_state_free(&pmu);
	plan_free(&plan);
}

static void add_event(struct unit *unit, const struct event *event, unsigned group)
{
	ck_assert_uint_lt(request_count, MAX_REQUESTS);
	ck_assert_ptr_nonnull(event);
	requests[request_count++] = (struct request){.unit = unit, .event = event, .group = group};
}

static void add(int socket, uint16_t type, unsigned nth, const char *name, unsigned group)
{
	add_event(sim_machine_unit(&m, socket, type, nth), model_event(m.machine.model, name),
		  group);
}

static void add_to_first_cxlcm(const char *const *names, int count, unsigned group)
{
	for (int i = 0; i < count; i++)
		add(0, PMU_CXLCM, 0, names[i], group);
}

static void make(enum freeze_policy policy)
{
	int rc = plan_make(&m.machine, requests, request_count, policy, &plan, &err);

	rc = rc ? rc : pmu_state_init(&pmu, &plan, &err);
	ck_assert_msg(rc == 0, "%s", err.text);
}

static const struct counter *counter_of(size_t request)
{
	return &plan.counters[plan.counter_of_request[request]];
}

/* Returns the round of the request's counter, among all of the plan. */
static size_t round_of(size_t request)
{
	const size_t counter = plan.counter_of_request[request];

	for (size_t g = 0; g < plan.round_count; g++)
		if (counter >= plan.rounds[g].first_counter &&
		    counter < plan.rounds[g].first_counter + plan.rounds[g].counter_count)
			return g;
	ck_abort_msg("request %zu is in no round", request);
}

static unsigned number_of(const struct counter *counter)
{
	const struct unit *unit = plan.units[counter->unit].unit;

	for (unsigned i = 0; i < unit->counters; i++)
		if (unit_counter(unit, i).address == counter->reg.address)
			return i;
	ck_abort_msg("%s has no counter", counter->event->name);
}

/* Returns true for a counter of the uncore clock that the plan has added. */
static bool is_clock(const struct plan_unit *pu, uint64_t control)
{
	return pu->unit->type == PMU_CXLDP && control == 0x0101;
}

/* Checks that each event of a round is on a counter of its own that it may use. */
static void assert_valid(void)
{
	size_t counters = 0, rounds = 0;

	for (size_t u = 0; u < plan.unit_count; u++) {
		const struct plan_unit *pu = &plan.units[u];

		ck_assert_uint_eq(pu->first_counter, counters);
		ck_assert_uint_eq(pu->first_round, rounds);
		ck_assert_uint_lt(pu->starting_round, pu->round_count);
		for (size_t g = rounds; g < rounds + pu->round_count; g++) {
			const struct round *round = &plan.rounds[g];
			uint32_t used = 0;

			ck_assert_uint_eq(round->first_counter, counters);
			ck_assert_uint_gt(round->counter_count, 0);
			for (; counters < round->first_counter + round->counter_count; counters++) {
				const struct counter *counter = &plan.counters[counters];
				const uint32_t bit = UINT32_C(1) << number_of(counter);

				ck_assert_uint_eq(counter->unit, u);
				ck_assert(counter->event->counters & pu->unit->usable & bit);
				ck_assert(!(used & bit));
				used |= bit;
				ck_assert_uint_eq(round->controls[number_of(counter)],
						  event_control(counter->event));
			}
			for (unsigned i = 0; i < UNIT_MAX_COUNTERS; i++)
				ck_assert(used >> i & 1 || !round->controls[i] ||
					  is_clock(pu, round->controls[i]));
		}
		rounds += pu->round_count;
	}
	ck_assert_uint_eq(counters, plan.counter_count);
	ck_assert_uint_eq(rounds, plan.round_count);
	for (size_t i = 0; i < request_count; i++) {
		ck_assert_ptr_eq(counter_of(i)->event, requests[i].event);
		ck_assert_ptr_eq(plan.units[counter_of(i)->unit].unit, requests[i].unit);
	}
}

/* Rounds. */

FIXTURE(NULL, tear_down)

TEST(test_nine_rx_events_are_three_rounds)
{
	sim_machine_open(&m, SPR);
	add_to_first_cxlcm(nine_rx, 9, 0);
	make(FREEZE_AUTO);
	assert_valid();
	ck_assert_uint_eq(plan.round_count, 3);
	ck_assert_uint_eq(plan.max_rounds, 3);
	/* with the clock of each round, on one of the counters for sent data */
	ck_assert_uint_eq(plan.counter_count, 9 + 3);
	ck_assert_uint_eq(plan.rounds[0].counter_count, 4 + 1);
	ck_assert_uint_eq(plan.rounds[1].counter_count, 4 + 1);
	ck_assert_uint_eq(plan.rounds[2].counter_count, 1 + 1);
	for (size_t g = 0; g < 3; g++)
		ck_assert_str_eq(plan.counters[plan.rounds[g].clock_counter].event->name, CLOCK);
}

TEST(test_events_on_other_counters_need_no_further_round)
{
	sim_machine_open(&m, SPR);
	add_to_first_cxlcm(nine_rx, 9, 0);
	add(0, PMU_CXLCM, 0, TX_DATA, 0);
	add(0, PMU_CXLCM, 0, TX_REQ, 0);
	add(0, PMU_CXLCM, 0, CLOCK, 0);
	make(FREEZE_AUTO);
	assert_valid();
	ck_assert_uint_eq(plan.round_count, 3);
	for (size_t i = 9; i < request_count; i++)
		ck_assert_uint_eq(round_of(i), 0);
}

TEST(test_each_unit_has_as_many_rounds_as_it_needs)
{
	sim_machine_open(&m, SPR);
	add(0, PMU_CXLDP, 0, "UNC_CXLDP_TxC_AGF_INSERTS.M2S_DATA", 0);
	add_to_first_cxlcm(nine_rx, 9, 0);
	for (int i = 0; i < 5; i++)
		add(1, PMU_CXLCM, 1, nine_rx[i], 0);
	make(FREEZE_AUTO);
	assert_valid();
	ck_assert_uint_eq(plan.unit_count, 3);
	ck_assert_uint_eq(plan.round_count, 6);
	ck_assert_uint_eq(plan.max_rounds, 3);
}

TEST(test_equal_requests_share_a_counter_over_rounds)
{
	sim_machine_open(&m, SPR);
	for (int n = 0; n < 3; n++)
		add_to_first_cxlcm(nine_rx, 9, 0);
	make(FREEZE_AUTO);
	ck_assert_uint_eq(plan.counter_count, 9 + 3);
	for (size_t i = 9; i < request_count; i++)
		ck_assert_uint_eq(plan.counter_of_request[i], plan.counter_of_request[i % 9]);
}

TEST(test_equal_sets_share_their_counters)
{
	sim_machine_open(&m, SPR);
	for (int n = 0; n < 2; n++)
		for (unsigned group = 1; group <= 2; group++)
			add_to_first_cxlcm(nine_rx + 2 * group, 4, group);
	make(FREEZE_AUTO);
	assert_valid();
	ck_assert_uint_eq(plan.round_count, 2);
	for (size_t i = 8; i < request_count; i++)
		ck_assert_uint_eq(plan.counter_of_request[i], plan.counter_of_request[i - 8]);
}

TEST(test_a_set_stays_in_one_round)
{
	sim_machine_open(&m, SPR);
	/* in the order of requests, the group would be split */
	add_to_first_cxlcm(nine_rx, 3, 0);
	add_to_first_cxlcm(nine_rx + 3, 3, 1);
	add_to_first_cxlcm(nine_rx + 6, 3, 2);
	make(FREEZE_AUTO);
	assert_valid();
	for (size_t i = 3; i < 9; i++)
		ck_assert_uint_eq(round_of(i), round_of(i < 6 ? 3 : 6));
	ck_assert_uint_ne(round_of(3), round_of(6));
	ck_assert_uint_eq(plan.round_count, 3);
}

/* Eight counters hold 6 and 2 events, and 5 and 3. */
TEST(test_large_sets_of_a_cpu_come_first_as_small_ones_fit_into_the_rest)
{
	static const unsigned sizes[] = {2, 3, 5, 6};
	static struct event events[16];
	unsigned count = 0;

	sim_machine_open(&m, SPR);
	struct unit *cpu = &m.machine.cpus[0];
	ck_assert_msg(!unit_open(&m.spy.base, cpu, &err), "%s", err.text);
	for (unsigned set = 0; set < COUNT_OF(sizes); set++)
		for (unsigned i = 0; i < sizes[set]; i++, count++) {
			events[count] = (struct event){.name = "?",
						       .type = PMU_CORE,
						       .code = (uint8_t)(count + 1),
						       .counters = CORE_COUNTERS_GENERAL};
			add_event(cpu, &events[count], set + 1);
		}
	make(FREEZE_AUTO);
	assert_valid();
	ck_assert_uint_eq(plan.round_count, 2);
}

TEST(test_an_event_of_two_sets_is_counted_with_each)
{
	sim_machine_open(&m, SPR);
	add_to_first_cxlcm(nine_rx, 4, 1);
	add_to_first_cxlcm(nine_rx + 3, 4, 2);
	make(FREEZE_AUTO);
	assert_valid();
	ck_assert_uint_eq(plan.round_count, 2);
	ck_assert_uint_eq(plan.counter_count, 8 + 2);
	for (size_t i = 0; i < 8; i++)
		ck_assert_uint_eq(round_of(i), round_of(i < 4 ? 0 : 4));
	ck_assert_uint_ne(plan.counter_of_request[3], plan.counter_of_request[4]);
}

TEST(test_a_single_event_joins_the_round_of_a_set_that_has_it)
{
	sim_machine_open(&m, SPR);
	add(0, PMU_CXLCM, 0, RX_CACHE, 0);
	add(0, PMU_CXLCM, 0, RX_DATA, 0); /* is also in the group */
	add(0, PMU_CXLCM, 0, RX_DATA, 5);
	add(0, PMU_CXLCM, 0, RX_FULL_DATA, 5);
	add(0, PMU_CXLCM, 0, CLOCK, 5);
	make(FREEZE_AUTO);
	assert_valid();
	ck_assert_uint_eq(plan.round_count, 1);
	ck_assert_uint_eq(plan.counter_count, 4);
	ck_assert_uint_eq(plan.counter_of_request[1], plan.counter_of_request[2]);
}

static struct reg any_counter(const struct unit *unit, unsigned i)
{
	return (struct reg){.space = REG_MSR, .bytes = 8, .cpu = unit->cpu, .address = i};
}

static uint64_t any_mask(const struct unit *unit, unsigned i)
{
	(void)unit;
	(void)i;
	return UINT64_MAX;
}

/* Returns only the counter of the event's umask, and counter 9, which is not usable. */
static uint32_t counters_by_umask(const struct unit *unit, const struct event *event)
{
	(void)unit;
	return event->umask ? UINT32_C(1) << event->umask | UINT32_C(1) << 9 : 0;
}

static uint64_t control_by_umask(const struct unit *unit, const struct event *event)
{
	return (uint64_t)unit->counters << 32 | event->umask;
}

TEST(test_a_unit_may_say_itself_what_its_counters_count)
{
	static const struct unit_methods methods = {
		.counter = any_counter,
		.counter_mask = any_mask,
		.event_counters = counters_by_umask,
		.event_control = control_by_umask,
	};
	static const struct event events[] = {
		{.name = "a", .type = PMU_CXLCM, .umask = 5, .counters = 1},
		{.name = "b", .type = PMU_CXLCM, .umask = 2, .counters = 1},
		{.name = "c", .type = PMU_CXLCM, .umask = 2, .counters = 1},
	};
	static const struct event nowhere = {.name = "d", .type = PMU_CXLCM, .counters = 1};

	sim_machine_open(&m, SPR);
	struct unit *unit = sim_machine_unit(&m, 0, PMU_CXLCM, 0);
	unit->methods = &methods;
	for (int i = 0; i < COUNT(events); i++)
		add_event(unit, &events[i], 0);
	ck_assert(unit_can_count(unit, &events[0]) && !unit_can_count(unit, &nowhere));
	ck_assert_uint_eq(unit_event_counters(unit, &events[0]), UINT32_C(1) << 5);
	make(FREEZE_NEVER);
	ck_assert_uint_eq(plan.round_count, 2);
	ck_assert_uint_eq(counter_of(0)->reg.address, 5);
	ck_assert_uint_eq(counter_of(1)->reg.address, 2);
	ck_assert_uint_eq(counter_of(2)->reg.address, 2);
	ck_assert_uint_ne(round_of(1), round_of(2));
	ck_assert_uint_eq(plan.rounds[round_of(0)].controls[5], UINT64_C(0x800000005));
	unit->methods = NULL;
}

/* Adds three classes of one CHA, which can measure one at a time. */
static void add_latencies(int socket, unsigned nth, bool staggered)
{
	static const char *const classes[] = {"CXL_ACC", "LOCAL_DDR", "REMOTE_DDR"};

	for (unsigned c = 0; c < 3; c++) {
		char name[64];

		snprintf(name, sizeof(name), "UNC_CHA_TOR_OCCUPANCY.IA_MISS_DRD_%s", classes[c]);
		add(socket, PMU_CHA, nth, name, c + 1);
		snprintf(name, sizeof(name), "UNC_CHA_TOR_INSERTS.IA_MISS_DRD_%s", classes[c]);
		add(socket, PMU_CHA, nth, name, c + 1);
		add(socket, PMU_CHA, nth, "UNC_CHA_CLOCKTICKS", c + 1);
		for (size_t i = request_count - 3; i < request_count; i++)
			requests[i].staggered = staggered;
	}
}

TEST(test_staggered_units_of_a_socket_start_with_different_rounds)
{
	sim_machine_open(&m, "spr,sockets=2,chas=7,clock=virtual");
	for (int s = 0; s < 2; s++)
		for (unsigned cha = 0; cha < 7; cha++)
			add_latencies(s, cha, true);
	make(FREEZE_AUTO);
	assert_valid();
	ck_assert_uint_eq(plan.unit_count, 14);
	for (size_t u = 0; u < plan.unit_count; u++) {
		ck_assert(plan.units[u].staggered);
		ck_assert_uint_eq(plan.units[u].round_count, 3);
		ck_assert_uint_eq(plan.units[u].starting_round, u % 7 % 3);
	}
	/* nothing rotates within an interval */
	ck_assert_uint_le(plan.max_rounds, 1);
}

TEST(test_units_that_are_not_staggered_start_with_the_same_round)
{
	sim_machine_open(&m, "spr,chas=4,clock=virtual");
	for (unsigned cha = 0; cha < 4; cha++)
		add_latencies(0, cha, false);
	make(FREEZE_AUTO);
	assert_valid();
	for (size_t u = 0; u < plan.unit_count; u++)
		ck_assert_uint_eq(plan.units[u].starting_round, 0);
	ck_assert_uint_eq(plan.max_rounds, 3);
}

/* Rotation. */

static uint64_t get(struct reg reg)
{
	uint64_t value = 0;

	ck_assert_int_eq(reg_read(&m.spy.base, &reg, &value, NULL), 0);
	return value;
}

static const struct {
	const char *spec;
	bool with_cha;
	enum freeze_policy policy;
} freezes[] = {
	{"spr,sockets=2,clock=virtual," TRAFFIC, false, FREEZE_AUTO},
	{"spr,sockets=2,clock=virtual," TRAFFIC, false, FREEZE_ALWAYS},
	{"spr,sockets=2,clock=virtual," TRAFFIC, true, FREEZE_AUTO},
	{"spr,sockets=2,clock=virtual," TRAFFIC, true, FREEZE_ALWAYS},
	{"spr,sockets=2,clock=virtual," TRAFFIC, false, FREEZE_NEVER},
	{"spr,sockets=2,clock=virtual," TRAFFIC, true, FREEZE_NEVER},
};

/* Plans a CXLCM with three rounds, and a CHA if the socket is to be frozen as a whole. */
static uint64_t plan_three_rounds(int i)
{
	sim_machine_open(&m, freezes[i].spec);
	for (unsigned c = 0; c < 8; c++)
		sim_set_counter(m.sim, 0, PMU_CXLCM, 2, c, 1000 + c);
	add_to_first_cxlcm(nine_rx, 9, 0);
	if (freezes[i].with_cha)
		add_latencies(0, 0, false);
	make(freezes[i].policy);
	return sim_state_hash(m.sim);
}

static void assert_programmed(const struct plan_unit *pu)
{
	const size_t active = pmu.units[pu - plan.units].round;
	const struct round *round = &plan.rounds[pu->first_round + active];

	for (unsigned i = 0; i < pu->unit->counters; i++)
		ck_assert_uint_eq(get(unit_counter_control(pu->unit, i)), round->controls[i]);
}

/* Reads its counters, to see which ones change. */
static void get_counters(const struct plan_unit *pu, uint64_t values[UNIT_MAX_COUNTERS])
{
	for (unsigned i = 0; i < pu->unit->counters; i++)
		values[i] = get(unit_counter(pu->unit, i));
}

static void assert_counters(const struct plan_unit *pu, const uint64_t values[UNIT_MAX_COUNTERS])
{
	for (unsigned i = 0; i < pu->unit->counters; i++)
		ck_assert_uint_eq(get(unit_counter(pu->unit, i)), values[i]);
}

/* Checks the counts; the first two rounds have traffic. */
static void assert_counts(const struct plan_unit *pu)
{
	const size_t active = pmu.units[pu - plan.units].round;
	uint64_t before[UNIT_MAX_COUNTERS], after[UNIT_MAX_COUNTERS];

	get_counters(pu, before);
	sim_machine_wait(&m, MS);
	get_counters(pu, after);
	if (active == 2)
		return;
	const size_t second = plan.rounds[pu->first_round + active].first_counter + 1;
	const unsigned counter = number_of(&plan.counters[second]);
	ck_assert_uint_gt(after[counter], before[counter]);
}

static int rotate(size_t u)
{
	return pmu_state_rotate(&pmu, u, (pmu.units[u].round + 1) % plan.units[u].round_count,
				&err);
}

static void rotate_and_check(size_t u)
{
	const struct plan_unit *pu = &plan.units[u];
	const struct domain_state *domain = &pmu.domains[pu->domain];
	const size_t next = (pmu.units[u].round + 1) % pu->round_count;
	struct platform *p = &m.spy.base;
	uint64_t before[UNIT_MAX_COUNTERS] = {0};

	if (domain->freezes) {
		ck_assert_int_eq(reg_write(p, &domain->control.reg, domain->control.stop, &err), 0);
		get_counters(pu, before);
	}
	/* a unit that is frozen keeps its counts; another is set to 0 */
	ck_assert_int_eq(rotate(u), domain->freezes);
	ck_assert_uint_eq(pmu.units[u].round, next);
	assert_programmed(pu);
	assert_counters(pu, before);
	if (!domain->freezes)
		return;
	/* it is frozen until its domain is unfrozen */
	sim_machine_wait(&m, MS);
	assert_counters(pu, before);
	ck_assert_int_eq(reg_write(p, &domain->control.reg, domain->control.start, &err), 0);
}

TEST_LOOP(test_a_rotation_programs_the_next_round, COUNT(freezes))
{
	const uint64_t before = plan_three_rounds(_i);

	ck_assert_int_eq(pmu_state_start(&pmu, &err), 0);
	for (size_t n = 0; n < 7; n++) {
		for (size_t u = 0; u < plan.unit_count; u++)
			rotate_and_check(u);
		assert_counts(&plan.units[counter_of(0)->unit]);
		for (size_t u = 0; u < plan.unit_count; u++)
			assert_programmed(&plan.units[u]);
	}
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), before);
}

TEST(test_a_rotation_leaves_other_units_of_its_domain_alone)
{
	plan_three_rounds(2);
	ck_assert_int_eq(pmu_state_start(&pmu, &err), 0);
	const size_t cha = counter_of(9)->unit;
	const struct plan_unit *cxlcm = &plan.units[counter_of(0)->unit];
	ck_assert_uint_eq(plan.domain_count, 1);
	rotate_and_check(cha);
	sim_machine_wait(&m, MS);
	uint64_t counted[UNIT_MAX_COUNTERS];
	get_counters(cxlcm, counted);
	rotate_and_check(cha);
	assert_counters(cxlcm, counted);
	assert_programmed(cxlcm);
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
}

TEST_LOOP(test_after_a_failed_write_of_a_rotation_all_is_restored, COUNT(freezes))
{
	const uint64_t before = plan_three_rounds(_i);

	for (size_t n = 1;; n++) {
		spy_forget(&m.spy);
		ck_assert_int_eq(pmu_state_start(&pmu, &err), 0);
		m.spy.fail_code = -EIO;
		m.spy.fail_write = n;
		const int rc = rotate(0);
		const bool failed = !m.spy.fail_write;
		m.spy.fail_write = 0;
		ck_assert_int_eq(rc, failed ? -EIO : 0);
		ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
		ck_assert_uint_eq(sim_state_hash(m.sim), before);
		if (!failed)
			return;
	}
}

/* Starts a CHA of a frozen socket, which rotates with samples. */
static const struct plan_unit *start_staggered(void)
{
	sim_machine_open(&m, freezes[2].spec);
	add_latencies(0, 0, true);
	make(FREEZE_AUTO);
	ck_assert_int_eq(pmu_state_start(&pmu, &err), 0);
	spy_forget(&m.spy);
	return &plan.units[0];
}

TEST(test_a_frozen_staggered_unit_has_only_changed_controls_written)
{
	const struct plan_unit *cha = start_staggered();

	for (size_t n = 0; n < 6; n++) {
		const struct round *rounds = &plan.rounds[cha->first_round];
		const uint64_t *from = rounds[pmu.units[0].round].controls;
		const uint64_t *to = rounds[(pmu.units[0].round + 1) % cha->round_count].controls;
		size_t changed = 0;

		for (unsigned i = 0; i < cha->unit->counters; i++)
			changed += from[i] != to[i];
		spy_forget(&m.spy);
		ck_assert_int_eq(rotate(0), 1);
		ck_assert_uint_eq(m.spy.access_count, changed);
		for (unsigned i = 0; i < cha->unit->counters; i++)
			ck_assert_uint_eq(get(unit_counter_control(cha->unit, i)), to[i]);
	}
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
}

/* A failure between two rounds leaves controls of both. */
TEST(test_a_staggered_unit_whose_rotation_failed_is_programmed_as_a_whole)
{
	const struct plan_unit *cha = start_staggered();

	m.spy.fail_code = -EIO;
	m.spy.fail_write = 2;
	ck_assert_int_eq(rotate(0), -EIO);
	ck_assert_uint_eq(pmu.units[0].round, 0);
	ck_assert_int_eq(rotate(0), 0);
	ck_assert_uint_eq(pmu.units[0].round, 1);
	assert_programmed(cha);
	ck_assert_int_eq(rotate(0), 1);
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
}

/* Random groups of events with random constraints. */

#define TRIALS	    3000
#define MOST_GROUPS 5
#define MOST_BLOCK  5

static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 32) % n;
}

/*
 * Returns true if events[0..count) all fit on counters that are not in used; tries all assignments.
 */
static bool fits(const struct event *const *events, size_t count, uint32_t usable, uint32_t used)
{
	if (!count)
		return true;
	for (unsigned c = 0; c < 8; c++) {
		const uint32_t bit = UINT32_C(1) << c;

		if (events[0]->counters & usable & bit && !(used & bit) &&
		    fits(events + 1, count - 1, usable, used | bit))
			return true;
	}
	return false;
}

static struct event pool[16];

static void random_requests(struct unit *unit)
{
	const unsigned groups = 1 + random_below(MOST_GROUPS), singles = random_below(4);

	request_count = 0;
	for (int i = 0; i < COUNT(pool); i++)
		pool[i] = (struct event){
			.name = "random",
			.type = PMU_CXLCM,
			.code = (uint8_t)(i + 1),
			/* sometimes an event that no counter can count */
			.counters =
				random_below(40) ? 1U << random_below(8) | random_below(256) : 0,
		};
	unit->usable = random_below(4) ? 0xFF : random_below(256);
	for (unsigned s = 1; s <= groups; s++)
		for (unsigned n = 1 + random_below(MOST_BLOCK); n; n--)
			add_event(unit, &pool[random_below(COUNT(pool))], s);
	for (unsigned n = 0; n < singles; n++)
		add_event(unit, &pool[random_below(COUNT(pool))], 0);
	/* in any order */
	for (size_t i = request_count; i-- > 1;) {
		const size_t k = random_below((uint32_t)i + 1);
		const struct request swapped = requests[i];

		requests[i] = requests[k];
		requests[k] = swapped;
	}
}

/* Lists the events of the request's group, each once; a single event by itself. */
static size_t block_of(size_t request, const struct event **events)
{
	size_t count = 0;

	for (size_t i = 0; i < request_count; i++) {
		bool seen = false;

		if (requests[request].group ? requests[i].group != requests[request].group
					    : i != request)
			continue;
		for (size_t k = 0; k < count; k++)
			seen |= events[k] == requests[i].event;
		if (!seen)
			events[count++] = requests[i].event;
	}
	return count;
}

static bool each_set_fits(const struct unit *unit)
{
	const struct event *events[MAX_REQUESTS];

	for (size_t i = 0; i < request_count; i++)
		if (!fits(events, block_of(i, events), unit->usable, 0))
			return false;
	return true;
}

static void assert_sets_are_whole(void)
{
	for (size_t i = 0; i < request_count; i++)
		for (size_t k = 0; requests[i].group && k < request_count; k++)
			if (requests[k].group == requests[i].group)
				ck_assert_uint_eq(round_of(k), round_of(i));
}

TEST_LOOP(test_random_sets_share_rounds_exactly_when_each_set_fits, 4)
{
	unsigned placed = 0;

	random_state = UINT64_C(0x9E3779B97F4A7C15) + (unsigned)_i;
	sim_machine_open(&m, "spr,clock=virtual");
	struct unit *unit = sim_machine_unit(&m, 0, PMU_CXLCM, 0);
	for (unsigned n = 0; n < TRIALS; n++) {
		random_requests(unit);
		const bool possible = each_set_fits(unit);
		int rc = plan_make(&m.machine, requests, request_count, FREEZE_AUTO, &plan, &err);

		ck_assert_msg(rc == (possible ? 0 : -ENOSPC), "trial %u: %d", n, rc);
		if (rc)
			continue;
		assert_valid();
		assert_sets_are_whole();
		pmu_state_free(&pmu);
		plan_free(&plan);
		placed++;
	}
	/* both results were frequent */
	ck_assert_uint_gt(placed, TRIALS / 10);
	ck_assert_uint_lt(placed, TRIALS - TRIALS / 10);
}

/* Events of AMD: its kernel driver takes its first free counters, without reading the registers. */
static const struct {
	uint16_t pmu_type;
	const char *events[3];
	unsigned last;
} of_amd[] = {
	{PMU_DF,
	 {"cxl_port_read_data_beats_0", "cxl_port_write_data_beats_0",
	  "cxl_port_read_data_beats_1"},
	 15},
	{PMU_L3,
	 {"l3_xi_sampled_latency.ext_near", "l3_xi_sampled_latency_requests.ext_near",
	  "l3_lookup_state.l3_miss"},
	 5},
	{PMU_UMC, {"umc_cas_cmd.rd", "umc_cas_cmd.wr", "umc_mem_clk"}, 3},
};

TEST_LOOP(test_the_last_counters_of_amd_s_units_are_taken_first, COUNT(of_amd))
{
	sim_machine_open(&m, "turin,clock=virtual");
	for (size_t i = 0; i < 3; i++)
		add(0, of_amd[_i].pmu_type, 0, of_amd[_i].events[i], 0);
	make(FREEZE_AUTO);
	uint32_t used = 0;
	for (size_t i = 0; i < 3; i++)
		used |= UINT32_C(1) << number_of(counter_of(i));
	ck_assert_uint_eq(used, UINT32_C(7) << (of_amd[_i].last - 2));
	ck_assert_uint_eq(plan.round_count, 1);
}

TEST(test_those_that_others_use_are_left_out)
{
	struct unit *unit;

	sim_machine_open(&m, "turin,clock=virtual");
	msr_poke(&m.spy.base, 0, AMD_DF(15), UINT64_C(1) << 22);
	machine_set_ownership(&m.machine, OWNERSHIP_SHARE);
	unit = sim_machine_unit(&m, 0, PMU_DF, 0);
	add(0, PMU_DF, 0, "cxl_port_read_data_beats_0", 0);
	add(0, PMU_DF, 0, "cxl_port_write_data_beats_0", 0);
	make(FREEZE_AUTO);
	ck_assert_uint_eq(1U << number_of(counter_of(0)) | 1U << number_of(counter_of(1)),
			  UINT32_C(3) << 13);
	ck_assert_uint_eq(unit->busy, UINT32_C(1) << 15);
}

TEST(test_amd_s_units_are_never_frozen)
{
	sim_machine_open(&m, "turin,clock=virtual");
	add(0, PMU_DF, 0, "cxl_port_read_data_beats_0", 0);
	add(0, PMU_UMC, 0, "umc_cas_cmd.rd", 0);
	make(FREEZE_ALWAYS);
	ck_assert(!plan.global_freeze);
	for (size_t d = 0; d < plan.domain_count; d++)
		ck_assert(!pmu.domains[d].freezes);
}
