/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of resctrl as files, listed with all their known properties. */
#include "platform/task_groups.h"

#include <errno.h>
#include <math.h>

#include "linux/memory/resctrl.h"
#include "unit.h"

#define TOP	    "sys/fs/resctrl/"
#define GROUPS_MOST 8

static struct mbm_cache caches[] = {{.number = 0}, {.number = 1}};
static const struct mbm mbm = {.caches = caches, .count = 2};
static struct listed_task_group groups[GROUPS_MOST];
static char paths[GROUPS_MOST][64];
static unsigned tasks[GROUPS_MOST][4];
static size_t count, wanted;
static struct error err;

static int take_group(void *context, const struct listed_task_group *group)
{
	ck_assert_ptr_eq(context, &count);
	ck_assert_uint_lt(count, GROUPS_MOST);
	groups[count] = *group;
	snprintf(paths[count], sizeof(paths[count]), "%s", group->path);
	for (size_t i = 0; i < group->task_count && i < 4; i++)
		tasks[count][i] = group->tasks[i];
	return ++count == wanted ? 7 : 0;
}

static int list(void)
{
	count = 0;
	return resctrl_list(tree_root(), &mbm, MBM_LOCAL, take_group, &count, &err);
}

/* Makes the default group, a control group, and a monitoring group within it. */
static void make_tree(void)
{
	wanted = GROUPS_MOST;
	tree_directory(TOP "info");
	tree_file(TOP "tasks", "1\n2\n");
	tree_file(TOP "web/tasks", "30\n");
	tree_file(TOP "web/cpus_list", "4-5\n");
	tree_file(TOP "web/mon_hw_id", "3\n");
	tree_file(TOP "web/mon_data/mon_L3_00/mbm_local_bytes", "100\n");
	tree_file(TOP "web/mon_data/mon_L3_01/mbm_local_bytes", "20\n");
	tree_file(TOP "web/mon_data/mon_PERF_PKG_00/stalls_llc_miss", "5\n");
	tree_file(TOP "web/mon_data/mon_PERF_PKG_00/unhalted_core_cycles", "50\n");
	tree_file(TOP "web/mon_groups/a/tasks", "%s", "");
	tree_file(TOP "web/mon_groups/a/cpus_list", "\n");
}

TREE_FIXTURE(make_tree, NULL)

TEST(test_each_group_has_its_tasks_and_its_counts)
{
	ck_assert_int_eq(list(), 0);
	ck_assert_uint_eq(count, 3);
	ck_assert_str_eq(paths[0], "");
	ck_assert_uint_eq(groups[0].task_count, 2);
	ck_assert_uint_eq(tasks[0][1], 2);
	ck_assert_int_eq(groups[0].rmid, 0);
	ck_assert_double_nan(groups[0].read_bytes);
	ck_assert_str_eq(paths[1], "web");
	ck_assert_uint_eq(groups[1].task_count, 1);
	ck_assert_uint_eq(tasks[1][0], 30);
	ck_assert_int_eq(groups[1].rmid, 3);
	ck_assert(groups[1].has_cpus && !groups[0].has_cpus && !groups[2].has_cpus);
	ck_assert_double_eq(groups[1].read_bytes, 120);
	ck_assert_double_eq(groups[1].counts[GROUP_STALLED_CYCLES], 5);
	ck_assert_double_eq(groups[1].counts[GROUP_CYCLES], 50);
	ck_assert_str_eq(paths[2], "web/mon_groups/a");
	ck_assert_uint_eq(groups[2].task_count, 0);
	ck_assert_int_eq(groups[2].rmid, -1);
	ck_assert_double_nan(groups[2].counts[GROUP_CYCLES]);
}

TEST(test_no_further_group_is_read_if_none_is_wanted)
{
	wanted = 1;
	ck_assert_int_eq(list(), 7);
	ck_assert_uint_eq(count, 1);
}

TEST(test_without_resctrl_nothing_is_listed)
{
	ck_assert_int_eq(system(tree_name("rm -r %s", tree_path("sys/fs/resctrl"))), 0);
	ck_assert_int_eq(list(), -ENOENT);
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
}
