/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/system/linux_platform.h"

#include "unit.h"

static struct linux_subuids subuids;

static void begin(void)
{
	subuids = (struct linux_subuids){.count = 0};
}

static void end(void)
{
	linux_subuids_free(&subuids);
}

TREE_FIXTURE(begin, end)

static void check(uid_t uid, uid_t owner)
{
	ck_assert_uint_eq(linux_subuid_owner(&subuids, tree_root(), uid), owner);
}

TEST(test_subordinate_ids_are_their_owners)
{
	tree_file("etc/subuid", "1001:165536:65536\n1000:100000:65536\nroot:400000:1\n");
	check(99999, 99999);
	check(100000, 1000);
	check(165535, 1000);
	check(165536, 1001);
	check(231071, 1001);
	check(231072, 231072);
	check(400000, 0);
	check(1000, 1000);
}

TEST(test_without_a_file_each_id_is_its_own)
{
	check(100000, 100000);
	tree_file("etc/subuid", "1000:100000:65536\n");
	/* the file is read once, while files may be opened */
	check(100000, 100000);
}

TEST(test_lines_that_are_no_ranges_are_passed_over)
{
	tree_file("etc/subuid", "\n:\n1000\n1000:\n1000:1\n1000:5:0\n1000:4294967295:2\n1000:x:1\n"
				"no such user:7:1\n1000x:8:1\n1000:-1:3\n1003:4294967295:1\n");
	for (uid_t uid = 0; uid < 20; uid++)
		check(uid, uid);
	check(UINT32_MAX, 1003);
	ck_assert_uint_eq(subuids.count, 1);
}
