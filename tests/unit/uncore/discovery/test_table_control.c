/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/discovery/discovery.h"

#include "platform/guard.h"
#include "platform/undo.h"
#include "sim_machine.h"
#include "unit.h"

#define SPEC "dmr,dies=2,clock=virtual"

static struct sim_machine m;
static struct error err;

static void set_up(void)
{
	sim_machine_open(&m, SPEC);
}

/* Returns a table; 0 and 1 belong to IMHs. */
static struct discovery_table *table(size_t i)
{
	ck_assert_uint_eq(m.machine.discovery.table_count, 4);
	return &m.machine.discovery.tables[i];
}

FIXTURE(set_up, NULL)

TEST(test_only_tables_of_dies_have_one)
{
	struct discovery_table odd = *table(2);

	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(table_has_control(table(i)), i >= 2);
	odd.global.control = 0;
	ck_assert(!table_has_control(&odd));
	odd.global.control = 0x3000000002;
	ck_assert(!table_has_control(&odd));
}

TEST(test_it_is_frozen_from_power_on_and_can_be_cleared_and_restored)
{
	uint64_t value;

	ck_assert_int_eq(table_control_open(&m.spy.base, table(2), &err), 0);
	const struct reg control = table_control(table(2));

	ck_assert_uint_eq(control.bytes, 4);
	ck_assert_int_eq(reg_read(&m.spy.base, &control, &value, &err), 0);
	ck_assert_uint_eq(value, 1);
	ck_assert_int_eq(reg_write(&m.spy.base, &control, 0, &err), 0);
	ck_assert_int_eq(reg_read(&m.spy.base, &control, &value, &err), 0);
	ck_assert_uint_eq(value, 0);
	ck_assert_int_eq(reg_restore(&m.spy.base, &control, 1, &err), 0);
	ck_assert_int_eq(reg_read(&m.spy.base, &control, &value, &err), 0);
	ck_assert_uint_eq(value, 1);
}

TEST(test_one_that_can_not_be_mapped_is_not_taken_for_mapped)
{
	sim_set_memory_denied(m.sim, table(2)->global.control, 4);
	ck_assert_int_eq(table_control_open(&m.spy.base, table(2), &err), -EPERM);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	ck_assert_int_eq(table_control_open(&m.spy.base, table(2), &err), -EPERM);
}

TEST(test_no_other_bit_may_be_set)
{
	ck_assert_int_eq(table_control_open(&m.spy.base, table(2), &err), 0);
	const struct reg control = table_control(table(2));

	for (unsigned bit = 1; bit < 32; bit++)
		ck_assert_int_eq(reg_write(&m.spy.base, &control, UINT64_C(1) << bit, &err),
				 -EACCES);
}

TEST(test_without_being_opened_it_may_not_be_written)
{
	ck_assert_int_eq(table_control_open(&m.spy.base, table(2), &err), 0);
	const struct reg other = {.space = REG_MMIO,
				  .bytes = 4,
				  .window = &table(2)->control,
				  .address = table(3)->global.control};

	ck_assert_int_eq(reg_write(&m.spy.base, &other, 0, &err), -EACCES);
}

TEST(test_a_journal_that_names_it_is_mapped)
{
	struct reg reg = {.space = REG_MMIO, .bytes = 4, .address = table(3)->global.control};

	ck_assert_int_eq(machine_allow_all(&m.machine, &err), 0);
	ck_assert_int_eq(machine_map_register(&m.machine, &reg, &err), 0);
	ck_assert_int_eq(reg_restore(&m.spy.base, &reg, 0, &err), 0);
	reg.bytes = 8;
	ck_assert_int_eq(machine_map_register(&m.machine, &reg, &err), -ENOENT);
	reg.bytes = 4;
	reg.address = table(0)->global.control; /* an IMH's */
	ck_assert_int_eq(machine_map_register(&m.machine, &reg, &err), -ENOENT);
}
