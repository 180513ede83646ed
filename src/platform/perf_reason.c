/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/perf_reason.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Above this level, only Debian's and Ubuntu's kernels have any; CAP_PERFMON may not suffice. */
#define PARANOID_MAX 2

static void say(struct reason *out, enum exit_status status, const char *text, const char *command)
{
	out->status = status;
	snprintf(out->text, sizeof(out->text), "%s", text);
	snprintf(out->command, sizeof(out->command), "%s", command);
}

static void explain_paranoid(const struct perf_rights *rights, struct reason *out)
{
	const bool any = rights->paranoid > PARANOID_MAX;

	out->status = EXIT_PERMISSION;
	snprintf(out->text, sizeof(out->text),
		 "kernel.perf_event_paranoid is %d: counting on whole CPUs needs %s; set it to 0, "
		 "%s",
		 rights->paranoid, any ? "CAP_SYS_ADMIN" : "CAP_PERFMON",
		 any ? "or run it with sudo"
		     : "run it with sudo, or sudo setcap cap_perfmon+ep on the program");
	snprintf(out->command, sizeof(out->command), "%s", PERF_COMMAND_PARANOID);
}

static bool paranoid_denies(const struct perf_rights *rights)
{
	if (rights->sys_admin)
		return false;
	return rights->paranoid > PARANOID_MAX || (rights->paranoid > 0 && !rights->perfmon);
}

static void explain_denied(const struct perf_rights *rights, struct reason *out)
{
	if (paranoid_denies(rights))
		explain_paranoid(rights, out);
	else if (rights->container)
		say(out, EXIT_PERMISSION,
		    "the container's seccomp profile does not permit perf_event_open: add "
		    "--cap-add=PERFMON, or a profile that permits it",
		    "");
	else
		say(out, EXIT_PERMISSION,
		    "a security module or a seccomp filter does not permit perf_event_open", "");
}

/* Errors that have one cause only, whatever the rights. */
static const struct {
	int code;
	enum exit_status status;
	const char *text, *command;
} reasons[] = {
	{-ENOENT, EXIT_NO_UNIT, "the kernel has no such PMU", ""},
	{-ENODEV, EXIT_NO_UNIT, "the CPU is offline, or the PMU is gone", ""},
	{-EOPNOTSUPP, EXIT_NO_UNIT, "the PMU does not support this event", ""},
	{-EINVAL, EXIT_FAILED,
	 "the kernel does not accept the event: its unit lacks the counters for the group, or the "
	 "CPU's die lacks the unit",
	 ""},
	{-EBUSY, EXIT_IN_USE, "another program uses the PMU exclusively", ""},
	{-ENOSYS, EXIT_PERMISSION, "this kernel has no perf events (CONFIG_PERF_EVENTS)", ""},
	{-EMFILE, EXIT_FAILED, "too many open files: one is needed for each event",
	 "ulimit -n hard"},
	{-ENFILE, EXIT_FAILED, "too many open files in the system",
	 "sysctl fs.file-max fs.file-nr"},
};

void perf_reason(int code, const struct perf_rights *rights, struct reason *out)
{
	if (code == -EACCES || code == -EPERM) {
		explain_denied(rights, out);
		return;
	}
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].code == code) {
			say(out, reasons[i].status, reasons[i].text, reasons[i].command);
			return;
		}
	say(out, EXIT_FAILED, strerror(-code), "");
}
