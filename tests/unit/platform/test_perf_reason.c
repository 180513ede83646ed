/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/perf_reason.h"

#include <errno.h>

#include "suites.h"
#include "support.h"

static const struct {
	int code;
	struct perf_rights rights;
	enum exit_status status;
	const char *text, *command;
} cases[] = {
	{-EACCES, {.paranoid = 2}, EXIT_PERMISSION, "paranoid is 2", PERF_COMMAND_PARANOID},
	{-EACCES, {.paranoid = 2}, EXIT_PERMISSION, "needs CAP_PERFMON", PERF_COMMAND_PARANOID},
	{-EACCES, {.paranoid = 1}, EXIT_PERMISSION, "setcap cap_perfmon+ep", PERF_COMMAND_PARANOID},
	/* Debian's and Ubuntu's levels, at which CAP_PERFMON may not suffice */
	{-EACCES,
	 {.paranoid = 3, .perfmon = true},
	 EXIT_PERMISSION,
	 "paranoid is 3: counting on whole CPUs needs CAP_SYS_ADMIN",
	 PERF_COMMAND_PARANOID},
	{-EACCES, {.paranoid = 4}, EXIT_PERMISSION, "CAP_SYS_ADMIN", PERF_COMMAND_PARANOID},
	{-EPERM, {.paranoid = 2}, EXIT_PERMISSION, "paranoid is 2", PERF_COMMAND_PARANOID},
	/* the level is not the cause */
	{-EACCES, {.paranoid = 2, .perfmon = true}, EXIT_PERMISSION, "security module", ""},
	{-EACCES, {.paranoid = 4, .sys_admin = true}, EXIT_PERMISSION, "security module", ""},
	{-EACCES, {.paranoid = 0}, EXIT_PERMISSION, "security module", ""},
	{-EACCES, {.paranoid = -1}, EXIT_PERMISSION, "security module", ""},
	{-EPERM,
	 {.paranoid = 2, .perfmon = true, .container = true},
	 EXIT_PERMISSION,
	 "seccomp profile does not permit perf_event_open",
	 ""},
	{-EPERM, {.paranoid = 0, .container = true}, EXIT_PERMISSION, "--cap-add", ""},
	/* whatever the rights */
	{-ENOENT, {.paranoid = 2}, EXIT_NO_UNIT, "no such PMU", ""},
	{-ENODEV, {.paranoid = 2}, EXIT_NO_UNIT, "the CPU is offline", ""},
	{-EINVAL, {.paranoid = 2}, EXIT_FAILED, "does not accept the event", ""},
	{-EBUSY, {.paranoid = 2}, EXIT_IN_USE, "exclusively", ""},
	{-ENOSYS, {.paranoid = 2}, EXIT_PERMISSION, "CONFIG_PERF_EVENTS", ""},
	{-EMFILE, {.paranoid = 2}, EXIT_FAILED, "too many open files", "ulimit -n hard"},
	{-EIO, {.paranoid = 2}, EXIT_FAILED, "Input/output error", ""},
};

START_TEST(test_error_of_opening_is_explained_with_what_mends_it)
{
	struct reason reason;

	perf_reason(cases[_i].code, &cases[_i].rights, &reason);
	ck_assert_int_eq(reason.status, cases[_i].status);
	assert_contains(reason.text, cases[_i].text);
	ck_assert_str_eq(reason.command, cases[_i].command);
}
END_TEST

Suite *suite_perf_reason(void)
{
	Suite *s = suite_create("perf_reason");
	TCase *tc = tcase_create("perf_reason");

	tcase_add_loop_test(tc, test_error_of_opening_is_explained_with_what_mends_it, 0,
			    COUNT_OF(cases));
	suite_add_tcase(s, tc);
	return s;
}
