/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/rights/rights.h"

#include <cap-ng.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "linux/run/process.h"

/* Source: the kernel's include/uapi/linux/capability.h, since 5.9 */
#ifndef CAP_CHECKPOINT_RESTORE
#define CAP_CHECKPOINT_RESTORE 40
#endif

/* Sets an error; action is such as "drop capabilities". */
static int rights_failed(struct error *err, int code, const char *action)
{
	return error_set(err, ERROR_FAILED, code, "cannot %s: %s", action, strerror(-code));
}

/* Applies capabilities. libcap-ng returns the failed step; the reason is in errno. */
static int apply_capabilities(capng_select_t what)
{
	errno = 0;
	if (!capng_apply(what))
		return 0;
	return errno ? -errno : -EPERM;
}

static bool have_capability(capng_type_t set, unsigned capability)
{
	return capng_have_capability(set, capability);
}

int rights_drop_rawio(struct error *err)
{
	int rc = 0;

	if (!capng_get_caps_process() && have_capability(CAPNG_EFFECTIVE, CAP_SYS_RAWIO)) {
		capng_update(CAPNG_DROP, CAPNG_EFFECTIVE, CAP_SYS_RAWIO);
		rc = apply_capabilities(CAPNG_SELECT_CAPS);
	}
	return rc ? rights_failed(err, rc, "drop the capability CAP_SYS_RAWIO") : 0;
}

/*
 * The kernel's user for those without a number: DEFAULT_OVERFLOWUID in include/linux/highuid.h, and
 * "nobody" of every distribution with systemd.
 */
#define NOBODY 65534

/*
 * Drops the supplementary groups. EPERM: a user namespace may forbid setgroups()
 * (/proc/PID/setgroups is "deny").
 */
static int drop_groups(struct error *err)
{
	if (!have_capability(CAPNG_EFFECTIVE, CAP_SETGID) || !setgroups(0, NULL) || errno == EPERM)
		return 0;
	return rights_failed(err, -errno, "drop the supplementary groups");
}

static uid_t new_user(const struct rights_use *use)
{
	return use->caller.known ? use->caller.uid : NOBODY;
}

/*
 * Changes the user. A container may lack the capabilities (EPERM), or have no other users (EINVAL).
 */
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
 * Limits the process to its directory. Returns true if it may remain root for files: they are not
 * the new user's, and it can open no others.
 */
static bool enter_directory(const struct rights_use *use)
{
	struct stat st;

	if (use->role != RIGHTS_FILE)
		return false;
	const bool limited = (!fchdir(use->directory) && !chroot(".")) || rights_landlock_version();
	return limited && !use->never_root && !fstat(use->directory, &st) &&
	       st.st_uid != new_user(use);
}

/*
 * Remains root only for files, by the file system's user id of this thread and those it starts:
 * setfsuid(2). The change of the user has cleared the effective capabilities, which libcap-ng still
 * has.
 */
static int stay_root_for_files(gid_t gid, struct error *err)
{
	const int rc = apply_capabilities(CAPNG_SELECT_CAPS);

	setfsgid(gid);
	setfsuid(0);
	/* these functions do not return errors, but the previous id */
	if (rc || setfsuid((uid_t)-1) != 0 || setfsgid((gid_t)-1) != (int)gid)
		return rights_failed(err, rc ? rc : -EPERM, "remain root for files");
	return 0;
}

/* Drops groups, and then the user: after setresuid() groups cannot be changed any more. */
static int drop_user(const struct rights_use *use, const struct log *log, struct error *err)
{
	const gid_t gid = getegid();
	int rc = drop_groups(err);

	if (rc || geteuid())
		return rc;
	const bool roots_files = enter_directory(use);
	/* otherwise a change of the user would drop all capabilities, and CAP_KILL may be needed */
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0))
		return rights_failed(err, -errno, "keep capabilities");
	change_user(use, log);
	rc = roots_files ? stay_root_for_files(gid, err) : 0;
	if (rc)
		return rc;
	return prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0) ? rights_failed(err, -errno, "drop capabilities")
						  : 0;
}

/* Drops the bounding set, only with CAP_SETPCAP, because libcap-ng fails otherwise. */
static int drop_bounds(struct error *err)
{
	if (!have_capability(CAPNG_EFFECTIVE, CAP_SETPCAP))
		return 0;
	capng_clear(CAPNG_SELECT_BOTH);
	const int rc = apply_capabilities(CAPNG_SELECT_BOUNDS);
	return rc ? rights_failed(err, rc, "drop capabilities") : 0;
}

/* Returns the bits of the capabilities that stay. */
static uint64_t kept_capabilities(const struct rights_use *use)
{
	const struct {
		unsigned capability;
		bool wanted;
	} all[] = {
		{CAP_KILL, use->child_is_root && have_capability(CAPNG_EFFECTIVE, CAP_SETUID)},
		{CAP_SYS_PTRACE, use->role == RIGHTS_OPENER || use->role == RIGHTS_WATCHER},
		{CAP_CHECKPOINT_RESTORE, use->role == RIGHTS_OPENER},
		{CAP_DAC_READ_SEARCH, use->role == RIGHTS_WATCHER},
		{CAP_PERFMON, use->opens_events},
	};
	uint64_t kept = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].wanted && have_capability(CAPNG_PERMITTED, all[i].capability))
			kept |= UINT64_C(1) << all[i].capability;
	return kept;
}

static int set_capabilities(uint64_t kept)
{
	capng_clear(CAPNG_SELECT_BOTH);
	for (unsigned i = 0; i < 64; i++)
		if (kept >> i & 1)
			capng_update(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED, i);
	return apply_capabilities(CAPNG_SELECT_CAPS);
}

static int drop_capabilities(uint64_t kept, struct error *err)
{
	int rc = set_capabilities(kept);

	/* EINVAL: a kernel without ambient capabilities */
	if (!rc && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) && errno != EINVAL)
		rc = -errno;
	return rc ? rights_failed(err, rc, "drop capabilities") : 0;
}

static int forbid_new_rights(struct error *err)
{
	const struct rlimit none = {0};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return rights_failed(err, -errno, "set no_new_privs");
	/* only root may inspect the process (and a sanitizer), and it leaves no core dump */
	if (prctl(PR_SET_DUMPABLE, RIGHTS_INSTRUMENTED, 0, 0, 0) || setrlimit(RLIMIT_CORE, &none))
		return rights_failed(err, -errno, "disable core dumps");
	return 0;
}

int rights_drop(const struct rights_use *use, const struct log *log, struct error *err)
{
#ifdef __GLIBC__
	mallopt(M_ARENA_MAX,
		1); /* further arenas grow by mprotect(), which rights_filter() forbids */
#endif
	int rc = capng_get_caps_process() ? rights_failed(err, -EPERM, "drop capabilities") : 0;
	const uint64_t kept = rc ? 0 : kept_capabilities(use);

	if (!rc)
		rc = drop_bounds(err);
	/* needed again: drop_bounds() has cleared libcap-ng's copy */
	if (!rc && capng_get_caps_process())
		rc = rights_failed(err, -EPERM, "drop capabilities");
	if (!rc)
		rc = drop_user(use, log, err);
	if (!rc)
		rc = drop_capabilities(kept, err);
	return rc ? rc : forbid_new_rights(err);
}

/*
 * Landlock. Source of access rights and versions: the kernel's include/uapi/linux/landlock.h and
 * Documentation/userspace-api/landlock.rst. Headers before Linux 5.13 have none of it, and those of
 * Debian 12 end before the second version.
 */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule	    445
#define SYS_landlock_restrict_self  446
#endif
#define CREATE_RULESET_VERSION (1U << 0)
#define RULE_PATH_BENEATH      1

struct path_beneath {
	uint64_t allowed_access;
	int32_t parent_fd;
} __attribute__((packed));

/* LANDLOCK_ACCESS_FS_*; the first version has bits 0 to 12. */
#define FS_WRITE_FILE	    (UINT64_C(1) << 1)
#define FS_READ_FILE	    (UINT64_C(1) << 2)
#define FS_REMOVE_FILE	    (UINT64_C(1) << 5)
#define FS_MAKE_REG	    (UINT64_C(1) << 8)
#define FS_FIRST_VERSION    ((UINT64_C(1) << 13) - 1)
#define FS_REFER	    (UINT64_C(1) << 13)
#define FS_TRUNCATE	    (UINT64_C(1) << 14)
#define VERSION_OF_TRUNCATE 3
#define FS_IOCTL_DEV	    (UINT64_C(1) << 15)
#define NET_BIND_TCP	    (UINT64_C(1) << 0)
#define NET_CONNECT_TCP	    (UINT64_C(1) << 1)
#define SCOPE_ABSTRACT	    (UINT64_C(1) << 0) /* abstract unix sockets */

/* struct landlock_ruleset_attr of version 6. For an older kernel the rest must be 0. */
struct ruleset {
	uint64_t fs, net, scoped;
};

static const struct {
	int version;
	struct ruleset rights;
} versions[] = {
	{1, {.fs = FS_FIRST_VERSION}},
	{2, {.fs = FS_REFER}},
	{VERSION_OF_TRUNCATE, {.fs = FS_TRUNCATE}},
	{4, {.net = NET_BIND_TCP | NET_CONNECT_TCP}},
	{5, {.fs = FS_IOCTL_DEV}},
	{6, {.scoped = SCOPE_ABSTRACT}},
};

/*
 * Files that msr_explain() and memory_map() read to explain failures; and attributes of PCI
 * functions, for devices that may vanish and return: see linux/cxl/cxl.h.
 */
static const char *const readable[] = {"sys/devices/system/cpu", "sys/module/msr",
				       "sys/kernel/security", "sys/bus/pci/devices"};

/*
 * File that glibc's malloc() reads once, before it returns memory
 * (sysdeps/unix/sysv/linux/malloc-sysdep.h).
 */
#define OVERCOMMIT "/proc/sys/vm/overcommit_memory"

int rights_landlock_version(void)
{
	const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);

	return version < 0 || RIGHTS_INSTRUMENTED ? 0 : (int)version;
}

static int create_ruleset(int version)
{
	struct ruleset all = {0};

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		if (versions[i].version > version)
			break;
		all.fs |= versions[i].rights.fs;
		all.net |= versions[i].rights.net;
		all.scoped |= versions[i].rights.scoped;
	}
	const long fd = syscall(SYS_landlock_create_ruleset, &all, sizeof(all), 0);
	return fd < 0 ? -errno : (int)fd;
}

static int allow_opened(int ruleset, int directory, uint64_t rights)
{
	const struct path_beneath rule = {.allowed_access = rights, .parent_fd = directory};

	return syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0) ? -errno : 0;
}

/*
 * Allows reading of the files at and below a path. A file or directory that does not exist, or that
 * this user may not reach, needs no rule.
 */
static int allow_path(int ruleset, const char *path)
{
	const int fd = open(path, O_PATH | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT || errno == EACCES ? 0 : -errno;
	const int rc = allow_opened(ruleset, fd, FS_READ_FILE);
	close(fd);
	return rc;
}

/*
 * Allows the uses of an output's directory: a file is opened or created, and may be truncated to
 * its last complete row; or a temporary file is created and renamed.
 */
static int allow_directory(int ruleset, int directory, int version)
{
	return allow_opened(ruleset, directory,
			    FS_READ_FILE | FS_WRITE_FILE | FS_MAKE_REG | FS_REMOVE_FILE |
				    (version >= VERSION_OF_TRUNCATE ? FS_TRUNCATE : 0));
}

/* Allows the directories that the links in sys/bus/pci/devices lead to. */
static int allow_host_bridges(int ruleset, const char *root)
{
	char path[ROOTFS_PATH_SIZE];
	glob_t found;
	int rc = rootfs_path(path, root, "sys/devices/pci*");

	if (rc || glob(path, GLOB_NOSORT, NULL, &found))
		return rc;
	for (size_t i = 0; !rc && i < found.gl_pathc; i++)
		rc = allow_path(ruleset, found.gl_pathv[i]);
	globfree(&found);
	return rc;
}

static int allow_reading(int ruleset, const char *root)
{
	char path[ROOTFS_PATH_SIZE];
	int rc = allow_path(ruleset, OVERCOMMIT);

	for (size_t i = 0; !rc && i < sizeof(readable) / sizeof(readable[0]); i++) {
		rc = rootfs_path(path, root, "%s", readable[i]);
		if (!rc)
			rc = allow_path(ruleset, path);
	}
	return rc ? rc : allow_host_bridges(ruleset, root);
}

int rights_restrict_files(const struct rights_use *use, const struct log *log, struct error *err)
{
	const int version = rights_landlock_version();

	if (use->role == RIGHTS_OPENER || use->role == RIGHTS_WATCHER)
		return 0;
	if (!version) {
		log_write(log, LEVEL_DETAIL, "files are not restricted: %s",
			  RIGHTS_INSTRUMENTED ? "this build has sanitizers"
					      : "this kernel has no Landlock, or it is off");
		return 0;
	}
	const int ruleset = create_ruleset(version);
	int rc = ruleset < 0 ? ruleset : 0;

	if (!rc && use->role == RIGHTS_FILE)
		rc = allow_directory(ruleset, use->directory, version);
	if (!rc && use->root)
		rc = allow_reading(ruleset, use->root);
	if (!rc && syscall(SYS_landlock_restrict_self, ruleset, 0))
		rc = -errno;
	if (ruleset >= 0)
		close(ruleset);
	return rc ? error_set(err, ERROR_FAILED, rc, "cannot restrict files: %s", strerror(-rc))
		  : 0;
}

int rights_give_up(const struct rights_use *use, struct error *err)
{
	const struct log silent = {.write = NULL};
	const pid_t parent = getppid();
	int rc = rights_drop(use, &silent, err);

	if (!rc && !helper_end_with(parent))
		rc = error_set(err, ERROR_FAILED, -ESRCH, "the run has ended");
	if (!rc)
		rc = rights_restrict_files(use, &silent, err);
	return rc ? rc : rights_filter(use, &silent, err);
}

/* Uses the capabilities in libcap-ng's copy, which are those that rights_drop() left. */
int rights_begin_sampling(const struct rights_use *use, struct error *err)
{
	const struct log silent = {.write = NULL};
	struct rights_use rest = *use;

	rest.starts_sampling = rest.opens_events = false;
	const int rc = set_capabilities(kept_capabilities(&rest));
	return rc ? rights_failed(err, rc, "drop capabilities")
		  : rights_filter(&rest, &silent, err);
}
