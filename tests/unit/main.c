/* SPDX-License-Identifier: BSD-3-Clause */
#include <err.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suites.h"

/* Seconds, each test: for what hangs, as a loaded machine makes any test as slow as it likes. */
#define TIMEOUT "300"

/* Root's tests run where this machine can't be measured. */
static bool isolated(void)
{
	struct stat marker;

	return geteuid() != 0 || getenv("ISOLATED") ||
	       (!stat("/dev/isolated", &marker) && marker.st_size > 0);
}

int main(int argc, char **argv)
{
	(void)argc;
	if (!isolated()) {
		execl("tests/isolated", "tests/isolated", argv[0], NULL);
		err(1, "tests/isolated: expected in the working directory");
	}
	setenv("CK_DEFAULT_TIMEOUT", TIMEOUT, 0);
	SRunner *runner = srunner_create(NULL);

#define ADD_SUITE(name) srunner_add_suite(runner, suite_##name());
	ALL_SUITES(ADD_SUITE)
#undef ADD_SUITE
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
