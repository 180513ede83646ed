/* SPDX-License-Identifier: BSD-3-Clause */
/* The journal of this run. */
#include "linux/run/run_dir_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "linux/run/process.h"

static void close_journal(struct run_dir *dir)
{
	if (dir->journal >= 0)
		close(dir->journal);
	dir->journal = -1;
}

/* Atomic: the file gets its name only after it is on disk. */
static int write_journal(struct run_dir *dir, const char *text, size_t size, struct error *err)
{
	char temporary[sizeof(dir->name) + sizeof(RUN_DIR_TEMPORARY)];

	snprintf(temporary, sizeof(temporary), "%s" RUN_DIR_TEMPORARY, dir->name);
	const int fd = openat(dir->fd, temporary,
			      O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, RUN_DIR_FILE);

	if (fd < 0)
		return run_dir_failed(dir, err,
				      "cannot write a journal, so no register is programmed");
	if (flock(fd, LOCK_EX | LOCK_NB) || write_all(fd, text, size) || fsync(fd) ||
	    renameat(dir->fd, temporary, dir->fd, dir->name) || fsync(dir->fd)) {
		int rc = run_dir_failed(dir, err,
					"cannot write a journal, so no register is programmed");

		unlinkat(dir->fd, temporary, 0);
		close(fd);
		return rc;
	}
	close_journal(dir);
	dir->journal = fd;
	return 0;
}

int run_dir_save_journal(struct run_dir *dir, const char *processor, bool serves,
			 const struct undo *undo, struct error *err)
{
	struct journal journal = {.process = process_self(), .serves = serves, .undo = *undo};
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

int run_dir_dup_journal(const struct run_dir *dir)
{
	return dir && dir->journal >= 0 ? fcntl(dir->journal, F_DUPFD_CLOEXEC, 0) : -1;
}

/* By the ctime: futimens() takes the right to write the file, which was dropped. */
void run_dir_beat(int journal)
{
	if (journal >= 0)
		(void)!fallocate(journal, FALLOC_FL_KEEP_SIZE, 0, 1);
}

/* Not after rights were dropped. */
static bool may_remove_files(const struct run_dir *dir)
{
	struct stat st;

	return !geteuid() || (!fstat(dir->fd, &st) && st.st_uid == geteuid());
}

/*
 * Emptying takes no right but the open descriptor, and a run that is killed at any moment has left
 * either all of its journal or nothing of it. The file itself is removed where that is allowed.
 */
int run_dir_delete_journal(struct run_dir *dir, struct error *err)
{
	if (dir->journal < 0)
		return 0;
	if (ftruncate(dir->journal, 0) || fsync(dir->journal))
		return run_dir_failed(dir, err, "cannot empty %s", dir->name);
	if (may_remove_files(dir))
		unlinkat(dir->fd, dir->name, 0);
	close_journal(dir);
	return 0;
}
