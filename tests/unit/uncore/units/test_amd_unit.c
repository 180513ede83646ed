/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/units/amd_unit.h"

#include "fake_machine.h"
#include "msr/core_pmu.h"
#include "platform/cpus.h"
#include "platform/guard.h"
#include "sim_registers.h"
#include "spy.h"
#include "tests/registers.h"
#include "uncore/models/models.h"
#include "uncore/units/core_unit.h"
#include "unit.h"

/* Kinds of units: the data fabric, an L3, the second memory controller, a CPU. */
enum { DF, L3, UMC, CPU, KINDS };

#define GLOBAL_CTL 0xC0000301
#define LEFTOVER   UINT64_C(0xC0) /* a control without the enable bit */

/* Kinds, with the two counters that are used, and the controls of their events. */
static const struct kind {
	uint32_t first; /* MSR of the first control */
	unsigned counters, a, b;
	uint64_t enable, control_a, control_b;
	uint64_t writable; /* bits of a control, with the enable bit */
	const char *name;
} kinds[KINDS] = {
	[DF] = {AMD_DF(0), 16, 14, 15, UINT64_C(1) << 22, 0x030F00FE1F, 0x030C00FD1F, AMD_DF_BITS,
		"socket 1 df 0"},
	[L3] = {AMD_L3(0), 6, 4, 5, UINT64_C(1) << 22, 0x0303C000000010AC, 0x0303C000000010AD,
		AMD_L3_BITS, "socket 1 l3 0"},
	[UMC] = {AMD_UMC(1, 0), 4, 2, 3, UINT64_C(1) << 31, 0x10A, 0x20A, AMD_UMC_BITS,
		 "socket 1 umc 1"},
	[CPU] = {AMD_CORE(0), 6, CORE_COUNTER_GENERAL + 4, CORE_COUNTER_GENERAL + 5,
		 UINT64_C(1) << 22, 0x300C0, 0x30076, 0xFFFC7FFFF, "socket 1 core 2"},
};

static struct fake_machine fake;
static struct spy spy;
static struct unit unit;
static struct undo undo;
static struct undo_left left;
static struct topology topology;
static struct error err;
static uint64_t controls[UNIT_MAX_COUNTERS];
static const struct kind *k;

static void set_up(void)
{
	fake_init_turin(&fake);
	spy_init(&spy, &fake.base);
	topology = (struct topology){.cpus = fake.cpus, .count = fake.cpu_count};
	undo = (struct undo){.count = 0};
	left = (struct undo_left){0};
	memset(controls, 0, sizeof(controls));
}

static void tear_down(void)
{
	unit_close(&spy.base, &unit);
	undo_free(&undo);
	platform_destroy(&spy.base);
}

static void make(int kind)
{
	k = &kinds[kind];
	if (kind == CPU) {
		unit = amd_core_unit(&fake.cpus[2]);
	} else {
		unit = amd_unit(&model_by_name("turin")->pmu_types[kind], k->first, k->counters,
				&fake.cpus[2]);
		unit.id = kind == UMC;
	}
	controls[k->a] = k->control_a;
	controls[k->b] = k->control_b;
	unit.claimed = UINT32_C(1) << k->a | UINT32_C(1) << k->b;
}

static void open_unit(int kind, enum ownership ownership)
{
	make(kind);
	unit.ownership = ownership;
	ck_assert_msg(!unit_open(&spy.base, &unit, &err), "%s", err.text);
}

/* Returns the number of a unit's counter, from 0. */
static unsigned number(unsigned i)
{
	return i & (CORE_COUNTER_GENERAL - 1);
}

static uint32_t control_at(unsigned i)
{
	return k->first + 2 * number(i);
}

static uint64_t peek(uint32_t msr)
{
	uint64_t value;

	ck_assert_int_eq(raw_msr_read(&fake.base, 2, msr, &value), 0);
	return value;
}

static void poke(uint32_t msr, uint64_t value)
{
	ck_assert_int_eq(raw_msr_write(&fake.base, 2, msr, value), 0);
}

static struct access write_of(uint32_t msr, uint64_t value)
{
	return (struct access){.space = REG_MSR,
			       .write = true,
			       .cpu = 2,
			       .address = msr,
			       .bytes = 8,
			       .value = value};
}

static int save(void)
{
	int rc = unit_save(&spy.base, &unit, unit.claimed, &undo, &err);

	return rc >= 0 && unit_add_ours(&unit, controls, &undo, &err) ? -1 : rc;
}

static void restore(void)
{
	ck_assert_int_eq(undo_apply(&spy.base, &undo, 0, undo.count, &topology, &left, &err), 0);
}

FIXTURE(set_up, tear_down)

TEST_LOOP(test_a_counter_is_the_register_behind_its_control, KINDS)
{
	char name[UNIT_NAME_SIZE];

	open_unit(_i, OWNERSHIP_REFUSE);
	ck_assert_str_eq(unit_name(&unit, name), k->name);
	ck_assert_uint_eq(unit_counter_control(&unit, k->a).address, control_at(k->a));
	ck_assert_uint_eq(unit_counter(&unit, k->a).address, control_at(k->a) + 1);
	ck_assert_uint_eq(unit_counter(&unit, k->b).address, control_at(k->b) + 1);
	ck_assert_uint_eq(unit_counter(&unit, k->b).cpu, 2);
	ck_assert_uint_eq(unit_counter_mask(&unit, k->b), UINT64_C(0xFFFFFFFFFFFF));
	ck_assert(!unit_can_freeze(&unit));
}

TEST(test_a_cpu_s_time_stamp_counter_is_one_of_its_counters)
{
	open_unit(CPU, OWNERSHIP_REFUSE);
	ck_assert_uint_eq(unit_counter(&unit, CORE_COUNTER_TSC).address, 0x10);
	ck_assert_uint_eq(unit_counter_mask(&unit, CORE_COUNTER_TSC), UINT64_MAX);
	ck_assert_uint_eq(unit.usable, CORE_TSC | UINT32_C(0x3F) << CORE_COUNTER_GENERAL);
}

TEST(test_a_cpu_has_as_many_counters_as_cpuid_says)
{
	fake_leaf(&fake, 0x80000022)[1] = 8;
	open_unit(CPU, OWNERSHIP_REFUSE);
	ck_assert_uint_eq(unit.usable, CORE_TSC | UINT32_C(0xFF) << CORE_COUNTER_GENERAL);
	unit_close(&spy.base, &unit);
	fake_leaf(&fake, 0x80000001)[2] = 0;
	ck_assert_int_eq(unit_open(&spy.base, &unit, &err), -ENODEV);
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
}

TEST_LOOP(test_a_unit_is_opened_by_reading_one_control, KINDS)
{
	open_unit(_i, OWNERSHIP_REFUSE);
	ck_assert_uint_eq(spy_count(&spy, true), 0);
	ck_assert_uint_eq(spy_count(&spy, false), 1);
	ck_assert_uint_eq(spy.accesses[0].address, k->first);
}

TEST_LOOP(test_a_control_that_faults_is_an_error_with_its_register, KINDS)
{
	char msr[32];

	make(_i);
	spy.fail_read = 1;
	spy.fail_code = -EIO;
	snprintf(msr, sizeof(msr), "0x%x", k->first);
	ck_assert_int_eq(unit_open(&spy.base, &unit, &err), -EIO);
	assert_contains(err.text, msr);
	ck_assert(!unit.open);
}

TEST_LOOP(test_only_controls_counters_and_their_bits_are_allowed, KINDS)
{
	open_unit(_i, OWNERSHIP_REFUSE);
	for (unsigned x = 0; x < k->counters; x++) {
		const struct reg control = {
			.space = REG_MSR, .bytes = 8, .address = k->first + 2 * x};
		const struct reg counter = {
			.space = REG_MSR, .bytes = 8, .address = k->first + 2 * x + 1};

		ck_assert_uint_eq(guard_find(&spy.base.guard, &control)->mask, k->writable);
		ck_assert_uint_eq(guard_find(&spy.base.guard, &control)->denied, ~k->writable);
		ck_assert_uint_eq(guard_find(&spy.base.guard, &counter)->mask,
				  UINT64_C(0xFFFFFFFFFFFF));
	}
	const struct reg before = {.space = REG_MSR, .bytes = 8, .address = k->first - 1};
	const struct reg behind = {
		.space = REG_MSR, .bytes = 8, .address = k->first + 2 * k->counters};
	ck_assert_ptr_null(guard_find(&spy.base.guard, &before));
	ck_assert_ptr_null(guard_find(&spy.base.guard, &behind));
	ck_assert_uint_eq(spy.base.guard.count, 2 * k->counters + (_i == CPU ? 2 : 0));
}

TEST_LOOP(test_an_interrupt_bit_is_never_written, KINDS)
{
	open_unit(_i, OWNERSHIP_REFUSE);
	const struct reg control = {
		.space = REG_MSR, .bytes = 8, .cpu = 2, .address = control_at(k->a)};

	ck_assert_int_eq(reg_write(&spy.base, &control, k->control_a | PERFEVTSEL_INT, &err),
			 -EACCES);
	ck_assert_uint_eq(spy_count(&spy, true), 0);
	controls[k->a] |= PERFEVTSEL_INT;
	ck_assert_int_eq(unit_program(&spy.base, &unit, controls, &err), -EACCES);
	ck_assert_uint_eq(peek(control_at(k->a)), 0);
}

TEST_LOOP(test_programming_stops_clears_and_starts_the_claimed_counters_alone, KINDS)
{
	open_unit(_i, OWNERSHIP_REFUSE);
	const struct access stop[] = {write_of(control_at(k->a), 0), write_of(control_at(k->b), 0)},
			    clear[] = {write_of(control_at(k->a) + 1, 0),
				       write_of(control_at(k->b) + 1, 0)},
			    start[] = {write_of(control_at(k->a), k->control_a | k->enable),
				       write_of(control_at(k->b), k->control_b | k->enable)};
	/* a memory controller's counters take no write while they are stopped */
	const bool runs = _i == UMC;
	const struct access expected[] = {
		stop[0],
		stop[1],
		runs ? start[0] : clear[0],
		runs ? start[1] : clear[1],
		runs ? clear[0] : start[0],
		runs ? clear[1] : start[1],
	};

	poke(GLOBAL_CTL, 0x3F);
	spy_forget(&spy);
	ck_assert_int_eq(unit_program(&spy.base, &unit, controls, &err), 0);
	spy_assert_writes(&spy, expected, COUNT_OF(expected));
}

/* A group leaves one of the claimed counters unused. */
TEST_LOOP(test_a_counter_without_an_event_stays_off, KINDS)
{
	open_unit(_i, OWNERSHIP_REFUSE);
	controls[k->b] = 0;
	ck_assert_int_eq(unit_program(&spy.base, &unit, controls, &err), 0);
	ck_assert_uint_eq(peek(control_at(k->a)), k->control_a | k->enable);
	ck_assert_uint_eq(peek(control_at(k->b)), 0);
	ck_assert(unit_controls_intact(&spy.base, &unit, controls));
}

TEST_LOOP(test_a_counter_is_in_use_while_its_enable_bit_is_set, KINDS)
{
	char msr[32];

	open_unit(_i, OWNERSHIP_REFUSE);
	poke(control_at(k->a), k->writable & ~k->enable);
	ck_assert(!unit_find_use(&spy.base, &unit, unit.claimed, &err));
	poke(control_at(k->a), k->enable);
	ck_assert(unit_find_use(&spy.base, &unit, unit.claimed, &err));
	ck_assert(unit_find_use(&spy.base, &unit, UINT32_MAX, &err));
	ck_assert(!unit_find_use(&spy.base, &unit, UINT32_C(1) << k->b, &err));
	snprintf(msr, sizeof(msr), "MSR 0x%x", control_at(k->a));
	assert_contains(err.text, k->name);
	assert_contains(err.text, msr);
	ck_assert_int_eq(err.kind, ERROR_IN_USE);
	uint32_t busy;
	ck_assert_int_eq(unit_find_busy(&spy.base, &unit, unit.claimed, &busy, &err), 0);
	ck_assert_uint_eq(busy, UINT32_C(1) << k->a);
}

TEST_LOOP(test_a_counter_in_use_is_refused_and_nothing_is_written, KINDS)
{
	open_unit(_i, OWNERSHIP_REFUSE);
	poke(control_at(k->b), LEFTOVER | k->enable);
	ck_assert_int_eq(save(), -EBUSY);
	ck_assert_int_eq(err.kind, ERROR_IN_USE);
	assert_contains(err.text, "--share uses only free counters");
	ck_assert_uint_eq(spy_count(&spy, true), 0);
}

/* Counters that are not claimed are not read. */
TEST_LOOP(test_others_counters_are_left_alone, KINDS)
{
	open_unit(_i, OWNERSHIP_REFUSE);
	poke(k->first, LEFTOVER | k->enable);
	poke(k->first + 1, 12345);
	ck_assert_int_eq(save(), 0);
	ck_assert_int_eq(unit_program(&spy.base, &unit, controls, &err), 0);
	poke(k->first + 1, 12346);
	restore();
	ck_assert_uint_eq(peek(k->first), LEFTOVER | k->enable);
	ck_assert_uint_eq(peek(k->first + 1), 12346);
}

TEST_LOOP(test_a_control_left_behind_disabled_is_taken_and_restored, KINDS)
{
	open_unit(_i, OWNERSHIP_REFUSE);
	poke(control_at(k->a), LEFTOVER);
	poke(control_at(k->a) + 1, 777);
	ck_assert_int_eq(save(), 0);
	ck_assert_int_eq(unit_program(&spy.base, &unit, controls, &err), 0);
	ck_assert_uint_eq(peek(control_at(k->a)), k->control_a | k->enable);
	restore();
	ck_assert_uint_eq(peek(control_at(k->a)), LEFTOVER);
	ck_assert_uint_eq(peek(control_at(k->a) + 1), 777);
	ck_assert_uint_eq(peek(control_at(k->b)), 0);
	ck_assert_uint_eq(left.count, 0);
}

TEST_LOOP(test_shared_only_free_counters_are_usable, KINDS)
{
	make(_i);
	poke(control_at(k->b), LEFTOVER | k->enable);
	poke(control_at(k->a), LEFTOVER);
	open_unit(_i, OWNERSHIP_SHARE);
	ck_assert_uint_eq(unit.busy, UINT32_C(1) << k->b);
	ck_assert(!(unit.usable >> k->b & 1));
	ck_assert(unit.usable >> k->a & 1);
	unit.claimed = UINT32_C(1) << k->a;
	controls[k->b] = 0;
	ck_assert_int_eq(save(), 0);
	ck_assert_int_eq(unit_program(&spy.base, &unit, controls, &err), 0);
	ck_assert_uint_eq(peek(control_at(k->b)), LEFTOVER | k->enable);
}

TEST_LOOP(test_what_is_taken_by_force_is_restored, KINDS)
{
	open_unit(_i, OWNERSHIP_FORCE);
	poke(control_at(k->b), LEFTOVER | k->enable);
	poke(control_at(k->b) + 1, 99);
	ck_assert_int_eq(save(), 1);
	ck_assert_int_eq(unit_program(&spy.base, &unit, controls, &err), 0);
	ck_assert_uint_eq(peek(control_at(k->b)), k->control_b | k->enable);
	restore();
	ck_assert_uint_eq(peek(control_at(k->b)), LEFTOVER | k->enable);
	ck_assert_uint_eq(peek(control_at(k->b) + 1), 99);
}

TEST_LOOP(test_a_control_that_another_program_has_set_since_is_left_to_it, KINDS)
{
	open_unit(_i, OWNERSHIP_REFUSE);
	ck_assert_int_eq(save(), 0);
	ck_assert_int_eq(unit_program(&spy.base, &unit, controls, &err), 0);
	ck_assert(unit_controls_intact(&spy.base, &unit, controls));
	poke(control_at(k->b), LEFTOVER | k->enable);
	poke(control_at(k->b) + 1, 4711);
	ck_assert(!unit_controls_intact(&spy.base, &unit, controls));
	ck_assert(!unit_controls_free(&spy.base, &unit, controls));
	restore();
	ck_assert_uint_eq(peek(control_at(k->a)), 0);
	ck_assert_uint_eq(peek(control_at(k->b)), LEFTOVER | k->enable);
	ck_assert_uint_eq(peek(control_at(k->b) + 1), 4711);
	ck_assert_uint_eq(left.count, 1);
	ck_assert_uint_eq(left.first.address, control_at(k->b));
}

/* The kernel shares out the counters of CPUs. */
TEST_LOOP(test_what_another_program_has_switched_off_may_be_programmed_again, KINDS)
{
	open_unit(_i, OWNERSHIP_REFUSE);
	ck_assert_int_eq(unit_program(&spy.base, &unit, controls, &err), 0);
	ck_assert_int_eq(unit_controls_free(&spy.base, &unit, controls), _i != CPU);
	poke(control_at(k->a), LEFTOVER);
	ck_assert(!unit_controls_intact(&spy.base, &unit, controls));
	ck_assert_int_eq(unit_controls_free(&spy.base, &unit, controls), _i != CPU);
}

static const struct {
	uint64_t before, while_counting;
	unsigned writes;
} global[] = {
	{0x00, 0x30, 1},
	{0x0F, 0x3F, 1},
	{0x20, 0x30, 1},
	{0x3F, 0x3F, 0},
};

TEST_LOOP(test_a_cpu_s_counters_are_enabled_globally_only_if_needed, COUNT_OF(global))
{
	open_unit(CPU, OWNERSHIP_REFUSE);
	poke(GLOBAL_CTL, global[_i].before);
	ck_assert_int_eq(save(), 0);
	spy_forget(&spy);
	ck_assert_int_eq(unit_program(&spy.base, &unit, controls, &err), 0);
	ck_assert_uint_eq(peek(GLOBAL_CTL), global[_i].while_counting);
	ck_assert_uint_eq(spy_count(&spy, true), 6 + global[_i].writes);
	restore();
	ck_assert_uint_eq(peek(GLOBAL_CTL), global[_i].before);
}

/* Another program's bits of that register stay unchanged. */
TEST(test_bits_that_others_have_changed_there_meanwhile_stay)
{
	open_unit(CPU, OWNERSHIP_REFUSE);
	poke(GLOBAL_CTL, 0x01);
	ck_assert_int_eq(save(), 0);
	ck_assert_int_eq(unit_program(&spy.base, &unit, controls, &err), 0);
	poke(GLOBAL_CTL, 0x36);
	restore();
	ck_assert_uint_eq(peek(GLOBAL_CTL), 0x06);
}

TEST(test_before_perfmon_v2_there_is_no_global_control)
{
	fake_leaf(&fake, 0x80000022)[0] = 0;
	open_unit(CPU, OWNERSHIP_REFUSE);
	ck_assert_int_eq(save(), 0);
	ck_assert_int_eq(unit_program(&spy.base, &unit, controls, &err), 0);
	restore();
	for (size_t i = 0; i < spy.access_count; i++)
		ck_assert_uint_ne(spy.accesses[i].address, GLOBAL_CTL);
}

/* A simulated memory controller, whose counters take no write while none is enabled. */
#define SIM_UMC(i) (k->first + 2 * (i))

static struct platform *make_gated(void)
{
	make(UMC);
	unit.socket = 0;
	unit.cpu = 0;
	return sim_make("turin,dram_read=12.8,clock=virtual");
}

static void open_gated(struct platform *p)
{
	ck_assert_msg(!unit_open(p, &unit, &err), "%s", err.text);
	ck_assert_int_eq(unit_save(p, &unit, unit.claimed, &undo, &err), 0);
	ck_assert_int_eq(unit_add_ours(&unit, controls, &undo, &err), 0);
}

static void restore_gated(struct platform *p)
{
	const struct topology one = {.cpus = &(struct cpu_location){.l3 = 0}, .count = 1};

	ck_assert_int_eq(undo_apply(p, &undo, 0, undo.count, &one, &left, &err), 0);
}

/* Both counters, even if the group that counts has no event for one of them. */
TEST_LOOP(test_counters_of_a_memory_controller_are_set_to_0_and_restored, 2)
{
	struct platform *p = make_gated();

	/* controls that another program has left */
	msr_poke(p, 0, SIM_UMC(0), k->enable | k->control_a);
	for (unsigned i = 0; i < k->counters; i++)
		msr_poke(p, 0, SIM_UMC(i) + 1, 777 + i);
	msr_poke(p, 0, SIM_UMC(0), 0);
	open_gated(p);
	controls[k->b] = _i ? 0 : k->control_b;
	ck_assert_int_eq(unit_program(p, &unit, controls, &err), 0);
	ck_assert_uint_eq(msr_peek(p, 0, SIM_UMC(k->a) + 1), 0);
	ck_assert_uint_eq(msr_peek(p, 0, SIM_UMC(k->b) + 1), 0);
	pass_time(p, 1000000);
	ck_assert_uint_gt(msr_peek(p, 0, SIM_UMC(k->a) + 1), 0);
	ck_assert_int_eq(unit_program(p, &unit, controls, &err), 0);
	ck_assert_uint_eq(msr_peek(p, 0, SIM_UMC(k->a) + 1), 0);
	pass_time(p, 1000000);
	restore_gated(p);
	for (unsigned i = 0; i < k->counters; i++) {
		ck_assert_uint_eq(msr_peek(p, 0, SIM_UMC(i)), 0);
		ck_assert_uint_eq(msr_peek(p, 0, SIM_UMC(i) + 1), 777 + i);
	}
	ck_assert_uint_eq(left.count, 0);
	unit_close(p, &unit);
}

/* The bit above the width of a saturated counter cannot be written. */
TEST(test_a_counter_that_was_saturated_is_restored_without_a_fault)
{
	struct platform *p = make_gated();

	msr_poke(p, 0, SIM_UMC(k->a), k->enable | k->control_a);
	msr_poke(p, 0, SIM_UMC(k->a) + 1, (UINT64_C(1) << 48) - 1);
	pass_time(p, 1000000);
	msr_poke(p, 0, SIM_UMC(k->a), 0);
	ck_assert_uint_eq(msr_peek(p, 0, SIM_UMC(k->a) + 1), (UINT64_C(1) << 49) - 1);
	open_gated(p);
	ck_assert_int_eq(unit_program(p, &unit, controls, &err), 0);
	restore_gated(p);
	ck_assert_uint_eq(msr_peek(p, 0, SIM_UMC(k->a) + 1), (UINT64_C(1) << 48) - 1);
	unit_close(p, &unit);
}
