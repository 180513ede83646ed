/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Landlock. Rights and versions: the kernel's include/uapi/linux/landlock.h and
 * Documentation/userspace-api/landlock.rst; the headers of Debian 12 end before the second version.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "linux/rights_private.h"
#include "platform/rootfs.h"

/* LANDLOCK_ACCESS_FS_*, from the version that has them: bits 0 to 12 are all of the first. */
#define FS_FIRST_VERSION    ((UINT64_C(1) << 13) - 1)
#define FS_REFER	    (UINT64_C(1) << 13)
#define FS_TRUNCATE	    (UINT64_C(1) << 14)
#define VERSION_OF_TRUNCATE 3
#define FS_IOCTL_DEV	    (UINT64_C(1) << 15)
#define NET_BIND_TCP	    (UINT64_C(1) << 0)
#define NET_CONNECT_TCP	    (UINT64_C(1) << 1)
#define SCOPE_ABSTRACT	    (UINT64_C(1) << 0) /* abstract unix sockets */

/* struct landlock_ruleset_attr as of version 6. An older kernel wants the rest to be 0. */
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

/* What msr_explain() and memory_map() read, to say why an access has failed. */
static const char *const explaining[] = {"sys/devices/system/cpu", "sys/module/msr",
					 "sys/kernel/security"};

/* glibc's malloc() reads it once, before it gives memory back
 * (sysdeps/unix/sysv/linux/malloc-sysdep.h). */
#define OVERCOMMIT "/proc/sys/vm/overcommit_memory"

int rights_landlock_version(void)
{
	const long version =
		syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

	return version < 0 || RIGHTS_INSTRUMENTED ? 0 : (int)version;
}

static int create(int version)
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

static int allow(int ruleset, int directory, uint64_t rights)
{
	const struct landlock_path_beneath_attr rule = {.allowed_access = rights,
							.parent_fd = directory};

	return syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0)
		       ? -errno
		       : 0;
}

/* A file or directory that does not exist, or that this user may not reach, needs no rule. */
static int allow_path(int ruleset, const char *path, uint64_t rights)
{
	const int fd = open(path, O_PATH | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT || errno == EACCES ? 0 : -errno;
	const int rc = allow(ruleset, fd, rights);
	close(fd);
	return rc;
}

/*
 * A file is opened, or a new one made, and may be truncated to its last complete row; or a
 * temporary file is made and renamed.
 */
static int allow_directory(int ruleset, int directory, int version)
{
	return allow(ruleset, directory,
		     LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
			     LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE |
			     (version >= VERSION_OF_TRUNCATE ? FS_TRUNCATE : 0));
}

static int allow_reading(int ruleset, const char *root)
{
	char path[ROOTFS_PATH_SIZE];
	int rc = allow_path(ruleset, OVERCOMMIT, LANDLOCK_ACCESS_FS_READ_FILE);

	for (size_t i = 0; !rc && i < sizeof(explaining) / sizeof(explaining[0]); i++) {
		rc = rootfs_path(path, root, "%s", explaining[i]);
		if (!rc)
			rc = allow_path(ruleset, path, LANDLOCK_ACCESS_FS_READ_FILE);
	}
	return rc;
}

int rights_restrict_files(const struct rights_use *use, const struct log *log, struct error *err)
{
	const int version = rights_landlock_version();

	if (!version) {
		log_write(log, LEVEL_DETAIL, "files are not restricted: %s",
			  RIGHTS_INSTRUMENTED ? "this build has sanitizers"
					      : "this kernel has no Landlock, or it is off");
		return 0;
	}
	const int ruleset = create(version);
	int rc = ruleset < 0 ? ruleset : 0;

	if (!rc && use->role == RIGHTS_FILE)
		rc = allow_directory(ruleset, use->directory, version);
	if (!rc && use->root)
		rc = allow_reading(ruleset, use->root);
	if (!rc && syscall(SYS_landlock_restrict_self, ruleset, 0))
		rc = -errno;
	if (ruleset >= 0)
		close(ruleset);
	return rc ? error_set(err, EXIT_FAILED, rc, "cannot restrict files: %s", strerror(-rc)) : 0;
}
