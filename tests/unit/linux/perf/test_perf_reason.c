/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/perf/perf.h"

#include "unit.h"

#define SYSCTL "sudo sysctl kernel.perf_event_paranoid=0"
#define SETCAP "sudo setcap cap_perfmon+p /usr/bin/cxlmon"
#define DOCKER "docker run --cap-add "

static struct error reason;

static void explain(int code, struct perf_rights rights)
{
	memset(&reason, 0x55, sizeof(reason));
	perf_explain_code(code, &rights, &reason);
}

static const struct {
	struct perf_rights rights;
	const char *begin, *part, *command;
} denied[] = {
	{{.paranoid = 1}, "kernel.perf_event_paranoid is 1: ", "CAP_PERFMON", SETCAP},
	{{.paranoid = 2}, "kernel.perf_event_paranoid is 2: ", "setcap cap_perfmon+p", SETCAP},
	{{.paranoid = 3}, "kernel.perf_event_paranoid is 3: ", "CAP_SYS_ADMIN", SYSCTL},
	{{.paranoid = 4}, "kernel.perf_event_paranoid is 4: ", "CAP_SYS_ADMIN", SYSCTL},
	{{.paranoid = 4, .perfmon = true},
	 "kernel.perf_event_paranoid is 4: ",
	 "CAP_SYS_ADMIN",
	 SYSCTL},
	{{.paranoid = -2}, "counting on whole CPUs needs CAP_PERFMON", "sudo", SETCAP},
	{{.paranoid = 2, .container = true},
	 "kernel.perf_event_paranoid is 2: ",
	 "--cap-add PERFMON, or set the level to 0 on the host",
	 DOCKER "PERFMON IMAGE"},
	{{.paranoid = 4, .perfmon = true, .container = true},
	 "kernel.perf_event_paranoid is 4: ",
	 "--cap-add SYS_ADMIN",
	 DOCKER "SYS_ADMIN IMAGE"},
	/* allowed by the level and the capabilities, and forbidden by something else */
	{{.paranoid = 2, .perfmon = true}, "refused although", "security module", ""},
	{{.paranoid = 4, .admin = true}, "refused although", "security module", ""},
	{{.paranoid = 0}, "refused although", "security module", ""},
	{{.paranoid = -1}, "refused although", "security module", ""},
	{{.paranoid = -2, .perfmon = true}, "refused although", "security module", ""},
	{{.paranoid = 2, .perfmon = true, .container = true},
	 "refused although",
	 "user namespace",
	 ""},
};

TEST_LOOP(test_what_the_level_denies_names_what_allows_it, COUNT_OF(denied))
{
	explain(-EACCES, denied[_i].rights);
	ck_assert_int_eq(reason.kind, ERROR_PERMISSION);
	ck_assert_msg(!strncmp(reason.text, denied[_i].begin, strlen(denied[_i].begin)), "%s",
		      reason.text);
	assert_contains(reason.text, denied[_i].part);
	ck_assert_str_eq(reason.command, denied[_i].command);
}

TEST(test_a_filter_denies_whatever_the_level_is)
{
	explain(-EPERM, (struct perf_rights){.paranoid = 2, .container = true});
	ck_assert_int_eq(reason.kind, ERROR_PERMISSION);
	assert_contains(reason.text, "seccomp profile");
	ck_assert_str_eq(reason.command, DOCKER "PERFMON IMAGE");
	explain(-EPERM, (struct perf_rights){.paranoid = 2});
	ck_assert_int_eq(reason.kind, ERROR_PERMISSION);
	assert_contains(reason.text, "seccomp filter or a security module");
	ck_assert_str_eq(reason.command, "");
}

/* Profiles of Docker and podman differ in the error; a kernel without perf events has no level. */
TEST(test_a_call_that_there_is_not_is_forbidden_if_there_is_a_level)
{
	explain(-ENOSYS, (struct perf_rights){.paranoid = 2, .container = true});
	ck_assert_int_eq(reason.kind, ERROR_PERMISSION);
	assert_contains(reason.text, "the container's seccomp profile forbids perf_event_open()");
	ck_assert_str_eq(reason.command, DOCKER "PERFMON IMAGE");
	explain(-ENOSYS, (struct perf_rights){.paranoid = -1});
	assert_contains(reason.text, "a seccomp filter or a security module forbids");
	explain(-ENOSYS, (struct perf_rights){.paranoid = -2, .container = true});
	ck_assert_int_eq(reason.kind, ERROR_PERMISSION);
	assert_contains(reason.text, "built without perf events");
}

TEST(test_kvm_is_named_if_it_may_have_the_counters)
{
	explain(-EOPNOTSUPP, (struct perf_rights){.paranoid = 2, .mediated = true});
	ck_assert_int_eq(reason.kind, ERROR_NO_UNIT);
	assert_contains(reason.text, "virtual machine of KVM");
}

static const struct {
	int code;
	enum error_kind kind;
	const char *part, *command;
} others[] = {
	{-ENOSPC, ERROR_IN_USE, "no counter left", ""},
	{-ENOENT, ERROR_NO_UNIT, "no such PMU or event", ""},
	{-EOPNOTSUPP, ERROR_NO_UNIT, "does not support", ""},
	{-ENODEV, ERROR_NO_UNIT, "offline", ""},
	{-EINVAL, ERROR_FAILED, "more counters than it has", ""},
	{-EBUSY, ERROR_IN_USE, "in use", ""},
	{-EMFILE, ERROR_PERMISSION, "limit of open files", "sudo prlimit --nofile=65536 cxlmon"},
	{-ENFILE, ERROR_PERMISSION, "fs.file-max", ""},
	{-EIO, ERROR_FAILED, "Input/output error", ""},
};

TEST_LOOP(test_other_errors_are_the_same_with_all_rights, COUNT_OF(others))
{
	for (int all = 0; all <= 1; all++) {
		explain(others[_i].code, (struct perf_rights){.paranoid = 2, .admin = all});
		ck_assert_int_eq(reason.kind, others[_i].kind);
		assert_contains(reason.text, others[_i].part);
		ck_assert_str_eq(reason.command, others[_i].command);
	}
}
