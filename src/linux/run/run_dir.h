/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ROOT/run/cxlmon: the journals (*.journal) of runs that write registers. A journal is locked with
 * flock() while its run lasts. A journal is stale, because its run was killed, if it is complete,
 * of this boot, and either unlocked or locked only by a child of an ended process. A lock of the
 * whole directory ensures that only one process at a time examines and programs registers.
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
 * Creates the directory if needed, waits up to 2 s for its lock, corrects modes, and removes
 * journals that were never complete. ERROR_IN_USE: the lock is held, by the process in the message.
 * Freed by run_dir_close().
 */
int run_dir_open(const char *root, struct run_dir **out, struct error *err);

/* Releases the directory's lock; this run's own journal stays locked. */
void run_dir_unlock(struct run_dir *dir);

/*
 * Takes the lock again, so that two runs that end at once do not restore at once; waits up to 2 s,
 * and then goes on without it, since a run must restore its registers.
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
	uint64_t beat_ns;  /* time of the last run_dir_beat() of cxlmon serve, since 1970 */
	char why[768];	   /* reason for JOURNAL_INVALID */
};

/*
 * Lists all journals except this run's; the directory must be locked. -ENOMEM: also if memory ran
 * out while a journal was read; *out has the journals read before. Freed by run_dir_free().
 */
int run_dir_list(struct run_dir *dir, struct journal_entry **out, size_t *count, struct error *err);
/*
 * Lists journals without the lock: they may change meanwhile. The list is empty if the directory
 * does not exist.
 */
int run_dir_list_unlocked(const char *root, struct journal_entry **out, size_t *count,
			  struct error *err);
void run_dir_free(struct journal_entry *entries, size_t count);

/* Removes a journal that has been replayed, is empty, or was left by an earlier boot. */
int run_dir_remove(struct run_dir *dir, const char *name, struct error *err);

/* Writes this run's journal to disk, with fsync(); a second call replaces it. */
int run_dir_save_journal(struct run_dir *dir, const char *processor, bool serves,
			 const struct undo *undo, struct error *err);

/* Returns another descriptor of this run's journal, for run_dir_beat(); -1: no journal. */
int run_dir_dup_journal(const struct run_dir *dir);
/*
 * Shows that the run takes samples, by changing the journal's ctime and nothing else. Works after
 * rights_drop().
 */
void run_dir_beat(int journal);

/*
 * Empties this run's journal once all registers are restored, and removes it. If rights were
 * dropped, the next run removes it. Does nothing without a journal.
 */
int run_dir_delete_journal(struct run_dir *dir, struct error *err);

/* The path of the directory, for messages. */
const char *run_dir_path(const struct run_dir *dir);

#endif
