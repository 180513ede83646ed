/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "suites.h"

/* Seconds, each test: a loaded machine and a sanitizer together make it ten times slower. */
#define TIMEOUT "60"

int main(void)
{
	setenv("CK_DEFAULT_TIMEOUT", TIMEOUT, 0);
	SRunner *runner = srunner_create(NULL);

#define ADD_SUITE(name) srunner_add_suite(runner, suite_##name());
	ALL_SUITES(ADD_SUITE)
#undef ADD_SUITE
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
