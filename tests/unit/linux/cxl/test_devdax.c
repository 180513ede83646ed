/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/cxl/devdax.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

static struct devdax *devices;
static size_t count;
static struct memory_map map;

static void forget(void)
{
	free(devices);
	memory_map_free(&map);
	devices = NULL;
	count = 0;
	map = (struct memory_map){.count = 0};
}

/* Makes a dax device. target_node NULL: it has none. */
static void dax(const char *name, const char *driver, const char *target_node)
{
	tree_file(tree_name(DAX_BUS "/%s/size", name), "4194304\n");
	tree_link(tree_name(DAX_BUS "/%s/driver", name),
		  tree_name("../../../../bus/dax/drivers/%s", driver));
	if (target_node)
		tree_file(tree_name(DAX_BUS "/%s/target_node", name), "%s\n", target_node);
}

static void list(size_t expected)
{
	ck_assert_int_eq(devdax_list(tree_root(), &devices, &count), 0);
	ck_assert_uint_eq(count, expected);
}

TREE_FIXTURE(NULL, forget)

TEST(test_devices_in_devdax_mode_are_listed_by_name)
{
	list(0);
	dax("dax10.0", "device_dax", "3");
	dax("dax2.1", "device_dax", NULL);
	dax("dax0.0", "kmem", "2");
	dax("dax2.0", "device_dax", "2");
	dax("dax4.0x", "device_dax", "2");
	dax("dax4", "device_dax", "2");
	tree_file(DAX_BUS "/dax5.0/target_node", "2\n"); /* no driver is bound */
	list(3);
	ck_assert_str_eq(devices[0].name, "dax2.0");
	ck_assert_int_eq(devices[0].node, 2);
	ck_assert_str_eq(devices[1].name, "dax2.1");
	ck_assert_int_eq(devices[1].node, -1);
	ck_assert_str_eq(devices[2].name, "dax10.0");
	ck_assert_int_eq(devices[2].node, 3);
}

TEST(test_a_device_has_one_range_or_several)
{
	dax("dax0.0", "device_dax", "2");
	list(1);
	tree_file(DAX_BUS "/dax0.0/resource", "0x1080000000\n");
	ck_assert_int_eq(devdax_add_ranges(tree_root(), devices, &map), 0);
	ck_assert_uint_eq(map.count, 1);
	ck_assert_uint_eq(map.ranges[0].first, 0x1080000000);
	ck_assert_uint_eq(map.ranges[0].end, 0x1080400000);
	ck_assert_int_eq(map.ranges[0].node, 2);
	tree_file(DAX_BUS "/dax0.0/mapping0/start", "0x1080000000\n");
	tree_file(DAX_BUS "/dax0.0/mapping0/end", "0x10801fffff\n");
	tree_file(DAX_BUS "/dax0.0/mapping1/start", "0x1090000000\n");
	tree_file(DAX_BUS "/dax0.0/mapping1/end", "0x10901fffff\n");
	ck_assert_int_eq(devdax_add_ranges(tree_root(), devices, &map), 0);
	ck_assert_uint_eq(map.count, 3);
	ck_assert_uint_eq(map.ranges[1].end, 0x1080200000);
	ck_assert_uint_eq(map.ranges[2].first, 0x1090000000);
	ck_assert_uint_eq(map.ranges[2].end, 0x1090200000);
}

static const struct {
	const char *resource, *size, *start, *end; /* NULL: the file is missing */
} broken[] = {
	{NULL, "4194304", NULL, NULL},
	{"0x1000", "0", NULL, NULL},
	{"0x1000", "nothing", NULL, NULL},
	{"0xfffffffffffff000", "8192", NULL, NULL},
	{"0x1000", "4096", "0x2000", "0x1fff"},
	{"0x1000", "4096", "0x2000", "0x1000"},
	{"0x1000", "4096", "0", "0xffffffffffffffff"},
	{"0x1000", "4096", "0x2000", NULL},
};

TEST_LOOP(test_a_range_that_is_none_is_an_error, sizeof(broken) / sizeof(broken[0]))
{
	static const struct devdax device = {"dax0.0", 2};

	tree_directory(DAX_BUS "/dax0.0");
	if (broken[_i].resource)
		tree_file(DAX_BUS "/dax0.0/resource", "%s\n", broken[_i].resource);
	if (broken[_i].size)
		tree_file(DAX_BUS "/dax0.0/size", "%s\n", broken[_i].size);
	if (broken[_i].start)
		tree_file(DAX_BUS "/dax0.0/mapping0/start", "%s\n", broken[_i].start);
	if (broken[_i].end)
		tree_file(DAX_BUS "/dax0.0/mapping0/end", "%s\n", broken[_i].end);
	ck_assert_int_lt(devdax_add_ranges(tree_root(), &device, &map), 0);
	ck_assert_uint_eq(map.count, 0);
}

TEST(test_what_a_process_has_mapped_is_added_up_by_device)
{
	static const struct devdax two[] = {{"dax0.0", 2}, {"dax1.0", 3}};
	char long_name[600] = "";
	uint64_t bytes[2] = {7, 7};

	memset(long_name, 'x', sizeof(long_name) - 1);
	tree_file("proc/9/maps",
		  "00400000-00452000 r-xp 00000000 08:02 173521      /usr/bin/a\n"
		  "7f0000000000-7f0040000000 rw-s 00000000 00:06 3   /dev/dax0.0\n"
		  "7f1000000000-7f1000200000 r--s 00200000 00:06 3   /dev/dax0.0 (deleted)\n"
		  "7f2000000000-7f2000400000 rw-s 00000000 00:06 4   /dev/dax1.0\n"
		  "7f3000000000-7f3000400000 rw-s 00000000 00:06 5   /dev/dax1.01\n"
		  "7f4000000000-7f4000400000 rw-s 00000000 08:02 9   /tmp/dev/dax0.0\n"
		  "7f6000000000-7f5000000000 rw-s 00000000 00:06 4   /dev/dax1.0\n"
		  "7f7000000000-7f7000400000 rw-p 00000000 00:00 0 \n"
		  "7f8000000000-7f8000400000 rw-s 00000000 08:02 9   /%s7f9-7fa rw-s 0 0:0 4 "
		  "/dev/dax1.0\n"
		  "nonsense\n",
		  long_name);
	ck_assert_int_eq(devdax_mapped(tree_root(), 9, two, 2, bytes), 0);
	ck_assert_uint_eq(bytes[0], (1 << 30) + (2 << 20));
	ck_assert_uint_eq(bytes[1], 4 << 20);
	ck_assert_int_eq(devdax_mapped(tree_root(), 8, two, 2, bytes), -ENOENT);
	ck_assert_uint_eq(bytes[0] + bytes[1], 0);
	ck_assert_int_eq(devdax_mapped(tree_root(), 8, NULL, 0, bytes), 0);
}

/* A file, and another device, have the name in the /dev of a container. */
TEST(test_what_has_the_name_of_a_device_but_is_none_is_not_counted)
{
	static const struct devdax device = {"dax0.0", 2};
	uint64_t bytes;

	tree_file("proc/9/maps",
		  "7f0000000000-7f0040000000 rw-s 00000000 00:06 3   /dev/dax0.0\n"
		  "7f1000000000-7f1000400000 rw-s 00000000 08:02 3   /dev/dax0.0\n"
		  "7f2000000000-7f2000200000 rw-s 00000000 08:02 3   /dev/dax0.0 of mine\n");
	tree_link("proc/9/map_files/7f0000000000-7f0040000000", "/dev/null");
	tree_link("proc/9/map_files/7f1000000000-7f1000400000", "/proc/self/maps");
	ck_assert_int_eq(devdax_mapped(tree_root(), 9, &device, 1, &bytes), 0);
	ck_assert_uint_eq(bytes, 1 << 30);
	tree_file(DAX_BUS "/dax0.0/dev", "1:5\n");
	ck_assert_int_eq(devdax_mapped(tree_root(), 9, &device, 1, &bytes), 0);
	ck_assert_uint_eq(bytes, 0);
	tree_file(DAX_BUS "/dax0.0/dev", "1:3\n");
	ck_assert_int_eq(devdax_mapped(tree_root(), 9, &device, 1, &bytes), 0);
	ck_assert_uint_eq(bytes, 1 << 30);
}
