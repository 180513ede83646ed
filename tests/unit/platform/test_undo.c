/* SPDX-License-Identifier: BSD-3-Clause */
/* Undo lists on a platform of a few MSRs per CPU, which reads and writes them without changes. */
#include "platform/cpus.h"
#include "platform/guard.h"
#include "platform/reg.h"
#include "platform/undo.h"
#include "unit.h"

#define CPUS	4 /* CPUs of two sockets */
#define MSRS	16
#define CONTROL 1
#define COUNTER 2
#define SHARED	3
#define UNIT	4

#define BEFORE UINT64_C(0x1111)
#define OURS   UINT64_C(0x2222)
#define OTHERS UINT64_C(0x3333)

static uint64_t msrs[CPUS][MSRS];
static bool offline[CPUS];
static struct cpu_location cpus[CPUS];
static const struct topology topology = {cpus, CPUS};
static struct platform platform;
static struct undo undo, others;
static struct undo_left left;
static struct error err;

static uint64_t memory; /* a register that can only be read */

static int read_register(struct platform *p, const struct reg *reg, uint64_t *value)
{
	(void)p;
	if (reg->space == REG_MSR && offline[reg->cpu])
		return -ENXIO;
	*value = reg->space == REG_MSR ? msrs[reg->cpu][reg->address] : memory;
	return 0;
}

static int write_register(struct platform *p, const struct reg *reg, uint64_t value)
{
	(void)p;
	ck_assert_int_eq(reg->space, REG_MSR);
	if (offline[reg->cpu])
		return -ENXIO;
	msrs[reg->cpu][reg->address] = value;
	return 0;
}

static void explain(struct platform *p, const struct reg *reg, bool write, int code,
		    struct error *out)
{
	(void)p;
	(void)reg;
	(void)write;
	(void)code;
	*out = (struct error){.kind = ERROR_FAILED, .text = "no such CPU"};
}

static const struct register_ops own_registers = {
	.read = read_register,
	.write = write_register,
	.explain = explain,
};

static const struct platform_ops ops = {
	.registers = &own_registers,
};

static void set_up(void)
{
	memset(msrs, 0, sizeof(msrs));
	memset(offline, 0, sizeof(offline));
	for (unsigned c = 0; c < CPUS; c++)
		cpus[c] = (struct cpu_location){.cpu = c, .socket = (int)c / 2, .node = -1};
	platform = (struct platform){.ops = &ops, .guard.allow_all = true};
	left = (struct undo_left){0};
}

static void tear_down(void)
{
	undo_free(&undo);
	undo_free(&others);
}

static struct undo_step step_on(unsigned cpu, uint64_t msr, uint64_t value,
				enum undo_condition condition)
{
	return (struct undo_step){.reg = {.space = REG_MSR, .bytes = 8, .cpu = cpu, .address = msr},
				  .value = value,
				  .socket = UNDO_THIS_CPU,
				  .condition = condition,
				  .mask = UINT64_MAX};
}

static void add(struct undo *list, struct undo_step step)
{
	ck_assert_int_eq(undo_add(list, &step, &err), 0);
}

/* Adds a unit of a control and its counter, and the control of the unit. */
static void add_unit(struct undo *list, unsigned cpu, uint64_t before)
{
	struct undo_step counter = step_on(cpu, COUNTER, before + 1, UNDO_IF_CONTROL);

	undo_begin_unit(list);
	counter.control = list->count;
	add(list, step_on(cpu, CONTROL, before, UNDO_IF_OURS));
	ck_assert_int_eq(undo_add_value(list, counter.control, OURS, &err), 0);
	add(list, counter);
	add(list, step_on(cpu, UNIT, before + 2, UNDO_IF_UNIT));
}

static int apply(void)
{
	return undo_apply(&platform, &undo, 0, undo.count, &topology, &left, &err);
}

static void assert_unit(unsigned cpu, uint64_t control, uint64_t counter, uint64_t unit)
{
	ck_assert_uint_eq(msrs[cpu][CONTROL], control);
	ck_assert_uint_eq(msrs[cpu][COUNTER], counter);
	ck_assert_uint_eq(msrs[cpu][UNIT], unit);
}

FIXTURE(set_up, tear_down)

TEST_LOOP(test_each_value_of_ours_is_known, 3)
{
	static const uint64_t values[] = {5, 0, OURS};

	add_unit(&undo, 0, BEFORE);
	ck_assert_int_eq(undo_add_value(&undo, 0, 5, &err), 0);
	ck_assert_int_eq(undo_add_value(&undo, 0, 0, &err), 0);
	add_unit(&undo, 1, BEFORE);
	msrs[0][CONTROL] = values[_i];
	msrs[1][CONTROL] = OURS;
	ck_assert_int_eq(apply(), 0);
	assert_unit(0, BEFORE, BEFORE + 1, BEFORE + 2);
	assert_unit(1, BEFORE, BEFORE + 1, BEFORE + 2);
}

TEST(test_what_another_program_has_set_is_left_and_told)
{
	add_unit(&undo, 0, BEFORE);
	add_unit(&undo, 1, BEFORE);
	msrs[0][CONTROL] = OTHERS;
	msrs[0][COUNTER] = 99;
	msrs[0][UNIT] = 7;
	msrs[1][CONTROL] = OURS;
	ck_assert_int_eq(apply(), 0);
	assert_unit(0, OTHERS, 99, 7);
	assert_unit(1, BEFORE, BEFORE + 1, BEFORE + 2);
	ck_assert_uint_eq(left.count, 1);
	ck_assert_uint_eq(left.steps, 3);
	ck_assert_uint_eq(left.first.address, CONTROL);
	ck_assert_uint_eq(left.value, OTHERS);
}

TEST(test_of_a_unit_that_is_shared_only_our_counters_are_restored)
{
	struct undo_step second = step_on(0, 6, BEFORE, UNDO_IF_OURS);

	add_unit(&undo, 0, BEFORE);
	add(&undo, second);
	ck_assert_int_eq(undo_add_value(&undo, 3, OURS, &err), 0);
	msrs[0][CONTROL] = OURS;
	msrs[0][6] = OTHERS;
	msrs[0][UNIT] = 7;
	ck_assert_int_eq(apply(), 0);
	assert_unit(0, BEFORE, BEFORE + 1, 7);
	ck_assert_uint_eq(msrs[0][6], OTHERS);
}

TEST(test_what_still_is_ours_is_restored_and_a_second_time_nothing_changes)
{
	add_unit(&undo, 0, BEFORE);
	msrs[0][CONTROL] = OURS;
	msrs[0][COUNTER] = 99;
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(apply(), 0);
		assert_unit(0, BEFORE, BEFORE + 1, BEFORE + 2);
		ck_assert_uint_eq(left.count, 0);
	}
}

TEST(test_of_a_shared_register_only_our_bits_are_restored)
{
	struct undo_step step = step_on(0, SHARED, 0x0FF0, UNDO_ALWAYS);

	step.mask = 0x0F0F;
	add(&undo, step);
	msrs[0][SHARED] = 0xABCD;
	ck_assert_int_eq(apply(), 0);
	ck_assert_uint_eq(msrs[0][SHARED], 0xAFC0);
}

TEST_LOOP(test_a_nibble_is_compared_and_restored_alone, 2)
{
	struct undo_step step = step_on(0, SHARED, 0x1000, UNDO_IF_OURS);

	step.mask = 0xF000;
	add(&undo, step);
	ck_assert_int_eq(undo_add_value(&undo, 0, 0x3333, &err), 0);
	msrs[0][SHARED] = _i ? 0xB0C3 : 0x30C3;
	ck_assert_int_eq(apply(), 0);
	ck_assert_uint_eq(msrs[0][SHARED], _i ? 0xB0C3 : 0x10C3);
	ck_assert_uint_eq(left.count, (size_t)_i);
}

TEST(test_what_a_run_in_progress_will_restore_is_its_original_value)
{
	add_unit(&others, 0, BEFORE);
	undo.others = &others;
	undo_begin_unit(&undo);
	add(&undo, step_on(0, CONTROL, OURS, UNDO_IF_OURS));
	add(&undo, step_on(1, CONTROL, OURS, UNDO_IF_OURS));
	add(&undo, step_on(0, UNIT, OURS, UNDO_IF_UNIT));
	ck_assert_uint_eq(undo.steps[0].value, BEFORE);
	ck_assert_uint_eq(undo.steps[1].value, OURS);
	ck_assert_uint_eq(undo.steps[2].value, BEFORE + 2);
}

/* Bits of one run, and of two: the first found the value from before both. */
TEST_LOOP(test_original_values_are_taken_by_bits, 2)
{
	struct undo_step theirs = step_on(0, SHARED, 0x0000, UNDO_ALWAYS), mine = theirs;

	theirs.mask = 0x0F0F;
	add(&others, theirs);
	theirs.mask = 0x0FF0;
	theirs.value = 0x0110;
	if (_i)
		theirs.mask = 0;
	add(&others, theirs);
	undo.others = &others;
	mine.value = 0xAFFF;
	mine.mask = 0xFFF0;
	add(&undo, mine);
	/* bits 3:0 belong to others */
	ck_assert_uint_eq(undo.steps[0].value & 0xFFF0, _i ? 0xA0F0 : 0xA010);
}

TEST(test_a_stop_is_no_original_value)
{
	struct undo_step stop = step_on(0, SHARED, 0, UNDO_ALWAYS);

	stop.action = true;
	add(&others, stop);
	undo.others = &others;
	add(&undo, step_on(0, SHARED, 5, UNDO_ALWAYS));
	ck_assert_uint_eq(undo.steps[0].value, 5);
}

TEST(test_registers_of_a_run_in_progress_are_left_to_it)
{
	add_unit(&undo, 0, BEFORE);
	add_unit(&undo, 1, BEFORE);
	add_unit(&others, 0, BEFORE);
	undo.others = &others;
	msrs[0][CONTROL] = msrs[1][CONTROL] = OURS;
	ck_assert_int_eq(apply(), 0);
	assert_unit(0, OURS, 0, 0);
	assert_unit(1, BEFORE, BEFORE + 1, BEFORE + 2);
	ck_assert_uint_eq(left.count, 0);
}

/*
 * The run was killed while it had frozen a unit that the run in progress counts, or that was frozen
 * before.
 */
TEST_LOOP(test_a_killed_run_leaves_no_unit_of_a_run_in_progress_frozen, 3)
{
	struct undo_step stop = step_on(0, UNIT, 1, UNDO_IF_UNIT),
			 state = step_on(0, UNIT, 0x100 | (_i == 1), UNDO_IF_UNIT);

	stop.action = true;
	undo_begin_unit(&undo);
	add(&undo, stop);
	add(&undo, step_on(0, CONTROL, BEFORE, UNDO_IF_OURS));
	ck_assert_int_eq(undo_add_value(&undo, 1, OURS, &err), 0);
	add(&undo, state);
	add_unit(&others, 0, BEFORE);
	undo.others = &others;
	msrs[0][CONTROL] = _i == 2 ? OTHERS : OURS;
	msrs[0][UNIT] = 0x201;
	ck_assert_int_eq(apply(), 0);
	ck_assert_uint_eq(msrs[0][CONTROL], _i == 2 ? OTHERS : OURS);
	ck_assert_uint_eq(msrs[0][UNIT], _i ? 0x201 : 0x200);
}

/* The run in progress would not restore a value that it has not written. */
TEST(test_what_a_killed_run_has_written_over_a_run_in_progress_is_restored)
{
	add_unit(&undo, 0, BEFORE);
	ck_assert_int_eq(undo_add_value(&undo, 0, 5, &err), 0);
	add_unit(&others, 0, BEFORE);
	undo.others = &others;
	msrs[0][CONTROL] = 5;
	ck_assert_int_eq(apply(), 0);
	assert_unit(0, BEFORE, BEFORE + 1, BEFORE + 2);
}

TEST(test_what_a_run_in_progress_writes_later_is_restored_too)
{
	add_unit(&others, 0, BEFORE);
	undo.others = &others;
	undo_begin_unit(&undo);
	add(&undo, step_on(0, CONTROL, OURS, UNDO_IF_OURS));
	ck_assert_int_eq(undo_add_value(&undo, 0, 5, &err), 0);
	undo.others = NULL;
	for (unsigned i = 0; i < 2; i++) {
		msrs[0][CONTROL] = i ? OURS : 5;
		ck_assert_int_eq(apply(), 0);
		ck_assert_uint_eq(msrs[0][CONTROL], BEFORE);
	}
}

TEST(test_an_offline_cpu_is_an_error_and_the_rest_is_restored)
{
	add_unit(&undo, 0, BEFORE);
	add_unit(&undo, 1, BEFORE);
	msrs[0][CONTROL] = msrs[1][CONTROL] = OURS;
	offline[0] = true;
	ck_assert_int_eq(apply(), -ENXIO);
	assert_unit(0, OURS, 0, 0);
	assert_unit(1, BEFORE, BEFORE + 1, BEFORE + 2);
	offline[0] = false;
	ck_assert_int_eq(apply(), 0);
	assert_unit(0, BEFORE, BEFORE + 1, BEFORE + 2);
}

/* A control never has all bits of a half set; an MSR may have any value. */
TEST_LOOP(test_a_unit_in_memory_that_does_not_respond_is_an_error, 4)
{
	static const uint64_t values[] = {UINT64_MAX, UINT32_MAX, UINT64_MAX << 32, OTHERS};
	static const struct mmio_window window = {.phys = 0, .length = 8};
	const bool responds = values[_i] == OTHERS;
	struct undo_step step = step_on(0, CONTROL, BEFORE, UNDO_IF_OURS);

	msrs[0][CONTROL] = memory = values[_i];
	add(&undo, step);
	undo_begin_unit(&undo);
	step.reg = (struct reg){.space = REG_MMIO, .bytes = 8, .window = &window};
	add(&undo, step);
	ck_assert_int_eq(apply(), responds ? 0 : -ENXIO);
	ck_assert_uint_eq(left.count, responds ? 2 : 1);
	if (!responds)
		ck_assert_str_eq(err.text, "mmio 0x0 does not respond (reads as all ones)");
}

TEST(test_a_register_of_a_socket_is_restored_through_any_of_its_cpus)
{
	struct undo_step step = step_on(2, CONTROL, BEFORE, UNDO_IF_OURS);

	step.socket = 1;
	add(&undo, step);
	ck_assert_int_eq(undo_add_value(&undo, 0, OURS, &err), 0);
	offline[2] = true;
	msrs[3][CONTROL] = OURS;
	ck_assert_int_eq(apply(), 0);
	ck_assert_uint_eq(msrs[3][CONTROL], BEFORE);
	ck_assert_uint_eq(msrs[0][CONTROL], 0);
}

TEST(test_lists_are_joined_with_their_units_and_values)
{
	add_unit(&others, 0, BEFORE);
	add_unit(&others, 1, BEFORE);
	add_unit(&undo, 2, BEFORE);
	ck_assert_int_eq(undo_append(&undo, &others, &err), 0);
	ck_assert_uint_eq(undo.count, 9);
	ck_assert_uint_eq(undo_unit_end(&undo, 3), 6);
	for (unsigned c = 0; c < 3; c++)
		msrs[c][CONTROL] = OURS;
	ck_assert_int_eq(apply(), 0);
	for (unsigned c = 0; c < 3; c++)
		assert_unit(c, BEFORE, BEFORE + 1, BEFORE + 2);
}

TEST(test_the_bits_that_it_restores_are_those_of_its_masks)
{
	struct undo_step shared = step_on(2, CONTROL, BEFORE, UNDO_ALWAYS),
			 bits = step_on(1, SHARED, BEFORE, UNDO_ALWAYS);
	struct reg reg = {.space = REG_MSR, .cpu = 3, .address = CONTROL};
	const struct cpu_location first = {.socket = 0}, second = {.socket = 1};

	shared.socket = 1;
	bits.mask = 0xf0;
	add(&undo, shared);
	add(&undo, bits);
	bits.mask = 0x0f00;
	add(&undo, bits);
	ck_assert_uint_eq(undo_mask(&undo, &reg, &second), UINT64_MAX);
	ck_assert_uint_eq(undo_mask(&undo, &reg, &first), 0);
	reg.address = SHARED;
	ck_assert_uint_eq(undo_mask(&undo, &reg, &first), 0);
	reg.cpu = 1;
	ck_assert_uint_eq(undo_mask(&undo, &reg, &first), 0x0ff0);
	reg.space = REG_MMIO;
	ck_assert_uint_eq(undo_mask(&undo, &reg, &first), 0);
}

/* Returns a step; CPUs 0 and 2 share an L3, as do 1 and 3; all are on one socket. */
static struct undo_step step_of_l3(unsigned cpu, uint64_t value)
{
	struct undo_step step = step_on(cpu, CONTROL, value, UNDO_IF_OURS);

	for (unsigned c = 0; c < CPUS; c++) {
		cpus[c].socket = 0;
		cpus[c].l3 = (int)c % 2;
	}
	step.socket = 0;
	step.l3_scoped = true;
	step.l3 = (int)cpu % 2;
	return step;
}

TEST(test_a_register_of_an_l3_is_restored_through_the_cpus_that_share_it_alone)
{
	add(&undo, step_of_l3(0, BEFORE));
	ck_assert_int_eq(undo_add_value(&undo, 0, OURS, &err), 0);
	offline[0] = true;
	msrs[1][CONTROL] = msrs[2][CONTROL] = msrs[3][CONTROL] = OURS;
	ck_assert_int_eq(apply(), 0);
	ck_assert_uint_eq(msrs[2][CONTROL], BEFORE);
	offline[2] = true;
	ck_assert_int_eq(apply(), -ENXIO);
	ck_assert_uint_eq(msrs[1][CONTROL], OURS);
	ck_assert_uint_eq(msrs[3][CONTROL], OURS);
}

TEST(test_registers_of_two_l3s_are_not_the_same)
{
	add(&others, step_of_l3(0, OTHERS));
	undo.others = &others;
	add(&undo, step_of_l3(1, BEFORE));
	add(&undo, step_of_l3(2, BEFORE));
	ck_assert_uint_eq(undo.steps[0].value, BEFORE);
	ck_assert_uint_eq(undo.steps[1].value, OTHERS);
}

TEST(test_the_bits_of_an_l3_s_register_are_found_from_its_cpus)
{
	const struct reg reg = {.space = REG_MSR, .address = CONTROL};

	add(&undo, step_of_l3(0, BEFORE));
	for (unsigned c = 0; c < CPUS; c++)
		ck_assert_uint_eq(undo_mask(&undo, &reg, &cpus[c]), c % 2 ? 0 : UINT64_MAX);
}
