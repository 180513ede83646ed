/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/replace.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suites.h"
#include "support.h"

static char path[PATH_MAX];

static int replace(const char *name, const char *text)
{
	tree_path(path, sizeof(path), name);
	return replace_file(path, text, strlen(text));
}

static void assert_holds(const char *name, const char *expected)
{
	char text[64] = "";

	tree_path(path, sizeof(path), name);
	FILE *in = fopen(path, "r");
	ck_assert_ptr_nonnull(in);
	ck_assert_uint_eq(fread(text, 1, sizeof(text) - 1, in), strlen(expected));
	fclose(in);
	ck_assert_str_eq(text, expected);
}

static mode_t mode_of(const char *name)
{
	struct stat st;

	tree_path(path, sizeof(path), name);
	ck_assert_int_eq(lstat(path, &st), 0);
	return st.st_mode;
}

static void assert_entries(const char *directory, unsigned expected)
{
	unsigned entries = 0;

	tree_path(path, sizeof(path), directory);
	DIR *dir = opendir(path);
	ck_assert_ptr_nonnull(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		entries += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	closedir(dir);
	ck_assert_uint_eq(entries, expected);
}

START_TEST(test_a_file_is_another_one_afterwards_with_the_same_mode)
{
	char text[64] = "";

	tree_file("d/file", "a longer text");
	tree_path(path, sizeof(path), "d/file");
	ck_assert_int_eq(chmod(path, 0640), 0);
	FILE *reader = fopen(path, "r");
	ck_assert_int_eq(replace("d/file", "new"), 0);
	assert_holds("d/file", "new");
	ck_assert_uint_eq(mode_of("d/file"), S_IFREG | 0640);
	assert_entries("d", 1);
	/* who has it open goes on reading what it was */
	ck_assert_ptr_nonnull(fgets(text, sizeof(text), reader));
	fclose(reader);
	ck_assert_str_eq(text, "a longer text");
}
END_TEST

START_TEST(test_a_file_that_is_not_there_is_made_for_all_to_read)
{
	tree_directory("d");
	ck_assert_int_eq(replace("d/file", "new"), 0);
	assert_holds("d/file", "new");
	ck_assert_uint_eq(mode_of("d/file"), S_IFREG | 0644);
}
END_TEST

START_TEST(test_a_name_without_a_directory_is_in_the_current_one)
{
	ck_assert_int_eq(chdir(tree_root()), 0);
	ck_assert_int_eq(replace_file("file", "new", 3), 0);
	ck_assert_int_eq(replace_file("file", "newer", 5), 0);
	assert_holds("file", "newer");
}
END_TEST

START_TEST(test_a_link_stays_and_its_file_is_replaced)
{
	tree_file("d/file", "old");
	tree_link("link", "d/file");
	tree_path(path, sizeof(path), "link");
	char *target = replace_target(path);
	ck_assert_ptr_nonnull(target);
	ck_assert_int_eq(replace_file(target, "new", 3), 0);
	free(target);
	assert_holds("d/file", "new");
	ck_assert_uint_eq(mode_of("link") & S_IFMT, S_IFLNK);
	assert_entries("d", 1);
}
END_TEST

START_TEST(test_a_target_is_absolute_wherever_the_process_goes)
{
	tree_file("d/file", "old");
	ck_assert_int_eq(chdir(tree_root()), 0);
	char *target = replace_target("d/file");
	ck_assert_ptr_nonnull(target);
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(replace_file(target, "new", 3), 0);
	free(target);
	assert_holds("d/file", "new");
	ck_assert_ptr_null(replace_target("/nonexistent/file"));
	ck_assert_int_eq(errno, ENOENT);
}
END_TEST

START_TEST(test_what_can_not_be_replaced_leaves_nothing_behind)
{
	tree_directory("d/file");
	ck_assert_int_eq(replace("d/file", "new"), -EISDIR);
	assert_entries("d", 1);
	ck_assert_int_eq(replace("none/file", "new"), -ENOENT);
	tree_file("e", "x");
	ck_assert_int_eq(replace("e/file", "new"), -ENOTDIR);
}
END_TEST

Suite *suite_replace(void)
{
	Suite *suite = suite_create("replace");
	TCase *tc = tcase_create("replace");

	tree_fixture(tc);
	tcase_add_test(tc, test_a_file_is_another_one_afterwards_with_the_same_mode);
	tcase_add_test(tc, test_a_file_that_is_not_there_is_made_for_all_to_read);
	tcase_add_test(tc, test_a_name_without_a_directory_is_in_the_current_one);
	tcase_add_test(tc, test_a_link_stays_and_its_file_is_replaced);
	tcase_add_test(tc, test_a_target_is_absolute_wherever_the_process_goes);
	tcase_add_test(tc, test_what_can_not_be_replaced_leaves_nothing_behind);
	suite_add_tcase(suite, tc);
	return suite;
}
