/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "suites.h"

int main(void)
{
	Suite *(*const suites[])(void) = {
		suite_deadlines, suite_discovery, suite_event,	  suite_formula, suite_machine,
		suite_model,	 suite_plan,	  suite_schedule, suite_unit,
	};
	SRunner *runner = srunner_create(NULL);

	for (size_t i = 0; i < sizeof(suites) / sizeof(suites[0]); i++)
		srunner_add_suite(runner, suites[i]());
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
