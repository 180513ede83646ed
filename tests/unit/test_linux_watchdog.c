/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/watchdog.h"

#include "suites.h"
#include "support.h"

#define SETTING "proc/sys/kernel/nmi_watchdog"

START_TEST(test_the_setting_of_the_kernel_decides)
{
	tree_file(SETTING, "1\n");
	ck_assert(linux_watchdog_runs(tree_root()));
	tree_file(SETTING, "0\n");
	ck_assert(!linux_watchdog_runs(tree_root()));
}
END_TEST

START_TEST(test_a_kernel_without_the_setting_has_no_watchdog)
{
	ck_assert(!linux_watchdog_runs(tree_root()));
}
END_TEST

Suite *suite_linux_watchdog(void)
{
	Suite *suite = suite_create("linux_watchdog");
	TCase *tc = tcase_create("watchdog");

	tree_fixture(tc);
	tcase_add_test(tc, test_the_setting_of_the_kernel_decides);
	tcase_add_test(tc, test_a_kernel_without_the_setting_has_no_watchdog);
	suite_add_tcase(suite, tc);
	return suite;
}
