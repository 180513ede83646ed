/* SPDX-License-Identifier: BSD-3-Clause */
/* The beginning of a run on a machine without CXL memory. */
#include "process/load_run.h"

#include "unit.h"

static struct load_run run;

TREE_FIXTURE(NULL, NULL)

TEST(test_events_without_loads_are_numbered_by_their_names)
{
	ck_assert_ptr_null(load_run_event(0));
	for (int i = 0; load_run_event_names[i]; i++)
		ck_assert_str_eq(load_run_event(i + 1)->name, load_run_event_names[i]);
}

TEST_LOOP(test_a_run_by_function_starts_symbol_processes_unless_it_is_given_them, 2)
{
	static const struct sudo_user caller = {.known = false};
	struct symbol_process given = {.questions = -1, .answers = -1};
	const struct load_run_options options = {.session.root = tree_root(),
						 .samples_alone = true,
						 .by = BY_FUNCTION,
						 .symbols = _i ? &given : NULL,
						 .caller = &caller};
	struct error err;

	ck_assert_int_lt(load_run_open(&options, &silent_log, &run, &err), 0);
	ck_assert_int_eq(!run.symbols.pid, _i);
	ck_assert_int_eq(load_run_close(&run, &err), 0);
}
