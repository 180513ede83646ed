/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of the directory of journals:
 *
 *   run_dir.c           the directory itself: its lock, its modes, trusted owners
 *   run_dir_journals.c  the journals of this run and of others
 */
#ifndef CXLMON_LINUX_RUN_RUN_DIR_PRIVATE_H
#define CXLMON_LINUX_RUN_RUN_DIR_PRIVATE_H

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/rootfs.h"
#include "linux/run/run_dir.h"

#define RUN_DIR_SUFFIX	  ".journal"
#define RUN_DIR_TEMPORARY ".new" /* follows the suffix while a journal is being written */

/*
 * Modes of the directory and its files. Nobody else may open a locked file, even for reading,
 * because flock(2) needs only that.
 */
#define RUN_DIR_MODE 0700
#define RUN_DIR_FILE 0600

struct run_dir {
	char path[ROOTFS_PATH_SIZE];
	char boot[64];
	pid_t owner; /* the process that opened it */
	int fd;	     /* the directory */
	int lock;    /* the file "lock"; -1: released */
	int journal; /* this run's own, locked; -1: none */
	char name[64];
	uid_t service; /* user whose files are also trusted; 0: nobody */
};

/* Sets the error of a system call that has just failed. Returns the negative errno. */
__attribute__((format(printf, 3, 4))) int run_dir_failed(const struct run_dir *dir,
							 struct error *err, const char *format,
							 ...);

/* Returns whether a file of the directory was written by root, this user or the service. */
bool run_dir_trusts(const struct run_dir *dir, const struct stat *st);

/* Returns whether a file's name has this ending and something before it. */
bool run_dir_name_ends(const char *name, const char *suffix);

/* Opens the list of the directory's files; *out is closed by the caller. */
int run_dir_stream(const struct run_dir *dir, DIR **out, struct error *err);

/*
 * Opens an existing directory without its lock. -ENOENT: it does not exist. Freed by
 * run_dir_close().
 */
int run_dir_open_unlocked(const char *root, struct run_dir **out, struct error *err);

/*
 * Locks of whole files: flock(2). A lock belongs to the open file, which children of a fork share.
 */

/*
 * Waits for the lock, at most timeout_ns. Returns 0, -EWOULDBLOCK if another process has it, or
 * another errno.
 */
int file_lock_wait(int fd, uint64_t timeout_ns);

/*
 * Returns the process that took the file's lock, by /proc/locks. It may have ended and left the
 * lock to a child. 0: unknown, as in another namespace of process ids.
 */
pid_t file_lock_holder(int fd);

#endif
