/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/units/cpmu.h"

#include "fake_machine.h"
#include "platform/cpus.h"
#include "platform/cxl.h"
#include "platform/guard.h"
#include "spy.h"
#include "unit.h"

#define BLOCK	 UINT64_C(0x3000010000)
#define FREEZES	 (UINT64_C(1) << 49)
#define WRITABLE (UINT64_C(3) << 48)
#define FILTERS	 (UINT64_C(3) << 32)
#define ALL_ONES UINT64_MAX

#define ENABLE	  UINT64_C(0x100)
#define INTERRUPT UINT64_C(0x200)

/* Counters: 0 counts only MemData, 1 always clock ticks, 2 and 3 selected events. */
enum { FIXED, RUNNING, FIRST, SECOND, COUNTERS };
#define FIXED_CFG   (UINT64_C(1) | UINT64_C(1) << 24)
#define RUNNING_CFG (UINT64_C(1) << 24 | UINT64_C(1) << 59)
#define FREE	    UINT64_C(2)

static const struct event mem_data = {
	.name = "mem_data", .type = PMU_CPMU, .modifiers = CPMU_EVENT(CPMU_VENDOR_CXL, 0x25, 0x1)};
static const struct event ticks = {
	.name = "ticks", .type = PMU_CPMU, .modifiers = CPMU_EVENT(CPMU_VENDOR_CXL, 0x00, 0x1)};
static const struct event reads = {
	.name = "reads", .type = PMU_CPMU, .modifiers = CPMU_EVENT(CPMU_VENDOR_CXL, 0x20, 0x6)};
static const struct event writes = {
	.name = "writes", .type = PMU_CPMU, .modifiers = CPMU_EVENT(CPMU_VENDOR_CXL, 0x21, 0x2)};
#define ONE	   (UINT64_C(1) << 16) /* threshold of one event; a sum's is 0 */
#define READS_CFG  (ENABLE | 2 | UINT64_C(6) << 24 | UINT64_C(2) << 59)
#define WRITES_CFG (ENABLE | 2 | ONE | UINT64_C(2) << 24 | UINT64_C(3) << 59)

static struct fake_machine fake;
static struct spy spy;
static struct cpmu cpmu;
static struct undo undo;
static struct undo_left left;
static struct error err;
static uint64_t *words;
static uint64_t controls[UNIT_MAX_COUNTERS];
static const struct topology nobody;
static struct cxl_device device = {.name = "mem3"};

static uint64_t group(unsigned vendor, unsigned id, uint32_t events)
{
	return (uint64_t)vendor << 48 | (uint64_t)id << 32 | events;
}

static void set_up(void)
{
	static const uint64_t configurations[COUNTERS] = {FIXED_CFG, RUNNING_CFG, FREE, FREE};

	fake_init(&fake);
	spy_init(&spy, &fake.base);
	words = fake_memory(&fake, BLOCK, CPMU_BLOCK_BYTES);
	words[0x100 / 8] = group(0x1E98, 0x25, 0x1);
	words[0x108 / 8] = group(0x1E98, 0x00, 0x1);
	words[0x110 / 8] = group(0x1E98, 0x20, 0x71F);
	words[0x118 / 8] = group(0x1E98, 0x21, 0x36);
	words[0x120 / 8] = group(0x1E98, 0x25, 0x7);
	memcpy(&words[0x200 / 8], configurations, sizeof(configurations));
	memset(&words[0x400 / 8], 0xFF, 4 * COUNTERS * CPMU_FILTERS);
	for (unsigned i = 0; i < COUNTERS; i++)
		words[0xC00 / 8 + i] = 0x1000 * (i + 1);
	words[0x10 / 8] = 0xF; /* overflow status */
	undo = (struct undo){.count = 0};
	left = (struct undo_left){0};
	err = (struct error){0};
	memset(controls, 0, sizeof(controls));
}

static void tear_down(void)
{
	unit_close(&spy.base, &cpmu.unit);
	ck_assert_uint_eq(spy.windows, 0);
	undo_free(&undo);
	platform_destroy(&spy.base);
}

/* Makes a closed unit; capability has the bits in addition to its counts. */
static void make(uint64_t capability)
{
	words[0] = capability | (COUNTERS - 1) | 48 << 8 | 4 << 20;
	cpmu = (struct cpmu){.address = BLOCK, .pci = {.bus = 0x40}, .device = &device};
	ck_assert_msg(!cpmu_read(&spy.base, &cpmu, &err), "%s", err.text);
	cpmu.unit = cpmu_unit(&cpmu, 5, 1);
}

static int open_as(uint64_t capability, enum ownership ownership)
{
	make(capability);
	cpmu.unit.ownership = ownership;
	return unit_open(&spy.base, &cpmu.unit, &err);
}

static void open_unit(uint64_t capability)
{
	ck_assert_msg(!open_as(capability, OWNERSHIP_REFUSE), "%s", err.text);
}

static uint32_t bit(unsigned i)
{
	return UINT32_C(1) << i;
}

/* Sets the controls of a plan that counts these two events, and clock ticks. */
static void select_events(void)
{
	controls[FIXED] = unit_event_control(&cpmu.unit, &mem_data);
	controls[RUNNING] = unit_event_control(&cpmu.unit, &ticks);
	controls[SECOND] = unit_event_control(&cpmu.unit, &reads);
	cpmu.unit.claimed = bit(FIXED) | bit(RUNNING) | bit(SECOND);
}

static int save(void)
{
	int rc = unit_save(&spy.base, &cpmu.unit, cpmu.unit.claimed, &undo, &err);

	return rc >= 0 && unit_add_ours(&cpmu.unit, controls, &undo, &err) ? -1 : rc;
}

static void program(void)
{
	select_events();
	spy_forget(&spy);
	ck_assert_msg(!unit_program(&spy.base, &cpmu.unit, controls, &err), "%s", err.text);
}

/* Begins a run: opens the unit, and saves it. */
static void begin_run(uint64_t capability)
{
	open_unit(capability);
	select_events();
	ck_assert_int_eq(save(), 0);
	program();
}

static void restore(void)
{
	ck_assert_int_eq(undo_apply(&spy.base, &undo, 0, undo.count, &nobody, &left, &err), 0);
}

static int write_at(uint64_t offset, uint64_t value)
{
	const struct reg reg = {.space = REG_MMIO,
				.bytes = 8,
				.window = &cpmu.unit.window,
				.address = BLOCK + offset};

	return reg_write(&spy.base, &reg, value, &err);
}

static struct access write_of(uint64_t offset, unsigned bytes, uint64_t value)
{
	return (struct access){.space = REG_MMIO,
			       .write = true,
			       .address = BLOCK + offset,
			       .bytes = bytes,
			       .value = value};
}

FIXTURE(set_up, tear_down)

TEST(test_a_unit_has_the_registers_of_its_block)
{
	char name[UNIT_NAME_SIZE];

	open_unit(WRITABLE);
	ck_assert_str_eq(unit_name(&cpmu.unit, name), "mem3 cpmu 5");
	ck_assert_uint_eq(unit_counter(&cpmu.unit, SECOND).address, BLOCK + 0xC18);
	ck_assert_uint_eq(unit_counter(&cpmu.unit, SECOND).bytes, 8);
	ck_assert_uint_eq(unit_counter_mask(&cpmu.unit, 0), UINT64_C(0xFFFFFFFFFFFF));
	ck_assert_uint_eq(cpmu.unit.usable, 0xF);
	ck_assert_uint_eq(cpmu.unit.free_running, bit(RUNNING));
	ck_assert_int_eq(cpmu.unit.socket, 1);
	ck_assert_uint_eq(spy_count(&spy, true), 0);
	cpmu.device = NULL;
	ck_assert_str_eq(unit_name(&cpmu.unit, name), "0000:40:00.0 cpmu 5");
}

TEST(test_counters_are_set_to_0_while_they_are_frozen)
{
	open_unit(WRITABLE);
	program();
	const struct access expected[] = {
		write_of(0x018, 8, 0xB),
		write_of(0x200, 8, FIXED_CFG | ONE),
		write_of(0x218, 8, READS_CFG & ~ENABLE),
		write_of(0x200, 8, FIXED_CFG | ONE | ENABLE),
		write_of(0x218, 8, READS_CFG),
		/* a counter that was enabled after the freeze may run */
		write_of(0x018, 8, 0xB),
		write_of(0xC00, 8, 0),
		write_of(0xC18, 8, 0),
	};
	spy_assert_writes(&spy, expected, COUNT_OF(expected));
	ck_assert(unit_controls_intact(&spy.base, &cpmu.unit, controls));
	ck_assert(unit_is_frozen(&spy.base, &cpmu.unit));
	ck_assert_int_eq(unit_unfreeze(&spy.base, &cpmu.unit, &err), 0);
	ck_assert_uint_eq(words[0x18 / 8], 0);
	ck_assert(!unit_is_frozen(&spy.base, &cpmu.unit));
	ck_assert_uint_eq(words[0x10 / 8], 0xF);
	ck_assert_uint_eq(words[0xC08 / 8], 0x2000);
	ck_assert_uint_eq(words[0xC10 / 8], 0x3000);
}

TEST(test_counters_that_cannot_be_written_are_left_and_all_start_with_a_value)
{
	open_unit(FREEZES);
	program();
	const struct access expected[] = {
		write_of(0x018, 8, 0xB),
		write_of(0x200, 8, FIXED_CFG | ONE),
		write_of(0x218, 8, READS_CFG & ~ENABLE),
		write_of(0x200, 8, FIXED_CFG | ONE | ENABLE),
		write_of(0x218, 8, READS_CFG),
		write_of(0x018, 8, 0xB),
	};
	spy_assert_writes(&spy, expected, COUNT_OF(expected));
	ck_assert_uint_eq(cpmu.unit.free_running, 0xF);
	const struct reg counter = unit_counter(&cpmu.unit, FIXED);
	ck_assert_int_eq(reg_write(&spy.base, &counter, 0, &err), -EACCES);
}

TEST(test_without_a_freeze_register_counters_are_enabled_last)
{
	open_unit(0);
	ck_assert(!unit_can_freeze(&cpmu.unit));
	program();
	const struct access expected[] = {
		write_of(0x200, 8, FIXED_CFG | ONE),
		write_of(0x218, 8, READS_CFG & ~ENABLE),
		write_of(0x200, 8, FIXED_CFG | ONE | ENABLE),
		write_of(0x218, 8, READS_CFG),
	};
	spy_assert_writes(&spy, expected, COUNT_OF(expected));
	ck_assert(!unit_is_frozen(&spy.base, &cpmu.unit));
	ck_assert_int_eq(unit_unfreeze(&spy.base, &cpmu.unit, &err), 0);
	ck_assert_int_eq(write_at(0x18, 0), -EACCES);
}

/* Programs another group: while a counter is enabled, only its enable bit is changed. */
TEST(test_a_counter_is_disabled_before_it_is_changed_and_enabled_after_that)
{
	uint64_t next[UNIT_MAX_COUNTERS] = {0};

	open_unit(WRITABLE);
	program();
	cpmu.unit.claimed |= bit(FIRST);
	next[FIRST] = unit_event_control(&cpmu.unit, &reads);
	next[SECOND] = unit_event_control(&cpmu.unit, &writes);
	spy_forget(&spy);
	ck_assert(!unit_can_update(&cpmu.unit));
	ck_assert_int_eq(unit_program(&spy.base, &cpmu.unit, next, &err), 0);
	const struct access expected[] = {
		write_of(0x018, 8, 0xF),
		write_of(0x200, 8, FIXED_CFG | ONE),
		write_of(0x200, 8, FIXED_CFG),
		write_of(0x210, 8, READS_CFG & ~ENABLE),
		write_of(0x218, 8, READS_CFG & ~ENABLE),
		write_of(0x218, 8, WRITES_CFG & ~ENABLE),
		write_of(0x210, 8, READS_CFG),
		write_of(0x218, 8, WRITES_CFG),
		write_of(0x018, 8, 0xF),
		write_of(0xC00, 8, 0),
		write_of(0xC10, 8, 0),
		write_of(0xC18, 8, 0),
	};
	spy_assert_writes(&spy, expected, COUNT_OF(expected));
	ck_assert(unit_controls_intact(&spy.base, &cpmu.unit, next));
	ck_assert(!unit_controls_intact(&spy.base, &cpmu.unit, controls));
}

static const uint64_t capabilities[] = {0,	 FREEZES,	   WRITABLE, WRITABLE | FILTERS,
					FILTERS, UINT64_C(2) << 32};

TEST_LOOP(test_everything_is_restored, COUNT_OF(capabilities))
{
	uint64_t before[CPMU_BLOCK_BYTES / 8];

	words[0x18 / 8] = 0x4; /* the first configurable counter was left frozen */
	words[0x400 / 8 + 12] = UINT64_C(0x0000000200000007);
	open_unit(capabilities[_i]);
	memcpy(before, words, sizeof(before));
	select_events();
	ck_assert_int_eq(save(), 0);
	ck_assert_int_eq(memcmp(before, words, sizeof(before)), 0);
	program();
	unit_unfreeze(&spy.base, &cpmu.unit, NULL);
	ck_assert_int_ne(memcmp(before, words, sizeof(before)), 0);
	restore();
	ck_assert_uint_eq(left.count, 0);
	ck_assert_int_eq(memcmp(before, words, sizeof(before)), 0);
}

TEST(test_a_counter_that_could_not_be_read_is_not_restored)
{
	open_unit(WRITABLE);
	select_events();
	words[0xC00 / 8 + SECOND] = ALL_ONES;
	ck_assert_int_eq(save(), 0);
	words[0xC00 / 8 + SECOND] = 0x4000;
	program();
	restore();
	ck_assert_uint_eq(words[0xC00 / 8 + SECOND], 0);
	ck_assert_uint_eq(words[0xC00 / 8 + FIXED], 0x1000);
}

/* Filters by HDM decoder, and by channel, rank and bank: 4 bytes each, one after the other. */
TEST_LOOP(test_each_filter_that_is_set_is_lifted_by_a_write_of_its_own_four_bytes, 2)
{
	words[0x400 / 8 + 12] = _i ? UINT64_C(0x0000000200000007) : UINT64_C(0xFFFFFFFF00000007);
	open_unit(WRITABLE | FILTERS);
	program();
	ck_assert_uint_eq(words[0x400 / 8 + 12], ALL_ONES);
	ck_assert_uint_eq(spy_count(&spy, true), 9 + (size_t)_i);
	for (unsigned f = 0; f <= (unsigned)_i; f++) {
		const struct access *write = spy_write(&spy, 3 + f);

		ck_assert_uint_eq(write->address, write_of(0x460 + 4 * f, 4, 0).address);
		ck_assert_uint_eq(write->bytes, 4);
		ck_assert_uint_eq(write->value, UINT32_MAX);
	}
}

TEST(test_a_counter_in_use_refuses_the_unit)
{
	words[0x218 / 8] = WRITES_CFG;
	open_unit(WRITABLE);
	ck_assert(unit_find_use(&spy.base, &cpmu.unit, UINT32_MAX, &err));
	assert_contains(err.text, "mem3 cpmu 5: counter 3 is in use");
	ck_assert(!unit_find_use(&spy.base, &cpmu.unit, bit(FIRST), &err));
	select_events();
	ck_assert_int_eq(save(), -EBUSY);
	ck_assert_int_eq(err.kind, ERROR_IN_USE);
	ck_assert_uint_eq(undo.count, 0);
}

TEST(test_use_is_seen_of_a_closed_unit)
{
	words[0x218 / 8] = WRITES_CFG;
	make(0);
	ck_assert(unit_find_use(&spy.base, &cpmu.unit, UINT32_MAX, &err));
	words[0x218 / 8] = WRITES_CFG & ~ENABLE;
	ck_assert(!unit_find_use(&spy.base, &cpmu.unit, UINT32_MAX, &err));
	fake.map_error = -EPERM;
	ck_assert(!unit_find_use(&spy.base, &cpmu.unit, UINT32_MAX, &err));
}

TEST(test_free_running_counters_are_never_in_use)
{
	words[0x208 / 8] = RUNNING_CFG | ENABLE;
	open_unit(WRITABLE);
	ck_assert(!unit_find_use(&spy.base, &cpmu.unit, UINT32_MAX, &err));
}

TEST(test_shared_units_have_their_free_counters)
{
	words[0x218 / 8] = WRITES_CFG;
	words[0x200 / 8] = FIXED_CFG | ENABLE;
	ck_assert_int_eq(open_as(WRITABLE, OWNERSHIP_SHARE), 0);
	ck_assert_uint_eq(cpmu.unit.busy, bit(FIXED) | bit(SECOND));
	ck_assert_uint_eq(cpmu.unit.usable, bit(RUNNING) | bit(FIRST));
	ck_assert_uint_eq(unit_event_counters(&cpmu.unit, &reads), bit(FIRST));
	cpmu.unit.claimed = bit(FIRST);
	controls[FIRST] = unit_event_control(&cpmu.unit, &reads);
	ck_assert_int_eq(unit_program(&spy.base, &cpmu.unit, controls, &err), 0);
	/* counters of others continue to run */
	ck_assert_uint_eq(words[0x18 / 8], bit(FIRST));
	ck_assert_uint_eq(words[0x218 / 8], WRITES_CFG);
	ck_assert_uint_eq(words[0xC18 / 8], 0x4000);
}

/* Frozen counters of others, even those that this unit does not use. */
#define OTHERS (UINT64_C(1) << 40 | 1 << FIRST)

TEST(test_counters_that_others_have_frozen_stay_so)
{
	words[0x18 / 8] = OTHERS;
	begin_run(WRITABLE);
	ck_assert_uint_eq(words[0x18 / 8], OTHERS | 0xB);
	const struct freeze_control control = unit_freeze_control(&cpmu.unit);
	ck_assert_uint_eq(control.stop, OTHERS | 0xB);
	ck_assert_uint_eq(control.start, OTHERS);
	ck_assert_int_eq(unit_unfreeze(&spy.base, &cpmu.unit, &err), 0);
	ck_assert_uint_eq(words[0x18 / 8], OTHERS);
	ck_assert(!unit_is_frozen(&spy.base, &cpmu.unit));
	restore();
	ck_assert_uint_eq(words[0x18 / 8], OTHERS);
}

/* All counters as the kernel's driver leaves them. */
TEST(test_all_of_32_counters_frozen_is_a_freeze)
{
	open_unit(WRITABLE);
	cpmu.has = 32;
	program();
	words[0x18 / 8] = UINT32_MAX;
	ck_assert(unit_is_frozen(&spy.base, &cpmu.unit));
	words[0x18 / 8] = ALL_ONES; /* a device that is gone */
	ck_assert(!unit_is_frozen(&spy.base, &cpmu.unit));
}

TEST(test_64_counters_may_all_be_frozen)
{
	words[0x18 / 8] = ALL_ONES;
	open_unit(WRITABLE);
	program();
	ck_assert_int_eq(unit_unfreeze(&spy.base, &cpmu.unit, &err), 0);
	ck_assert_uint_eq(words[0x18 / 8], ~UINT64_C(0xB));
}

/* Starts a run that uses FIXED and SECOND, and has programmed them. */
static void start_another_run(struct undo *theirs)
{
	open_unit(WRITABLE);
	select_events();
	ck_assert_int_eq(save(), 0);
	*theirs = undo;
	program();
	unit_close(&spy.base, &cpmu.unit);
	undo = (struct undo){.others = theirs};
}

static int open_beside(const struct undo *theirs)
{
	make(WRITABLE);
	cpmu.unit.ownership = OWNERSHIP_SHARE;
	cpmu.others = theirs;
	return unit_open(&spy.base, &cpmu.unit, &err);
}

TEST(test_a_counter_of_another_run_whose_group_waits_is_not_free)
{
	struct undo theirs;

	start_another_run(&theirs);
	words[0x218 / 8] = FREE; /* the group that counts now has no event for it */
	ck_assert_int_eq(open_beside(&theirs), 0);
	ck_assert_uint_eq(cpmu.unit.busy, bit(FIXED) | bit(SECOND));
	ck_assert_uint_eq(cpmu.unit.usable, bit(RUNNING) | bit(FIRST));
	ck_assert(unit_find_use(&spy.base, &cpmu.unit, bit(SECOND), &err));
	assert_contains(err.text, "mem3 cpmu 5: counter 3 is used by another cxlmon");
	undo_free(&theirs);
}

TEST(test_what_another_run_has_frozen_to_read_it_is_not_frozen_by_this_one)
{
	struct undo theirs;

	start_another_run(&theirs);	      /* its counters are frozen, after programming */
	words[0x18 / 8] |= UINT64_C(1) << 40; /* another program's counter */
	ck_assert_int_eq(open_beside(&theirs), 0);
	words[0x18 / 8] = UINT64_C(1) << 40; /* the other run has read */
	cpmu.unit.claimed = bit(FIRST);
	cpmu.has = 64;
	controls[FIRST] = unit_event_control(&cpmu.unit, &writes);
	ck_assert_int_eq(save(), 0);
	ck_assert_int_eq(unit_program(&spy.base, &cpmu.unit, controls, &err), 0);
	ck_assert_int_eq(unit_unfreeze(&spy.base, &cpmu.unit, &err), 0);
	ck_assert_uint_eq(words[0x18 / 8], UINT64_C(1) << 40);
	undo_free(&theirs);
}

TEST(test_only_our_bits_of_the_freeze_register_are_restored)
{
	words[0x18 / 8] = OTHERS | 1 << SECOND;
	begin_run(WRITABLE);
	words[0x18 / 8] = 0xB | UINT64_C(1) << 41; /* others have changed theirs */
	restore();
	ck_assert_uint_eq(left.count, 0);
	ck_assert_uint_eq(words[0x18 / 8], 1 << SECOND | UINT64_C(1) << 41);
	ck_assert_uint_eq(words[0xC18 / 8], 0x4000);
}

/* Lists the values that were written to a register of the block, in order, until one is 0. */
static void written_to(uint64_t offset, uint64_t values[4])
{
	size_t n = 0;

	memset(values, 0, 4 * sizeof(*values));
	for (size_t i = 0; i < spy_count(&spy, true) && n < 3; i++)
		if (spy_write(&spy, i)->address == BLOCK + offset && spy_write(&spy, i)->value)
			values[n++] = spy_write(&spy, i)->value;
}

TEST(test_overflow_bits_of_used_counters_that_were_0_are_cleared_at_the_end)
{
	uint64_t values[4];

	words[0x10 / 8] = bit(SECOND);
	begin_run(WRITABLE);
	spy_forget(&spy);
	restore();
	written_to(0x10, values);
	ck_assert_uint_eq(values[0], bit(FIXED));
	ck_assert_uint_eq(values[1], 0);
}

TEST(test_the_overflow_bit_of_a_counter_that_another_program_has_taken_is_left)
{
	uint64_t values[4];

	words[0x10 / 8] = 0;
	begin_run(WRITABLE);
	words[0x218 / 8] = WRITES_CFG;
	spy_forget(&spy);
	restore();
	ck_assert_uint_eq(left.value, WRITES_CFG);
	written_to(0x10, values);
	ck_assert_uint_eq(values[0], bit(FIXED));
	ck_assert_uint_eq(values[1], 0);
}

TEST(test_overflow_bits_are_not_written_but_at_the_end)
{
	open_unit(WRITABLE);
	ck_assert_int_eq(write_at(0x10, bit(FIXED)), -EACCES);
	assert_contains(err.text, "CPMU overflow status");
	ck_assert_uint_eq(words[0x10 / 8], 0xF);
}

/* The other counter is reserved, or a clock that always runs. */
TEST_LOOP(test_a_unit_all_of_whose_counters_are_busy_is_not_shared, 2)
{
	words[0x200 / 8] = FIXED_CFG | ENABLE;
	words[0x208 / 8] = _i ? RUNNING_CFG : 3;
	words[0x210 / 8] = words[0x218 / 8] = WRITES_CFG;
	ck_assert_int_eq(open_as(WRITABLE, OWNERSHIP_SHARE), -EBUSY);
	ck_assert_int_eq(err.kind, ERROR_IN_USE);
	assert_contains(err.text, "mem3 cpmu 5: counter 0 is in use");
	ck_assert_uint_eq(spy.windows, 0);
}

TEST(test_a_unit_that_cannot_be_mapped_is_not_taken_for_one_that_is)
{
	make(WRITABLE);
	fake.map_error = -EPERM;
	for (unsigned i = 0; i < 2; i++)
		ck_assert_int_eq(unit_map(&spy.base, &cpmu.unit, true, &err), -EPERM);
	ck_assert_int_eq(unit_open(&spy.base, &cpmu.unit, &err), -EPERM);
	ck_assert(!cpmu.unit.open);
}

TEST(test_nobody_has_changed_a_unit_whose_counters_always_run)
{
	words[0x200 / 8] = words[0x210 / 8] = words[0x218 / 8] = 3; /* reserved */
	open_unit(WRITABLE);
	controls[RUNNING] = unit_event_control(&cpmu.unit, &ticks);
	cpmu.unit.claimed = bit(RUNNING);
	ck_assert(unit_controls_intact(&spy.base, &cpmu.unit, controls));
	ck_assert_int_eq(save(), 0);
	ck_assert_msg(!unit_program(&spy.base, &cpmu.unit, controls, &err), "%s", err.text);
	ck_assert(unit_controls_intact(&spy.base, &cpmu.unit, controls));
}

/* Nothing is left that another program could use. */
TEST(test_a_unit_whose_counters_always_run_is_shared)
{
	words[0x200 / 8] = words[0x210 / 8] = words[0x218 / 8] = 3; /* reserved */
	ck_assert_int_eq(open_as(WRITABLE, OWNERSHIP_SHARE), 0);
	ck_assert_uint_eq(cpmu.unit.usable, bit(RUNNING));
}

TEST(test_a_counter_that_is_taken_over_is_restored_with_its_interrupt)
{
	uint64_t values[4];

	words[0x218 / 8] = WRITES_CFG | INTERRUPT;
	ck_assert_int_eq(open_as(WRITABLE, OWNERSHIP_FORCE), 0);
	select_events();
	ck_assert_int_eq(save(), 1);
	assert_contains(err.text, "counter 3 is in use");
	program();
	written_to(0x218, values);
	ck_assert_uint_eq(values[0], (WRITES_CFG & ~ENABLE) | INTERRUPT);
	ck_assert_uint_eq(values[1], READS_CFG & ~ENABLE);
	ck_assert_uint_eq(values[2], READS_CFG);
	ck_assert_uint_eq(words[0x218 / 8], READS_CFG);
	spy_forget(&spy);
	restore();
	written_to(0x218, values);
	ck_assert_uint_eq(values[0], READS_CFG & ~ENABLE);
	ck_assert_uint_eq(values[1], (WRITES_CFG & ~ENABLE) | INTERRUPT);
	ck_assert_uint_eq(values[2], WRITES_CFG | INTERRUPT);
	ck_assert_uint_eq(words[0x218 / 8], WRITES_CFG | INTERRUPT);
	ck_assert_uint_eq(words[0xC18 / 8], 0x4000);
	/* frozen again after it is enabled, before its value is restored */
	written_to(0x018, values);
	ck_assert_uint_eq(values[1], 0xB);
}

/* Every last write: a run may be killed between two writes. */
TEST_LOOP(test_a_counter_that_was_left_disabled_half_way_is_restored, 3)
{
	static const uint64_t left_as[] = {
		(WRITES_CFG & ~ENABLE) | INTERRUPT, /* taken over, not yet changed */
		READS_CFG & ~ENABLE,		    /* not yet enabled */
		READS_CFG,
	};

	words[0x218 / 8] = WRITES_CFG | INTERRUPT;
	ck_assert_int_eq(open_as(WRITABLE, OWNERSHIP_FORCE), 0);
	select_events();
	ck_assert_int_eq(save(), 1);
	words[0x218 / 8] = left_as[_i];
	restore();
	ck_assert_uint_eq(left.count, 0);
	ck_assert_uint_eq(words[0x218 / 8], WRITES_CFG | INTERRUPT);
}

TEST(test_a_counter_that_another_program_has_taken_since_is_left)
{
	begin_run(WRITABLE);
	unit_unfreeze(&spy.base, &cpmu.unit, NULL);
	words[0x218 / 8] = WRITES_CFG;
	words[0xC18 / 8] = 77;
	ck_assert(!unit_controls_intact(&spy.base, &cpmu.unit, controls));
	ck_assert(!unit_controls_free(&spy.base, &cpmu.unit, controls));
	restore();
	ck_assert_uint_eq(left.count, 1);
	ck_assert_uint_eq(left.value, WRITES_CFG);
	ck_assert_uint_eq(words[0x218 / 8], WRITES_CFG);
	ck_assert_uint_eq(words[0xC18 / 8], 77);
	ck_assert_uint_eq(words[0x18 / 8], 0);
	ck_assert_uint_eq(words[0x200 / 8], FIXED_CFG);
}

/* Edge, invert, threshold, interrupt and freeze on overflow, which a device may hold. */
static const uint64_t held[] = {0x10000, 0xFF0000, 0x200, 0x400, 0x800, 0x1000};

TEST_LOOP(test_bits_that_a_device_holds_are_no_sign_of_another_program, COUNT_OF(held))
{
	words[0x200 / 8] |= held[_i];
	words[0x218 / 8] |= held[_i];
	begin_run(WRITABLE);
	ck_assert_uint_eq(words[0x218 / 8], READS_CFG);
	words[0x200 / 8] |= held[_i];
	words[0x218 / 8] |= held[_i];
	ck_assert(unit_controls_intact(&spy.base, &cpmu.unit, controls));
	ck_assert(unit_controls_free(&spy.base, &cpmu.unit, controls));
	restore();
	ck_assert_uint_eq(left.count, 0);
	ck_assert_uint_eq(words[0x200 / 8], FIXED_CFG | held[_i]);
	ck_assert_uint_eq(words[0x218 / 8], FREE | held[_i]);
	ck_assert_uint_eq(words[0xC18 / 8], 0x4000);
}

#define RESERVED (UINT64_C(0x7) << 56 | UINT64_C(0xE0FC))

TEST(test_reserved_bits_of_a_configuration_are_kept)
{
	uint64_t next[UNIT_MAX_COUNTERS] = {0};

	words[0x200 / 8] |= RESERVED;
	words[0x218 / 8] |= RESERVED;
	begin_run(0);
	const struct access expected[] = {
		write_of(0x200, 8, FIXED_CFG | ONE | RESERVED),
		write_of(0x218, 8, (READS_CFG & ~ENABLE) | RESERVED),
		write_of(0x200, 8, FIXED_CFG | ONE | ENABLE | RESERVED),
		write_of(0x218, 8, READS_CFG | RESERVED),
	};
	spy_assert_writes(&spy, expected, COUNT_OF(expected));
	ck_assert_int_eq(unit_program(&spy.base, &cpmu.unit, next, &err), 0);
	ck_assert_uint_eq(words[0x218 / 8], FREE | RESERVED);
	restore();
	ck_assert_uint_eq(left.count, 0);
	ck_assert_uint_eq(words[0x200 / 8], FIXED_CFG | RESERVED);
	ck_assert_uint_eq(words[0x218 / 8], FREE | RESERVED);
}

TEST(test_a_unit_that_was_reset_may_be_programmed_again)
{
	open_unit(WRITABLE);
	program();
	words[0x218 / 8] = FREE;
	ck_assert(!unit_controls_intact(&spy.base, &cpmu.unit, controls));
	ck_assert(unit_controls_free(&spy.base, &cpmu.unit, controls));
}

TEST(test_interrupts_are_never_enabled)
{
	open_unit(WRITABLE);
	ck_assert_int_eq(write_at(0x218, READS_CFG | UINT64_C(1) << 9), -EACCES);
	ck_assert_int_eq(write_at(0x218, READS_CFG | UINT64_C(1) << 10), -EACCES);
	ck_assert_uint_eq(words[0x218 / 8], FREE);
}

static const uint64_t others[] = {0x000, 0x100, 0x400, 0x220, 0xC20};

TEST_LOOP(test_nothing_else_of_the_block_may_be_written, COUNT_OF(others))
{
	open_unit(WRITABLE);
	ck_assert_int_eq(write_at(others[_i], 0), -EACCES);
}

TEST(test_a_device_that_is_gone_is_not_opened)
{
	make(WRITABLE);
	memset(words, 0xFF, CPMU_BLOCK_BYTES);
	ck_assert_int_eq(unit_open(&spy.base, &cpmu.unit, &err), -ENXIO);
	assert_contains(err.text, "mem3 cpmu 5: no response");
	ck_assert(!cpmu.unit.open);
}

TEST(test_a_device_that_goes_away_is_not_saved)
{
	open_unit(WRITABLE);
	select_events();
	memset(words, 0xFF, CPMU_BLOCK_BYTES);
	ck_assert_int_eq(save(), -ENXIO);
	ck_assert(unit_controls_intact(&spy.base, &cpmu.unit, controls));
	ck_assert(!unit_is_frozen(&spy.base, &cpmu.unit));
}
