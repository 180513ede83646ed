/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cgroups in files that a visitor sees; for their memory, and for omissions, see
 * test_who_cgroups.c.
 */
#include "platform/cgroups.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/system/linux_platform.h"
#include "unit.h"

#define TOP "sys/fs/cgroup"

static struct linux_platform machine;
static struct cgroup_visitor visitor;
static struct cgroups_walked walked;
static const char *stop; /* NULL: nowhere */
static char visited[256];
static int result; /* result of the visitor */

static bool stops_at(void *context, const char *path)
{
	ck_assert_ptr_eq(context, visited);
	return stop && !strcmp(path, stop);
}

static int go_on(void *context)
{
	ck_assert_ptr_eq(context, visited);
	return 0;
}

static int visit(void *context, const struct listed_cgroup *cgroup)
{
	ck_assert_ptr_eq(context, visited);
	ck_assert_uint_eq(cgroup->bytes[1], 7);
	strcat(visited, cgroup->path);
	strcat(visited, " ");
	return result;
}

static void cgroup(const char *path)
{
	tree_file(tree_name(TOP "%s/memory.numa_stat", path), "anon N0=0 N1=7\n");
}

static void begin(void)
{
	machine = (struct linux_platform){.root = (char *)tree_root()};
	visitor = (struct cgroup_visitor){
		.most = 1000, .go_on = go_on, .visit = visit, .context = visited};
	result = 0;
	stop = NULL;
	visited[0] = '\0';
	tree_file(TOP "/cgroup.controllers", "memory\n");
	cgroup("");
	cgroup("/a");
	cgroup("/a/b");
}

static void end(void)
{
	linux_subuids_free(&machine.subuids);
}

TREE_FIXTURE(begin, end)

static int walk(void)
{
	struct error err = {0};

	return linux_cgroups.walk(&machine.base, &visitor, &walked, &err);
}

TEST(test_without_a_place_to_stop_cgroups_with_none_below_are_visited)
{
	ck_assert_int_eq(walk(), 0);
	ck_assert_str_eq(visited, "/a/b ");
	ck_assert_uint_eq(walked.seen, 3);
	ck_assert_uint_eq(walked.visited, 1);
}

TEST(test_a_walk_stops_where_it_is_told_to_and_visits_no_others)
{
	cgroup("/c");
	visitor.stops_at = stops_at;
	ck_assert_int_eq(walk(), 0);
	ck_assert_str_eq(visited, "");
	stop = "/a";
	ck_assert_int_eq(walk(), 0);
	ck_assert_str_eq(visited, "/a ");
	ck_assert_uint_eq(walked.seen, 3); /* not /a/b */
	visited[0] = '\0';
	stop = "/";
	ck_assert_int_eq(walk(), 0);
	ck_assert_str_eq(visited, "/ ");
}

TEST(test_what_a_visitor_returns_ends_the_walk)
{
	cgroup("/c");
	result = -ENOMEM;
	ck_assert_int_eq(walk(), -ENOMEM);
	ck_assert_uint_eq(walked.visited, 1);
}

/* Gives a cgroup to a user other than root. */
static void give_away(const char *path, uid_t user)
{
	ck_assert_int_eq(chown(tree_path(tree_name(TOP "%s", path)), user, user), 0);
}

/* A user of a user namespace has many ids. */
ROOT_TEST_LOOP(test_many_cgroups_of_a_user_do_not_leave_out_those_of_others, 2)
{
	tree_file("etc/subuid", "1000:100000:65536\n");
	for (unsigned i = 0; i < 40; i++) {
		const char *path = tree_name("/user%u", i);

		tree_directory(tree_name(TOP "%s", path));
		give_away(path, _i ? 100000 + i : 1000);
	}
	visitor.most = 40;
	ck_assert_int_eq(walk(), 0);
	ck_assert_str_eq(visited, "/a/b ");
	ck_assert_uint_gt(walked.beyond, 20);
	ck_assert_uint_lt(walked.beyond, 30);
}
