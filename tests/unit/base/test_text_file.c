/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/rootfs.h"

#include "unit.h"

/* Lines that were taken, each in brackets. */
static char taken[200];

static int take(void *context, char *line, struct error *err)
{
	const size_t used = strlen(taken);

	if (context && !strcmp(line, context)) {
		error_set(err, ERROR_FAILED, -ERANGE, "no room for '%s'", line);
		error_hint(err, "df");
		return -ERANGE;
	}
	snprintf(taken + used, sizeof(taken) - used, "[%s]", line);
	return 0;
}

/* Reads the file "lines"; last ends it with an error. */
static int read_lines(char *last, struct error *err)
{
	taken[0] = '\0';
	return text_file_lines(tree_path("lines"), take, last, err);
}

static const struct {
	const char *content, *expected;
} contents[] = {
	{"", ""},
	{"\n\n", ""},
	{"one", "[one]"},
	{"one\n two \t\n", "[one][two]"},
	{"one\r\n\r\ntwo\r", "[one][two]"},
	{"# a\n\t# b\none # c\n", "[one # c]"},
	{"a\rb\n", "[a\rb]"},
};

TREE_FIXTURE(NULL, NULL)

TEST_LOOP(test_lines_are_without_blanks_comments_and_ends, COUNT_OF(contents))
{
	struct error err = {0};

	tree_file("lines", "%s", contents[_i].content);
	ck_assert_msg(!read_lines(NULL, &err), "%s", err.text);
	ck_assert_str_eq(taken, contents[_i].expected);
}

TEST(test_an_error_names_the_line_and_ends_the_reading)
{
	struct error err = {0};

	tree_file("lines", "a\n\n# b\nc\nd\n");
	ck_assert_int_eq(read_lines("c", &err), -ERANGE);
	ck_assert_int_eq(err.kind, ERROR_FAILED);
	ck_assert_ptr_nonnull(strstr(err.text, "lines:4: no room for 'c'"));
	ck_assert_str_eq(err.command, "df");
	ck_assert_str_eq(taken, "[a]");
}

TEST(test_a_file_with_a_nul_gives_no_line)
{
	struct error err = {0};

	tree_file("lines", "a\n%cb\n", '\0');
	ck_assert_int_eq(read_lines(NULL, &err), -EINVAL);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	ck_assert_ptr_nonnull(strstr(err.text, "lines' is not a text file"));
	ck_assert_str_eq(taken, "");
}

TEST(test_a_file_that_is_not_there_or_does_not_end_is_refused)
{
	struct error err = {0};

	ck_assert_int_eq(read_lines(NULL, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "No such file or directory"));
	ck_assert_int_eq(text_file_lines("/", take, NULL, &err), -EINVAL);
	ck_assert_str_eq(err.text, "cannot read '/': Is a directory");
	ck_assert_int_eq(text_file_lines("/dev/zero", take, NULL, &err), -EINVAL);
	ck_assert_str_eq(err.text, "cannot read '/dev/zero': file too large");
}
