/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/rootfs.h"

#include "unit.h"

static const struct {
	const char *name, *prefix;
	bool numbered;
	unsigned number;
} names[] = {
	{"cpu0", "cpu", true, 0},	    {"cpu12", "cpu", true, 12},
	{"node4095", "node", true, 4095},   {"cpu", "cpu", false, 0},
	{"cpufreq", "cpu", false, 0},	    {"cpu1x", "cpu", false, 0},
	{"cpu-1", "cpu", false, 0},	    {"cpu 1", "cpu", false, 0},
	{"xcpu1", "cpu", false, 0},	    {"node_list", "node", false, 0},
	{"mem0.1", "mem", false, 0},	    {"", "mem", false, 0},
	{"mem0x1", "mem", false, 0},	    {"mem4294967295", "mem", true, 4294967295},
	{"mem4294967296", "mem", false, 0}, {"mem18446744073709551616", "mem", false, 0},
};

TREE_FIXTURE(NULL, NULL)

TEST_LOOP(test_a_numbered_name_is_its_prefix_and_a_number_alone, COUNT_OF(names))
{
	unsigned number = 0;

	ck_assert_int_eq(sysfs_index(names[_i].name, names[_i].prefix, &number),
			 names[_i].numbered);
	if (names[_i].numbered)
		ck_assert_uint_eq(number, names[_i].number);
}

TEST(test_entries_are_listed_by_their_numbers)
{
	unsigned *numbers;
	size_t count;

	tree_directory("sys/mem10");
	tree_directory("sys/mem9");
	tree_file("sys/mem2", "x");
	tree_directory("sys/memory");
	ck_assert_int_eq(sysfs_indices(&numbers, &count, "mem", tree_root(), "sys"), 0);
	ck_assert_uint_eq(count, 3);
	ck_assert_uint_eq(numbers[0], 2);
	ck_assert_uint_eq(numbers[1], 9);
	ck_assert_uint_eq(numbers[2], 10);
	free(numbers);
}

TEST(test_a_directory_that_is_not_there_has_no_entries)
{
	unsigned *numbers;
	size_t count;

	ck_assert_int_eq(sysfs_indices(&numbers, &count, "mem", tree_root(), "sys/%s", "none"), 0);
	ck_assert_uint_eq(count, 0);
	free(numbers);
}
