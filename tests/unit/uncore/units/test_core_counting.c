/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting with the PMU of a CPU, and restoring it. */
#include "uncore/units/core_unit.h"

#include <signal.h>

#include "platform/clock.h"
#include "platform/cpus.h"
#include "platform/reg.h"
#include "tests/registers.h"
#include "tests/sim/faults.h"
#include "tests/sim/state.h"
#include "unit.h"

#define WIDTH_MASK ((UINT64_C(1) << 48) - 1)
#define FIXED(n)   (UINT64_C(1) << (32 + (n)))

/*
 * A simulated Sapphire Rapids at 3 GHz with 1.25 instructions per cycle and a time stamp counter of
 * 2 GHz, whose clock the test sets.
 */

#define CPU 2

#define CYCLES	     UINT64_C(0x43003C)
#define INSTRUCTIONS UINT64_C(0x4300C0)
#define REFERENCE    UINT64_C(0x43013C)

static struct platform *sim;
static struct platform *accessed; /* the simulator's platform, or one in front of it */
static struct unit unit;
static struct undo undo;
static struct error err;

static uint64_t rdmsr(uint32_t msr)
{
	uint64_t value = 0;

	ck_assert_int_eq(raw_msr_read(sim, CPU, msr, &value), 0);
	return value;
}

static void wrmsr(uint32_t msr, uint64_t value)
{
	ck_assert_int_eq(raw_msr_write(sim, CPU, msr, value), 0);
}

static void advance(uint64_t ns)
{
	sigset_t none;
	int signal_number;

	sigemptyset(&none);
	ck_assert_int_eq(sim->ops->clock->sleep_until(sim, sim->ops->clock->now(sim) + ns, &none,
						      &signal_number),
			 0);
}

static struct unit open_cpu(void)
{
	struct unit cpu = core_unit(&(struct cpu_location){.cpu = CPU});

	cpu.ownership = OWNERSHIP_FORCE;
	ck_assert_int_eq(unit_open(sim, &cpu, &err), 0);
	return cpu;
}

static void make_sim(void)
{
	accessed = sim = sim_make("spr,clock=virtual");
	unit = open_cpu();
	undo = (struct undo){0};
	err = (struct error){0};
}

static void destroy_sim(void)
{
	unit_close(sim, &unit);
	undo_free(&undo);
}

static uint32_t counters_of(const uint64_t *controls)
{
	uint32_t counters = 0;

	for (unsigned i = 0; i < UNIT_MAX_COUNTERS; i++)
		counters |= (uint32_t) !!controls[i] << i;
	return counters;
}

/* Saves the counters; used ones may be taken over. */
static int save(uint32_t counters)
{
	unit.claimed = counters;
	int rc = unit_save(accessed, &unit, counters, &undo, &err);

	return rc < 0 ? rc : 0;
}

/* Saves the counters of the first program, unless a test has saved them. */
static int program_controls(const uint64_t controls[UNIT_MAX_COUNTERS])
{
	int rc = undo.count ? 0 : save(counters_of(controls));

	if (!rc)
		rc = unit_add_ours(&unit, controls, &undo, &err);
	return rc ? rc : unit_program(accessed, &unit, controls, &err);
}

static int program(const uint64_t *perfevtsel, unsigned count, uint32_t fixed_mask)
{
	uint64_t controls[UNIT_MAX_COUNTERS] = {0};

	for (unsigned n = 0; n < CORE_COUNTER_GENERAL; n++)
		controls[n] = fixed_mask >> n & 1;
	memcpy(controls + CORE_COUNTER_GENERAL, perfevtsel, count * sizeof(*perfevtsel));
	return program_controls(controls);
}

static int apply(const struct undo *list)
{
	const struct topology no_cpus = {0};
	struct undo_left left = {0};

	return undo_apply(accessed, list, 0, list->count, &no_cpus, &left, &err);
}

static void restore(void)
{
	ck_assert_msg(!apply(&undo), "%s", err.text);
	undo_clear(&undo);
}

/* Uses PMC0 for cycles and PMC2 for instructions, leaves PMC1, and uses fixed counters 0 and 2. */
static const uint64_t some[] = {CYCLES, 0, INSTRUCTIONS};
#define SOME_FIXED 0x5
#define SOME_OURS  (UINT64_C(0x5) | FIXED(0) | FIXED(2))

static void program_some(void)
{
	ck_assert_msg(!program(some, COUNT_OF(some), SOME_FIXED), "%s", err.text);
}

static void start(void)
{
	ck_assert_int_eq(unit_unfreeze(sim, &unit, &err), 0);
}

static void stop(const struct unit *cpu)
{
	wrmsr(0x38F, unit_freeze_control(cpu).stop);
}

static uint64_t general(unsigned x)
{
	return rdmsr(0xC1 + x);
}

static uint64_t fixed(unsigned n)
{
	return rdmsr(0x309 + n);
}

FIXTURE(make_sim, destroy_sim)

TEST(test_program_writes_what_is_documented_and_starts_nothing)
{
	wrmsr(0xC1, 77);
	wrmsr(0x309, 88);
	wrmsr(0x391, UINT64_C(1) | FIXED(0));
	program_some();
	ck_assert_uint_eq(rdmsr(0x186), CYCLES);
	ck_assert_uint_eq(rdmsr(0x187), 0);
	ck_assert_uint_eq(rdmsr(0x188), INSTRUCTIONS);
	ck_assert_uint_eq(rdmsr(0x38D), 0x303);
	ck_assert_uint_eq(rdmsr(0x38F), UINT64_C(0xF000000FF) & ~SOME_OURS);
	ck_assert_uint_eq(rdmsr(0x38E), 0);
	ck_assert_uint_eq(rdmsr(0xC1), 0);
	ck_assert_uint_eq(rdmsr(0x309), 0);
	advance(1000000);
	ck_assert_uint_eq(general(0), 0);
	ck_assert_uint_eq(fixed(0), 0);
}

TEST(test_counters_count_exactly_while_started)
{
	const uint64_t events[] = {CYCLES, INSTRUCTIONS, REFERENCE};

	ck_assert_int_eq(program(events, COUNT_OF(events), 0xF), 0);
	start();
	ck_assert_uint_eq(rdmsr(0x38F), UINT64_C(0xF000000FF));
	advance(1000000);
	stop(&unit);
	ck_assert_uint_eq(rdmsr(0x38F), UINT64_C(0x0000000F8));
	advance(5000000);
	ck_assert_uint_eq(general(0), 3000000);
	ck_assert_uint_eq(general(1), 3750000);
	ck_assert_uint_eq(general(2), 2000000);
	ck_assert_uint_eq(fixed(FIXED_INSTRUCTIONS), 3750000);
	ck_assert_uint_eq(fixed(FIXED_CYCLES), 3000000);
	ck_assert_uint_eq(fixed(FIXED_REFERENCE_CYCLES), 2000000);
	ck_assert_uint_eq(fixed(FIXED_SLOTS), 18000000);
}

TEST(test_counting_goes_on_after_a_stop_and_a_start)
{
	program_some();
	start();
	advance(1000);
	stop(&unit);
	advance(1000);
	start();
	advance(1000);
	ck_assert_uint_eq(general(0), 6000);
	ck_assert_uint_eq(fixed(2), 4000);
}

TEST(test_an_overflow_is_cleared)
{
	program_some();
	wrmsr(0x4C1, WIDTH_MASK - 2999);
	wrmsr(0x30B, WIDTH_MASK);
	start();
	sim_set_msr_fault(sim_of(sim), 0x390, -EIO);
	unit_clear_overflow(sim, &unit); /* nothing is written if there is no overflow */
	sim_set_msr_fault(sim_of(sim), 0, 0);
	advance(1001);
	ck_assert_uint_eq(rdmsr(0x38E), 1 | FIXED(2));
	unit_clear_overflow(sim, &unit);
	ck_assert_uint_eq(rdmsr(0x38E), 0);
	ck_assert_uint_eq(general(0), 3);
}

TEST(test_overflows_of_other_counters_are_not_cleared)
{
	const uint64_t theirs = UINT64_C(1) << 1 | FIXED(3) | UINT64_C(3) << 62;

	program_some();
	wrmsr(0x391, theirs | 1);
	unit_clear_overflow(sim, &unit);
	ck_assert_uint_eq(rdmsr(0x38E), theirs);
}

TEST(test_a_legacy_pmu_counts_as_well)
{
	unit.core->info.full_width_writes = false;
	sim_set_msr_fault(sim_of(sim), 0x4C1, -EIO); /* IA32_A_PMC0 does not exist */
	program_some();
	wrmsr(0xC1, UINT32_MAX);
	start();
	advance(1000);
	ck_assert_uint_eq(general(0), 2999);
	restore();
}

/* Enables PMC0 and PMC2, which we take over, and PMC1 and FIXED_CTR1, which we do not. */
static void use_counters(void)
{
	wrmsr(0x186, UINT64_C(0x5300C0)); /* with INT, as perf sets it */
	wrmsr(0x187, UINT64_C(0x41013C));
	wrmsr(0x188, UINT64_C(0x300000000) | UINT64_C(0xFFC7FFFF));
	wrmsr(0x4C1, UINT64_C(0x123456789ABC));
	wrmsr(0x4C2, 1);
	wrmsr(0x4C3, WIDTH_MASK - 5);
	wrmsr(0x309, UINT64_C(0xABCDEF012345));
	wrmsr(0x30A, 7);
	wrmsr(0x30B, WIDTH_MASK);
	wrmsr(0x38D, 0xB8B9);
	wrmsr(0x38F, UINT64_C(0x200000001) | FIXED(0));
}

TEST(test_restore_is_exact_for_every_register)
{
	wrmsr(0x38F, 0);
	use_counters();
	wrmsr(0x38F,
	      UINT64_C(1) |
		      FIXED(0)); /* other counters don't count, as the hash has their values */
	const uint64_t before = sim_state_hash(sim_of(sim));

	program_some();
	start();
	advance(1000000);
	ck_assert_uint_ne(sim_state_hash(sim_of(sim)), before);
	restore();
	ck_assert_uint_eq(sim_state_hash(sim_of(sim)), before);
	ck_assert_uint_eq(rdmsr(0x186), UINT64_C(0x5300C0));
	ck_assert_uint_eq(rdmsr(0x38D), 0xB8B9);
}

TEST(test_restore_after_programming_twice_restores_the_state_before_the_first)
{
	const uint64_t other[] = {REFERENCE, CYCLES};

	use_counters();
	wrmsr(0x38F, FIXED(0));
	const uint64_t before = sim_state_hash(sim_of(sim));

	ck_assert_int_eq(save(0x70007), 0);
	program_some();
	ck_assert_int_eq(program(other, COUNT_OF(other), 0x2), 0);
	restore();
	ck_assert_uint_eq(sim_state_hash(sim_of(sim)), before);
}

/* A run in progress has stopped its counters to read them, just when another one starts. */
TEST(test_counters_that_another_run_has_stopped_for_a_moment_run_again_after_both)
{
	const uint64_t controls[UNIT_MAX_COUNTERS] = {0, 0, 1};
	struct undo second_undo = {.others = &undo};
	const uint64_t before = sim_state_hash(sim_of(sim));
	struct unit second = open_cpu();

	program_some();
	ck_assert_int_ge(unit_save(sim, &second, CORE_FIXED(2), &second_undo, &err), 0);
	ck_assert_int_eq(unit_program(sim, &second, controls, &err), 0);
	ck_assert_int_eq(apply(&undo), 0);
	ck_assert_int_eq(unit_unfreeze(sim, &second, &err), 0);
	stop(&second);
	second_undo.others = NULL;
	ck_assert_int_eq(apply(&second_undo), 0);
	ck_assert_uint_eq(sim_state_hash(sim_of(sim)), before);
	undo_free(&second_undo);
	unit_close(sim, &second);
}

TEST(test_the_pmu_can_be_programmed_again_after_restore)
{
	use_counters();
	wrmsr(0x38F, FIXED(0));
	const uint64_t before = sim_state_hash(sim_of(sim));

	for (unsigned round = 0; round < 2; round++) {
		program_some();
		start();
		advance(1000);
		ck_assert_uint_eq(general(0), 3000);
		restore();
		ck_assert_uint_eq(sim_state_hash(sim_of(sim)), before);
	}
}

TEST(test_restore_clears_the_overflows_of_our_counters)
{
	program_some();
	wrmsr(0x391, SOME_OURS | 2);
	restore();
	ck_assert_uint_eq(rdmsr(0x38E), 2);
}

TEST(test_restore_names_what_fails_and_restores_the_rest)
{
	use_counters();
	program_some();
	sim_set_msr_fault(sim_of(sim), 0x186, -EIO);
	ck_assert_int_eq(apply(&undo), -EIO);
	assert_contains(err.text, "cpu 2 msr 0x186: read failed");
	sim_set_msr_fault(sim_of(sim), 0, 0);
	ck_assert_uint_eq(rdmsr(0x186), CYCLES);
	ck_assert_uint_eq(rdmsr(0x188), UINT64_C(0x3FFC7FFFF));
	ck_assert_uint_eq(rdmsr(0x38D), 0xB8B9);
	/* it is unknown who uses that counter: it stays unchanged until the next attempt */
	ck_assert_uint_eq(rdmsr(0x38F), UINT64_C(0x300000000));
	restore();
	ck_assert_uint_eq(rdmsr(0x38F), UINT64_C(0x300000001));
}

TEST(test_counters_of_others_stay_enabled_and_count_on)
{
	use_counters();
	wrmsr(0x38F, UINT64_C(0x2) | FIXED(1));
	program_some();
	ck_assert_uint_eq(rdmsr(0x38F), UINT64_C(0x2) | FIXED(1));
	ck_assert_uint_eq(rdmsr(0x38D), 0xB3B3); /* fixed counters 1 and 3 are theirs */
	start();
	ck_assert_uint_eq(rdmsr(0x38F), UINT64_C(0x2) | FIXED(1) | SOME_OURS);
	advance(1000);
	stop(&unit);
	ck_assert_uint_eq(rdmsr(0x38F), UINT64_C(0x2) | FIXED(1));
	ck_assert_uint_eq(rdmsr(0xC2), 1 + 2000);
	ck_assert_uint_eq(rdmsr(0x30A), 7 + 3000);
}

TEST(test_only_one_cpu_is_touched)
{
	program_some();
	start();
	advance(1000);
	for (unsigned other = 0; other < 8; other++) {
		uint64_t sel = 0, control = 0;

		ck_assert_int_eq(raw_msr_read(sim, other, 0x186, &sel), 0);
		ck_assert_int_eq(raw_msr_read(sim, other, 0x38D, &control), 0);
		ck_assert_uint_eq(sel, other == CPU ? CYCLES : 0);
		ck_assert_uint_eq(control, other == CPU ? 0x303 : 0);
	}
}

/* Registers that cannot be accessed: the first that is written, one in the middle, the last. */
static const uint32_t faulty[] = {0x38F, 0x38D, 0x186, 0x188, 0xC1,
				  0x4C1, 0x4C3, 0x309, 0x30B, 0x390};

TEST_LOOP(test_a_faulting_register_leaves_all_as_before, COUNT_OF(faulty))
{
	char name[32];

	use_counters();
	wrmsr(0x38F, FIXED(0));
	const uint64_t before = sim_state_hash(sim_of(sim));

	sim_set_msr_fault(sim_of(sim), faulty[_i], -EIO);
	ck_assert_int_eq(program(some, COUNT_OF(some), SOME_FIXED), -EIO);
	snprintf(name, sizeof(name), "cpu 2 msr 0x%x:", faulty[_i]);
	assert_contains(err.text, name);
	apply(&undo);
	ck_assert_uint_eq(sim_state_hash(sim_of(sim)), before);
}

/* A platform in front of the simulator's that fails one write, or all from that one on. */
static struct {
	struct platform base;
	int writes_left; /* writes before the one that fails */
	bool for_good;
	bool failed;
} failing_platform;

static int failing_read(struct platform *p, const struct reg *reg, uint64_t *value)
{
	(void)p;
	return sim->ops->registers->read(sim, reg, value);
}

static int failing_write(struct platform *p, const struct reg *reg, uint64_t value)
{
	(void)p;
	if (!failing_platform.writes_left) {
		failing_platform.writes_left = failing_platform.for_good ? 0 : -1;
		failing_platform.failed = true;
		return -EIO;
	}
	failing_platform.writes_left--;
	return sim->ops->registers->write(sim, reg, value);
}

static void failing_explain(struct platform *p, const struct reg *reg, bool write, int code,
			    struct error *out)
{
	(void)p;
	(void)reg;
	(void)write;
	(void)code;
	out->kind = ERROR_FAILED;
}

static void fail_writes_after(int writes, bool for_good)
{
	static const struct register_ops registers = {
		.read = failing_read, .write = failing_write, .explain = failing_explain};
	static const struct cpu_ops cpus = {.has_watchdog = NULL};
	static const struct platform_ops ops = {.cpus = &cpus, .registers = &registers};

	failing_platform.base.ops = &ops;
	guard_disable(&failing_platform.base.guard);
	failing_platform.writes_left = writes;
	failing_platform.for_good = for_good;
	failing_platform.failed = false;
	accessed = &failing_platform.base;
}

TEST(test_after_any_failed_write_all_is_restored)
{
	int failing = 0;

	use_counters();
	wrmsr(0x38F, FIXED(0));
	const uint64_t before = sim_state_hash(sim_of(sim));

	for (;; failing++) {
		fail_writes_after(failing, false);
		int rc = program(some, COUNT_OF(some), SOME_FIXED);
		if (!failing_platform.failed)
			break;
		ck_assert_int_eq(rc, -EIO);
		restore();
		ck_assert_uint_eq(sim_state_hash(sim_of(sim)), before);
	}
	/* two controls, two counters, two fixed ones with their control, stop and clear */
	ck_assert_int_ge(failing, 9);
}

TEST(test_restore_reports_its_first_failure)
{
	program_some();
	fail_writes_after(1, true);
	ck_assert_int_eq(apply(&undo), -EIO);
	assert_contains(err.text, "cpu 2 msr 0x186: write failed");
}

TEST(test_a_control_with_an_interrupt_is_not_written)
{
	const uint64_t interrupting = CYCLES | UINT64_C(1) << 20;
	const uint64_t before = sim_state_hash(sim_of(sim));

	ck_assert_int_eq(program(&interrupting, 1, 0), -EACCES);
	restore();
	ck_assert_uint_eq(sim_state_hash(sim_of(sim)), before);
}

TEST(test_all_counters_can_be_programmed)
{
	uint64_t events[8];

	for (unsigned x = 0; x < 8; x++)
		events[x] = CYCLES;
	ck_assert_int_eq(program(events, 8, 0xF), 0);
	ck_assert_uint_eq(rdmsr(0x38F), 0);
	ck_assert_uint_eq(rdmsr(0x38D), 0x3333);
	start();
	advance(10);
	for (unsigned x = 0; x < 8; x++)
		ck_assert_uint_eq(general(x), 30);
}

TEST(test_a_reserved_bit_is_refused_by_the_processor)
{
	const uint64_t before = sim_state_hash(sim_of(sim));
	const uint64_t any = CYCLES | UINT64_C(1) << 21;

	ck_assert_int_eq(program(&any, 1, 0), -EIO);
	assert_contains(err.text, "cpu 2 msr 0x186: write failed");
	restore();
	ck_assert_uint_eq(sim_state_hash(sim_of(sim)), before);
}
