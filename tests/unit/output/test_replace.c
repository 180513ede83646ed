/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/output_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

static char path[PATH_MAX];

/* Replaces the file "DIRECTORY/FILE". */
static int replace(const char *name, const char *text)
{
	const char *base = strrchr(name, '/') + 1;
	struct file_place file;

	strcpy(path, tree_path(name));
	path[strlen(path) - strlen(base)] = '\0';
	file.directory = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(file.directory, 0);
	snprintf(file.name, sizeof(file.name), "%s", base);
	const int rc = replace_file(&file, text, strlen(text));
	close(file.directory);
	return rc;
}

static void assert_holds(const char *name, const char *expected)
{
	char text[64] = "";

	strcpy(path, tree_path(name));
	FILE *in = fopen(path, "r");
	ck_assert_ptr_nonnull(in);
	ck_assert_uint_eq(fread(text, 1, sizeof(text) - 1, in), strlen(expected));
	fclose(in);
	ck_assert_str_eq(text, expected);
}

static mode_t mode_of(const char *name)
{
	struct stat st;

	strcpy(path, tree_path(name));
	ck_assert_int_eq(lstat(path, &st), 0);
	return st.st_mode;
}

static void assert_entries(const char *directory, unsigned expected)
{
	unsigned entries = 0;

	strcpy(path, tree_path(directory));
	DIR *dir = opendir(path);
	ck_assert_ptr_nonnull(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		entries += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	closedir(dir);
	ck_assert_uint_eq(entries, expected);
}

TREE_FIXTURE(NULL, NULL)

TEST(test_a_file_is_another_one_afterwards_with_the_same_mode)
{
	char text[64] = "";

	tree_file("d/file", "a longer text");
	strcpy(path, tree_path("d/file"));
	ck_assert_int_eq(chmod(path, 0640), 0);
	FILE *reader = fopen(path, "r");
	ck_assert_int_eq(replace("d/file", "new"), 0);
	assert_holds("d/file", "new");
	ck_assert_uint_eq(mode_of("d/file"), S_IFREG | 0640);
	assert_entries("d", 1);
	/* a reader that has it open keeps the old contents */
	ck_assert_ptr_nonnull(fgets(text, sizeof(text), reader));
	fclose(reader);
	ck_assert_str_eq(text, "a longer text");
}

TEST(test_a_file_that_is_not_there_is_made_for_all_to_read)
{
	tree_directory("d");
	ck_assert_int_eq(replace("d/file", "new"), 0);
	assert_holds("d/file", "new");
	ck_assert_uint_eq(mode_of("d/file"), S_IFREG | 0644);
}

TEST(test_a_link_is_replaced_itself)
{
	tree_file("d/victim", "old");
	tree_link("d/file", "victim");
	ck_assert_int_eq(replace("d/file", "new"), 0);
	assert_holds("d/victim", "old");
	assert_holds("d/file", "new");
	ck_assert_uint_eq(mode_of("d/file"), S_IFREG | 0644);
}

TEST(test_the_directory_is_the_same_wherever_its_path_leads)
{
	struct file_place file = {.name = "file"};

	tree_file("d/file", "old");
	tree_file("victim/file", "old");
	const char *from = tree_path("d");
	file.directory = open(from, O_PATH | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_eq(rename(from, tree_path("moved")), 0);
	tree_link("d", "victim");
	ck_assert_int_eq(replace_file(&file, "new", 3), 0);
	assert_holds("victim/file", "old");
	assert_holds("moved/file", "new");
	close(file.directory);
}

TEST(test_a_new_file_has_no_right_of_its_owner)
{
	tree_file("d/file", "old");
	strcpy(path, tree_path("d/file"));
	ck_assert_int_eq(chmod(path, 04755), 0);
	ck_assert_int_eq(replace("d/file", "new"), 0);
	ck_assert_uint_eq(mode_of("d/file"), S_IFREG | 0755);
}

TEST(test_the_longest_name_can_be_replaced)
{
	char name[2 + NAME_MAX + 1] = "d/";

	tree_directory("d");
	memset(name + 2, 'x', NAME_MAX);
	ck_assert_int_eq(replace(name, "new"), 0);
	assert_holds(name, "new");
	assert_entries("d", 1);
}

TEST(test_what_can_not_be_replaced_leaves_nothing_behind)
{
	tree_directory("d/file");
	ck_assert_int_eq(replace("d/file", "new"), -EISDIR);
	assert_entries("d", 1);
	ck_assert_int_eq(
		replace_file(&(struct file_place){.directory = -1, .name = "file"}, "new", 3),
		-EBADF);
}
