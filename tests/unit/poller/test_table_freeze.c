/* SPDX-License-Identifier: BSD-3-Clause */
/* Frozen tables, as pmu_state.h treats them. */
#include "poller/pmu_state.h"

#include "platform/guard.h"
#include "sim_machine.h"
#include "uncore/discovery/discovery.h"
#include "unit.h"

#define SPEC "dmr,sockets=2,dies=2,read=1,clock=virtual"
#define MS   UINT64_C(1000000) /* ns */

static const struct event cbo_event = {
	.name = "cbo", .type = PMU_CBO, .code = 0x11, .counters = 0x01};
static const struct event cxlcm_event = {.name = "cxlcm",
					 .type = PMU_CXLCM_DMR,
					 .code = 0x41,
					 .counters = 0xF0,
					 .modifiers = UINT64_C(1) << 32};

static struct sim_machine m;
static struct plan plan;
static struct pmu_state pmu;
static struct error err;

static void tear_down(void)
{
	pmu_state_free(&pmu);
	plan_free(&plan);
}

/* Counts the event on the nth of the second socket's units that have it. */
static const struct unit *plan_event(const struct event *event, unsigned nth)
{
	sim_machine_open(&m, SPEC);
	const struct request request = {.unit = sim_machine_unit(&m, 1, event->type, nth),
					.event = event};
	int rc = plan_make(&m.machine, &request, 1, FREEZE_AUTO, &plan, &err);

	rc = rc ? rc : pmu_state_init(&pmu, &plan, &err);
	ck_assert_msg(rc == 0, "%s", err.text);
	return request.unit;
}

static void start(void)
{
	int rc = pmu_state_start(&pmu, &err);

	ck_assert_msg(rc == 0, "%s", err.text);
	ck_assert_int_eq(reg_write(&m.spy.base, &pmu.domains[0].control.reg, 0, &err), 0);
}

static uint64_t count(void)
{
	uint64_t value;

	sim_machine_wait(&m, MS);
	ck_assert_int_eq(reg_read(&m.spy.base, &plan.counters[0].reg, &value, &err), 0);
	return value;
}

/* Returns the number of writes to a register, and the last value. */
static size_t writes_to(uint64_t address, uint64_t *last)
{
	size_t n = 0;

	for (size_t i = 0; i < m.spy.access_count; i++) {
		const struct access *a = &m.spy.accesses[i];

		if (a->space != REG_MMIO || !a->write || a->address != address)
			continue;
		*last = a->value;
		n++;
	}
	return n;
}

static const struct discovery_table *table_of(const struct unit *unit)
{
	for (size_t i = 0; i < m.machine.discovery.table_count; i++) {
		const struct discovery_table *t = &m.machine.discovery.tables[i];

		if (t->socket == unit->socket && t->die == unit->die)
			return t;
	}
	ck_abort();
}

static size_t writes_to_all_tables(void)
{
	uint64_t ignored;
	size_t n = 0;

	for (size_t i = 0; i < m.machine.discovery.table_count; i++)
		n += writes_to(m.machine.discovery.tables[i].global.control, &ignored);
	return n;
}

FIXTURE(NULL, tear_down)

TEST(test_the_table_of_a_counted_unit_runs_and_is_restored_as_it_was)
{
	const struct unit *unit = plan_event(&cbo_event, 5); /* a unit of the second die */
	const uint64_t control = table_of(unit)->global.control;
	const uint64_t before = sim_state_hash(m.sim);
	uint64_t last = 99;

	ck_assert_uint_eq(unit->die, 3);
	start();
	ck_assert_uint_eq(writes_to(control, &last), 1);
	ck_assert_uint_eq(last, 0);
	ck_assert_uint_eq(writes_to_all_tables(), 1);
	ck_assert_uint_gt(count(), 0);
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
	ck_assert_uint_eq(writes_to(control, &last), 2);
	ck_assert_uint_eq(last, 1);
	ck_assert_uint_eq(sim_state_hash(m.sim), before);
}

TEST(test_units_of_other_tables_leave_them_frozen)
{
	plan_event(&cxlcm_event, 1);
	for (size_t i = 0; i < pmu.freeze_count; i++)
		ck_assert_ptr_null(pmu.freezes[i].table);
	start();
	ck_assert_uint_gt(count(), 0);
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
	ck_assert_uint_eq(writes_to_all_tables(), 0);
}

TEST(test_a_table_that_could_not_be_restored_is_tried_again)
{
	const struct unit *unit = plan_event(&cbo_event, 0);
	const uint64_t control = table_of(unit)->global.control;
	const uint64_t before = sim_state_hash(m.sim);
	uint64_t last = 99;

	start();
	const size_t writes = spy_count(&m.spy, true);
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
	const size_t restoring = spy_count(&m.spy, true) - writes;
	start();
	spy_forget(&m.spy);
	m.spy.fail_write = restoring; /* the last one, which is the table's */
	m.spy.fail_code = -EIO;
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), -EIO);
	ck_assert_uint_eq(writes_to(control, &last), 1);
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
	ck_assert_uint_eq(writes_to(control, &last), 2);
	ck_assert_uint_eq(last, 1);
	ck_assert_uint_eq(sim_state_hash(m.sim), before);
}

/* Unfreezes the table, as the kernel's driver does when it is loaded. */
static void unfreeze(const struct discovery_table *table)
{
	const struct reg control = table_control(table);

	ck_assert_int_eq(reg_write(&m.spy.base, &control, 0, &err), 0);
	spy_forget(&m.spy);
}

TEST(test_a_table_that_runs_is_not_written)
{
	const struct unit *unit = plan_event(&cbo_event, 0);

	unfreeze(table_of(unit));
	start();
	ck_assert_uint_gt(count(), 0);
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
	ck_assert_uint_eq(writes_to_all_tables(), 0);
}

TEST(test_how_to_restore_it_is_saved_before_it_is_written)
{
	const struct unit *unit = plan_event(&cbo_event, 0);
	const uint64_t control = table_of(unit)->global.control;
	size_t steps = 0;

	start();
	for (size_t i = 0; i < pmu.undo.count; i++) {
		const struct undo_step *step = &pmu.undo.steps[i];

		if (step->reg.space != REG_MMIO || step->reg.address != control)
			continue;
		ck_assert_uint_eq(step->value, 1);
		steps++;
	}
	ck_assert_uint_eq(steps, 1);
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
}

/* The other run's journal shows that it will freeze the table. */
TEST(test_a_table_that_another_run_will_freeze_is_refused)
{
	const struct unit *unit = plan_event(&cbo_event, 0);
	const struct undo_step theirs = {.reg = table_control(table_of(unit)),
					 .value = 1,
					 .socket = UNDO_THIS_CPU,
					 .mask = 1};
	struct undo others = {.count = 0};

	ck_assert_int_eq(undo_add(&others, &theirs, &err), 0);
	pmu.undo.others = &others;
	unfreeze(table_of(unit));
	ck_assert_int_eq(pmu_state_start(&pmu, &err), -EBUSY);
	ck_assert_int_eq(err.kind, ERROR_IN_USE);
	ck_assert_ptr_nonnull(strstr(err.text, "socket 1 die 2: another cxlmon"));
	ck_assert_uint_eq(spy_count(&m.spy, true), 0);
	pmu.undo.others = NULL;
	undo_free(&others);
}

/* Power-on freezes the table, also if it was unfrozen before. */
TEST_LOOP(test_after_a_suspension_it_runs_again, 2)
{
	const struct unit *unit = plan_event(&cbo_event, 0);

	if (_i)
		unfreeze(table_of(unit));
	start();
	sim_suspend(m.sim, MS);
	ck_assert_int_eq(pmu_state_reprogram(&pmu, &err), 0);
	ck_assert_int_eq(reg_write(&m.spy.base, &pmu.domains[0].control.reg, 0, &err), 0);
	ck_assert_uint_gt(count(), 0);
	ck_assert_int_eq(pmu_state_restore(&pmu, &err), 0);
}

TEST(test_a_control_that_can_not_be_mapped_is_an_error)
{
	sim_machine_open(&m, SPEC);
	const struct request request = {.unit = sim_machine_unit(&m, 0, PMU_CBO, 0),
					.event = &cbo_event};

	sim_set_memory_denied(m.sim, table_of(request.unit)->global.control, 4);
	ck_assert_int_eq(plan_make(&m.machine, &request, 1, FREEZE_AUTO, &plan, &err), 0);
	ck_assert_int_eq(pmu_state_init(&pmu, &plan, &err), -EPERM);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
}
