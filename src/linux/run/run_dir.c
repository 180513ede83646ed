/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/run_dir_private.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "base/rootfs.h"
#include "linux/kernel/clock.h"
#include "linux/run/process.h"

#define LOCK_FILE "lock"

#define SERVICE_USER "cxlmon" /* packaging/cxlmon.service */

/* Timeout for locks, much longer than registers take to be programmed or restored */
#define LOCK_TIMEOUT_NS (2 * NS_PER_S)

static int read_only(const struct run_dir *dir, struct error *err)
{
	return error_set(
		err, ERROR_PERMISSION, -EROFS,
		"%s: read-only file system; registers are only written if a journal can be kept "
		"there: make it writable (sudo mount -o remount,rw /run; in a container, mount the "
		"host's /run/cxlmon), or keep the journal in DIR/run by --root=DIR, where DIR has "
		"links to /dev, /proc and /sys",
		dir->path);
}

int run_dir_failed(const struct run_dir *dir, struct error *err, const char *format, ...)
{
	const int code = errno;
	char what[256];
	va_list args;

	if (code == EROFS)
		return read_only(dir, err);
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	return error_set(err, code == EACCES || code == EPERM ? ERROR_PERMISSION : ERROR_FAILED,
			 -code, "%s: %s: %s", dir->path, what, strerror(code));
}

bool run_dir_trusts(const struct run_dir *dir, const struct stat *st)
{
	const bool trusted = st->st_uid == 0 || st->st_uid == geteuid() ||
			     (dir->service && st->st_uid == dir->service);

	return trusted && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

/*
 * Finds the service's user, as systemd-sysusers has added it, without getpwnam(), which may ask the
 * network. Returns 0 if there is none.
 */
static uid_t find_service(const char *root)
{
	char line[1024];
	unsigned uid;
	uid_t found = 0;

	FILE *users = rootfs_stream(root, "etc/passwd");
	while (users && !found && fgets(line, sizeof(line), users))
		if (sscanf(line, SERVICE_USER ":%*[^:]:%u:", &uid) == 1)
			found = uid;
	if (users)
		fclose(users);
	return found;
}

static int refuse_directory(const struct run_dir *dir, struct error *err)
{
	return error_set(
		err, ERROR_PERMISSION, -EPERM,
		"%s: writable by other users, but its journals must be trusted: sudo chown root "
		"%s && sudo chmod 700 %s",
		dir->path, dir->path, dir->path);
}

/*
 * Checks the directory's owner and mode. The service writes its journal into root's directory with
 * CAP_DAC_OVERRIDE. If the directory is closed, no process of the service's user reaches the file
 * there without this capability.
 */
static int check_directory(struct run_dir *dir, const char *root, struct error *err)
{
	struct stat st;

	if (fstat(dir->fd, &st))
		return run_dir_failed(dir, err, "cannot get its attributes");
	if (!run_dir_trusts(dir, &st))
		return refuse_directory(dir, err);
	if (st.st_uid == 0 && !(st.st_mode & (S_IRWXG | S_IRWXO)))
		dir->service = find_service(root);
	return 0;
}

/*
 * Closes to others a file that an earlier version has left open. Only the owner needs to do so and
 * has the right.
 */
static int set_mode(const struct run_dir *dir, int fd, mode_t mode, struct error *err)
{
	struct stat st;

	if (fstat(fd, &st))
		return run_dir_failed(dir, err, "cannot get attributes");
	if (st.st_uid != geteuid() || (st.st_mode & ~(mode_t)S_IFMT) == mode)
		return 0;
	return fchmod(fd, mode) ? run_dir_failed(dir, err, "cannot be closed to others") : 0;
}

static int find_directory(struct run_dir *dir, const char *root, struct error *err)
{
	int rc = rootfs_path(dir->path, root, "run/cxlmon");

	if (rc)
		return error_set(err, ERROR_FAILED, rc, "%s: the path is too long", root);
	dir->fd = open(dir->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return dir->fd < 0 ? run_dir_failed(dir, err, "cannot open")
			   : check_directory(dir, root, err);
}

static int not_created(const struct run_dir *dir, struct error *err)
{
	const int code = errno;

	error_set(err, ERROR_PERMISSION, -code,
		  "%s: cannot create: %s; registers are only written if a journal can be kept "
		  "there: " ERROR_RUN_AS_ROOT ", or: sudo install -d -m 700 -o $USER %s",
		  dir->path, strerror(code), dir->path);
	error_hint(err, ERROR_COMMAND_AS_ROOT);
	return -code;
}

/* Opens the directory, and creates it. ROOT/run always exists, except below --root. */
static int open_directory(struct run_dir *dir, const char *root, struct error *err)
{
	char run[ROOTFS_PATH_SIZE];
	int rc = rootfs_path(run, root, "run");

	if (!rc)
		rc = rootfs_path(dir->path, root, "run/cxlmon");
	if (rc)
		return error_set(err, ERROR_FAILED, rc, "%s: the path is too long", root);
	if (mkdir(run, 0755) && errno != EEXIST)
		return run_dir_failed(dir, err, "cannot create");
	if (mkdir(dir->path, RUN_DIR_MODE) && errno != EEXIST)
		return errno == EROFS ? read_only(dir, err) : not_created(dir, err);
	rc = find_directory(dir, root, err);
	return rc ? rc : set_mode(dir, dir->fd, RUN_DIR_MODE, err);
}

static int lock_is_held(const struct run_dir *dir, struct error *err)
{
	const pid_t holder = file_lock_holder(dir->lock);
	char text[PROCESS_TEXT_SIZE];

	if (!holder)
		return error_set(err, ERROR_IN_USE, -EBUSY,
				 "%s/" LOCK_FILE ": locked for more than 2 s by an unknown "
				 "process (in another container?); try again when "
				 "it has programmed its registers",
				 dir->path);
	process_text(holder, text);
	if (!process_exists(holder))
		return error_set(
			err, ERROR_IN_USE, -EBUSY,
			"%s/" LOCK_FILE ": locked for more than 2 s by %s, which has "
			"ended, but another process has its open file: sudo fuser -v %s/" LOCK_FILE,
			dir->path, text, dir->path);
	return error_set(err, ERROR_IN_USE, -EBUSY,
			 "%s/" LOCK_FILE ": locked for more than 2 s by %s, which may be "
			 "programming or restoring registers: wait until it ends, or stop it (sudo "
			 "kill %d)",
			 dir->path, text, (int)holder);
}

static int lock_directory(struct run_dir *dir, struct error *err)
{
	dir->lock =
		openat(dir->fd, LOCK_FILE, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, RUN_DIR_FILE);
	if (dir->lock < 0)
		return run_dir_failed(dir, err, "cannot open its lock file");
	int rc = set_mode(dir, dir->lock, RUN_DIR_FILE, err);
	if (rc)
		return rc;
	rc = file_lock_wait(dir->lock, LOCK_TIMEOUT_NS);
	if (rc == -EWOULDBLOCK)
		return lock_is_held(dir, err);
	errno = -rc;
	return rc ? run_dir_failed(dir, err, "cannot lock") : 0;
}

bool run_dir_name_ends(const char *name, const char *suffix)
{
	const size_t length = strlen(name), end = strlen(suffix);

	return length > end && !strcmp(name + length - end, suffix);
}

int run_dir_stream(const struct run_dir *dir, DIR **out, struct error *err)
{
	const int fd = openat(dir->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = 0;

	*out = fd < 0 ? NULL : fdopendir(fd);
	if (!*out) {
		rc = run_dir_failed(dir, err, "cannot list");
		if (fd >= 0)
			close(fd);
	}
	return rc;
}

/*
 * Tidies one file. Journals are written only under the lock, so an incomplete one belongs to no
 * running process.
 */
static int tidy_file(struct run_dir *dir, const char *name, struct error *err)
{
	struct stat st;

	if (run_dir_name_ends(name, RUN_DIR_SUFFIX RUN_DIR_TEMPORARY))
		return run_dir_remove(dir, name, err);
	if (fstatat(dir->fd, name, &st, AT_SYMLINK_NOFOLLOW))
		return run_dir_failed(dir, err, "cannot get the attributes of %s", name);
	/* a file that others could have written stays as it is: see read_entry() */
	if (!S_ISREG(st.st_mode) || !run_dir_trusts(dir, &st) ||
	    !(st.st_mode & ~S_IFMT & ~RUN_DIR_FILE))
		return 0;
	if (geteuid() && st.st_uid != geteuid())
		return 0; /* root's journal, which the service may not change */
	return fchmodat(dir->fd, name, RUN_DIR_FILE, 0)
		       ? run_dir_failed(dir, err, "%s cannot be closed to others", name)
		       : 0;
}

/*
 * Closes to others the files that an earlier version has left open, and removes incomplete
 * journals.
 */
static int tidy_directory(struct run_dir *dir, struct error *err)
{
	const struct dirent *entry;
	DIR *stream;
	int rc = run_dir_stream(dir, &stream, err);

	if (rc)
		return rc;
	while (!rc && (entry = readdir(stream)))
		rc = tidy_file(dir, entry->d_name, err);
	closedir(stream);
	return rc;
}

static struct run_dir *new_run_dir(const char *root, struct error *err)
{
	struct run_dir *dir = calloc(1, sizeof(*dir));

	if (!dir) {
		error_no_memory(err);
		return NULL;
	}
	const struct process self = process_self();

	dir->owner = self.pid;
	dir->fd = dir->lock = dir->journal = -1;
	rootfs_line(dir->boot, sizeof(dir->boot), root, "proc/sys/kernel/random/boot_id");
	/* a process may have several runs, distinguished by the time */
	snprintf(dir->name, sizeof(dir->name), "%d-%" PRIu64 "-%" PRIu64 RUN_DIR_SUFFIX,
		 (int)self.pid, self.started, clock_monotonic());
	return dir;
}

int run_dir_open(const char *root, struct run_dir **out, struct error *err)
{
	struct run_dir *dir = new_run_dir(root, err);
	if (!dir)
		return -ENOMEM;

	int rc = open_directory(dir, root, err);
	if (!rc)
		rc = lock_directory(dir, err);
	if (!rc)
		rc = tidy_directory(dir, err);
	if (rc)
		run_dir_close(dir);
	else
		*out = dir;
	return rc;
}

int run_dir_open_unlocked(const char *root, struct run_dir **out, struct error *err)
{
	struct run_dir *dir = new_run_dir(root, err);
	if (!dir)
		return -ENOMEM;

	int rc = find_directory(dir, root, err);
	if (rc)
		run_dir_close(dir);
	else
		*out = dir;
	return rc;
}

static void close_one(int fd)
{
	if (fd >= 0)
		close(fd);
}

/*
 * Unlocks, also for children that share the open file. A child that only closes it leaves the lock
 * to this process.
 */
static void release_one(const struct run_dir *dir, int fd)
{
	if (fd >= 0 && getpid() == dir->owner)
		flock(fd, LOCK_UN);
}

void run_dir_unlock(struct run_dir *dir)
{
	release_one(dir, dir->lock);
}

void run_dir_lock(struct run_dir *dir)
{
	file_lock_wait(dir->lock, LOCK_TIMEOUT_NS);
}

void run_dir_close(struct run_dir *dir)
{
	if (!dir)
		return;
	release_one(dir, dir->journal);
	release_one(dir, dir->lock);
	close_one(dir->journal);
	close_one(dir->lock);
	close_one(dir->fd);
	free(dir);
}

const char *run_dir_path(const struct run_dir *dir)
{
	return dir->path;
}

int run_dir_remove(struct run_dir *dir, const char *name, struct error *err)
{
	if (!unlinkat(dir->fd, name, 0) || errno == ENOENT)
		return 0;
	return run_dir_failed(dir, err, "cannot remove %s", name);
}

#define RETRY_NS 10000000 /* too short to be noticed, at 100 system calls per second */

int file_lock_wait(int fd, uint64_t timeout_ns)
{
	const struct timespec pause = {.tv_nsec = RETRY_NS};
	const uint64_t deadline = clock_monotonic() + timeout_ns;

	while (flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		if (clock_monotonic() >= deadline)
			return -EWOULDBLOCK;
		nanosleep(&pause, NULL);
	}
	return 0;
}

/*
 * Reads lines of /proc/locks, such as "1: FLOCK  ADVISORY  WRITE 708 00:18:1023 0 EOF":
 * proc_locks(5)
 */
pid_t file_lock_holder(int fd)
{
	FILE *locks = fopen("/proc/locks", "re");
	unsigned long long inode;
	unsigned major_number, minor_number;
	char line[256];
	struct stat st;
	pid_t holder = 0;
	int pid;

	if (!locks)
		return 0;
	while (!fstat(fd, &st) && !holder && fgets(line, sizeof(line), locks))
		if (sscanf(line, "%*u: FLOCK %*s %*s %d %x:%x:%llu", &pid, &major_number,
			   &minor_number, &inode) == 4 &&
		    inode == st.st_ino && major_number == major(st.st_dev) &&
		    minor_number == minor(st.st_dev))
			holder = pid;
	fclose(locks);
	return holder > 0 ? holder : 0;
}
