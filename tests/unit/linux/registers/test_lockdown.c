/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/registers/lockdown.h"

#include "unit.h"

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
