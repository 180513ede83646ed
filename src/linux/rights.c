/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/rights.h"

#include <cap-ng.h>
#include <errno.h>
#include <grp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static int failed(struct error *err, int code, const char *what)
{
	return error_set(err, EXIT_FAILED, code, "%s can't be given up: %s", what, strerror(-code));
}

/* libcap-ng tells what failed, and leaves why in errno. */
static int apply(capng_select_t what)
{
	errno = 0;
	if (!capng_apply(what))
		return 0;
	return errno ? -errno : -EPERM;
}

static bool have(capng_type_t set, unsigned capability)
{
	return capng_have_capability(set, capability);
}

bool linux_capable(unsigned capability)
{
	return capability <= CAP_LAST_CAP && !capng_get_caps_process() &&
	       have(CAPNG_EFFECTIVE, capability);
}

int rights_drop_rawio(struct error *err)
{
	int rc = 0;

	if (linux_capable(CAP_SYS_RAWIO)) {
		capng_update(CAPNG_DROP, CAPNG_EFFECTIVE, CAP_SYS_RAWIO);
		rc = apply(CAPNG_SELECT_CAPS);
	}
	return rc ? failed(err, rc, "the capability CAP_SYS_RAWIO") : 0;
}

/*
 * Real user alone: the kernel lets a process be traced only by one whose user is its real,
 * effective and saved one, and that stays nobody but root.
 */
static int become_caller(const struct sudo_user *caller, struct error *err)
{
	if (!caller || !caller->known)
		return 0;
	return setresuid(caller->uid, (uid_t)-1, (uid_t)-1)
		       ? failed(err, -errno, "root as the real user")
		       : 0;
}

/* A user namespace may forbid it (/proc/PID/setgroups is "deny"): then they are the namespace's. */
static int drop_groups(struct error *err)
{
	if (!have(CAPNG_EFFECTIVE, CAP_SETGID) || !setgroups(0, NULL) || errno == EPERM)
		return 0;
	return failed(err, -errno, "supplementary groups");
}

/* Before no_new_privs; libcap-ng would fail with a set that it may not change. */
static int drop_capabilities(struct error *err)
{
	const bool bounds = have(CAPNG_EFFECTIVE, CAP_SETPCAP);

	capng_clear(CAPNG_SELECT_ALL);
	int rc = bounds ? apply(CAPNG_SELECT_BOUNDS) : 0;
	if (!rc)
		rc = apply(CAPNG_SELECT_CAPS);
	/* a kernel older than ambient capabilities has none to clear */
	if (!rc && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) && errno != EINVAL)
		rc = -errno;
	return rc ? failed(err, rc, "capabilities") : 0;
}

static int stay_so(struct error *err)
{
	const struct rlimit none = {0};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return failed(err, -errno, "new rights (no_new_privs)");
	/* nobody but root looks into it, while it runs or in a core dump */
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) || setrlimit(RLIMIT_CORE, &none))
		return failed(err, -errno, "core dumps");
	return 0;
}

int rights_drop(const struct sudo_user *caller, struct error *err)
{
	int rc = become_caller(caller, err);

	if (!rc && capng_get_caps_process())
		rc = failed(err, -EPERM, "capabilities");
	if (!rc)
		rc = drop_groups(err);
	if (!rc)
		rc = drop_capabilities(err);
	return rc ? rc : stay_so(err);
}
