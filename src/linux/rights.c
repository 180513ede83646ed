/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/rights_private.h"

#include <cap-ng.h>
#include <errno.h>
#include <grp.h>
#include <malloc.h>
#include <stdbool.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* action: "drop capabilities" */
static int failed(struct error *err, int code, const char *action)
{
	return error_set(err, EXIT_FAILED, code, "cannot %s: %s", action, strerror(-code));
}

/* libcap-ng returns which step failed; the reason is in errno. */
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

int rights_drop_rawio(struct error *err)
{
	int rc = 0;

	if (!capng_get_caps_process() && have(CAPNG_EFFECTIVE, CAP_SYS_RAWIO)) {
		capng_update(CAPNG_DROP, CAPNG_EFFECTIVE, CAP_SYS_RAWIO);
		rc = apply(CAPNG_SELECT_CAPS);
	}
	return rc ? failed(err, rc, "drop the capability CAP_SYS_RAWIO") : 0;
}

/*
 * The kernel's user for those who are none: DEFAULT_OVERFLOWUID in include/linux/highuid.h, and
 * "nobody" of every distribution with systemd.
 */
#define NOBODY 65534

/* EPERM: a user namespace may forbid setgroups() (/proc/PID/setgroups is "deny"). */
static int drop_groups(struct error *err)
{
	if (!have(CAPNG_EFFECTIVE, CAP_SETGID) || !setgroups(0, NULL) || errno == EPERM)
		return 0;
	return failed(err, -errno, "drop the supplementary groups");
}

static uid_t new_user(const struct rights_use *use)
{
	return use->caller.known ? use->caller.uid : NOBODY;
}

/* A container may lack the capabilities (EPERM), or have no other users (EINVAL). */
static void change_user(const struct rights_use *use, const struct log *log)
{
	const struct sudo_user *caller = &use->caller;
	const uid_t uid = new_user(use);
	const gid_t gid = caller->known ? caller->gid : NOBODY;

	if (setresgid(gid, gid, gid) || setresuid(uid, uid, uid))
		log_write(log, LEVEL_DETAIL, "cannot become user %u, remains root: %s",
			  (unsigned)uid, strerror(errno));
}

/*
 * Limits the process to its directory. Returns whether it may remain root for files: they are not
 * the new user's, and it can open no others.
 */
static bool enter_directory(const struct rights_use *use)
{
	struct stat st;

	if (use->role != RIGHTS_FILE)
		return false;
	const bool limited = (!fchdir(use->directory) && !chroot(".")) || rights_landlock_version();
	return limited && !fstat(use->directory, &st) && st.st_uid != new_user(use);
}

/*
 * For files only, by the file system's user id of this thread and those it starts: setfsuid(2). The
 * change of the user has cleared the effective capabilities, which libcap-ng still has.
 */
static int stay_root_for_files(gid_t gid, struct error *err)
{
	const int rc = apply(CAPNG_SELECT_CAPS);

	setfsgid(gid);
	setfsuid(0);
	/* they return no error, but the id before */
	if (rc || setfsuid((uid_t)-1) != 0 || setfsgid((gid_t)-1) != (int)gid)
		return failed(err, rc ? rc : -EPERM, "remain root for files");
	return 0;
}

/* Groups first: after setresuid() they cannot be changed any more. */
static int drop_user(const struct rights_use *use, const struct log *log, struct error *err)
{
	const gid_t gid = getegid();
	int rc = drop_groups(err);

	if (rc || geteuid())
		return rc;
	const bool roots_files = enter_directory(use);
	/* else a change of the user would drop all capabilities, and CAP_KILL may be needed */
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0))
		return failed(err, -errno, "keep capabilities");
	change_user(use, log);
	rc = roots_files ? stay_root_for_files(gid, err) : 0;
	if (rc)
		return rc;
	return prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0) ? failed(err, -errno, "drop capabilities") : 0;
}

/* Only with CAP_SETPCAP, because libcap-ng fails otherwise. */
static int drop_bounds(struct error *err)
{
	if (!have(CAPNG_EFFECTIVE, CAP_SETPCAP))
		return 0;
	capng_clear(CAPNG_SELECT_ALL);
	const int rc = apply(CAPNG_SELECT_BOUNDS);
	return rc ? failed(err, rc, "drop capabilities") : 0;
}

static int drop_capabilities(bool keep_kill, struct error *err)
{
	keep_kill = keep_kill && have(CAPNG_PERMITTED, CAP_KILL);
	capng_clear(CAPNG_SELECT_ALL);
	if (keep_kill)
		capng_update(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED, CAP_KILL);
	int rc = apply(CAPNG_SELECT_CAPS);
	/* EINVAL: a kernel without ambient capabilities */
	if (!rc && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) && errno != EINVAL)
		rc = -errno;
	return rc ? failed(err, rc, "drop capabilities") : 0;
}

static int forbid_new_rights(struct error *err)
{
	const struct rlimit none = {0};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return failed(err, -errno, "set no_new_privs");
	/* only root may inspect the process (and a sanitizer), and it leaves no core dump */
	if (prctl(PR_SET_DUMPABLE, RIGHTS_INSTRUMENTED, 0, 0, 0) || setrlimit(RLIMIT_CORE, &none))
		return failed(err, -errno, "disable core dumps");
	return 0;
}

int rights_drop(const struct rights_use *use, const struct log *log, struct error *err)
{
	mallopt(M_ARENA_MAX, 1); /* others grow by mprotect(), which rights_filter() forbids */
	int rc = capng_get_caps_process() ? failed(err, -EPERM, "drop capabilities") : 0;
	const bool keep_kill = !rc && use->child_is_root && have(CAPNG_EFFECTIVE, CAP_SETUID);

	if (!rc)
		rc = drop_bounds(err);
	/* again, since drop_bounds() has cleared libcap-ng's copy */
	if (!rc && capng_get_caps_process())
		rc = failed(err, -EPERM, "drop capabilities");
	if (!rc)
		rc = drop_user(use, log, err);
	if (!rc)
		rc = drop_capabilities(keep_kill, err);
	return rc ? rc : forbid_new_rights(err);
}
