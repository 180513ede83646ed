/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/perf/perf.h"

#include <errno.h>
#include <string.h>

#define ALLOW_ALL  "sudo sysctl kernel.perf_event_paranoid=0"
#define ALLOW_ONE  "sudo setcap cap_perfmon+p /usr/bin/cxlmon"
#define MORE_FILES "sudo prlimit --nofile=65536 cxlmon"

#define LEVEL_NOT_KNOWN (-2)
#define LEVEL_OF_ALL	0 /* up to here every user may count on whole CPUs */
#define LEVEL_OF_ADMIN	3 /* from here on CAP_PERFMON may not suffice */

/* Reasons for the kernel's errors. */
static const struct {
	int code;
	enum error_kind kind;
	const char *text;
	const char *command; /* "": there is none */
} reasons[] = {
	{-ENOSYS, ERROR_PERMISSION, "this kernel was built without perf events", ""},
	{-ENOENT, ERROR_NO_UNIT, "this kernel has no such PMU or event", ""},
	{-EOPNOTSUPP, ERROR_NO_UNIT, "the PMU does not support the event", ""},
	{-ENODEV, ERROR_NO_UNIT, "the CPU is offline, or the kernel cannot count the event on it",
	 ""},
	{-EINVAL, ERROR_FAILED,
	 "the PMU does not take the event, or the group needs more counters than it has", ""},
	{-EBUSY, ERROR_IN_USE, "the counters are in use by another program or driver", ""},
	{-ENOSPC, ERROR_IN_USE, "the PMU has no counter left: other events use them all", ""},
	/* classified as permissions, so that no group is left out because of them */
	{-EMFILE, ERROR_PERMISSION,
	 "the limit of open files (ulimit -n) is reached, and each event is one; to raise it: " MORE_FILES,
	 MORE_FILES},
	{-ENFILE, ERROR_PERMISSION, "the system's limit of open files (fs.file-max) is reached",
	 ""},
};

static void set_reason(struct error *out, enum error_kind kind, const char *text,
		       const char *command)
{
	error_set(out, kind, out->code, "%s", text);
	error_hint(out, command);
}

/* Missing permissions, by the need for CAP_SYS_ADMIN, and by container. */
static const struct {
	const char *text, *command;
} missing[2][2] = {
	{{"counting on whole CPUs needs CAP_PERFMON; run it with sudo, give the program the "
	  "capability (sudo setcap cap_perfmon+p FILE), or allow it to all users: " ALLOW_ALL,
	  ALLOW_ONE},
	 {"counting on whole CPUs needs CAP_PERFMON; start the container with --cap-add PERFMON, "
	  "or set the level to 0 on the host",
	  "docker run --cap-add PERFMON IMAGE"}},
	{{"counting on whole CPUs needs CAP_SYS_ADMIN above level 2; run it with sudo, or "
	  "allow it to all users: " ALLOW_ALL,
	  ALLOW_ALL},
	 {"counting on whole CPUs needs CAP_SYS_ADMIN above level 2; start the container "
	  "with --cap-add SYS_ADMIN, or set the level to 0 on the host",
	  "docker run --cap-add SYS_ADMIN IMAGE"}},
};

static void explain_level(const struct perf_rights *rights, struct error *out)
{
	const bool admin = rights->paranoid >= LEVEL_OF_ADMIN;
	const char *text = missing[admin][rights->container].text;

	if (rights->paranoid == LEVEL_NOT_KNOWN)
		error_set(out, ERROR_PERMISSION, out->code, "%s", text);
	else
		error_set(out, ERROR_PERMISSION, out->code, "kernel.perf_event_paranoid is %d: %s",
			  rights->paranoid, text);
	error_hint(out, missing[admin][rights->container].command);
}

static bool level_allows(const struct perf_rights *rights)
{
	if (rights->admin)
		return true;
	if (rights->perfmon)
		return rights->paranoid < LEVEL_OF_ADMIN;
	return rights->paranoid != LEVEL_NOT_KNOWN && rights->paranoid <= LEVEL_OF_ALL;
}

static void explain_eacces(const struct perf_rights *rights, struct error *out)
{
	if (!level_allows(rights))
		explain_level(rights, out);
	else if (rights->container)
		set_reason(out, ERROR_PERMISSION,
			   "refused although level and capabilities suffice: the container's "
			   "capabilities are those of its own user namespace, or a security module "
			   "(SELinux) forbids it",
			   "");
	else
		set_reason(
			out, ERROR_PERMISSION,
			"refused although level and capabilities suffice: a security module (SELinux) "
			"forbids it",
			"");
}

static void explain_eperm(const struct perf_rights *rights, struct error *out)
{
	if (rights->container)
		set_reason(
			out, ERROR_PERMISSION,
			"the container's seccomp profile forbids perf_event_open(); start it with "
			"--cap-add PERFMON, or with a profile that allows the call",
			"docker run --cap-add PERFMON IMAGE");
	else
		set_reason(out, ERROR_PERMISSION,
			   "a seccomp filter or a security module forbids perf_event_open()", "");
}

void perf_explain_code(int code, const struct perf_rights *rights, struct error *out)
{
	out->code = code;
	if (code == -EACCES) {
		explain_eacces(rights, out);
		return;
	}
	/* the sysctl exists if the kernel has perf events: some seccomp profiles return ENOSYS */
	if (code == -EPERM || (code == -ENOSYS && rights->paranoid != LEVEL_NOT_KNOWN)) {
		explain_eperm(rights, out);
		return;
	}
	if (code == -EOPNOTSUPP && rights->mediated) {
		set_reason(
			out, ERROR_NO_UNIT,
			"the PMU does not support the event, or a virtual machine of KVM has the "
			"counters of CPUs (enable_mediated_pmu)",
			"");
		return;
	}
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (reasons[i].code == code) {
			set_reason(out, reasons[i].kind, reasons[i].text, reasons[i].command);
			return;
		}
	}
	set_reason(out, ERROR_FAILED, strerror(-code), "");
}
