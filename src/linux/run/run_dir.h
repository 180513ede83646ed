/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ROOT/run/cxlmon, the directory of journals (*.journal) of runs that write registers. A run locks
 * its journal with flock() as long as it lasts. A journal is stale, because its run was killed, if
 * it is complete and of this boot, and if nobody has its lock except a child of the ended run. A
 * lock of the whole directory ensures that only one process at a time examines and programs
 * registers.
 *
 * Functions that return int return 0 or a negative errno.
 *
 * The directory and the journals must be owned by root or this user and not be writable by others,
 * because a journal determines which values are written to registers. In root's directory, if
 * nobody else may enter it, journals of the service's user (cxlmon, in ROOT/etc/passwd) are also
 * trusted: that user can put files there only with CAP_DAC_OVERRIDE. Nobody else may even read the
 * directory and journals (modes 0700 and 0600), because anybody who can open a journal could lock
 * it and block all runs.
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
 * Opens the directory with its lock, for which it waits up to 2 s. Creates the directory if needed,
 * corrects modes, and removes journals that were never complete. -EBUSY (ERROR_IN_USE): the process
 * in the message has the lock. Freed by run_dir_close().
 */
int run_dir_open(const char *root, struct run_dir **out, struct error *err);

/* Releases the directory's lock; this run's own journal stays locked. */
void run_dir_unlock(struct run_dir *dir);

/*
 * Takes the lock again, so that two runs do not restore registers at once. Waits up to 2 s, and
 * then returns without it, because a run must restore its registers.
 */
void run_dir_lock(struct run_dir *dir);

/*
 * Closes the directory. A journal that was not deleted becomes stale, for the next run to replay.
 * NULL does nothing.
 */
void run_dir_close(struct run_dir *dir);

enum journal_state {
	JOURNAL_RUNNING,    /* its process is running */
	JOURNAL_STALE,	    /* its process was killed: its registers are to be restored */
	JOURNAL_RESTORED,   /* empty: its run has restored all registers */
	JOURNAL_OTHER_BOOT, /* left by an earlier boot: registers were reset since */
	JOURNAL_INVALID,    /* must not be replayed: see why */
};

struct journal_entry {
	char name[64];
	enum journal_state state;
	struct journal journal;
	pid_t running_pid; /* 0: not running, or unknown here, as in another container */
	uint64_t beat_ns;  /* time of the last run_dir_beat() of cxlmon serve: ns since 1970, UTC */
	char why[768];	   /* reason for JOURNAL_INVALID */
};

/*
 * Lists all journals except this run's; the directory must be locked. An invalid journal is not an
 * error: see its .state. Freed by run_dir_free(), also after an error.
 */
int run_dir_list(struct run_dir *dir, struct journal_entry **out, size_t *count, struct error *err);
/*
 * Lists journals as run_dir_list(), without the lock: they may change meanwhile. The list is empty
 * if the directory does not exist.
 */
int run_dir_list_unlocked(const char *root, struct journal_entry **out, size_t *count,
			  struct error *err);
void run_dir_free(struct journal_entry *entries, size_t count);

/* Removes a file of the directory, such as a replayed journal; 0 also if there is none. */
int run_dir_remove(struct run_dir *dir, const char *name, struct error *err);

/*
 * Writes this run's journal to disk (fsync()), and locks it; a later call replaces it as a whole.
 * processor is the short name of the model. serves: the run is cxlmon serve.
 */
int run_dir_save_journal(struct run_dir *dir, const char *processor, bool serves,
			 const struct undo *undo, struct error *err);

/*
 * Returns another descriptor of this run's journal, for run_dir_beat(), which the caller closes.
 * -1: there is no journal, or dir is NULL.
 */
int run_dir_dup_journal(const struct run_dir *dir);
/*
 * Shows other runs that this one takes samples: sets the journal's ctime to the present time, and
 * changes nothing else. Works after rights_drop(). Does nothing if journal is -1.
 */
void run_dir_beat(int journal);

/*
 * Empties this run's journal, and removes its file; if rights were dropped, the next run removes
 * it. Call it once all registers are restored. Does nothing without a journal.
 */
int run_dir_delete_journal(struct run_dir *dir, struct error *err);

/* Returns the path of the directory, for messages. */
const char *run_dir_path(const struct run_dir *dir);

#endif
