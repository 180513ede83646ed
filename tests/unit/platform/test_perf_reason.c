/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/perf_reason.h"

#include <errno.h>

#include "suites.h"
#include "support.h"

#define PARANOID_0 "sudo sysctl kernel.perf_event_paranoid=0"
#define PERFMON	   "docker run --cap-add PERFMON IMAGE"

static const struct {
	int code;
	struct perf_rights rights;
	enum exit_status status;
	const char *text, *command;
} cases[] = {
	{-EACCES, {.paranoid = 2}, EXIT_PERMISSION, "paranoid is 2", PARANOID_0},
	{-EACCES, {.paranoid = 1}, EXIT_PERMISSION, "setcap cap_perfmon+ep", PARANOID_0},
	{-EACCES, {.paranoid = -2}, EXIT_PERMISSION, "need CAP_PERFMON", PARANOID_0},
	{-EACCES,
	 {.paranoid = 2, .container = true},
	 EXIT_PERMISSION,
	 "start the container with --cap-add PERFMON",
	 PERFMON},
	/* Debian's and Ubuntu's levels, at which CAP_PERFMON may not suffice */
	{-EACCES,
	 {.paranoid = 3, .perfmon = true},
	 EXIT_PERMISSION,
	 "paranoid is 3: above level 2 CAP_PERFMON may not suffice",
	 PARANOID_0},
	{-EACCES,
	 {.paranoid = 4, .container = true},
	 EXIT_PERMISSION,
	 "--cap-add SYS_ADMIN",
	 "docker run --cap-add SYS_ADMIN IMAGE"},
	/* the level is not the cause */
	{-EACCES, {.paranoid = 2, .perfmon = true}, EXIT_PERMISSION, "security module", ""},
	{-EACCES, {.paranoid = 4, .admin = true}, EXIT_PERMISSION, "security module", ""},
	{-EACCES, {.paranoid = 0}, EXIT_PERMISSION, "security module", ""},
	{-EACCES, {.paranoid = -1}, EXIT_PERMISSION, "security module", ""},
	{-EACCES, {.paranoid = 0, .container = true}, EXIT_PERMISSION, "user namespace", ""},
	{-EPERM, {.paranoid = 2, .container = true}, EXIT_PERMISSION, "seccomp", PERFMON},
	{-EPERM, {.paranoid = 2}, EXIT_PERMISSION, "seccomp", ""},
	/* whatever the rights */
	{-ENOENT, {.paranoid = 2}, EXIT_FAILED, "no such event", ""},
	{-ENODEV, {.paranoid = 2}, EXIT_FAILED, "the CPU is offline", ""},
	{-EINVAL, {.paranoid = 2}, EXIT_FAILED, "the group needs more counters", ""},
	{-EBUSY, {.paranoid = 2}, EXIT_IN_USE, "in use by another program", ""},
	{-ENOSYS, {.paranoid = 2}, EXIT_PERMISSION, "built without perf events", ""},
	{-EMFILE, {.paranoid = 2}, EXIT_FAILED, "limit of open files", "ulimit -n 65536"},
	{-EIO, {.paranoid = 2}, EXIT_FAILED, "Input/output error", ""},
};

START_TEST(test_error_of_opening_is_explained_with_what_mends_it)
{
	struct reason reason;

	perf_explain_code(cases[_i].code, &cases[_i].rights, &reason);
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
