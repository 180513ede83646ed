/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of resctrl groups as files: groups that existed at first, and missing ones. */
#include "linux/memory/resctrl.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "unit.h"

#define TOP "sys/fs/resctrl/"
#define U   NAN

static struct telemetry *telemetry;
static struct error err;

static void forget(void)
{
	telemetry_close(telemetry);
	telemetry = NULL;
}

TREE_FIXTURE(NULL, forget)

/* Returns the file of a group's path ("": the default group) in a package. */
static const char *file_of(const char *group, unsigned package, const char *event)
{
	return tree_name(TOP "%s%smon_data/mon_PERF_PKG_%02u/%s", group, *group ? "/" : "", package,
			 event);
}

static void make_group(const char *group, unsigned stalled, unsigned cycles)
{
	for (unsigned package = 0; package < 2; package++) {
		tree_file(file_of(group, package, "stalls_llc_miss"), "%u\n", stalled + package);
		tree_file(file_of(group, package, "unhalted_core_cycles"), "%u\n",
			  cycles + package);
	}
	tree_file(tree_name(TOP "%s%stasks", group, *group ? "/" : ""), "1\n");
}

/* Makes two packages, a control group, and a monitoring group in it. */
static void make_tree(void)
{
	tree_directory(TOP "info");
	make_group("", 100, 1000);
	make_group("web", 20, 200);
	make_group("web/mon_groups/m", 3, 30);
}

static void open_tree(void)
{
	make_tree();
	ck_assert_msg(!telemetry_open(tree_root(), &telemetry, &err), "%s", err.text);
}

static size_t group_of(const char *name)
{
	const struct task_groups groups = telemetry_groups(telemetry);
	size_t g = 0;

	while (g < groups.count && strcmp(groups.names[g], name) != 0)
		g++;
	ck_assert_msg(g < groups.count, "there is no %s", name);
	return g;
}

static void assert_counts(const char *group, double stalled, double cycles)
{
	struct group_counts counts;

	telemetry_read(telemetry, group_of(group), &counts);
	assert_double(counts.counts[GROUP_STALLED_CYCLES], stalled, 0);
	assert_double(counts.counts[GROUP_CYCLES], cycles, 0);
}

TEST(test_each_group_has_the_sum_of_its_packages)
{
	open_tree();
	ck_assert_uint_eq(telemetry_groups(telemetry).count, 3);
	ck_assert_str_eq(telemetry_groups(telemetry).names[0], "/");
	assert_counts("/", 201, 2001);
	assert_counts("web", 41, 401);
	assert_counts("web/mon_groups/m", 7, 61);
	tree_file(file_of("web", 1, "stalls_llc_miss"), "18446744073709551615\n");
	assert_counts("web", 20 + 18446744073709551615.0, 401);
}

static const char *const no_counts[] = {"Unavailable\n", "Error\n", "", "-1\n", "12"};

TEST_LOOP(test_what_is_no_count_of_a_package_is_unknown, COUNT_OF(no_counts))
{
	make_tree();
	ck_assert_int_eq(unlink(tree_path(file_of("web", 1, "stalls_llc_miss"))), 0);
	tree_file(file_of("web", 1, "stalls_llc_miss"), "%s", no_counts[_i]);
	ck_assert_int_eq(telemetry_open(tree_root(), &telemetry, &err), 0);
	assert_counts("web", U, 401);
	assert_counts("/", 201, 2001);
}

TEST(test_a_group_without_a_file_is_unknown)
{
	make_tree();
	ck_assert_int_eq(unlink(tree_path(file_of("web", 1, "unhalted_core_cycles"))), 0);
	ck_assert_int_eq(telemetry_open(tree_root(), &telemetry, &err), 0);
	assert_counts("web", 41, U);
}

TEST(test_more_groups_than_files_at_first)
{
	const int first_free = dup(0);
	struct rlimit limit;

	make_tree();
	close(first_free);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	const struct rlimit few = {(rlim_t)first_free + 6, limit.rlim_max};
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	ck_assert_int_eq(telemetry_open(tree_root(), &telemetry, &err), 0);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_counts("web/mon_groups/m", 7, 61);
}

static const struct {
	const char *gone, *message;
	int status;
	bool is_empty; /* the directory exists */
} missing[] = {
	{"sys", "there is no /sys/fs/resctrl", ERROR_NO_UNIT},
	{"sys/fs/resctrl", "resctrl is not mounted", ERROR_PERMISSION, .is_empty = true},
	{TOP "mon_data", "there is no mon_data/mon_PERF_PKG_*/stalls_llc_miss", ERROR_NO_UNIT},
	{TOP "mon_data/mon_PERF_PKG_00/stalls_llc_miss", "there is no mon_data", ERROR_NO_UNIT},
};

TEST_LOOP(test_what_is_missing_is_said, COUNT_OF(missing))
{
	make_tree();
	const char *gone = strdup(tree_path(missing[_i].gone));
	ck_assert_int_eq(rename(gone, tree_path("gone")), 0);
	free((char *)gone);
	if (missing[_i].is_empty)
		tree_directory(missing[_i].gone);
	ck_assert_int_lt(telemetry_open(tree_root(), &telemetry, &err), 0);
	ck_assert_ptr_null(telemetry);
	ck_assert_int_eq(err.kind, missing[_i].status);
	ck_assert_msg(strstr(err.text, missing[_i].message), "%s", err.text);
}
