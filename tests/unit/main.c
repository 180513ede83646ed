/* SPDX-License-Identifier: BSD-3-Clause */
#include <err.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

/* Seconds, each test: for what hangs, as a loaded machine makes any test as slow as it likes. */
#define TIMEOUT "300"

/* The linker's bounds of the section. */
extern const struct unit_entry *const __start_unit_entries[], *const __stop_unit_entries[];

/* Root's tests run where this machine can't be measured. */
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

#define NAME_SIZE 64

/* tests/unit/plan/test_plan.c is the suite "plan". Check keeps the name, not a copy. */
static Suite *suite_of(const char *file, char name[NAME_SIZE])
{
	const char *begin = strstr(file, "/test_") + strlen("/test_");

	snprintf(name, NAME_SIZE, "%.*s", (int)strcspn(begin, "."), begin);
	return suite_create(name);
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

/* Entries are in the order of their files and lines. There is a name for each, as for the suites.
 */
static void add_tests(SRunner *runner, const struct unit_entry **entries, size_t count,
		      char (*names)[NAME_SIZE])
{
	const char *file = "";
	Suite *suite = NULL;
	TCase *tc = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct unit_entry *entry = entries[i];
		bool is_new = strcmp(entry->file, file) != 0;

		if (is_new) {
			file = entry->file;
			suite = suite_of(file, names[i]);
			srunner_add_suite(runner, suite);
		}
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
	SRunner *runner = srunner_create(NULL);
	add_tests(runner, entries, count, names);
	free(entries);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	free(names);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
