/* SPDX-License-Identifier: BSD-3-Clause */
#include <err.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

/* Seconds for each test. It ends only tests that hang: a loaded machine may slow down any test. */
#define TIMEOUT "300"

/* The linker's bounds of the section. */
extern const struct unit_entry *const __start_unit_entries[], *const __stop_unit_entries[];

/* Tells if root's tests may run: not on a machine that may be in use for measurements. */
static bool isolated(void)
{
	struct stat marker;

	return geteuid() != 0 || getenv("ISOLATED") ||
	       (!stat("/dev/isolated", &marker) && marker.st_size > 0);
}

static int by_place(const void *a, const void *b)
{
	const struct unit_entry *x = *(const struct unit_entry *const *)a,
				*y = *(const struct unit_entry *const *)b;
	int files = strcmp(x->file, y->file);

	return files ? files : x->line - y->line;
}

/*
 * Runners of suites whose tests are a process each, and of suites where CK_FORK decides; NULL:
 * none.
 */
struct runners {
	SRunner *alone, *as_asked;
};

static void add_suite(SRunner **runner, Suite *suite)
{
	if (*runner)
		srunner_add_suite(*runner, suite);
	else
		*runner = srunner_create(suite);
}

/* Returns the number of failed tests. */
static int run(SRunner *runner, enum fork_status forks)
{
	if (!runner)
		return 0;
	srunner_set_fork_status(runner, forks);
	srunner_run_all(runner, CK_ENV);
	const int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed;
}

#define NAME_SIZE 64

/* Returns the suite's name, "plan" for tests/unit/plan/test_plan.c. Check keeps the pointer. */
static const char *suite_name(const char *file, char name[NAME_SIZE])
{
	const char *begin = strstr(file, "/test_") + strlen("/test_");

	snprintf(name, NAME_SIZE, "%.*s", (int)strcspn(begin, "."), begin);
	return name;
}

/* Tells if a suite is selected, as Check itself does. */
static bool is_asked_for(const char *suite)
{
	const char *asked = getenv("CK_RUN_SUITE");

	return !asked || !strcmp(asked, suite);
}

static TCase *case_with(const struct unit_entry *fixture)
{
	TCase *tc = tcase_create("tests");

	end_fixture(tc);
	if (fixture && fixture->in_tree)
		tree_fixture(tc);
	if (fixture && (fixture->set_up || fixture->tear_down))
		tcase_add_checked_fixture(tc, fixture->set_up, fixture->tear_down);
	return tc;
}

/* Adds tests. Entries are in the order of their files and lines; there is a name for each suite. */
static void add_tests(struct runners *runners, const struct unit_entry **entries, size_t count,
		      char (*names)[NAME_SIZE])
{
	const char *file = "";
	Suite *suite = NULL;
	TCase *tc = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct unit_entry *entry = entries[i];
		const bool is_new = strcmp(entry->file, file) != 0;

		if (entry->alone && !is_new)
			errx(1, "%s:%d: EACH_IN_A_PROCESS after a test", entry->file, entry->line);
		if (is_new) {
			file = entry->file;
			suite = NULL;
			if (is_asked_for(suite_name(file, names[i]))) {
				suite = suite_create(names[i]);
				add_suite(entry->alone ? &runners->alone : &runners->as_asked,
					  suite);
			}
		}
		if (!suite)
			continue;
		if (is_new || !entry->test) {
			tc = case_with(entry->test ? NULL : entry);
			suite_add_tcase(suite, tc);
		}
		if (entry->test && entry->by_root && geteuid())
			fprintf(stderr, "%s: skipped: needs root\n", entry->test->name);
		else if (entry->test)
			tcase_add_loop_test(tc, entry->test, entry->first, entry->end);
	}
}

int main(int argc, char **argv)
{
	size_t count = (size_t)(__stop_unit_entries - __start_unit_entries);

	(void)argc;
	if (!isolated()) {
		execl("tests/isolated", "tests/isolated", argv[0], NULL);
		err(1, "tests/isolated: expected in the working directory");
	}
	setenv("CK_DEFAULT_TIMEOUT", TIMEOUT, 0);
	const struct unit_entry **entries = malloc(count * sizeof(*entries));
	char(*names)[NAME_SIZE] = calloc(count, NAME_SIZE);
	if (!entries || !names)
		err(1, "memory");
	memcpy(entries, __start_unit_entries, count * sizeof(*entries));
	qsort(entries, count, sizeof(*entries), by_place);
	struct runners runners = {NULL};
	add_tests(&runners, entries, count, names);
	free(entries);
	const int failed = run(runners.as_asked, CK_FORK_GETENV) + run(runners.alone, CK_FORK);
	free(names);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
