/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks the path name by name, and checks each link before it is followed. Each check and the
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
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "linux/run/signals.h"

#define MAX_LINKS 40 /* as in the kernel (MAXSYMLINKS) */
#define ATTEMPTS  8  /* if the file is replaced while it is opened */

struct path_walk {
	const char *name; /* name of the output, for messages */
	const struct sudo_user *caller;
	enum output_use use;
	int directory;		  /* current directory of the walk; O_PATH */
	char rest[PATH_MAX];	  /* rest of the path */
	unsigned links;		  /* links followed so far */
	struct file_place *place; /* receives the place of a regular file; NULL: not wanted */
	bool again;		  /* only a regular file is opened */
	struct error *err;	  /* receives the reason of a refusal */
};

/*
 * Returned if a rule forbids the path, with the error set; no system call here fails with this
 * errno.
 */
#define REFUSED (-EXDEV)

/* Refuses a file that another user who may write to this directory could have put there. */
static int refuse_file(const struct path_walk *walk, uid_t owner)
{
	error_set(walk->err, ERROR_PERMISSION, -EACCES,
		  "%s: refused: the path has a file or link of user %u in a world-writable "
		  "directory; remove it, or choose another directory",
		  walk->name, (unsigned)owner);
	return REFUSED;
}

static int move_to(struct path_walk *walk, int fd)
{
	if (fd < 0)
		return -errno;
	if (walk->directory >= 0)
		close(walk->directory);
	walk->directory = fd;
	return 0;
}

/* Removes the first name from the path; *last: it was the last one. */
static void next_name(struct path_walk *walk, char name[PATH_MAX], bool *last)
{
	const size_t skip = strspn(walk->rest, "/");
	const size_t length = strcspn(walk->rest + skip, "/");

	memcpy(name, walk->rest + skip, length);
	name[length] = '\0';
	memmove(walk->rest, walk->rest + skip + length, strlen(walk->rest + skip + length) + 1);
	*last = !walk->rest[0];
}

/* Returns REFUSED if another user could have put the file into the directory. */
static int check_owner(const struct path_walk *walk, const struct stat *st)
{
	struct stat directory;

	if (fstat(walk->directory, &directory))
		return -errno;
	if (!(directory.st_mode & S_IWOTH) || st->st_uid == geteuid() ||
	    st->st_uid == walk->caller->uid || st->st_uid == directory.st_uid)
		return 0;
	return refuse_file(walk, st->st_uid);
}

/*
 * Tells if the directory is in procfs, whose links (/proc/self/fd/1) are not paths, and which users
 * cannot create.
 */
static bool is_procfs(const struct path_walk *walk)
{
	struct statfs fs;

	return !fstatfs(walk->directory, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

/*
 * Tells if a user owns "/", and so may change every path; in a user namespace this may be a user
 * without a number.
 */
static bool owns_everything(uid_t user)
{
	struct stat root;

	return user == 0 || (!stat("/", &root) && user == root.st_uid);
}

/*
 * Returns REFUSED, as root, if another user may change the meaning of the next name. Members of a
 * directory's group were let in by its owner.
 */
static int check_directory(const struct path_walk *walk)
{
	char link[64], path[PATH_MAX];
	struct stat st;

	if (geteuid() || is_procfs(walk))
		return 0;
	if (fstat(walk->directory, &st))
		return -errno;
	if (!S_ISDIR(st.st_mode)) /* the next openat() fails */
		return 0;
	const bool foreign = st.st_uid != walk->caller->uid && !owns_everything(st.st_uid);
	if (!foreign && (!(st.st_mode & S_IWOTH) || st.st_mode & S_ISVTX))
		return 0;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", walk->directory);
	const ssize_t length = readlink(link, path, sizeof(path) - 1);
	path[length < 0 ? 0 : length] = '\0';
	if (foreign)
		error_set(walk->err, ERROR_PERMISSION, -EACCES,
			  "%s: refused: the path has a directory of user %u (%s), who may replace "
			  "its contents; choose a directory of root's, or of the user who called "
			  "sudo",
			  walk->name, (unsigned)st.st_uid, path);
	else
		error_set(walk->err, ERROR_PERMISSION, -EACCES,
			  "%s: refused: %s is world-writable without the sticky bit, so that any "
			  "user may replace its contents; choose another directory",
			  walk->name, path);
	return REFUSED;
}

/* Replaces a link in the path by its target. */
static int follow_link(struct path_walk *walk, int link)
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

/* Refuses hard links: the write would also change the file under its other name. */
static int check_file(const struct path_walk *walk, const struct stat *st)
{
	struct stat directory;
	int rc = check_owner(walk, st);

	if (rc || !S_ISREG(st->st_mode) || st->st_nlink < 2 || fstat(walk->directory, &directory) ||
	    !(directory.st_mode & S_IWOTH))
		return rc;
	return refuse_file(walk, st->st_uid);
}

/* Opens a file. A pipe waits for its reader. Outputs are opened before a register is written. */
static int open_seen(int directory, const char *name, const struct stat *seen, int flags)
{
	sigset_t before;

	if (!S_ISFIFO(seen->st_mode))
		return openat(directory, name, flags);
	signals_unblock(&before);
	const int fd = openat(directory, name, flags);
	const int code = errno;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = code;
	return fd;
}

/*
 * Opens the last name. -ENOENT, -EEXIST: the file has disappeared or appeared since it was checked.
 */
static int open_last(const struct path_walk *walk, const char *name, const struct stat *seen)
{
	const bool read = walk->use == OUTPUT_CONTINUED && (!seen || S_ISREG(seen->st_mode));
	/* the seccomp filter allows these flags if the file is opened again */
	const int flags = (read ? O_RDWR : O_WRONLY) | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY;
	struct stat st;
	int fd = seen ? open_seen(walk->directory, name, seen, flags)
		      : openat(walk->directory, name, flags | O_CREAT | O_EXCL, 0666);

	if (fd < 0)
		return errno == ELOOP && seen ? -ENOENT : -errno;
	if (seen && (fstat(fd, &st) || st.st_dev != seen->st_dev || st.st_ino != seen->st_ino)) {
		close(fd);
		return -ENOENT;
	}
	return fd;
}

/* Passes the file's directory, in which the walk ends, to the caller. */
static int keep_place(struct path_walk *walk, const char *name)
{
	if (strlen(name) >= sizeof(walk->place->name))
		return -ENAMETOOLONG;
	strcpy(walk->place->name, name);
	walk->place->directory = walk->directory;
	walk->directory = -1;
	return 0;
}

/* Finds a file that will be replaced; returns its directory in place of its descriptor. */
static int find_last(struct path_walk *walk, const char *name, const struct stat *seen, int *out)
{
	if (seen) {
		const int fd = open_last(walk, name, seen);

		if (fd < 0)
			return fd;
		close(fd); /* the file may be written */
	}
	const int rc = keep_place(walk, name);
	*out = rc ? -1 : walk->place->directory;
	return rc;
}

/* Tells if a directory has devices: /dev, and those below it on the same file system. */
static bool has_devices(int directory)
{
	struct stat here, dev, root;

	if (fstat(directory, &here) || stat("/dev", &dev) || here.st_dev != dev.st_dev)
		return false;
	return here.st_ino == dev.st_ino || (!stat("/", &root) && root.st_dev != dev.st_dev);
}

/* Opens the last name, or finds it. seen: the existing file; NULL: none. */
static int finish_walk(struct path_walk *walk, const char *name, const struct stat *seen, int *out)
{
	const bool regular = !seen || S_ISREG(seen->st_mode);

	if (!seen && has_devices(walk->directory)) {
		error_set(walk->err, ERROR_PERMISSION, -ENODEV,
			  "%s: refused: there is no such device, and cxlmon creates no file in "
			  "/dev; choose another name",
			  walk->name);
		return REFUSED;
	}
	if (walk->use == OUTPUT_REPLACED && regular)
		return find_last(walk, name, seen, out);
	const int fd = open_last(walk, name, seen);
	if (fd < 0)
		return fd;
	const int rc = walk->place && regular ? keep_place(walk, name) : 0;
	if (rc)
		close(fd);
	else
		*out = fd;
	return rc;
}

/* Checks a name and enters it; the last one is opened as *out. */
static int step_into(struct path_walk *walk, const char *name, bool last, int *out)
{
	struct stat st;
	int rc = 0, at = openat(walk->directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (at < 0 && (errno != ENOENT || !last))
		return -errno;
	if (at < 0)
		return finish_walk(walk, name, NULL, out);
	if (fstat(at, &st))
		rc = -errno;
	else if (walk->again && !S_ISREG(st.st_mode))
		rc = -ELOOP;
	else if (S_ISLNK(st.st_mode))
		rc = check_owner(walk, &st);
	if (!rc && S_ISLNK(st.st_mode)) {
		rc = follow_link(walk, at);
	} else if (!rc && !last) {
		return move_to(walk, at); /* if it is not a directory, the next openat() fails */
	} else if (!rc) {
		rc = check_file(walk, &st);
		rc = rc ? rc : finish_walk(walk, name, &st, out);
	}
	close(at);
	return rc;
}

/* Follows the link of a descriptor whose file will be replaced: the link is the file's path. */
static int follow_descriptor(struct path_walk *walk, const char *name, bool *followed)
{
	const int at = openat(walk->directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	int rc = 0;

	if (at < 0)
		return -errno;
	*followed = !fstatat(walk->directory, name, &st, 0) && S_ISREG(st.st_mode);
	if (*followed)
		rc = follow_link(walk, at);
	close(at);
	return rc;
}

/* Enters a name in procfs, where the kernel follows links. */
static int step_is_procfs(struct path_walk *walk, const char *name, bool last, int *out)
{
	if (!last)
		return move_to(walk,
			       openat(walk->directory, name, O_PATH | O_DIRECTORY | O_CLOEXEC));
	bool followed = false;
	const int rc = walk->use == OUTPUT_REPLACED ? follow_descriptor(walk, name, &followed) : 0;
	if (rc || followed)
		return rc;
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
		rc = check_directory(walk);
		if (rc)
			break;
		if (!name[0])
			rc = -EISDIR; /* the path ends with a slash */
		else if (is_procfs(walk))
			rc = step_is_procfs(walk, name, last, out);
		else
			rc = step_into(walk, name, last, out);
	}
	return rc;
}

int output_cannot_write(const char *name, int code, struct error *err)
{
	return error_set(err, ERROR_FAILED, code, "%s: cannot be written: %s", name,
			 strerror(-code));
}

static int explain_path(const struct path_walk *walk, int rc)
{
	return rc == REFUSED ? walk->err->code : output_cannot_write(walk->name, rc, walk->err);
}

int output_open(const char *name, const struct sudo_user *caller, enum output_use use,
		struct file_place *place, struct error *err)
{
	struct path_walk walk = {.name = name,
				 .caller = caller,
				 .use = use,
				 .directory = -1,
				 .place = place,
				 .err = err};
	int fd = -1, rc = -ENOENT;

	if (place)
		place->directory = -1;
	for (unsigned i = 0; *name && i < ATTEMPTS && (rc == -ENOENT || rc == -EEXIST); i++)
		rc = walk_to(&walk, name, &fd);
	if (walk.directory >= 0)
		close(walk.directory);
	return rc ? explain_path(&walk, rc) : fd;
}

int output_open_again(const struct file_place *place, const char *name,
		      const struct sudo_user *caller, struct error *err)
{
	struct path_walk walk = {.name = name,
				 .caller = caller,
				 .directory = place->directory,
				 .again = true,
				 .err = err};
	int fd = -1, rc = -ENOENT;

	for (unsigned i = 0; i < ATTEMPTS && (rc == -ENOENT || rc == -EEXIST); i++)
		rc = step_into(&walk, place->name, true, &fd);
	return rc ? explain_path(&walk, rc) : fd;
}

/*
 * Locks the file before it is checked: the other run may not have written anything yet. Some file
 * systems have no locks.
 */
int output_check_empty(int fd, const char *name, const char *command, struct error *err)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return 0;
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return error_set(err, ERROR_FAILED, -EWOULDBLOCK,
				 "%s: another cxlmon %s writes to it: choose another name", name,
				 command);
	if (fstat(fd, &st) || !st.st_size)
		return 0;
	return error_set(err, ERROR_FAILED, -EEXIST,
			 "%s: is not empty, and cxlmon %s does not overwrite: remove it, or choose "
			 "another name",
			 name, command);
}
