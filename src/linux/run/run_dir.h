/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ROOT/run/cxlmon, the directory of journals (*.journal) of runs that write registers. Functions
 * that return int return 0 or a negative errno.
 *
 * A run locks its journal with flock() as long as it lasts. If a run is killed, its journal becomes
 * stale: complete, of this boot, and locked by nobody except children of the ended run. A lock of
 * the whole directory ensures that only one process at a time examines and programs registers.
 *
 * A journal determines which values are written to registers. So the directory and the journals
 * must be owned by root or this user, and not be writable by others. Journals of the service's user
 * (cxlmon, in ROOT/etc/passwd) are trusted if root owns the directory and nobody else may enter it:
 * that user can then put files there only with CAP_DAC_OVERRIDE.
 *
 * Nobody else may even read the directory and journals (modes 0700 and 0600): whoever can open a
 * journal can lock it, and so block all runs.
 */
#ifndef CXLMON_LINUX_RUN_RUN_DIR_H
#define CXLMON_LINUX_RUN_RUN_DIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "linux/run/journal.h"
#include "platform/undo.h"

struct run_dir;

/*
 * Opens the directory and takes its lock, for which it waits up to 2 s. Creates the directory if
 * needed, closes it and its journals to others, and removes journals that were never complete. The
 * caller frees *out by run_dir_close(). -EBUSY (ERROR_IN_USE): the process in the message has the
 * lock.
 */
int run_dir_open(const char *root, struct run_dir **out, struct error *err);

/* Releases the directory's lock; this run's own journal stays locked. */
void run_dir_unlock(struct run_dir *dir);

/*
 * Takes the lock again, so that two runs do not restore registers at once. If another process keeps
 * the lock for 2 s, returns without it: a run must restore its registers.
 */
void run_dir_lock(struct run_dir *dir);

/*
 * Closes the directory, and releases all locks. A journal that was not deleted becomes stale, and
 * the next run replays it. NULL does nothing.
 */
void run_dir_close(struct run_dir *dir);

enum journal_state {
	JOURNAL_RUNNING,    /* its process is running */
	JOURNAL_STALE,	    /* its process was killed: its registers are to be restored */
	JOURNAL_RESTORED,   /* empty or gone: its run has restored all registers */
	JOURNAL_OTHER_BOOT, /* stale, of an earlier boot: registers were reset since */
	JOURNAL_INVALID,    /* must not be replayed: see .why */
};

struct journal_entry {
	char name[64];
	enum journal_state state;
	struct journal journal;
	pid_t running_pid; /* 0: not running, or unknown, as in another container */
	uint64_t beat_ns;  /* time of the last run_dir_beat() of cxlmon serve: ns since 1970, UTC */
	char why[768];	   /* reason for JOURNAL_INVALID */
};

/*
 * Lists all journals except this run's; the directory must be locked. An invalid journal is not an
 * error: its .state is JOURNAL_INVALID. The caller frees *out by run_dir_free(), also after an
 * error.
 */
int run_dir_list(struct run_dir *dir, struct journal_entry **out, size_t *count, struct error *err);
/*
 * Lists journals as run_dir_list() does, without the lock: they may change meanwhile. If the
 * directory does not exist, the list is empty, and 0 is returned.
 */
int run_dir_list_unlocked(const char *root, struct journal_entry **out, size_t *count,
			  struct error *err);
void run_dir_free(struct journal_entry *entries, size_t count);

/* Removes a file of the directory, such as a replayed journal. Returns 0 also if there is none. */
int run_dir_remove(struct run_dir *dir, const char *name, struct error *err);

/*
 * Writes this run's journal to disk (fsync()), and locks it. A later call replaces it as a whole.
 * processor is the short name of the model. serves: the run is cxlmon serve.
 */
int run_dir_save_journal(struct run_dir *dir, const char *processor, bool serves,
			 const struct undo *undo, struct error *err);

/*
 * Returns another descriptor of this run's journal, for run_dir_beat(). The caller closes it. -1:
 * this run has no journal, dir is NULL, or the system call failed.
 */
int run_dir_dup_journal(const struct run_dir *dir);
/*
 * Shows other runs that this one takes samples: sets the journal's ctime to the present time, and
 * changes nothing else. Works after rights_drop(). Does nothing if journal is -1.
 */
void run_dir_beat(int journal);

/*
 * Empties this run's journal and removes its file. For use once all registers are restored. If this
 * process may no longer remove files, the next run removes the file. Does nothing without a
 * journal.
 */
int run_dir_delete_journal(struct run_dir *dir, struct error *err);

/* Returns the path of the directory, for messages. */
const char *run_dir_path(const struct run_dir *dir);

#endif
