/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "suites.h"

int main(void)
{
	SRunner *runner = srunner_create(NULL);

#define ADD_SUITE(name) srunner_add_suite(runner, suite_##name());
	ALL_SUITES(ADD_SUITE)
#undef ADD_SUITE
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
