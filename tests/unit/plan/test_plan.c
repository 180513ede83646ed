/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/pmu_state.h"

#include "platform/clock.h"
#include "platform/cpus.h"
#include "platform/guard.h"
#include "sim_machine.h"
#include "tests/register_kinds.h"
#include "unit.h"

EACH_IN_A_PROCESS

#define SPR "spr,sockets=2,cpus=4,ports=2,clock=virtual"
#define EMR "emr,sockets=2,cpus=4,ports=2,clock=virtual"
#define GNR "gnr,sockets=2,cpus=4,ports=2,clock=virtual"
#define SRF "srf,sockets=2,cpus=4,ports=2,clock=virtual"
#define MS  UINT64_C(1000000) /* ns */

#define TX_DATA	     "UNC_CXLCM_TxC_PACK_BUF_INSERTS.MEM_DATA"
#define TX_REQ	     "UNC_CXLCM_TxC_PACK_BUF_INSERTS.MEM_REQ"
#define TX_CACHE     "UNC_CXLCM_TxC_PACK_BUF_INSERTS.CACHE_DATA"
#define RX_DATA	     "UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_DATA"
#define RX_REQ	     "UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_REQ"
#define RX_CACHE     "UNC_CXLCM_RxC_PACK_BUF_INSERTS.CACHE_DATA"
#define RX_FULL_DATA "UNC_CXLCM_RxC_PACK_BUF_FULL.MEM_DATA"
#define RX_FULL_REQ  "UNC_CXLCM_RxC_PACK_BUF_FULL.MEM_REQ"
#define M2S_DATA     "UNC_CXLDP_TxC_AGF_INSERTS.M2S_DATA"
#define M2S_REQ	     "UNC_CXLDP_TxC_AGF_INSERTS.M2S_REQ"

#define MAX_REQUESTS 96

/* An event of a unit that is accessed through MSRs; no model's table has one yet. */
static const struct event cha_clock = {
	.name = "UNC_CHA_CLOCKTICKS", .type = PMU_CHA, .code = 0x01, .counters = 0x0F};

static struct sim_machine m;
static struct plan plan;
static struct pmu_state pmu;
static struct error err;
static struct request requests[MAX_REQUESTS];
static size_t request_count;

static void open_machine(const char *spec)
{
	sim_machine_open(&m, spec);
	/* so that counters are not 0 already */
	for (unsigned s = 0; s < 2; s++) {
		sim_set_counter(m.sim, s, PMU_CXLCM, 2, 0, 12345);
		sim_set_counter(m.sim, s, PMU_CXLDP, 3, 1, 6789);
		sim_set_counter(m.sim, s, PMU_CHA, 0, 2, 424242);
	}
}

static void tear_down(void)
{
	pmu_state_free(&pmu);
	plan_free(&plan);
}

static void add(int socket, uint16_t type, unsigned nth, const struct event *event)
{
	ck_assert_uint_lt(request_count, MAX_REQUESTS);
	ck_assert_ptr_nonnull(event);
	requests[request_count++] =
		(struct request){.unit = sim_machine_unit(&m, socket, type, nth), .event = event};
}

/* Puts all requests so far into one group. */
static void join_in_group(unsigned group)
{
	for (size_t i = 0; i < request_count; i++)
		requests[i].group = group;
}

static void add_named(int socket, uint16_t type, unsigned nth, const char *name)
{
	add(socket, type, nth, model_event(m.machine.model, name));
}

/* Adds every port of every socket: only units in memory. */
static void add_ports(void)
{
	for (int s = 0; s < 2; s++) {
		for (unsigned p = 0; p < 2; p++) {
			add_named(s, PMU_CXLCM, p, TX_CACHE);
			add_named(s, PMU_CXLCM, p, RX_CACHE);
			add_named(s, PMU_CXLDP, p, M2S_DATA);
		}
	}
}

static void add_cha(int socket, unsigned nth)
{
	add(socket, PMU_CHA, nth, &cha_clock);
}

static void make(enum freeze_policy policy)
{
	int rc = plan_make(&m.machine, requests, request_count, policy, &plan, &err);

	rc = rc ? rc : pmu_state_init(&pmu, &plan, &err);
	ck_assert_msg(rc == 0, "%s", err.text);
}

/* Opens a machine, and plans all its ports and (with_cha) the first CHA of socket 0. */
static void plan_ports(const char *spec, bool with_cha, enum freeze_policy policy)
{
	open_machine(spec);
	add_ports();
	if (with_cha)
		add_cha(0, 0);
	make(policy);
}

static void program(void)
{
	int rc = pmu_state_start(&pmu, &err);

	ck_assert_msg(rc == 0, "%s", err.text);
}

/* Unfreezes every domain, like the poller. */
static void start(void)
{
	for (size_t d = 0; d < plan.domain_count; d++)
		if (pmu.domains[d].freezes)
			ck_assert_int_eq(
				reg_write(&m.spy.base, &pmu.domains[d].control.reg, 0, NULL), 0);
}

static void restore(void)
{
	int rc = pmu_state_restore(&pmu, &err);

	ck_assert_msg(rc == 0, "%s", err.text);
}

static uint64_t get(const struct reg *reg)
{
	uint64_t value = 0;

	ck_assert_int_eq(reg_read(&m.spy.base, reg, &value, NULL), 0);
	return value;
}

static const struct counter *counter_of(size_t request)
{
	return &plan.counters[plan.counter_of_request[request]];
}

static uint64_t count_of(size_t request)
{
	return get(&counter_of(request)->reg);
}

static void assert_all(bool counting)
{
	for (size_t i = 0; i < request_count; i++)
		ck_assert_msg((count_of(i) != 0) == counting, "%s of request %zu: %llu",
			      requests[i].event->name, i, (unsigned long long)count_of(i));
}

/* Returns the freeze register of a socket, as another program would access it. */
static struct reg freeze_reg(int socket)
{
	const int cpu = topology_reader_cpu(&m.machine.topology, socket);

	return (struct reg){
		.space = REG_MSR, .bytes = 8, .cpu = (unsigned)cpu, .address = SIM_FREEZE_MSR};
}

static void freeze_socket(int socket)
{
	const struct reg reg = freeze_reg(socket);

	guard_disable(&m.spy.base.guard);
	ck_assert_int_eq(reg_write(&m.spy.base, &reg, 1, NULL), 0);
	m.spy.base.guard.allow_all = false;
	spy_forget(&m.spy);
}

static uint64_t freeze_of(int socket)
{
	const struct reg reg = freeze_reg(socket);

	return get(&reg);
}

static size_t count_warnings(const char *text)
{
	size_t n = 0;

	for (size_t i = 0; i < m.spy.remark_count; i++)
		n += m.spy.remarks[i].level == LEVEL_WARNING &&
		     strstr(m.spy.remarks[i].text, text) != NULL;
	return n;
}

/* Checks the error for two units with the same control. */
static void assert_same_control(int socket, uint16_t type, const char *reg)
{
	struct unit *first = sim_machine_unit(&m, socket, type, 0);
	struct unit *second = sim_machine_unit(&m, socket, type, 1);

	second->control = first->control;
	second->pci = first->pci;
	ck_assert_int_eq(plan_make(&m.machine, requests, request_count, FREEZE_AUTO, &plan, &err),
			 -ENOTUNIQ);
	ck_assert_int_eq(err.kind, ERROR_FAILED);
	ck_assert_msg(strstr(err.text, "have the same control register (") && strstr(err.text, reg),
		      "%s", err.text);
}

TEST(test_a_control_in_memory_is_never_programmed_for_two_units)
{
	open_machine(GNR);
	add_ports();
	assert_same_control(1, PMU_CXLCM, "mmio 0x");
	ck_assert_msg(strstr(err.text, "socket 1 cxlcm 2 and socket 1 cxlcm 4"), "%s", err.text);
}

TEST(test_an_msr_is_never_programmed_for_two_units_of_a_socket)
{
	open_machine(SPR);
	add_cha(1, 0);
	add_cha(1, 1);
	assert_same_control(1, PMU_CHA, "cpu 4 msr 0x2000");
}

TEST(test_the_same_msr_of_two_sockets_is_programmed_for_both)
{
	open_machine(SPR);
	add_cha(0, 0);
	add_cha(1, 0);
	make(FREEZE_AUTO);
	ck_assert_uint_eq(plan.unit_count, 2);
}

/* Counters of requests. */

FIXTURE(NULL, tear_down)

TEST(test_equal_requests_share_a_counter)
{
	open_machine(SPR);
	add_named(0, PMU_CXLCM, 0, TX_DATA);
	add_named(0, PMU_CXLCM, 1, TX_DATA);
	add_named(0, PMU_CXLCM, 0, RX_DATA);
	add_named(0, PMU_CXLCM, 0, TX_DATA);
	make(FREEZE_AUTO);
	ck_assert_uint_eq(plan.counter_count, 3 + 2); /* including their clocks */
	ck_assert_uint_eq(plan.unit_count, 2);
	ck_assert_uint_eq(plan.counter_of_request[0], plan.counter_of_request[3]);
	ck_assert_uint_ne(plan.counter_of_request[0], plan.counter_of_request[1]);
	ck_assert_uint_ne(plan.counter_of_request[0], plan.counter_of_request[2]);
}

TEST(test_a_counter_is_of_the_unit_and_event_that_were_asked_for)
{
	plan_ports(SPR, true, FREEZE_AUTO);
	for (size_t i = 0; i < request_count; i++) {
		const struct counter *counter = counter_of(i);
		const struct plan_unit *pu = &plan.units[counter->unit];

		ck_assert_ptr_eq(counter->event, requests[i].event);
		ck_assert_ptr_eq(pu->unit, requests[i].unit);
		ck_assert_uint_eq(counter->mask, (UINT64_C(1) << 48) - 1);
		ck_assert_uint_ge(plan.counter_of_request[i], pu->first_counter);
		ck_assert_uint_lt(plan.counter_of_request[i],
				  pu->first_counter + pu->counter_count);
	}
}

/* Returns the number of a request's counter in its unit. */
static unsigned number_of(size_t request)
{
	const struct unit *unit = requests[request].unit;

	for (unsigned i = 0; i < unit->counters; i++)
		if (unit_counter(unit, i).address == counter_of(request)->reg.address)
			return i;
	ck_abort_msg("request %zu has no counter", request);
}

static const char *const wanted[] = {TX_DATA, TX_REQ, RX_DATA, RX_REQ, RX_FULL_DATA, RX_FULL_REQ};

TEST_LOOP(test_six_events_of_a_cxlcm_sit_at_once_tx_on_0_to_3_and_rx_on_4_to_7, 2)
{
	static const uint64_t controls[] = {0x1002, 0x0802, 0x1041, 0x0841, 0x1052, 0x0852};
	uint32_t used = 0;

	open_machine(_i ? EMR : SPR);
	for (int i = 0; i < COUNT(wanted); i++)
		add_named(0, PMU_CXLCM, 0, wanted[i]);
	make(FREEZE_AUTO);
	program();
	for (size_t i = 0; i < COUNT(wanted); i++) {
		const unsigned counter = number_of(i);
		const struct reg control = unit_counter_control(requests[i].unit, counter);

		ck_assert_int_eq(counter < 4, i < 2);
		ck_assert_uint_eq(get(&control), controls[i]);
		used |= UINT32_C(1) << counter;
	}
	ck_assert_int_eq(__builtin_popcount(used), COUNT(wanted));
	restore();
}

TEST(test_a_fifth_rx_event_of_a_set_is_refused_by_name)
{
	open_machine(SPR);
	for (int i = 2; i < COUNT(wanted); i++)
		add_named(1, PMU_CXLCM, 1, wanted[i]);
	add_named(1, PMU_CXLCM, 1, RX_CACHE);
	join_in_group(1);
	ck_assert_int_eq(plan_make(&m.machine, requests, request_count, FREEZE_AUTO, &plan, &err),
			 -ENOSPC);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	ck_assert_ptr_nonnull(strstr(err.text, RX_CACHE));
	ck_assert_ptr_nonnull(strstr(err.text, "socket 1 cxlcm 4"));
	ck_assert_uint_eq(m.spy.access_count, 0);
	ck_assert_uint_eq(plan.unit_count, 0);
}

TEST(test_a_set_larger_than_any_unit_is_refused)
{
	open_machine(SPR);
	for (const struct event *e = NULL;
	     (e = model_next_event(m.machine.model, e)) && request_count <= UNIT_MAX_COUNTERS;)
		add(0, PMU_CXLCM, 0, e);
	join_in_group(7);
	ck_assert_int_eq(plan_make(&m.machine, requests, request_count, FREEZE_AUTO, &plan, &err),
			 -ENOSPC);
	ck_assert_ptr_nonnull(strstr(err.text, "socket 0 cxlcm 2"));
	ck_assert_ptr_nonnull(strstr(err.text, "(33 events)"));
}

TEST(test_a_plan_of_nothing_does_nothing)
{
	const uint64_t before = (open_machine(SPR), sim_state_hash(m.sim));

	make(FREEZE_AUTO);
	program();
	ck_assert_int_eq(pmu_state_unfreeze_sockets(&pmu, &err), 0);
	restore();
	ck_assert_uint_eq(m.spy.access_count, 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), before);
}

/* Domains that are frozen together. */

static const struct {
	const char *spec;
	bool with_cha;
	enum freeze_policy policy;
	bool global;
} freezes[] = {
	{SPR, false, FREEZE_AUTO, false}, {SPR, false, FREEZE_ALWAYS, false},
	{SPR, true, FREEZE_AUTO, true},	  {SPR, true, FREEZE_ALWAYS, true},
	{EMR, true, FREEZE_AUTO, true},	  {GNR, false, FREEZE_AUTO, false},
	{GNR, true, FREEZE_AUTO, false},  {GNR, true, FREEZE_ALWAYS, false},
	{SRF, true, FREEZE_AUTO, false},  {SPR, false, FREEZE_NEVER, false},
	{SPR, true, FREEZE_NEVER, false}, {GNR, false, FREEZE_NEVER, false},
	{GNR, true, FREEZE_NEVER, false},
};

static void assert_domain(size_t d, bool global)
{
	const struct freeze_domain *domain = &plan.domains[d];
	const struct unit *unit = plan.units[domain->first_unit].unit;
	const struct reg expected = global ? freeze_reg(unit->socket) : unit_control(unit);

	ck_assert_int_eq(domain->freeze.space, expected.space);
	ck_assert_uint_eq(domain->freeze.address, expected.address);
	ck_assert_uint_eq(domain->freeze.bytes, expected.bytes);
	if (expected.space == REG_MSR)
		ck_assert_uint_eq(domain->freeze.cpu, expected.cpu);
	for (size_t i = 0; i < domain->unit_count; i++)
		ck_assert_int_eq(plan.units[domain->first_unit + i].unit->socket, unit->socket);
}

TEST_LOOP(test_sockets_freeze_as_a_whole_only_where_msrs_are_used_and_a_register_is_known,
	  COUNT(freezes))
{
	size_t units = 0;

	plan_ports(freezes[_i].spec, freezes[_i].with_cha, freezes[_i].policy);
	ck_assert_int_eq(plan.global_freeze, freezes[_i].global);
	ck_assert_uint_eq(plan.domain_count, freezes[_i].global ? 2 : plan.unit_count);
	for (size_t d = 0; d < plan.domain_count; d++) {
		ck_assert_uint_eq(plan.domains[d].first_unit, units);
		units += plan.domains[d].unit_count;
		ck_assert_int_eq(plan.domains[d].freezes, freezes[_i].policy != FREEZE_NEVER);
		if (plan.domains[d].freezes)
			assert_domain(d, freezes[_i].global);
	}
	ck_assert_uint_eq(units, plan.unit_count);
}

/* Programming and restoring. */

TEST_LOOP(test_counters_stay_zero_until_their_domain_is_unfrozen, COUNT(freezes))
{
	plan_ports(freezes[_i].spec, freezes[_i].with_cha, freezes[_i].policy);
	program();
	if (freezes[_i].policy != FREEZE_NEVER) {
		sim_machine_wait(&m, MS);
		assert_all(false);
	}
	start();
	sim_machine_wait(&m, MS);
	assert_all(true);
	restore();
}

TEST_LOOP(test_restoring_leaves_the_machine_as_it_was, COUNT(freezes))
{
	plan_ports(freezes[_i].spec, freezes[_i].with_cha, freezes[_i].policy);
	const uint64_t before = sim_state_hash(m.sim);
	program();
	start();
	ck_assert_int_eq(pmu_state_unfreeze_sockets(&pmu, &err), 0);
	sim_machine_wait(&m, MS);
	ck_assert_uint_ne(sim_state_hash(m.sim), before);
	restore();
	ck_assert_uint_eq(sim_state_hash(m.sim), before);
	ck_assert_uint_eq(spy_remarks(&m.spy, LEVEL_WARNING), 0);
}

TEST_LOOP(test_restoring_again_touches_nothing, 2)
{
	plan_ports(SPR, _i, FREEZE_AUTO);
	program();
	start();
	restore();
	spy_forget(&m.spy);
	restore();
	ck_assert_uint_eq(m.spy.access_count, 0);
}

TEST_LOOP(test_what_was_never_programmed_is_not_restored, 2)
{
	plan_ports(SPR, _i, FREEZE_AUTO);
	restore();
	ck_assert_uint_eq(m.spy.access_count, 0);
}

TEST_LOOP(test_a_plan_may_be_programmed_again, 2)
{
	plan_ports(SPR, _i, FREEZE_AUTO);
	const uint64_t before = sim_state_hash(m.sim);
	for (unsigned n = 0; n < 2; n++) {
		program();
		start();
		sim_machine_wait(&m, MS);
		assert_all(true);
		restore();
		ck_assert_uint_eq(sim_state_hash(m.sim), before);
	}
}

TEST_LOOP(test_where_a_unit_is_in_use_nothing_is_written, COUNT(freezes))
{
	char name[UNIT_NAME_SIZE];

	plan_ports(freezes[_i].spec, freezes[_i].with_cha, freezes[_i].policy);
	const struct unit *last = plan.units[plan.unit_count - 1].unit;
	const struct reg control = unit_counter_control(last, 3);
	ck_assert_int_eq(reg_write(&m.spy.base, &control, 0x2002, NULL), 0);
	const uint64_t before = sim_state_hash(m.sim);
	spy_forget(&m.spy);
	ck_assert_int_eq(pmu_state_start(&pmu, &err), -EBUSY);
	ck_assert_int_eq(err.kind, ERROR_IN_USE);
	ck_assert_ptr_nonnull(strstr(err.text, unit_name(last, name)));
	restore();
	ck_assert_uint_eq(spy_count(&m.spy, true), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), before);
}

TEST_LOOP(test_where_a_unit_does_not_answer_nothing_is_written, 2)
{
	plan_ports(SPR, _i, FREEZE_AUTO);
	ck_assert_int_eq(sim_set_unit_dead(m.sim, 1, PMU_CXLDP, 5, true), 0);
	ck_assert_int_eq(pmu_state_start(&pmu, &err), -ENXIO);
	ck_assert_uint_eq(spy_count(&m.spy, true), 0);
}

/* Counts the writes of programming. */
static size_t writes_of_programming(void)
{
	program();
	size_t writes = spy_count(&m.spy, true);
	restore();
	return writes;
}

TEST_LOOP(test_after_a_failed_write_of_programming_all_is_restored, COUNT(freezes))
{
	plan_ports(freezes[_i].spec, freezes[_i].with_cha, freezes[_i].policy);
	const uint64_t before = sim_state_hash(m.sim);
	const size_t writes = writes_of_programming();

	m.spy.fail_code = -EIO;
	for (size_t n = 1; n <= writes; n++) {
		spy_forget(&m.spy);
		m.spy.fail_write = n;
		ck_assert_int_eq(pmu_state_start(&pmu, &err), -EIO);
		ck_assert_int_eq(err.kind, ERROR_FAILED);
		ck_assert_uint_eq(sim_state_hash(m.sim), before);
	}
	spy_forget(&m.spy);
	program();
	restore();
}

TEST_LOOP(test_a_failure_at_any_read_before_programming_writes_nothing, 2)
{
	plan_ports(SPR, _i, FREEZE_AUTO);
	program();
	const size_t reads = spy_count(&m.spy, false);
	restore();

	m.spy.fail_code = -EIO;
	for (size_t n = 1; n <= reads; n++) {
		spy_forget(&m.spy);
		m.spy.fail_read = n;
		ck_assert_int_eq(pmu_state_start(&pmu, &err), -EIO);
		ck_assert_uint_eq(spy_count(&m.spy, true), 0);
	}
}

TEST_LOOP(test_restoring_goes_on_after_a_failure_and_returns_the_first, 2)
{
	plan_ports(SPR, _i, FREEZE_AUTO);
	const uint64_t before = sim_state_hash(m.sim);
	program();
	spy_forget(&m.spy);
	restore();
	const size_t writes = spy_count(&m.spy, true);

	m.spy.fail_code = -EIO;
	for (size_t n = 1; n <= writes; n++) {
		program();
		spy_forget(&m.spy);
		m.spy.fail_write = n;
		ck_assert_int_eq(pmu_state_restore(&pmu, &err), -EIO);
		ck_assert_int_eq(err.code, -EIO);
		ck_assert_uint_eq(spy_count(&m.spy, true), writes);
		restore();
		ck_assert_uint_eq(sim_state_hash(m.sim), before);
	}
}

TEST_LOOP(test_refused_msr_writes_are_a_permission_error_and_leave_no_change, 2)
{
	plan_ports(_i ? GNR : SPR, true, FREEZE_AUTO);
	const uint64_t before = sim_state_hash(m.sim);
	sim_set_writes_refused(m.sim, true);
	ck_assert_int_eq(pmu_state_start(&pmu, &err), -EPERM);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	ck_assert_uint_eq(sim_state_hash(m.sim), before);
}

/* Units in memory need no MSR. */

static const char *const specs[] = {SPR, EMR, GNR, SRF};

/* Sockets without a known freeze register: a register that may be one is read, if possible. */
TEST_LOOP(test_units_in_memory_are_counted_without_an_msr, COUNT(specs) * 3)
{
	plan_ports(specs[_i % 4], false, (enum freeze_policy)(_i / 4));
	const uint64_t before = sim_state_hash(m.sim);
	sim_set_msr_absent(m.sim, true);
	program();
	start();
	ck_assert_int_eq(pmu_state_unfreeze_sockets(&pmu, &err), 0);
	sim_machine_wait(&m, MS);
	assert_all(true);
	restore();
	ck_assert_uint_eq(spy_count_space(&m.spy, REG_MSR),
			  m.machine.model->global_freeze_msr ? 0 : m.machine.socket_count);
	ck_assert_uint_eq(sim_state_hash(m.sim), before);
}

/* The first CPU of socket 0 is 0, and of socket 1 it is 4. */
TEST_LOOP(test_for_each_socket_whose_msrs_are_reached_a_second_cpu_is_opened_ahead, COUNT(specs))
{
	plan_ports(specs[_i], true, FREEZE_AUTO);
	ck_assert(pmu_state_open_devices(&plan));
	ck_assert_uint_eq(m.spy.opened_cpus, 0x03);
	ck_assert_uint_eq(spy_count_space(&m.spy, REG_MSR), 0);
	pmu_state_free(&pmu);
	plan_free(&plan);
	add_cha(1, 0);
	make(FREEZE_AUTO);
	ck_assert(pmu_state_open_devices(&plan));
	ck_assert_uint_eq(m.spy.opened_cpus, 0x33);
}

TEST_LOOP(test_without_units_in_msrs_no_cpu_is_opened_ahead, COUNT(specs))
{
	plan_ports(specs[_i], false, FREEZE_AUTO);
	ck_assert(!pmu_state_open_devices(&plan));
	ck_assert_uint_eq(m.spy.opened_cpus, 0);
}

/* The core PMU of a CPU is not accessible through another. */
TEST_LOOP(test_only_counted_cpus_are_opened, COUNT(specs))
{
	open_machine(specs[_i]);
	requests[request_count++] = (struct request){
		.unit = &m.machine.cpus[2],
		.event = model_event(m.machine.model, "instructions"),
	};
	ck_assert_int_eq(unit_open(&m.spy.base, &m.machine.cpus[2], &err), 0);
	make(FREEZE_AUTO);
	ck_assert(pmu_state_open_devices(&plan));
	ck_assert_uint_eq(m.spy.opened_cpus, 0);
}

TEST_RANGE(test_the_clock_takes_no_counter_from_an_event, 1, 5)
{
	static const char *const events[] = {M2S_DATA, M2S_REQ,
					     "UNC_CXLDP_TxC_AGF_INSERTS.U2C_DATA",
					     "UNC_CXLDP_TxC_AGF_INSERTS.U2C_REQ"};

	open_machine(SPR);
	for (int i = 0; i < _i; i++)
		add_named(0, PMU_CXLDP, 0, events[i]);
	make(FREEZE_AUTO);
	ck_assert_uint_eq(plan.counter_count, request_count + (_i < 4));
	ck_assert_int_eq(plan.rounds[0].clock_counter == PLAN_NO_CLOCK, _i == 4);
	program();
	for (size_t i = 0; i < request_count; i++) {
		const struct reg control = unit_counter_control(requests[i].unit, number_of(i));

		ck_assert_uint_eq(get(&control), event_control(requests[i].event));
	}
	start();
	ck_assert_int_eq(pmu_state_unfreeze_sockets(&pmu, &err), 0);
	restore();
}

/* The other run's journal has the state before: a killed run's freeze is not restored by others. */
TEST(test_what_another_run_has_frozen_is_left_to_that_run)
{
	plan_ports(SPR, false, FREEZE_AUTO);
	const struct undo_step theirs = {
		.reg = plan.sockets[1].reg, .socket = 1, .mask = UNIT_CTL_FREEZE};
	struct undo others = {.count = 0};

	ck_assert_int_eq(undo_add(&others, &theirs, &err), 0);
	pmu.undo.others = &others;
	freeze_socket(1);
	program();
	start();
	ck_assert_int_eq(pmu_state_unfreeze_sockets(&pmu, &err), 0);
	/* the other run is restored, then this one */
	ck_assert_int_eq(reg_write(&m.spy.base, &theirs.reg, 0, &err), 0);
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
	ck_assert_uint_eq(freeze_of(1), 0);
	undo_free(&others);
}

/* A socket that another program left frozen. */

static const enum freeze_policy policies[] = {FREEZE_AUTO, FREEZE_ALWAYS, FREEZE_NEVER};

TEST_LOOP(test_with_msrs_a_frozen_socket_is_reported_unfrozen_and_restored, 2 * COUNT(policies))
{
	open_machine(_i % 2 ? EMR : SPR);
	freeze_socket(1);
	add_ports();
	add_cha(0, 0);
	add_cha(1, 0);
	make(policies[_i / 2]);
	const uint64_t before = sim_state_hash(m.sim);
	program();
	ck_assert_uint_eq(count_warnings("socket 1"), 1);
	ck_assert_uint_eq(count_warnings("socket 0"), 0);
	start();
	ck_assert_int_eq(pmu_state_unfreeze_sockets(&pmu, &err), 0);
	sim_machine_wait(&m, MS);
	assert_all(true);
	restore();
	ck_assert_uint_eq(freeze_of(0), 0);
	ck_assert_uint_eq(freeze_of(1), 1);
	ck_assert_uint_eq(sim_state_hash(m.sim), before);
}

/*
 * At the second start, its register is only listed after its clock was again found not to run. It
 * is accessible through each of two CPUs.
 */
TEST_LOOP(test_without_msrs_a_frozen_socket_is_found_by_its_clock_at_each_start, COUNT(policies))
{
	open_machine(SPR);
	freeze_socket(1);
	add_ports();
	make(policies[_i]);
	const uint64_t before = sim_state_hash(m.sim);
	for (unsigned k = 0; k < 2; k++) {
		spy_forget(&m.spy);
		program();
		start();
		ck_assert_uint_eq(spy_count_space(&m.spy, REG_MSR), 0);
		ck_assert_uint_eq(freeze_of(1), 1);
		ck_assert_int_eq(pmu_state_unfreeze_sockets(&pmu, &err), 0);
		ck_assert_uint_eq(m.spy.opened_cpus, 0x30);
		ck_assert_uint_eq(count_warnings("socket 1"), 1);
		ck_assert_uint_eq(count_warnings("socket 0"), 0);
		ck_assert_uint_eq(freeze_of(1), 0);
		sim_machine_wait(&m, MS);
		assert_all(true);
		restore();
		ck_assert_uint_eq(freeze_of(1), 1);
		ck_assert_uint_eq(sim_state_hash(m.sim), before);
	}
}

/* Uses all counters, so that none is left for the clock. */
static void use_all_of_imc(int socket)
{
	add_named(socket, PMU_IMC, 0, "UNC_M_CAS_COUNT.RD");
	add_named(socket, PMU_IMC, 0, "UNC_M_CAS_COUNT.WR");
	add_named(socket, PMU_IMC, 0, "UNC_M_CAS_COUNT.PCH0");
	add_named(socket, PMU_IMC, 0, "UNC_M_CAS_COUNT.PCH1");
}

TEST_LOOP(test_without_a_clock_a_frozen_socket_is_found_by_its_msr, COUNT(policies))
{
	open_machine(SPR);
	freeze_socket(1);
	use_all_of_imc(0);
	use_all_of_imc(1);
	make(policies[_i]);
	const uint64_t before = sim_state_hash(m.sim);
	program();
	ck_assert_uint_eq(count_warnings("socket 1"), 1);
	ck_assert_uint_eq(count_warnings("socket 0"), 0);
	start();
	ck_assert_int_eq(pmu_state_unfreeze_sockets(&pmu, &err), 0);
	ck_assert_uint_eq(freeze_of(1), 0);
	restore();
	ck_assert_uint_eq(freeze_of(1), 1);
	ck_assert_uint_eq(sim_state_hash(m.sim), before);
}

TEST(test_without_msrs_nothing_is_said_of_a_socket_that_has_no_clock)
{
	open_machine(SPR);
	use_all_of_imc(0);
	make(FREEZE_AUTO);
	sim_set_msr_absent(m.sim, true);
	program();
	start();
	ck_assert_int_eq(pmu_state_unfreeze_sockets(&pmu, &err), 0);
	ck_assert_uint_eq(count_warnings("socket"), 0);
	restore();
}

TEST(test_a_frozen_socket_that_can_not_be_unfrozen_is_in_use)
{
	open_machine(SPR);
	freeze_socket(1);
	add_ports();
	make(FREEZE_AUTO);
	const uint64_t before = sim_state_hash(m.sim);
	program();
	start();
	sim_set_writes_refused(m.sim, true);
	ck_assert_int_ne(pmu_state_unfreeze_sockets(&pmu, &err), 0);
	ck_assert_int_eq(err.kind, ERROR_IN_USE);
	ck_assert_ptr_nonnull(strstr(err.text, "socket 1"));
	pmu_state_restore(&pmu, NULL);
	ck_assert_uint_eq(sim_state_hash(m.sim), before);
}

TEST(test_a_clock_that_does_not_run_is_reported_if_its_cause_is_unknown)
{
	open_machine(SPR);
	freeze_socket(1);
	add_ports();
	make(FREEZE_AUTO);
	program();
	start();
	sim_set_msr_absent(m.sim, true);
	spy_forget(&m.spy);
	ck_assert_int_eq(pmu_state_unfreeze_sockets(&pmu, &err), 0);
	ck_assert_uint_eq(count_warnings("socket 1: the uncore clock does not run"), 1);
	restore();
}

TEST(test_checking_for_frozen_sockets_takes_at_most_a_microsecond_each)
{
	plan_ports(SPR, false, FREEZE_AUTO);
	program();
	start();
	const uint64_t before = m.spy.base.ops->clock->now(&m.spy.base);
	ck_assert_int_eq(pmu_state_unfreeze_sockets(&pmu, &err), 0);
	ck_assert_uint_le(m.spy.base.ops->clock->now(&m.spy.base) - before, 2 * 1000);
	restore();
}
