/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes by region of groups of resctrl: groups in files, and the counters of a simulated machine,
 * on which each of four RMIDs has a quarter of the traffic.
 */
#include "probe/who/who_private.h"

#include <math.h>
#include <unistd.h>

#include "linux/memory/resctrl.h"
#include "platform/clock.h"
#include "platform/cpus.h"
#include "sim/sim.h"
#include "tests/sim/faults.h"
#include "uncore/rdt/region_counters.h"
#include "unit.h"

/*
 * Traffic of one RMID, in MB/s: 42 GB/s from CXL memory of this socket, a third of it from the
 * other socket's.
 */
#define CXL	   10500.0
#define CXL_REMOTE 3500.0

static unsigned numbers[] = {1};
static const struct who_nodes nodes = {.numa = {numbers, 1}};
static struct platform *p;
static struct region_counters counters;
static struct who_watch watch;
static struct error err;

/* Writes a group. rmid -1: the kernel does not tell it. */
static void group(const char *path, int rmid)
{
	tree_file(tree_name("sys/fs/resctrl/%s/tasks", path), "%s", "");
	if (rmid >= 0)
		tree_file(tree_name("sys/fs/resctrl/%s/mon_hw_id", path), "%d\n", rmid);
}

static void remove_group(const char *path)
{
	ck_assert_int_eq(unlink(tree_path(tree_name("sys/fs/resctrl/%s/tasks", path))), 0);
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

	p = sim_make("dmr,sockets=2,read=10,write=4,clock=virtual,region_groups=3");
	ck_assert_int_eq(p->ops->cpus->topology(p, &topology, &err), 0);
	ck_assert_int_eq(region_counters_open(&counters, p, &topology, &err), 0);
	topology_free(&topology);
	ops = *p->ops;
	ops.task_groups = &groups;
	p->ops = &ops;
	watch = (struct who_watch){
		.platform = p, .nodes = &nodes, .by = BY_RESCTRL, .regions = &counters};
	tree_file("sys/fs/resctrl/tasks", "%s", "");
}

static void end(void)
{
	who_watch_free(&watch);
	region_counters_close(&counters);
}

TREE_FIXTURE(begin, end)

/* Scans one second after the last scan. */
static void scan(void)
{
	sim_pass(sim_of(p), NS_PER_S);
	ck_assert_msg(!who_watch_scan(&watch, &err), "%s", err.text);
}

static double rate(const char *path, enum memory_region kind)
{
	for (size_t i = 0; i < watch.scan.groups.count; i++)
		if (!strcmp(watch.scan.groups.at[i].key, path))
			return watch.scan.groups.at[i].counted.region_MBps[kind];
	ck_abort_msg("there is no group %s", path);
}

TEST(test_a_group_has_what_its_rmid_and_those_of_its_monitoring_groups_have_counted)
{
	group("a", 1);
	group("a/mon_groups/b", 2);
	group("mon_groups/c", 3);
	group("mon_groups_d", 3); /* a group of its own */
	scan();
	ck_assert(isnan(rate("", REGION_CXL)) && isnan(rate("a/mon_groups/b", REGION_CXL)));
	for (unsigned i = 0; i < 3; i++) {
		scan();
		ck_assert_double_eq(rate("a/mon_groups/b", REGION_CXL), CXL);
		ck_assert_double_eq(rate("mon_groups/c", REGION_CXL), CXL);
		ck_assert_double_eq(rate("a", REGION_CXL), 2 * CXL);
		ck_assert_double_eq(rate("a", REGION_CXL_REMOTE), 2 * CXL_REMOTE);
		ck_assert_double_eq(rate("", REGION_CXL), 2 * CXL);
		ck_assert_double_eq(rate("", REGION_DRAM), 0);
	}
	ck_assert_uint_eq(watch.scan.no_rmid, 0);
}

/* The default group's RMID is 0. */
TEST(test_a_group_whose_rmid_is_not_known_has_no_bytes)
{
	group("a", -1);
	group("a/mon_groups/b", 2);
	group("mon_groups/c", 32);
	scan();
	scan();
	ck_assert(isnan(rate("a", REGION_CXL)));
	ck_assert_double_eq(rate("a/mon_groups/b", REGION_CXL), CXL);
	/* the caches have no counter for this RMID */
	ck_assert(isnan(rate("mon_groups/c", REGION_CXL)) && isnan(rate("", REGION_CXL)));
	ck_assert_uint_eq(watch.scan.no_rmid, 1);
	remove_group("mon_groups/c");
	scan();
	scan();
	ck_assert_double_eq(rate("", REGION_CXL), CXL);
}

TEST(test_what_was_counted_while_groups_came_and_went_is_not_known)
{
	group("a", 1);
	group("a/mon_groups/b", 2);
	group("ab", 3);
	scan();
	scan();
	remove_group("a/mon_groups/b");
	group("ab/mon_groups/d", 2);
	scan();
	ck_assert(isnan(rate("a", REGION_CXL)) && isnan(rate("ab", REGION_CXL)) &&
		  isnan(rate("ab/mon_groups/d", REGION_CXL)));
	ck_assert_double_eq(rate("", REGION_CXL), CXL);
	scan();
	ck_assert_double_eq(rate("a", REGION_CXL), CXL);
	ck_assert_double_eq(rate("ab", REGION_CXL), 2 * CXL);
	/* a new group with the name of an old one */
	group("ab/mon_groups/d", 1);
	scan();
	ck_assert(isnan(rate("ab/mon_groups/d", REGION_CXL)) && isnan(rate("ab", REGION_CXL)));
	scan();
	ck_assert_double_eq(rate("ab", REGION_CXL), 2 * CXL);
}
