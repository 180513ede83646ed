/* SPDX-License-Identifier: BSD-3-Clause */
#include "refusal.h"

#include <check.h>
#include <string.h>

void assert_refusal(int rc, const struct error *err, const char *expected)
{
	ck_assert_msg(rc < 0, "not refused; expected a line with '%s'", expected);
	ck_assert_int_eq(err->code, rc);
	ck_assert_int_eq(err->status, EXIT_USAGE);
	ck_assert_ptr_null(strchr(err->text, '\n'));
	ck_assert_msg(strstr(err->text, expected), "'%s' does not say '%s'", err->text, expected);
}
