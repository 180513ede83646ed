/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ROOT/run/cxlmon: who programs this machine, and how to put back what they do. Each run keeps its
 * journal there, locked (flock) as long as it lives: a journal that nobody locks was left by a run
 * that was killed. A lock of the whole directory lets one process at a time look at registers and
 * program them.
 *
 * The directory and the journals must belong to root or to this user, and nobody else may write
 * them: a journal says what to write into registers.
 */
#ifndef CXLMON_RUN_DIR_H
#define CXLMON_RUN_DIR_H

#include <stdbool.h>
#include <stddef.h>

#include "linux/journal.h"

struct run_dir;

/* Makes the directory where it is missing, and waits for its lock. Freed by run_dir_close(). */
int run_dir_open(const char *root, struct run_dir **out, struct error *err);

/* Lets others look and program; this run's own journal stays locked. */
void run_dir_unlock(struct run_dir *dir);

/* Closes it; what it holds stays there. NULL does nothing. */
void run_dir_close(struct run_dir *dir);

enum journal_state {
	JOURNAL_RUNNING,    /* its process lives */
	JOURNAL_STALE,	    /* its process was killed: it is to be played */
	JOURNAL_OTHER_BOOT, /* of an earlier boot: the registers have forgotten everything */
	JOURNAL_INVALID,    /* must not be played; why says what is wrong */
};

struct journal_entry {
	char name[64];
	enum journal_state state;
	struct journal journal;
	char why[768];
};

/* Every journal but our own; the directory must be locked. Freed by run_dir_free(). */
int run_dir_list(struct run_dir *dir, struct journal_entry **out, size_t *count, struct error *err);
/* The same without a lock, and where the directory may be missing: what is there just now. */
int run_dir_list_unlocked(const char *root, struct journal_entry **out, size_t *count,
			  struct error *err);
void run_dir_free(struct journal_entry *found, size_t count);

/* Removes a journal that was played, or is old. */
int run_dir_remove(struct run_dir *dir, const char *name, struct error *err);

/* Writes this run's journal, on disk when it returns; the second time it replaces the first. */
int run_dir_save_journal(struct run_dir *dir, const char *processor, const struct undo *undo,
			 struct error *err);

/* Everything has been put back. Does nothing where no journal was kept. */
int run_dir_delete_journal(struct run_dir *dir, struct error *err);

/* Where it is, for messages. */
const char *run_dir_path(const struct run_dir *dir);

#endif
