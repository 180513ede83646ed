/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/global_control.h"

#include "fake_machine.h"
#include "platform/guard.h"
#include "sim_machine.h"
#include "unit.h"

#define GLOBAL_CONTROL 0x2FF0
#define TABLE	       UINT64_C(0x2000000000)
#define CONTROL	       UINT64_C(0x3000000040)

static struct sim_machine m;
static struct frozen_control frozen[2];
static struct error unread;

static void open_machine(const char *spec)
{
	sim_machine_open(&m, spec);
}

static size_t find(void)
{
	return global_control_find_frozen(&m.machine, frozen, COUNT_OF(frozen), &unread);
}

static void freeze(unsigned cpu)
{
	const struct reg reg = {
		.space = REG_MSR, .bytes = 8, .cpu = cpu, .address = GLOBAL_CONTROL};

	guard_disable(&m.spy.base.guard);
	ck_assert_int_eq(reg_write(&m.spy.base, &reg, 1, NULL), 0);
	m.spy.base.guard.allow_all = false;
}

static const char *const models[] = {"spr", "emr", "gnr", "gnr-d", "srf", "cwf"};

static void open_model(int i)
{
	char spec[64];

	snprintf(spec, sizeof(spec), "%s,sockets=2,cpus=4,dies=2,clock=virtual", models[i]);
	open_machine(spec);
}

TEST_LOOP(test_a_running_machine_has_none, COUNT_OF(models))
{
	open_model(_i);
	ck_assert_uint_eq(find(), 0);
	ck_assert_int_eq(unread.code, 0);
}

TEST_LOOP(test_a_socket_that_was_left_frozen_is_found_on_every_processor, COUNT_OF(models))
{
	char command[ERROR_COMMAND_SIZE];

	open_model(_i);
	freeze(4);
	ck_assert_uint_eq(find(), 1);
	ck_assert_int_eq(frozen[0].socket, 1);
	ck_assert_uint_eq(frozen[0].value, 1);
	ck_assert_uint_eq(frozen[0].reg.address, GLOBAL_CONTROL);
	ck_assert_str_eq(global_control_unfreeze_command(frozen, command),
			 "sudo wrmsr -p 4 0x2ff0 0");
	freeze(0);
	ck_assert_uint_eq(find(), 2);
	ck_assert_int_eq(frozen[0].socket, 0);
	ck_assert_int_eq(frozen[1].socket, 1);
}

TEST(test_a_register_that_can_not_be_read_is_not_frozen_and_said)
{
	open_machine("gnr,clock=virtual");
	sim_set_msr_absent(m.sim, true);
	ck_assert_uint_eq(find(), 0);
	ck_assert_int_ne(unread.code, 0);
	ck_assert_ptr_nonnull(strstr(unread.text, "msr"));
}

TEST(test_nothing_is_written)
{
	open_machine("gnr,clock=virtual");
	freeze(0);
	spy_forget(&m.spy);
	find();
	ck_assert_uint_eq(spy_count(&m.spy, true), 0);
}

/* Values of a global control in memory. */
static const uint64_t values[] = {0, 1, 0x10, 0x11, UINT64_MAX};
static const size_t found[] = {0, 1, 0, 1, 0};

TEST_LOOP(test_a_register_in_memory_is_read_there, COUNT_OF(values))
{
	const struct unit_record record = fake_cxl_record(PMU_CXLCM, 2);
	char command[ERROR_COMMAND_SIZE];
	struct fake_machine fake;
	struct machine machine;
	struct error err;

	fake_init(&fake);
	fake_discovery(&fake, 0x1e, 0, TABLE);
	uint64_t *words = fake_table(&fake, TABLE, &record, 1);
	words[0] |= (uint64_t)ACCESS_MMIO << 62;
	words[1] = CONTROL;
	*fake_memory(&fake, CONTROL, 8) = values[_i];
	ck_assert_int_eq(machine_open(&fake.base, &machine, &err), 0);
	ck_assert_uint_eq(global_control_find_frozen(&machine, frozen, COUNT_OF(frozen), &unread),
			  found[_i]);
	ck_assert_int_eq(unread.code, 0);
	if (values[_i] == 0x11)
		ck_assert_str_eq(global_control_unfreeze_command(frozen, command),
				 "sudo busybox devmem 0x3000000040 64 0x10");
	machine_close(&machine);
	platform_destroy(&fake.base);
}
