/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/perf_reason.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define ALLOW_ALL  "sudo sysctl kernel.perf_event_paranoid=0"
#define IN_DOCKER  "docker run --cap-add PERFMON IMAGE"
#define MORE_FILES "ulimit -n 65536"

#define LEVEL_OF_ADMIN 3 /* Debian's and Ubuntu's: no events without CAP_SYS_ADMIN */

/* What the kernel reported. */
static const struct {
	int code;
	enum exit_status status;
	const char *text;
	const char *command; /* "": none is known */
} reasons[] = {
	{-ENOSYS, EXIT_PERMISSION, "this kernel was built without perf events", ""},
	{-ENOENT, EXIT_FAILED, "this kernel has no such event", ""},
	{-ENODEV, EXIT_FAILED, "the CPU is offline, or the kernel cannot count the event on it",
	 ""},
	{-EINVAL, EXIT_FAILED,
	 "the PMU does not take the event, or the group needs more counters than it has", ""},
	{-EBUSY, EXIT_IN_USE, "the counters are in use by another program or driver", ""},
	{-EMFILE, EXIT_FAILED, "the limit of open files is reached; to raise it: " MORE_FILES,
	 MORE_FILES},
};

static void set(struct reason *out, enum exit_status status, const char *text, const char *command)
{
	out->status = status;
	snprintf(out->text, sizeof(out->text), "%s", text);
	snprintf(out->command, sizeof(out->command), "%s", command);
}

/* "kernel.perf_event_paranoid is 2: "; empty where it is not known. */
static void set_level(struct reason *out, int paranoid)
{
	set(out, EXIT_PERMISSION, "", "");
	if (paranoid != -2)
		snprintf(out->text, sizeof(out->text),
			 "kernel.perf_event_paranoid is %d: ", paranoid);
}

static void append(struct reason *out, const char *text, const char *command)
{
	const size_t used = strlen(out->text);

	snprintf(out->text + used, sizeof(out->text) - used, "%s", text);
	snprintf(out->command, sizeof(out->command), "%s", command);
}

/* A container has the host's level, and cannot change it. */
static void explain_level(const struct perf_rights *rights, struct reason *out)
{
	const bool admin = rights->paranoid >= LEVEL_OF_ADMIN;

	set_level(out, rights->paranoid);
	if (rights->container)
		append(out,
		       admin ? "above level 2 events may need CAP_SYS_ADMIN; start the container "
			       "with --cap-add SYS_ADMIN, or set the level to 0 on the host"
			     : "events of a CPU need CAP_PERFMON; start the container with --cap-add "
			       "PERFMON, or set the level to 0 on the host",
		       admin ? "docker run --cap-add SYS_ADMIN IMAGE" : IN_DOCKER);
	else
		append(out,
		       admin ? "above level 2 CAP_PERFMON may not suffice, and events need "
			       "CAP_SYS_ADMIN; run it with sudo, or allow events to all users: " ALLOW_ALL
			     : "events of a CPU need CAP_PERFMON; run it with sudo, give the program "
			       "the capability (sudo setcap cap_perfmon+ep FILE), or allow events to "
			       "all users: " ALLOW_ALL,
		       ALLOW_ALL);
}

static void explain_eacces(const struct perf_rights *rights, struct reason *out)
{
	const bool enough = rights->admin ||
			    (rights->perfmon && rights->paranoid < LEVEL_OF_ADMIN) ||
			    (rights->paranoid != -2 && rights->paranoid <= 0);

	if (!enough)
		explain_level(rights, out);
	else
		set(out, EXIT_PERMISSION,
		    rights->container
			    ? "the kernel forbids events although the level and the capabilities "
			      "allow them: the container has a user namespace of its own, or a "
			      "security module (SELinux) forbids them"
			    : "the kernel forbids events although the level and the capabilities "
			      "allow them: a security module (SELinux) forbids them",
		    "");
}

static void explain_eperm(const struct perf_rights *rights, struct reason *out)
{
	if (rights->container)
		set(out, EXIT_PERMISSION,
		    "the container's seccomp filter forbids perf_event_open(); start it with "
		    "--cap-add PERFMON, or with a seccomp profile that allows the call",
		    IN_DOCKER);
	else
		set(out, EXIT_PERMISSION,
		    "a seccomp filter or a security module forbids perf_event_open()", "");
}

void perf_explain_code(int code, const struct perf_rights *rights, struct reason *out)
{
	if (code == -EACCES) {
		explain_eacces(rights, out);
		return;
	}
	if (code == -EPERM) {
		explain_eperm(rights, out);
		return;
	}
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (reasons[i].code == code) {
			set(out, reasons[i].status, reasons[i].text, reasons[i].command);
			return;
		}
	}
	set(out, EXIT_FAILED, strerror(-code), "");
}
