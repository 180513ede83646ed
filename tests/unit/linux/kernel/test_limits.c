/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/kernel/limits.h"

#include "unit.h"

TEST(test_a_thread_runs_on_the_cpu_it_is_set_to_and_again_where_it_was)
{
	const struct affinity before = affinity_get();
	unsigned cpu = 0;

	while (!affinity_has(&before, cpu))
		cpu++;
	ck_assert_int_eq(affinity_set_cpu(cpu), 0);
	ck_assert_int_eq(sched_getcpu(), (int)cpu);
	const struct affinity one = affinity_get();
	ck_assert_int_eq(CPU_COUNT_S(sizeof(one.sets), one.sets), 1);
	ck_assert_int_eq(affinity_set(&before), 0);
	const struct affinity after = affinity_get();
	ck_assert_mem_eq(&after, &before, sizeof(after));
}

TEST(test_cpus_beyond_those_of_cpu_set_t_are_cpus)
{
	struct affinity some = {.sets = {{{0}}}};

	CPU_SET_S(CPU_SETSIZE + 3, sizeof(some.sets), some.sets);
	ck_assert(affinity_has(&some, CPU_SETSIZE + 3));
	ck_assert(!affinity_has(&some, CPU_SETSIZE + 4));
	ck_assert(!affinity_has(&some, 3));
	ck_assert(!affinity_has(&some, AFFINITY_CPUS));
	ck_assert_int_eq(affinity_set_cpu(AFFINITY_CPUS - 1), -EINVAL); /* no machine here has it */
}

#define FILE_OF_KERNEL "sys/kernel/security/lockdown"

static const struct {
	const char *content;
	const char *state; /* NULL: not in force */
} kernels[] = {
	{"[none] integrity confidentiality\n", NULL},
	{"none [integrity] confidentiality\n", "integrity"},
	{"none integrity [confidentiality]\n", "confidentiality"},
	{"none [integrity\n", NULL},
	{"\n", NULL},
};

TREE_FIXTURE(NULL, NULL)

TEST_LOOP(test_the_state_in_brackets_is_in_force, COUNT_OF(kernels))
{
	char state[LOCKDOWN_STATE_SIZE];

	tree_file(FILE_OF_KERNEL, "%s", kernels[_i].content);
	ck_assert_int_eq(lockdown_in_force(tree_root(), state), kernels[_i].state != NULL);
	if (kernels[_i].state)
		ck_assert_str_eq(state, kernels[_i].state);
}

TEST(test_a_kernel_without_lockdown_is_not_locked_down)
{
	char state[LOCKDOWN_STATE_SIZE];

	ck_assert(!lockdown_in_force(tree_root(), state));
}
