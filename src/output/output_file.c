/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A path is walked name by name, so that each link is looked at before it is followed, and what was
 * looked at is what is taken, whoever renames things meanwhile.
 */
#include "output/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define MOST_LINKS 40 /* as in the kernel (MAXSYMLINKS) */
#define ATTEMPTS   8  /* to open a file that somebody keeps replacing */

struct walk {
	const struct sudo_user *caller;
	int directory;	     /* where the walk has come to; O_PATH */
	char rest[PATH_MAX]; /* what is left of the path */
	unsigned links;	     /* that were followed */
	uid_t stranger;	     /* who owns what was refused; with -EXDEV */
};

/* A rule of ours forbids it; no system call here has this errno for any other reason. */
#define REFUSED (-EXDEV)

static int move_to(struct walk *walk, int fd)
{
	if (fd < 0)
		return -errno;
	if (walk->directory >= 0)
		close(walk->directory);
	walk->directory = fd;
	return 0;
}

/* Takes the next name off the path; *last where nothing is behind it. */
static void next_name(struct walk *walk, char name[PATH_MAX], bool *last)
{
	const size_t skip = strspn(walk->rest, "/");
	const size_t length = strcspn(walk->rest + skip, "/");

	memcpy(name, walk->rest + skip, length);
	name[length] = '\0';
	memmove(walk->rest, walk->rest + skip + length, strlen(walk->rest + skip + length) + 1);
	*last = !walk->rest[0];
}

/* Whether others could have put this into the directory. */
static int check_owner(struct walk *walk, const struct stat *st)
{
	struct stat directory;

	if (fstat(walk->directory, &directory))
		return -errno;
	if (!(directory.st_mode & S_IWOTH) || st->st_uid == geteuid() ||
	    st->st_uid == walk->caller->uid || st->st_uid == directory.st_uid)
		return 0;
	walk->stranger = st->st_uid;
	return REFUSED;
}

/* Links of procfs (/proc/self/fd/1) are no paths, and nobody can put one there. */
static bool in_procfs(const struct walk *walk)
{
	struct statfs fs;

	return !fstatfs(walk->directory, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

/* The target of the link takes its place in the path. */
static int follow(struct walk *walk, int link)
{
	char path[PATH_MAX];
	const ssize_t length = readlinkat(link, "", path, sizeof(path) - 1);

	if (length < 0)
		return -errno;
	path[length] = '\0';
	if (!length || ++walk->links > MOST_LINKS)
		return length ? -ELOOP : -ENOENT;
	if ((size_t)length + strlen(walk->rest) >= sizeof(path))
		return -ENAMETOOLONG;
	strcat(path, walk->rest);
	strcpy(walk->rest, path);
	return path[0] == '/' ? move_to(walk, open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)) : 0;
}

/* One who keeps a second name of it elsewhere would have it written there. */
static int check_file(struct walk *walk, const struct stat *st)
{
	struct stat directory;
	int rc = check_owner(walk, st);

	if (rc || !S_ISREG(st->st_mode) || st->st_nlink < 2 || fstat(walk->directory, &directory) ||
	    !(directory.st_mode & S_IWOTH))
		return rc;
	walk->stranger = st->st_uid;
	return REFUSED;
}

/* -ENOENT and -EEXIST: it has come or gone since it was looked at. */
static int open_last(const struct walk *walk, const char *name, const struct stat *seen)
{
	const int flags = O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY;
	struct stat st;
	int fd = seen ? openat(walk->directory, name, flags)
		      : openat(walk->directory, name, flags | O_CREAT | O_EXCL, 0666);

	if (fd < 0)
		return errno == ELOOP && seen ? -ENOENT : -errno;
	if (seen && (fstat(fd, &st) || st.st_dev != seen->st_dev || st.st_ino != seen->st_ino)) {
		close(fd);
		return -ENOENT;
	}
	return fd;
}

/* Looks at what a name stands for, and goes there; at the last, *out is its descriptor. */
static int step(struct walk *walk, const char *name, bool last, int *out)
{
	struct stat st;
	int rc = 0, at = openat(walk->directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (at < 0 && (errno != ENOENT || !last))
		return -errno;
	if (at < 0) {
		*out = open_last(walk, name, NULL);
		return *out < 0 ? *out : 0;
	}
	if (fstat(at, &st))
		rc = -errno;
	else if (S_ISLNK(st.st_mode))
		rc = check_owner(walk, &st);
	if (!rc && S_ISLNK(st.st_mode)) {
		rc = follow(walk, at);
	} else if (!rc && !last) {
		return move_to(walk, at); /* what is no directory has nothing in it */
	} else if (!rc) {
		rc = check_file(walk, &st);
		*out = rc ? rc : open_last(walk, name, &st);
		rc = *out < 0 ? *out : 0;
	}
	close(at);
	return rc;
}

/* The kernel follows the link. */
static int step_in_procfs(struct walk *walk, const char *name, bool last, int *out)
{
	if (!last)
		return move_to(walk,
			       openat(walk->directory, name, O_PATH | O_DIRECTORY | O_CLOEXEC));
	*out = openat(walk->directory, name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	return *out < 0 ? -errno : 0;
}

static int walk_to(struct walk *walk, const char *path, int *out)
{
	char name[PATH_MAX];
	bool last;
	int rc;

	if (strlen(path) >= sizeof(walk->rest))
		return -ENAMETOOLONG;
	strcpy(walk->rest, path);
	walk->links = 0;
	*out = -1;
	rc = move_to(walk, open(path[0] == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
	while (!rc && *out < 0) {
		next_name(walk, name, &last);
		if (!name[0])
			rc = -EISDIR; /* it ends with a slash */
		else if (in_procfs(walk))
			rc = step_in_procfs(walk, name, last, out);
		else
			rc = step(walk, name, last, out);
	}
	return rc;
}

static int explain(const struct walk *walk, const char *name, int rc, struct error *err)
{
	if (rc == REFUSED)
		return error_set(
			err, EXIT_PERMISSION, -EACCES,
			"%s: not written: it is, or leads through, a file or link of user %u "
			"in a directory that everybody may write to; remove that, or choose "
			"another directory",
			name, (unsigned)walk->stranger);
	return error_set(err, EXIT_FAILED, rc, "%s: cannot be written: %s", name, strerror(-rc));
}

int output_open(const char *name, const struct sudo_user *caller, struct error *err)
{
	struct walk walk = {.caller = caller, .directory = -1};
	int fd = -1, rc = -ENOENT;

	if (*name)
		rc = walk_to(&walk, name, &fd);
	for (unsigned i = 1; *name && i < ATTEMPTS && (rc == -ENOENT || rc == -EEXIST); i++)
		rc = walk_to(&walk, name, &fd);
	if (walk.directory >= 0)
		close(walk.directory);
	return rc ? explain(&walk, name, rc, err) : fd;
}
