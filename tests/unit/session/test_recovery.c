/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registers that killed runs have left programmed, on a simulated machine, and their journals in
 * files.
 */
#include "session/session.h"

#include "allocations.h"
#include "sim_machine.h"
#include "sim_registers.h"
#include "unit.h"

#define BEFORE	  0x0135
#define LEFT	  0x1136
#define OF_OTHERS 0x0137

static struct sim_machine m;
static struct run_dir *dir;
static struct recovery found;
static struct error err;

static void begin(void)
{
	tree_file("proc/sys/kernel/random/boot_id", "this-boot\n");
	found = (struct recovery){0};
	sim_machine_open(&m, "spr,chas=1,clock=virtual");
	ck_assert_msg(!run_dir_open(tree_root(), &dir, &err), "%s", err.text);
}

static void end(void)
{
	undo_free(&found.live);
	run_dir_close(dir);
}

/* Ends a run without restoring the control of a counter. Another program has taken the next one. */
static void leave_programmed(void)
{
	const struct undo_step step = {
		.reg = {.space = REG_MSR, .bytes = 8, .address = SIM_CHA(0) + 2},
		.value = BEFORE,
		.socket = 0,
		.mask = UINT64_MAX};
	struct undo_step of_others = step;
	struct undo undo = {.count = 0};

	of_others.reg.address++;
	of_others.condition = UNDO_IF_OURS;
	ck_assert_int_eq(undo_add(&undo, &step, &err), 0);
	ck_assert_int_eq(undo_add(&undo, &of_others, &err), 0);
	ck_assert_msg(!run_dir_save_journal(dir, "spr", false, &undo, &err), "%s", err.text);
	undo_free(&undo);
	run_dir_close(dir);
	ck_assert_msg(!run_dir_open(tree_root(), &dir, &err), "%s", err.text);
	msr_poke(&m.spy.base, 0, SIM_CHA(0) + 2, LEFT);
	msr_poke(&m.spy.base, 0, SIM_CHA(0) + 3, OF_OTHERS);
}

static size_t count_journals(void)
{
	struct journal_entry *entries;
	size_t count;

	ck_assert_int_eq(run_dir_list(dir, &entries, &count, &err), 0);
	run_dir_free(entries, count);
	return count;
}

static int recover(void)
{
	undo_free(&found.live);
	return recovery_run(&m.machine, dir, &found, &err);
}

TREE_FIXTURE(begin, end)

TEST(test_what_a_killed_run_has_left_is_restored_once)
{
	leave_programmed();
	for (size_t i = 0; i < 2; i++) {
		ck_assert_msg(!recover(), "%s", err.text);
		ck_assert_uint_eq(found.restored, i == 0);
		ck_assert_uint_eq(found.steps, i == 0);
		ck_assert_uint_eq(found.refused, 0);
		ck_assert_uint_eq(count_journals(), 0);
		ck_assert_uint_eq(msr_peek(&m.spy.base, 0, SIM_CHA(0) + 2), BEFORE);
		ck_assert_uint_eq(msr_peek(&m.spy.base, 0, SIM_CHA(0) + 3), OF_OTHERS);
	}
}

TEST(test_journals_that_are_not_understood_are_kept_and_counted)
{
	leave_programmed();
	tree_file("run/cxlmon/1-1.journal", "this is no journal\n");
	tree_file("run/cxlmon/2-2.journal", "nor is this\n");
	ck_assert_msg(!recover(), "%s", err.text);
	ck_assert_uint_eq(found.refused, 2);
	ck_assert_uint_eq(found.restored, 1);
	ck_assert_uint_eq(count_journals(), 2);
}

/* It is an error: after a mere warning the journal's registers would be given up. */
TEST(test_a_lack_of_memory_leaves_the_journal_to_the_next_run)
{
	size_t nth = 1;

	leave_programmed();
	do {
		spy_forget(&m.spy);
		allocations_fail(nth++);
		const int rc = recover();
		allocations_fail(0);
		ck_assert(rc == 0 || rc == -ENOMEM);
		ck_assert_uint_eq(found.refused, 0);
		ck_assert_uint_eq(found.restored, !rc);
		ck_assert_uint_eq(count_journals(), !found.restored);
	} while (!found.restored);
	ck_assert_uint_gt(nth, 3);
	ck_assert_uint_eq(msr_peek(&m.spy.base, 0, SIM_CHA(0) + 2), BEFORE);
}
