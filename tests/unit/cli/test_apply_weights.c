/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/apply_weights.h"

#include <signal.h>
#include <sys/wait.h>

#include "base/rootfs.h"
#include "linux/memory/node_weights.h"
#include "unit.h"

EACH_IN_A_PROCESS

static const struct weights advised = {
	.nodes = {.nodes = {{.node = 0}, {.node = 2, .cxl = true}}, .count = 2},
	.MBps = 1000,
	.best = {.known = true, .weights = {5, 2}, .cxl_share = 0.3, .MBps = 1300},
};

static struct options options;
static struct error err;

static void set_up(void)
{
	tree_file(NODE_WEIGHTS "/node0", "1\n");
	tree_file(NODE_WEIGHTS "/node2", "3\n");
	options.session.root = tree_root();
	options.log = silent_log;
}

TREE_FIXTURE(set_up, NULL)

static void assert_file(const char *name, const char *expected)
{
	char text[32];

	rootfs_read(text, sizeof(text), tree_root(), NODE_WEIGHTS "/%s", name);
	ck_assert_str_eq(text, expected);
}

static void assert_put_back(void)
{
	assert_file("node0", "1\n");
	assert_file("node2", "3\n");
}

static int apply(const char *script)
{
	char *argv[] = {(char *)"sh", (char *)"-c", (char *)script, (char *)tree_path(NODE_WEIGHTS),
			NULL};

	options.command = argv;
	return apply_weights(&options, &advised, &err);
}

TEST(test_weights_are_set_while_the_command_runs)
{
	ck_assert_int_eq(apply("exit $(cat \"$0/node0\")$(cat \"$0/node2\")"), 0);
	ck_assert_int_eq(options.status, 52);
	assert_put_back();
}

/* Who has asked it to end gets back only when the command has ended, too. */
TEST(test_a_signal_ends_the_command_before_the_run)
{
	ck_assert_int_eq(apply("kill -TERM $PPID; exec sleep 1000"), 0);
	ck_assert_int_eq(options.status, 128 + SIGTERM);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
	assert_put_back();
}

TEST(test_a_command_that_can_not_be_run_leaves_the_weights)
{
	options.command = (char *[]){(char *)"/nonexistent/program", NULL};
	ck_assert_int_eq(apply_weights(&options, &advised, &err), -ENOENT);
	ck_assert_int_eq(err.status, EXIT_NOT_FOUND);
	assert_put_back();
}
