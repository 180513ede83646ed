/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/exit_status.h"

#include "unit.h"

/* Scripts rely on them. */
TEST(test_exit_statuses_are_as_documented)
{
	ck_assert_int_eq(exit_status_of(ERROR_NONE), 0);
	ck_assert_int_eq(exit_status_of(ERROR_FAILED), 1);
	ck_assert_int_eq(exit_status_of(ERROR_USAGE), 2);
	ck_assert_int_eq(exit_status_of(ERROR_NO_UNIT), 3);
	ck_assert_int_eq(exit_status_of(ERROR_PERMISSION), 4);
	ck_assert_int_eq(exit_status_of(ERROR_IN_USE), 5);
	ck_assert_int_eq(exit_status_of(ERROR_CANNOT_RUN), 126);
	ck_assert_int_eq(exit_status_of(ERROR_NOT_FOUND), 127);
	ck_assert_int_eq(EXIT_SIGNALLED, 128);
}
