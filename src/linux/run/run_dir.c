/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/run_dir.h"

#include <dirent.h>
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

#include "base/array.h"
#include "base/number.h"
#include "base/rootfs.h"
#include "linux/clock.h"
#include "linux/run/journal.h"
#include "linux/run/process.h"

#define RUN_DIR_SUFFIX	  ".journal"
#define RUN_DIR_TEMPORARY ".new" /* follows the suffix while a journal is written */

/*
 * Modes of the directory and its files: nobody else may open what is locked, not even for reading,
 * since flock(2) needs no more.
 */
#define RUN_DIR_MODE 0700
#define RUN_DIR_FILE 0600

struct run_dir {
	char path[ROOTFS_PATH_SIZE];
	char boot[64];
	pid_t owner; /* the process that opened it */
	int fd;	     /* of the directory */
	int lock;    /* of the file "lock"; -1: released */
	int journal; /* our own, locked; -1: none */
	char name[64];
	uid_t service; /* whose files are trusted, too; 0: nobody's */
};

/* Locks of whole files: flock(2). They belong to the open file, which children of a fork share. */

#define RETRY_NS 10000000 /* too short to be noticed, and a hundred system calls a second */

/* Waits for the lock, at most timeout_ns. 0; -EWOULDBLOCK: another has it; or another errno. */
static int file_lock_wait(int fd, uint64_t timeout_ns)
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
 * The process that took the file's lock, by /proc/locks; it may have ended, and left the lock to a
 * child. 0: not known, as in another namespace of process ids. A line is
 * "1: FLOCK  ADVISORY  WRITE 708 00:18:1023 0 EOF": proc_locks(5)
 */
static pid_t file_lock_holder(int fd)
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

#define LOCK_FILE "lock"

#define SERVICE_USER "cxlmon" /* packaging/cxlmon.service */

/* Much longer than registers take to be programmed or restored */
#define LOCK_TIMEOUT_NS (2 * NS_PER_S)

static int read_only(const struct run_dir *dir, struct error *err)
{
	return error_set(
		err, EXIT_PERMISSION, -EROFS,
		"%s: read-only file system; registers are only written if a journal can be kept "
		"there: make it writable (sudo mount -o remount,rw /run; in a container, mount the "
		"host's /run/cxlmon), or keep the journal in DIR/run by --root=DIR, where DIR has "
		"links to /dev, /proc and /sys",
		dir->path);
}

/* Sets the error of a system call that has just failed. Returns the negative errno. */
__attribute__((format(printf, 3, 4))) static int failed(const struct run_dir *dir,
							struct error *err, const char *format, ...)
{
	const int code = errno;
	char what[256];
	va_list args;

	if (code == EROFS)
		return read_only(dir, err);
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	return error_set(err, code == EACCES || code == EPERM ? EXIT_PERMISSION : EXIT_FAILED,
			 -code, "%s: %s: %s", dir->path, what, strerror(code));
}

/* Whether a file of the directory was written by root, this user or the service. */
static bool is_trusted(const struct run_dir *dir, const struct stat *st)
{
	const bool trusted = st->st_uid == 0 || st->st_uid == geteuid() ||
			     (dir->service && st->st_uid == dir->service);

	return trusted && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

/*
 * The service's user, as systemd-sysusers has added it. Not by getpwnam(), which may ask the
 * network. 0: there is none.
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
		err, EXIT_PERMISSION, -EPERM,
		"%s: writable by other users, but its journals must be trusted: sudo chown root "
		"%s && sudo chmod 700 %s",
		dir->path, dir->path, dir->path);
}

/*
 * The service writes its journal into root's directory by CAP_DAC_OVERRIDE. Without that capability
 * no process of its user reaches the file there, if the directory is closed.
 */
static int check_directory(struct run_dir *dir, const char *root, struct error *err)
{
	struct stat st;

	if (fstat(dir->fd, &st))
		return failed(dir, err, "cannot get its attributes");
	if (!is_trusted(dir, &st))
		return refuse_directory(dir, err);
	if (st.st_uid == 0 && !(st.st_mode & (S_IRWXG | S_IRWXO)))
		dir->service = find_service(root);
	return 0;
}

/* What an earlier version has left open to others; not the owner: has no right to, nor a need. */
static int set_mode(const struct run_dir *dir, int fd, mode_t mode, struct error *err)
{
	struct stat st;

	if (fstat(fd, &st))
		return failed(dir, err, "cannot get attributes");
	if (st.st_uid != geteuid() || (st.st_mode & ~(mode_t)S_IFMT) == mode)
		return 0;
	return fchmod(fd, mode) ? failed(dir, err, "cannot be closed to others") : 0;
}

static int find_directory(struct run_dir *dir, const char *root, struct error *err)
{
	int rc = rootfs_path(dir->path, root, "run/cxlmon");

	if (rc)
		return error_set(err, EXIT_FAILED, rc, "%s: the path is too long", root);
	dir->fd = open(dir->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return dir->fd < 0 ? failed(dir, err, "cannot open") : check_directory(dir, root, err);
}

static int not_created(const struct run_dir *dir, struct error *err)
{
	const int code = errno;

	error_set(err, EXIT_PERMISSION, -code,
		  "%s: cannot create: %s; registers are only written if a journal can be kept "
		  "there: " ERROR_RUN_AS_ROOT ", or: sudo install -d -m 700 -o $USER %s",
		  dir->path, strerror(code), dir->path);
	error_hint(err, ERROR_COMMAND_AS_ROOT);
	return -code;
}

/* ROOT/run always exists, except below --root. */
static int open_directory(struct run_dir *dir, const char *root, struct error *err)
{
	char run[ROOTFS_PATH_SIZE];
	int rc = rootfs_path(run, root, "run");

	if (!rc)
		rc = rootfs_path(dir->path, root, "run/cxlmon");
	if (rc)
		return error_set(err, EXIT_FAILED, rc, "%s: the path is too long", root);
	if (mkdir(run, 0755) && errno != EEXIST)
		return failed(dir, err, "cannot create");
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
		return error_set(err, EXIT_IN_USE, -EBUSY,
				 "%s/" LOCK_FILE ": locked for more than 2 s by a process that is "
				 "not known here (in another container?); try again when it has "
				 "programmed its registers",
				 dir->path);
	process_text(holder, text);
	if (!process_exists(holder))
		return error_set(
			err, EXIT_IN_USE, -EBUSY,
			"%s/" LOCK_FILE ": locked for more than 2 s by %s, which has "
			"ended, but another process has its open file: sudo fuser -v %s/" LOCK_FILE,
			dir->path, text, dir->path);
	return error_set(err, EXIT_IN_USE, -EBUSY,
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
		return failed(dir, err, "cannot open its lock file");
	int rc = set_mode(dir, dir->lock, RUN_DIR_FILE, err);
	if (rc)
		return rc;
	rc = file_lock_wait(dir->lock, LOCK_TIMEOUT_NS);
	if (rc == -EWOULDBLOCK)
		return lock_is_held(dir, err);
	errno = -rc;
	return rc ? failed(dir, err, "cannot lock") : 0;
}

/* Whether a file's name has this ending, and more. */
static bool ends_with(const char *name, const char *suffix)
{
	const size_t length = strlen(name), end = strlen(suffix);

	return length > end && !strcmp(name + length - end, suffix);
}

/* The files of the directory; *out is closed by the caller. */
static int open_stream(const struct run_dir *dir, DIR **out, struct error *err)
{
	const int fd = openat(dir->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = 0;

	*out = fd < 0 ? NULL : fdopendir(fd);
	if (!*out) {
		rc = failed(dir, err, "cannot list");
		if (fd >= 0)
			close(fd);
	}
	return rc;
}

/* Only with the lock is a journal written, so that one that is not complete is nobody's. */
static int tidy_file(struct run_dir *dir, const char *name, struct error *err)
{
	struct stat st;

	if (ends_with(name, RUN_DIR_SUFFIX RUN_DIR_TEMPORARY))
		return run_dir_remove(dir, name, err);
	if (fstatat(dir->fd, name, &st, AT_SYMLINK_NOFOLLOW))
		return failed(dir, err, "cannot get the attributes of %s", name);
	/* what others could have written stays as it is: see read_entry() */
	if (!S_ISREG(st.st_mode) || !is_trusted(dir, &st) ||
	    !(st.st_mode & ~S_IFMT & ~RUN_DIR_FILE))
		return 0;
	if (geteuid() && st.st_uid != geteuid())
		return 0; /* root's, which the service may not change */
	return fchmodat(dir->fd, name, RUN_DIR_FILE, 0)
		       ? failed(dir, err, "%s cannot be closed to others", name)
		       : 0;
}

/* Closes to others what an earlier version has left open. */
static int tidy(struct run_dir *dir, struct error *err)
{
	const struct dirent *entry;
	DIR *stream;
	int rc = open_stream(dir, &stream, err);

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
		rc = tidy(dir, err);
	if (rc)
		run_dir_close(dir);
	else
		*out = dir;
	return rc;
}

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Also for children that share the open file; but a child that closes it leaves us the lock. */
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
	close_one(&dir->journal);
	close_one(&dir->lock);
	close_one(&dir->fd);
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
	return failed(dir, err, "cannot remove %s", name);
}

/* Atomic: the file gets its name only after it is on disk. */
static int write_journal(struct run_dir *dir, const char *text, size_t size, struct error *err)
{
	char temporary[sizeof(dir->name) + sizeof(RUN_DIR_TEMPORARY)];

	snprintf(temporary, sizeof(temporary), "%s" RUN_DIR_TEMPORARY, dir->name);
	const int fd = openat(dir->fd, temporary,
			      O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, RUN_DIR_FILE);

	if (fd < 0)
		return failed(dir, err, "cannot write a journal, so no register is programmed");
	if (flock(fd, LOCK_EX | LOCK_NB) || write_all(fd, text, size) || fsync(fd) ||
	    renameat(dir->fd, temporary, dir->fd, dir->name) || fsync(dir->fd)) {
		int rc = failed(dir, err, "cannot write a journal, so no register is programmed");

		unlinkat(dir->fd, temporary, 0);
		close(fd);
		return rc;
	}
	close_one(&dir->journal);
	dir->journal = fd;
	return 0;
}

int run_dir_save_journal(struct run_dir *dir, const char *processor, bool serves,
			 const struct undo *undo, struct error *err)
{
	struct journal journal = {.process = process_self(), .serves = serves, .undo = *undo};
	size_t size;
	char *text;

	snprintf(journal.boot, sizeof(journal.boot), "%s", dir->boot);
	snprintf(journal.processor, sizeof(journal.processor), "%s", processor);
	int rc = journal_encode(&journal, &text, &size, err);
	if (rc)
		return rc;
	rc = write_journal(dir, text, size, err);
	free(text);
	return rc;
}

int run_dir_dup_journal(const struct run_dir *dir)
{
	return dir && dir->journal >= 0 ? fcntl(dir->journal, F_DUPFD_CLOEXEC, 0) : -1;
}

/* By the ctime: futimens() takes the right to write the file, which was dropped. */
void run_dir_beat(int journal)
{
	if (journal >= 0)
		(void)!fallocate(journal, FALLOC_FL_KEEP_SIZE, 0, 1);
}

/* Not after rights were dropped. */
static bool may_remove_files(const struct run_dir *dir)
{
	struct stat st;

	return !geteuid() || (!fstat(dir->fd, &st) && st.st_uid == geteuid());
}

/*
 * Emptying takes no right but the open descriptor, and a run that is killed at any moment has left
 * either all of its journal or nothing of it. The file itself is removed where that is allowed.
 */
int run_dir_delete_journal(struct run_dir *dir, struct error *err)
{
	if (dir->journal < 0)
		return 0;
	if (ftruncate(dir->journal, 0) || fsync(dir->journal))
		return failed(dir, err, "cannot empty %s", dir->name);
	if (may_remove_files(dir))
		unlinkat(dir->fd, dir->name, 0);
	close_one(&dir->journal);
	return 0;
}

/* The journals of other runs. */

static void set_invalid(struct journal_entry *found, const char *why)
{
	found->state = JOURNAL_INVALID;
	snprintf(found->why, sizeof(found->why), "%s", why);
}

/* *out is freed by the caller, also after an error. */
static int read_whole(int fd, size_t size, char **out)
{
	size_t used = 0;
	ssize_t got;

	*out = malloc(size + 1);
	if (!*out)
		return -ENOMEM;
	while (used < size && (got = read(fd, *out + used, size - used)) > 0)
		used += (size_t)got;
	return used == size ? 0 : -EIO;
}

/* The lock may be held by a child that its process has forked and left behind. */
static void check_process(struct journal_entry *found)
{
	switch (process_state(&found->journal.process)) {
	case PROCESS_RUNS:
		found->running_pid = found->journal.process.pid;
		break;
	case PROCESS_ENDED:
		found->state = JOURNAL_STALE;
		break;
	case PROCESS_UNKNOWN:
		break;
	}
}

static bool is_empty(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && !st.st_size;
}

/* A run that ends may empty its journal while it is read. 0 or -ENOMEM. */
static int decode(struct journal_entry *found, const struct run_dir *dir, int fd, size_t size)
{
	struct error why = {.text = "cannot read it"};
	char *text = NULL;
	int rc = size <= JOURNAL_MAX_BYTES ? read_whole(fd, size, &text) : -EFBIG;

	if (!rc)
		rc = journal_decode(text, size, &found->journal, &why);
	free(text);
	if (rc == -ENOMEM)
		return rc;
	if (is_empty(fd))
		found->state = JOURNAL_RESTORED;
	else if (rc)
		set_invalid(found, why.text);
	else if (found->state == JOURNAL_RUNNING)
		check_process(found);
	if (found->state == JOURNAL_STALE && strcmp(found->journal.boot, dir->boot))
		found->state = JOURNAL_OTHER_BOOT;
	return 0;
}

/*
 * A running process holds the lock; its id would not do, least of all across containers. 0 or
 * -ENOMEM.
 */
static int read_entry(struct journal_entry *found, const struct run_dir *dir)
{
	const int fd = openat(dir->fd, found->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	int rc = 0;

	if (fd < 0 && errno == ENOENT) {
		found->state = JOURNAL_RESTORED;
	} else if (fd < 0 || fstat(fd, &st)) {
		set_invalid(found, strerror(errno));
	} else if (!S_ISREG(st.st_mode) || !is_trusted(dir, &st)) {
		set_invalid(found, "not a regular file that only root can write");
	} else {
		found->beat_ns =
			(uint64_t)st.st_ctim.tv_sec * NS_PER_S + (uint64_t)st.st_ctim.tv_nsec;
		found->state = flock(fd, LOCK_SH | LOCK_NB) ? JOURNAL_RUNNING : JOURNAL_STALE;
		rc = decode(found, dir, fd, (size_t)st.st_size);
	}
	if (fd >= 0)
		close(fd);
	return rc;
}

static bool is_journal(const struct run_dir *dir, const char *name)
{
	return ends_with(name, RUN_DIR_SUFFIX) && strlen(name) < sizeof(dir->name) &&
	       strcmp(name, dir->name) != 0;
}

static int add(struct journal_entry **found, size_t *count, const char *name)
{
	int rc = array_room(found, *count, 1, sizeof(**found));

	if (rc)
		return rc;
	(*found)[*count] = (struct journal_entry){0};
	/* is_journal() has checked the length */
	memcpy((*found)[(*count)++].name, name, strlen(name));
	return 0;
}

int run_dir_list(struct run_dir *dir, struct journal_entry **out, size_t *count, struct error *err)
{
	const struct dirent *entry;
	DIR *stream;

	*out = NULL;
	*count = 0;
	int rc = open_stream(dir, &stream, err);
	if (rc)
		return rc;
	while (!rc && (entry = readdir(stream)))
		if (is_journal(dir, entry->d_name))
			rc = add(out, count, entry->d_name);
	closedir(stream);
	for (size_t i = 0; !rc && i < *count; i++)
		rc = read_entry(&(*out)[i], dir);
	return rc ? error_no_memory(err) : 0;
}

int run_dir_list_unlocked(const char *root, struct journal_entry **out, size_t *count,
			  struct error *err)
{
	struct run_dir *dir = new_run_dir(root, err);
	int rc = dir ? find_directory(dir, root, err) : -ENOMEM;

	*out = NULL;
	*count = 0;
	if (!rc)
		rc = run_dir_list(dir, out, count, err);
	else if (rc == -ENOENT)
		rc = 0;
	run_dir_close(dir);
	return rc;
}

void run_dir_free(struct journal_entry *found, size_t count)
{
	for (size_t i = 0; i < count; i++)
		journal_free(&found[i].journal);
	free(found);
}
