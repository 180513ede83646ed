/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run_dir.h"

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
#include <unistd.h>

#include "linux/clock.h"
#include "platform/rootfs.h"

#define SUFFIX	  ".journal"
#define TEMPORARY ".new"

struct run_dir {
	char path[ROOTFS_PATH_SIZE];
	char boot[64];
	int fd;	     /* of the directory */
	int lock;    /* of the file "lock"; -1: released */
	int journal; /* our own, locked; -1: none */
	char name[64];
};

__attribute__((format(printf, 3, 4))) static int failed(const struct run_dir *dir,
							struct error *err, const char *format, ...)
{
	const int code = errno;
	char what[256];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	return error_set(err, code == EACCES || code == EPERM ? EXIT_PERMISSION : EXIT_FAILED,
			 -code, "%s: %s: %s", dir->path, what, strerror(code));
}

/* Whether only root and this user can write it. */
static bool is_trusted(const struct stat *st)
{
	return (st->st_uid == 0 || st->st_uid == geteuid()) && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

static int check_directory(const struct run_dir *dir, struct error *err)
{
	struct stat st;

	if (fstat(dir->fd, &st))
		return failed(dir, err, "cannot get its attributes");
	if (is_trusted(&st))
		return 0;
	return error_set(
		err, EXIT_PERMISSION, -EPERM,
		"%s: writable by other users, but its journals must be trusted: sudo chown root "
		"%s && sudo chmod 755 %s",
		dir->path, dir->path, dir->path);
}

static int find_directory(struct run_dir *dir, const char *root, struct error *err)
{
	int rc = rootfs_path(dir->path, root, "run/cxlmon");

	if (rc)
		return error_set(err, EXIT_FAILED, rc, "%s: the path is too long", root);
	dir->fd = open(dir->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return dir->fd < 0 ? failed(dir, err, "cannot open") : check_directory(dir, err);
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
	if (mkdir(dir->path, 0755) && errno != EEXIST) {
		const int code = errno;

		error_set(err, EXIT_PERMISSION, -code,
			  "%s: cannot create: %s; registers are only written if a journal can be "
			  "kept there: run it with sudo, or: sudo install -d -o $USER %s",
			  dir->path, strerror(code), dir->path);
		error_hint(err, ERROR_COMMAND_AS_ROOT);
		return -code;
	}
	return find_directory(dir, root, err);
}

static int lock_directory(struct run_dir *dir, struct error *err)
{
	int rc;

	dir->lock = openat(dir->fd, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (dir->lock < 0)
		return failed(dir, err, "cannot open its lock file");
	do
		rc = flock(dir->lock, LOCK_EX);
	while (rc && errno == EINTR);
	return rc ? failed(dir, err, "cannot lock") : 0;
}

/* Field 22 of /proc/self/stat, counted from the name's closing parenthesis. */
static uint64_t own_start_time(void)
{
	char line[1024] = "", *at;
	uint64_t started = 0;

	rootfs_line("/", "proc/self/stat", line, sizeof(line));
	at = strrchr(line, ')');
	for (unsigned field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	if (at)
		started = strtoull(at, NULL, 10);
	return started;
}

static struct run_dir *new_run_dir(const char *root, struct error *err)
{
	struct run_dir *dir = calloc(1, sizeof(*dir));

	if (!dir) {
		error_no_memory(err);
		return NULL;
	}
	dir->fd = dir->lock = dir->journal = -1;
	rootfs_line(root, "proc/sys/kernel/random/boot_id", dir->boot, sizeof(dir->boot));
	/* a process may have several runs, distinguished by the time */
	snprintf(dir->name, sizeof(dir->name), "%d-%" PRIu64 "-%" PRIu64 SUFFIX, (int)getpid(),
		 own_start_time(), clock_monotonic());
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
	if (rc) {
		run_dir_close(dir);
		return rc;
	}
	*out = dir;
	return 0;
}

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void run_dir_unlock(struct run_dir *dir)
{
	close_one(&dir->lock);
}

void run_dir_close(struct run_dir *dir)
{
	if (!dir)
		return;
	close_one(&dir->journal);
	close_one(&dir->lock);
	close_one(&dir->fd);
	free(dir);
}

const char *run_dir_path(const struct run_dir *dir)
{
	return dir->path;
}

static void set_invalid(struct journal_entry *found, const char *why)
{
	found->state = JOURNAL_INVALID;
	snprintf(found->why, sizeof(found->why), "%s", why);
}

static char *read_whole(int fd, size_t size)
{
	char *text = malloc(size + 1);
	size_t used = 0;
	ssize_t got = 1;

	while (text && used < size && got > 0) {
		got = read(fd, text + used, size - used);
		used += got > 0 ? (size_t)got : 0;
	}
	if (text && used == size)
		return text;
	free(text);
	return NULL;
}

static void decode(struct journal_entry *found, const struct run_dir *dir, int fd, size_t size)
{
	char *text = size <= JOURNAL_MAX_BYTES ? read_whole(fd, size) : NULL;
	struct error why = {0};

	if (!text)
		set_invalid(found, "cannot read it");
	else if (journal_decode(text, size, &found->journal, &why))
		set_invalid(found, why.text);
	else if (found->state == JOURNAL_STALE && strcmp(found->journal.boot, dir->boot))
		found->state = JOURNAL_OTHER_BOOT;
	free(text);
}

/* A running process holds the lock; process ids would not work across containers. */
static void read_entry(struct journal_entry *found, const struct run_dir *dir)
{
	const int fd = openat(dir->fd, found->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		set_invalid(found, strerror(errno));
	} else if (!S_ISREG(st.st_mode) || !is_trusted(&st)) {
		set_invalid(found, "not a regular file that only root can write");
	} else {
		found->state = flock(fd, LOCK_SH | LOCK_NB) ? JOURNAL_RUNNING : JOURNAL_STALE;
		decode(found, dir, fd, (size_t)st.st_size);
	}
	if (fd >= 0)
		close(fd);
}

static bool is_journal(const struct run_dir *dir, const char *name)
{
	const size_t length = strlen(name), suffix = strlen(SUFFIX);

	return length > suffix && length < sizeof(dir->name) &&
	       !strcmp(name + length - suffix, SUFFIX) && strcmp(name, dir->name) != 0;
}

static int add(struct journal_entry **found, size_t *count, const char *name)
{
	struct journal_entry *grown = reallocarray(*found, *count + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	*found = grown;
	grown[*count] = (struct journal_entry){0};
	memcpy(grown[*count].name, name, strlen(name)); /* is_journal() has checked the length */
	++*count;
	return 0;
}

int run_dir_list(struct run_dir *dir, struct journal_entry **out, size_t *count, struct error *err)
{
	const int fd = openat(dir->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	int rc = 0;

	*out = NULL;
	*count = 0;
	if (!stream) {
		rc = failed(dir, err, "cannot list");
		if (fd >= 0)
			close(fd);
		return rc;
	}
	while (!rc && (entry = readdir(stream)))
		if (is_journal(dir, entry->d_name))
			rc = add(out, count, entry->d_name);
	closedir(stream);
	for (size_t i = 0; !rc && i < *count; i++)
		read_entry(&(*out)[i], dir);
	return rc ? error_set(err, EXIT_FAILED, rc, "out of memory") : 0;
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
	run_dir_close(dir);
	return rc == -ENOENT ? 0 : rc;
}

void run_dir_free(struct journal_entry *found, size_t count)
{
	for (size_t i = 0; i < count; i++)
		journal_free(&found[i].journal);
	free(found);
}

int run_dir_remove(struct run_dir *dir, const char *name, struct error *err)
{
	return unlinkat(dir->fd, name, 0) ? failed(dir, err, "cannot remove %s", name) : 0;
}

static int write_whole(int fd, const char *text, size_t size)
{
	while (size) {
		const ssize_t written = write(fd, text, size);

		if (written < 0 && errno != EINTR)
			return -1;
		text += written > 0 ? written : 0;
		size -= written > 0 ? (size_t)written : 0;
	}
	return fsync(fd);
}

/* Atomic: the file gets its name only after it is on disk. */
static int write_journal(struct run_dir *dir, const char *text, size_t size, struct error *err)
{
	char temporary[sizeof(dir->name) + sizeof(TEMPORARY)];

	snprintf(temporary, sizeof(temporary), "%s" TEMPORARY, dir->name);
	const int fd = openat(dir->fd, temporary,
			      O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);

	if (fd < 0)
		return failed(dir, err, "cannot write a journal, so no register is programmed");
	if (flock(fd, LOCK_EX | LOCK_NB) || write_whole(fd, text, size) ||
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

int run_dir_save_journal(struct run_dir *dir, const char *processor, const struct undo *undo,
			 struct error *err)
{
	struct journal journal = {.pid = getpid(), .started = own_start_time(), .undo = *undo};
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

int run_dir_delete_journal(struct run_dir *dir, struct error *err)
{
	if (dir->journal < 0)
		return 0;
	const int rc = run_dir_remove(dir, dir->name, err);
	if (!rc)
		close_one(&dir->journal);
	return rc;
}
