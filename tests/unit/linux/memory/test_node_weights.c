/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/memory/node_weights.h"

#include <unistd.h>

#include "base/rootfs.h"
#include "unit.h"

static const int nodes[] = {0, 2};
static const unsigned chosen[] = {5, 2};
static struct node_weights weights;
static struct error err;

static void set_up(void)
{
	weights.lock = -1;
	tree_file(NODE_WEIGHTS "/node0", "1\n");
	tree_file(NODE_WEIGHTS "/node2", "3\n");
	tree_file(NODE_WEIGHTS "/auto", "true\n");
}

static void tear_down(void)
{
	node_weights_close(&weights);
}

TREE_FIXTURE(set_up, tear_down)

static void read_files(void)
{
	ck_assert_int_eq(node_weights_read(tree_root(), nodes, chosen, 2, &weights, &err), 0);
}

static void set(void)
{
	read_files();
	ck_assert_int_eq(node_weights_set(&weights, &silent_log, &err), 0);
}

static void assert_file(const char *name, const char *expected)
{
	char text[32];

	rootfs_read(text, sizeof(text), tree_root(), NODE_WEIGHTS "/%s", name);
	ck_assert_str_eq(text, expected);
}

static void assert_files(const char *first, const char *second, const char *automatic)
{
	assert_file("node0", first);
	assert_file("node2", second);
	assert_file("auto", automatic);
}

TEST(test_reading_changes_nothing)
{
	read_files();
	assert_files("1\n", "3\n", "true\n");
	ck_assert_int_eq(node_weights_put_back(&weights, &silent_log, &err), 0);
	assert_files("1\n", "3\n", "true\n");
}

/* It would take ours for what was there before, and put these back after us. */
TEST(test_no_other_reads_them_until_ours_are_put_back)
{
	struct node_weights other;

	set();
	ck_assert_int_eq(node_weights_read(tree_root(), nodes, chosen, 2, &other, &err), -EBUSY);
	ck_assert_int_eq(err.status, EXIT_IN_USE);
	assert_contains(err.text, NODE_WEIGHTS ": another cxlmon has set weights there");
	node_weights_close(&other);
	assert_files("5\n", "2\n", "false\n");
	node_weights_close(&weights);
	ck_assert_int_eq(node_weights_read(tree_root(), nodes, chosen, 2, &other, &err), 0);
	node_weights_close(&other);
}

TEST(test_weights_are_set_and_put_back)
{
	set();
	assert_files("5\n", "2\n", "false\n");
	ck_assert_int_eq(node_weights_put_back(&weights, &silent_log, &err), 0);
	assert_files("1\n", "3\n", "true\n");
}

TEST(test_weights_set_by_hand_before_stay_so)
{
	tree_file(NODE_WEIGHTS "/auto", "false\n");
	set();
	ck_assert_int_eq(node_weights_put_back(&weights, &silent_log, &err), 0);
	assert_file("auto", "false\n");
}

TEST(test_what_another_has_set_is_left_and_with_it_auto)
{
	set();
	tree_file(NODE_WEIGHTS "/node0", "9\n");
	ck_assert_int_eq(node_weights_put_back(&weights, &silent_log, &err), 0);
	assert_files("9\n", "3\n", "false\n");
}

TEST(test_what_is_put_back_once_is_not_written_again)
{
	set();
	ck_assert_int_eq(node_weights_put_back(&weights, &silent_log, &err), 0);
	tree_file(NODE_WEIGHTS "/node0", "5\n");
	ck_assert_int_eq(node_weights_put_back(&weights, &silent_log, &err), 0);
	assert_file("node0", "5\n");
}

TEST(test_weights_of_which_one_cannot_be_written_are_none)
{
	read_files();
	unlink(tree_path(NODE_WEIGHTS "/node2"));
	ck_assert_int_eq(node_weights_set(&weights, &silent_log, &err), -ENOENT);
	assert_contains(err.text, NODE_WEIGHTS "/node2: No such file");
	assert_file("node0", "1\n");
	assert_file("auto", "true\n");
}

TEST(test_the_others_are_put_back_after_an_error)
{
	set();
	unlink(tree_path(NODE_WEIGHTS "/node0"));
	ck_assert_int_eq(node_weights_put_back(&weights, &silent_log, &err), -ENOENT);
	assert_contains(err.text, "cannot read");
	assert_file("node2", "3\n");
}

TEST(test_a_kernel_without_weights_is_said)
{
	const int other[] = {7};

	ck_assert_int_eq(node_weights_read(tree_root(), other, chosen, 1, &weights, &err), -ENOENT);
	ck_assert_int_eq(err.status, EXIT_FAILED);
	assert_contains(err.text, NODE_WEIGHTS "/node7");
}
