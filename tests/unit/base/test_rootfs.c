/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/rootfs.h"

#include "unit.h"
#include <fcntl.h>
#include <unistd.h>

static const struct {
	const char *root, *path;
} roots[] = {
	{"/", "/sys/cpu7"},
	{"/tree", "/tree/sys/cpu7"},
	{"/tree/", "/tree/sys/cpu7"},
	{"tree", "tree/sys/cpu7"},
};

TREE_FIXTURE(NULL, NULL)

TEST_LOOP(test_a_path_has_one_slash_behind_its_root, COUNT_OF(roots))
{
	char path[ROOTFS_PATH_SIZE];

	ck_assert_int_eq(rootfs_path(path, roots[_i].root, "sys/cpu%u", 7U), 0);
	ck_assert_str_eq(path, roots[_i].path);
}

TEST(test_a_path_of_1023_characters_is_the_longest)
{
	char path[ROOTFS_PATH_SIZE];

	ck_assert_int_eq(rootfs_path(path, "/", "%01022d", 1), 0);
	ck_assert_uint_eq(strlen(path), 1023);
	ck_assert_int_eq(rootfs_path(path, "/", "%01023d", 1), -ENAMETOOLONG);
}

TEST(test_a_root_without_room_behind_it_is_too_long)
{
	char path[ROOTFS_PATH_SIZE], root[ROOTFS_PATH_SIZE + 1] = "";

	memset(root, 'x', ROOTFS_PATH_SIZE);
	ck_assert_int_eq(rootfs_path(path, root, "sys"), -ENAMETOOLONG);
	root[ROOTFS_PATH_SIZE - 1] = '\0';
	ck_assert_int_eq(rootfs_path(path, root, "sys"), -ENAMETOOLONG);
	ck_assert(!rootfs_exists(root, "sys"));
	ck_assert_int_eq(rootfs_line(path, sizeof(path), root, "sys"), -ENAMETOOLONG);
}

TEST(test_files_and_directories_exist)
{
	tree_file("sys/file", "text\n");
	ck_assert(rootfs_exists(tree_root(), "sys/file"));
	ck_assert(rootfs_exists(tree_root(), "sys"));
	ck_assert(!rootfs_exists(tree_root(), "sys/other"));
	ck_assert(!rootfs_exists(tree_root(), "sys/file/below"));
}

static const struct {
	const char *text, *line;
} texts[] = {
	{"one line\n", "one line"},   {"no newline", "no newline"}, {"", ""},
	{"first\nsecond\n", "first"}, {"\nsecond\n", ""},
};

TEST_LOOP(test_first_line_is_read_without_its_newline, COUNT_OF(texts))
{
	char line[64];

	tree_file("file", "%s", texts[_i].text);
	ck_assert_int_eq(rootfs_line(line, sizeof(line), tree_root(), "file"), 0);
	ck_assert_str_eq(line, texts[_i].line);
}

TEST(test_a_line_that_is_too_long_is_cut)
{
	char line[8];

	tree_file("file", "0123456789\n");
	ck_assert_int_eq(rootfs_line(line, sizeof(line), tree_root(), "file"), 0);
	ck_assert_str_eq(line, "0123456");
}

TEST(test_errors_of_the_kernel_are_passed_on)
{
	char line[8];

	tree_directory("directory");
	ck_assert_int_eq(rootfs_line(line, sizeof(line), tree_root(), "missing"), -ENOENT);
	ck_assert_int_eq(rootfs_line(line, sizeof(line), tree_root(), "directory"), -EISDIR);
}

static const struct {
	const char *text;
	int value; /* 42 is the fallback */
} numbers[] = {
	{"0\n", 0},
	{"17\n", 17},
	{"17", 17},
	{"-1\n", -1},
	{"2147483647\n", INT32_MAX},
	{"-2147483648\n", INT32_MIN},
	{"2147483648\n", 42},
	{"-2147483649\n", 42},
	{"99999999999999999999\n", 42},
	{"\n", 42},
	{"", 42},
	{"x\n", 42},
	{"3x\n", 42},
	{"0x10\n", 42},
	{"010\n", 10},
};

TEST_LOOP(test_a_number_is_decimal_and_alone_on_its_line, COUNT_OF(numbers))
{
	tree_file("file", "%s", numbers[_i].text);
	ck_assert_int_eq(rootfs_int(tree_root(), 42, "%s", "file"), numbers[_i].value);
}

TEST(test_without_the_file_a_number_is_the_fallback)
{
	ck_assert_int_eq(rootfs_int(tree_root(), -1, "missing"), -1);
}

static const struct {
	int base;
	const char *text;
	uint64_t number;
} hexadecimal[] = {
	{16, "8000000\n", 0x8000000},  {16, "0x1f", 31}, {0, "0x10000000000\n", UINT64_C(1) << 40},
	{0, "268435456\n", 268435456}, {0, "2a\n", 0},	 {16, "", 0},
};

TEST_LOOP(test_a_number_has_the_base_that_is_asked_for, COUNT_OF(hexadecimal))
{
	tree_file("file", "%s", hexadecimal[_i].text);
	ck_assert_uint_eq(rootfs_number(tree_root(), hexadecimal[_i].base, "file"),
			  hexadecimal[_i].number);
	ck_assert_uint_eq(rootfs_number(tree_root(), hexadecimal[_i].base, "missing"), 0);
}

TEST(test_a_file_is_opened_below_the_root_alone)
{
	int fd;

	tree_file("dev/file", "text");
	fd = rootfs_open(O_RDWR, tree_root(), "dev/%s", "file");
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
	ck_assert_int_eq(rootfs_open(O_RDONLY, tree_root(), "dev/none"), -ENOENT);
}
