/* SPDX-License-Identifier: BSD-3-Clause */
/* The journals of this run and of others. */
#include "linux/run/run_dir_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/array.h"
#include "base/number.h"
#include "linux/run/journal.h"
#include "linux/run/process.h"

static void close_journal(struct run_dir *dir)
{
	if (dir->journal >= 0)
		close(dir->journal);
	dir->journal = -1;
}

/* Writes the journal atomically: the file gets its name only after it is on disk. */
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

/* Changes the ctime, as futimens() needs the right to write the file, which was dropped. */
void run_dir_beat(int journal)
{
	if (journal >= 0)
		(void)!fallocate(journal, FALLOC_FL_KEEP_SIZE, 0, 1);
}

/* Returns whether this process may still remove files: not after rights were dropped. */
static bool may_remove_files(const struct run_dir *dir)
{
	struct stat st;

	return !geteuid() || (!fstat(dir->fd, &st) && st.st_uid == geteuid());
}

/*
 * Empties the journal, which needs only the open descriptor: a run killed at any moment leaves all
 * of its journal or nothing. Removes the file itself if allowed.
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

/* The journals of other runs. */

static void set_invalid(struct journal_entry *found, const char *why)
{
	found->state = JOURNAL_INVALID;
	snprintf(found->why, sizeof(found->why), "%s", why);
}

/* *out is freed by the caller, also after an error. */
static int read_whole(int fd, size_t size, char **out)
{
	size_t used = 0;
	ssize_t got;

	*out = malloc(size + 1);
	if (!*out)
		return -ENOMEM;
	while (used < size && (got = read(fd, *out + used, size - used)) > 0)
		used += (size_t)got;
	return used == size ? 0 : -EIO;
}

/* Finds the state of the process. A child that it left behind may still hold the lock. */
static void check_process(struct journal_entry *found)
{
	switch (process_state(&found->journal.process)) {
	case PROCESS_RUNS:
		found->running_pid = found->journal.process.pid;
		break;
	case PROCESS_ENDED:
		found->state = JOURNAL_STALE;
		break;
	case PROCESS_UNKNOWN:
		break;
	}
}

static bool is_empty(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && !st.st_size;
}

/* Decodes a journal, which a run that ends may empty meanwhile. Returns 0 or -ENOMEM. */
static int decode_entry(struct journal_entry *found, const struct run_dir *dir, int fd, size_t size)
{
	struct error why = {.text = "cannot read it"};
	char *text = NULL;
	int rc = size <= JOURNAL_MAX_BYTES ? read_whole(fd, size, &text) : -EFBIG;

	if (!rc)
		rc = journal_decode(text, size, &found->journal, &why);
	free(text);
	if (rc == -ENOMEM)
		return rc;
	if (is_empty(fd))
		found->state = JOURNAL_RESTORED;
	else if (rc)
		set_invalid(found, why.text);
	else if (found->state == JOURNAL_RUNNING)
		check_process(found);
	if (found->state == JOURNAL_STALE && strcmp(found->journal.boot, dir->boot))
		found->state = JOURNAL_OTHER_BOOT;
	return 0;
}

/*
 * Reads a journal. The lock tells whether its process runs; the process id cannot, least of all
 * across containers. Returns 0 or -ENOMEM.
 */
static int read_entry(struct journal_entry *found, const struct run_dir *dir)
{
	const int fd = openat(dir->fd, found->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	int rc = 0;

	if (fd < 0 && errno == ENOENT) {
		found->state = JOURNAL_RESTORED;
	} else if (fd < 0 || fstat(fd, &st)) {
		set_invalid(found, strerror(errno));
	} else if (!S_ISREG(st.st_mode) || !run_dir_trusts(dir, &st)) {
		set_invalid(found, "not a regular file that only root can write");
	} else {
		found->beat_ns =
			(uint64_t)st.st_ctim.tv_sec * NS_PER_S + (uint64_t)st.st_ctim.tv_nsec;
		found->state = flock(fd, LOCK_SH | LOCK_NB) ? JOURNAL_RUNNING : JOURNAL_STALE;
		rc = decode_entry(found, dir, fd, (size_t)st.st_size);
	}
	if (fd >= 0)
		close(fd);
	return rc;
}

static bool is_journal(const struct run_dir *dir, const char *name)
{
	return run_dir_name_ends(name, RUN_DIR_SUFFIX) && strlen(name) < sizeof(dir->name) &&
	       strcmp(name, dir->name) != 0;
}

static int add_entry(struct journal_entry **found, size_t *count, const char *name)
{
	int rc = array_room(found, *count, 1, sizeof(**found));

	if (rc)
		return rc;
	(*found)[*count] = (struct journal_entry){0};
	/* is_journal() has checked the length */
	memcpy((*found)[(*count)++].name, name, strlen(name));
	return 0;
}

int run_dir_list(struct run_dir *dir, struct journal_entry **out, size_t *count, struct error *err)
{
	const struct dirent *entry;
	DIR *stream;

	*out = NULL;
	*count = 0;
	int rc = run_dir_stream(dir, &stream, err);
	if (rc)
		return rc;
	while (!rc && (entry = readdir(stream)))
		if (is_journal(dir, entry->d_name))
			rc = add_entry(out, count, entry->d_name);
	closedir(stream);
	for (size_t i = 0; !rc && i < *count; i++)
		rc = read_entry(&(*out)[i], dir);
	return rc ? error_no_memory(err) : 0;
}

int run_dir_list_unlocked(const char *root, struct journal_entry **out, size_t *count,
			  struct error *err)
{
	struct run_dir *dir = NULL;
	int rc = run_dir_open_unlocked(root, &dir, err);

	*out = NULL;
	*count = 0;
	if (!rc)
		rc = run_dir_list(dir, out, count, err);
	else if (rc == -ENOENT)
		rc = 0;
	run_dir_close(dir);
	return rc;
}

void run_dir_free(struct journal_entry *found, size_t count)
{
	for (size_t i = 0; i < count; i++)
		journal_free(&found[i].journal);
	free(found);
}
