/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cgroups with the tasks of one group of resctrl: groups in files, and the six processes of a
 * simulated machine: 1001 and 1004 are postgres, 1002 and 1005 memcached, 1003 and 1006 batch.
 */
#include "linux/memory/resctrl.h"
#include "platform/cpus.h"
#include "probe/who/who_private.h"
#include "sim/sim.h"
#include "uncore/rdt/region_counters.h"
#include "unit.h"

#define MEMCACHED "/system.slice/memcached.service"
#define BATCH	  "/user.slice/user-1000.slice/session-3.scope"

static unsigned numbers[] = {1};
static const struct who_nodes nodes = {.numa = {numbers, 1}};
static struct platform *p;
static struct region_counters counters;
static struct who_watch watch;
static struct error err;

/* Writes a group. rmid -1: the kernel does not tell it. */
static void group(const char *path, int rmid, const char *tasks)
{
	tree_file(tree_name("sys/fs/resctrl/%s/tasks", path), "%s", tasks);
	if (rmid >= 0)
		tree_file(tree_name("sys/fs/resctrl/%s/mon_hw_id", path), "%d\n", rmid);
}

static int list_files(struct platform *platform, const struct mbm *mbm, enum mbm_event event,
		      task_group_visitor *visit, void *context, struct error *why)
{
	(void)platform;
	return resctrl_list(tree_root(), mbm, event, visit, context, why);
}

static void begin(void)
{
	static const struct task_group_ops groups = {.list = list_files};
	static struct platform_ops ops;
	struct topology topology;

	p = sim_make("dmr,readers=6,clock=virtual");
	ck_assert_int_eq(p->ops->cpus->topology(p, &topology, &err), 0);
	ck_assert_int_eq(region_counters_open(&counters, p, &topology, &err), 0);
	topology_free(&topology);
	ops = *p->ops;
	ops.task_groups = &groups;
	p->ops = &ops;
	watch = (struct who_watch){
		.platform = p, .nodes = &nodes, .by = BY_CGROUP, .regions = &counters};
	group("", -1, "1\n2\n");
}

static void end(void)
{
	who_rows_free(&watch.scan.groups);
	region_counters_close(&counters);
}

TREE_FIXTURE(begin, end)

static void row(const char *path)
{
	ck_assert_ptr_nonnull(who_rows_add(&watch.scan.groups, &nodes, path, path));
}

static void find(void)
{
	ck_assert_int_eq(who_group_regions_of_cgroups(&watch, &err), 0);
}

static int rmid(const char *path)
{
	for (size_t i = 0; i < watch.scan.groups.count; i++)
		if (!strcmp(watch.scan.groups.at[i].key, path))
			return watch.scan.groups.at[i].counted.rmid;
	ck_abort_msg("there is no row %s", path);
}

static const struct {
	struct {
		const char *path;
		int rmid;
		const char *tasks;
	} groups[2];
	int memcached, batch; /* expected RMIDs */
	size_t no_rmid;
} machines[] = {
	/* the default group also has process 1, which is in no cgroup, as if it had ended */
	{{{"a", 7, "1005\n1002\n"}, {"", -1, "1\n1003\n1006\n"}}, 7, 0},
	/* tasks of two cgroups in a group, and of a cgroup in two groups */
	{{{"a", 7, "1002\n1003\n1005\n1006\n"}}, -1, -1},
	{{{"a", 7, "1002\n"}, {"b", 8, "1005\n"}}, -1, -1},
	/* a control group also lists the tasks of its monitoring groups */
	{{{"a", 7, "1002\n1003\n1005\n1006\n"}, {"a/mon_groups/b", 8, "1003\n1006\n"}}, 7, 8},
	/* the kernel does not say the RMID */
	{{{"a", -1, "1002\n1005\n"}, {"b", 8, "1003\n1006\n"}}, -1, 8, 1},
};

TEST_LOOP(test_a_cgroup_has_the_rmid_of_the_group_with_its_tasks_alone, COUNT_OF(machines))
{
	row(MEMCACHED);
	row(BATCH);
	for (size_t i = 0; i < 2 && machines[_i].groups[i].path; i++)
		group(machines[_i].groups[i].path, machines[_i].groups[i].rmid,
		      machines[_i].groups[i].tasks);
	find();
	ck_assert_int_eq(rmid(MEMCACHED), machines[_i].memcached);
	ck_assert_int_eq(rmid(BATCH), machines[_i].batch);
	ck_assert_uint_eq(watch.scan.no_rmid, machines[_i].no_rmid);
}

/* Tasks of the default group are counted by the group whose CPU they run on. */
TEST(test_groups_with_cpus_count_tasks_that_are_not_theirs)
{
	row(MEMCACHED);
	row(BATCH);
	group("a", 7, "1005\n1002\n");
	group("", -1, "1\n1003\n1006\n");
	tree_file("sys/fs/resctrl/cpus_list", "0-3\n"); /* CPUs of no other group */
	tree_file("sys/fs/resctrl/a/cpus_list", "\n");
	find();
	ck_assert_int_eq(rmid(MEMCACHED), 7);
	ck_assert_int_eq(rmid(BATCH), 0);
	tree_file("sys/fs/resctrl/a/cpus_list", "4\n");
	watch.scan.groups.at[0].counted.rmid = watch.scan.groups.at[1].counted.rmid = -1;
	find();
	ck_assert_int_eq(rmid(MEMCACHED), -1);
	ck_assert_int_eq(rmid(BATCH), -1);
}

TEST(test_a_cgroup_has_the_tasks_of_those_below_it)
{
	row("/system.slice");
	row("/system");
	group("a", 7, "1001\n1002\n1004\n1005\n");
	find();
	ck_assert_int_eq(rmid("/system.slice"), 7);
	ck_assert_int_eq(rmid("/system"), -1);
}

TEST(test_a_group_with_tasks_of_a_cgroup_without_a_row_is_of_none)
{
	row(MEMCACHED);
	group("a", 7, "1002\n1003\n1005\n");
	find();
	ck_assert_int_eq(rmid(MEMCACHED), -1);
}
