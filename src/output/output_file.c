/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks the path name by name, to check each link before it is followed. Each check and the
 * following step use the same descriptor, so that renaming in between changes nothing.
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

#define MAX_LINKS 40 /* as in the kernel (MAXSYMLINKS) */
#define ATTEMPTS  8  /* if the file is replaced while it is opened */

struct path_walk {
	const struct sudo_user *caller;
	int directory;	     /* current directory of the walk; O_PATH */
	char rest[PATH_MAX]; /* rest of the path */
	unsigned links;	     /* followed so far */
	uid_t foreign_owner; /* owner of what was refused, if REFUSED */
};

/* One of the rules forbids it; no system call here fails with this errno. */
#define REFUSED (-EXDEV)

static int move_to(struct path_walk *walk, int fd)
{
	if (fd < 0)
		return -errno;
	if (walk->directory >= 0)
		close(walk->directory);
	walk->directory = fd;
	return 0;
}

/* Removes the first name from the path; *last: it was the only one. */
static void next_name(struct path_walk *walk, char name[PATH_MAX], bool *last)
{
	const size_t skip = strspn(walk->rest, "/");
	const size_t length = strcspn(walk->rest + skip, "/");

	memcpy(name, walk->rest + skip, length);
	name[length] = '\0';
	memmove(walk->rest, walk->rest + skip + length, strlen(walk->rest + skip + length) + 1);
	*last = !walk->rest[0];
}

/* REFUSED if another user could have put the file into the directory. */
static int check_owner(struct path_walk *walk, const struct stat *st)
{
	struct stat directory;

	if (fstat(walk->directory, &directory))
		return -errno;
	if (!(directory.st_mode & S_IWOTH) || st->st_uid == geteuid() ||
	    st->st_uid == walk->caller->uid || st->st_uid == directory.st_uid)
		return 0;
	walk->foreign_owner = st->st_uid;
	return REFUSED;
}

/* Links in procfs (/proc/self/fd/1) are not paths; no user can create one. */
static bool is_procfs(const struct path_walk *walk)
{
	struct statfs fs;

	return !fstatfs(walk->directory, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

/* Replaces a link by its target in the path. */
static int follow(struct path_walk *walk, int link)
{
	char path[PATH_MAX];
	const ssize_t length = readlinkat(link, "", path, sizeof(path) - 1);

	if (length < 0)
		return -errno;
	path[length] = '\0';
	if (!length || ++walk->links > MAX_LINKS)
		return length ? -ELOOP : -ENOENT;
	if ((size_t)length + strlen(walk->rest) >= sizeof(path))
		return -ENAMETOOLONG;
	strcat(path, walk->rest);
	strcpy(walk->rest, path);
	return path[0] == '/' ? move_to(walk, open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)) : 0;
}

/* Refuses hard links: another name of the file would be written, too. */
static int check_file(struct path_walk *walk, const struct stat *st)
{
	struct stat directory;
	int rc = check_owner(walk, st);

	if (rc || !S_ISREG(st->st_mode) || st->st_nlink < 2 || fstat(walk->directory, &directory) ||
	    !(directory.st_mode & S_IWOTH))
		return rc;
	walk->foreign_owner = st->st_uid;
	return REFUSED;
}

/* -ENOENT, -EEXIST: the file has disappeared or appeared since it was checked. */
static int open_last(const struct path_walk *walk, const char *name, const struct stat *seen)
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

/* Checks a name and enters it; opens the last one as *out. */
static int step(struct path_walk *walk, const char *name, bool last, int *out)
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
		return move_to(walk, at); /* if it is not a directory, the next openat() fails */
	} else if (!rc) {
		rc = check_file(walk, &st);
		*out = rc ? rc : open_last(walk, name, &st);
		rc = *out < 0 ? *out : 0;
	}
	close(at);
	return rc;
}

/* In procfs the kernel follows links. */
static int step_is_procfs(struct path_walk *walk, const char *name, bool last, int *out)
{
	if (!last)
		return move_to(walk,
			       openat(walk->directory, name, O_PATH | O_DIRECTORY | O_CLOEXEC));
	*out = openat(walk->directory, name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	return *out < 0 ? -errno : 0;
}

static int walk_to(struct path_walk *walk, const char *path, int *out)
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
			rc = -EISDIR; /* the path ends with a slash */
		else if (is_procfs(walk))
			rc = step_is_procfs(walk, name, last, out);
		else
			rc = step(walk, name, last, out);
	}
	return rc;
}

static int explain(const struct path_walk *walk, const char *name, int rc, struct error *err)
{
	if (rc == REFUSED)
		return error_set(
			err, EXIT_PERMISSION, -EACCES,
			"%s: refused: the path has a file or link of user %u in a world-writable "
			"directory; remove it, or choose another directory",
			name, (unsigned)walk->foreign_owner);
	return error_set(err, EXIT_FAILED, rc, "%s: cannot be written: %s", name, strerror(-rc));
}

int output_open(const char *name, const struct sudo_user *caller, struct error *err)
{
	struct path_walk walk = {.caller = caller, .directory = -1};
	int fd = -1, rc = -ENOENT;

	if (*name)
		rc = walk_to(&walk, name, &fd);
	for (unsigned i = 1; *name && i < ATTEMPTS && (rc == -ENOENT || rc == -EEXIST); i++)
		rc = walk_to(&walk, name, &fd);
	if (walk.directory >= 0)
		close(walk.directory);
	return rc ? explain(&walk, name, rc, err) : fd;
}
