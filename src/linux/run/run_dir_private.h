/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The directory of journals: declarations that only its two files use.
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

/* Modes of the directory and its files. Anybody who could open a file could lock it. */
#define RUN_DIR_MODE 0700
#define RUN_DIR_FILE 0600

struct run_dir {
	char path[ROOTFS_PATH_SIZE];
	char boot[64]; /* id of this boot; "": unknown */
	pid_t owner;   /* the process that opened it */
	int fd;	       /* descriptor of the directory */
	int lock;      /* descriptor of the file "lock"; -1: none */
	int journal;   /* descriptor of this run's own journal, locked; -1: none */
	char name[64]; /* file name of this run's journal, which need not exist yet */
	uid_t service; /* user whose files are also trusted; 0: nobody */
};

/* Sets *err to the formatted text and the error of errno. Returns the negative errno. */
__attribute__((format(printf, 3, 4))) int run_dir_failed(const struct run_dir *dir,
							 struct error *err, const char *format,
							 ...);

/*
 * Tells if only trusted users can have written a file: root, this user or the service owns it, and
 * others may not write it.
 */
bool run_dir_trusts(const struct run_dir *dir, const struct stat *st);

/* Tells if a file's name ends with suffix, and is longer than suffix. */
bool run_dir_name_ends(const char *name, const char *suffix);

/* Opens the list of the directory's files. The caller closes *out. 0 or a negative errno. */
int run_dir_stream(const struct run_dir *dir, DIR **out, struct error *err);

/* Opens an existing directory without its lock; run_dir_close() frees it. -ENOENT: none. */
int run_dir_open_unlocked(const char *root, struct run_dir **out, struct error *err);

/* Locks of whole files, flock(2). A lock belongs to the open file; forked children share it. */

/*
 * Takes a file's lock, for which it waits up to timeout_ns. Returns 0 or a negative errno.
 * -EWOULDBLOCK: another open file has the lock, of another process or of another run of this one.
 */
int file_lock_wait(int fd, uint64_t timeout_ns);

/*
 * Returns the id of the process that took the file's lock, from /proc/locks. That process may have
 * ended, and left the lock to a child. 0: none, or unknown, as in another namespace of process ids.
 */
pid_t file_lock_holder(int fd);

#endif
