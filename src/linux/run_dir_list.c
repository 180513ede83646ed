/* SPDX-License-Identifier: BSD-3-Clause */
/* The journals of other runs. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "linux/run_dir_private.h"
#include "platform/number.h"

static void set_invalid(struct journal_entry *found, const char *why)
{
	found->state = JOURNAL_INVALID;
	snprintf(found->why, sizeof(found->why), "%s", why);
}

static char *read_whole(int fd, size_t size)
{
	char *text = malloc(size + 1);
	size_t used = 0;
	ssize_t got = 1;

	while (text && used < size && got > 0) {
		got = read(fd, text + used, size - used);
		used += got > 0 ? (size_t)got : 0;
	}
	if (text && used == size)
		return text;
	free(text);
	return NULL;
}

/* The lock may be held by a child that its process has forked and left behind. */
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

/* A run that ends may empty its journal while it is read. */
static void decode(struct journal_entry *found, const struct run_dir *dir, int fd, size_t size)
{
	char *text = size <= JOURNAL_MAX_BYTES ? read_whole(fd, size) : NULL;
	struct error why = {0};

	if (is_empty(fd))
		found->state = JOURNAL_RESTORED;
	else if (!text)
		set_invalid(found, "cannot read it");
	else if (journal_decode(text, size, &found->journal, &why))
		set_invalid(found, why.text);
	else if (found->state == JOURNAL_RUNNING)
		check_process(found);
	if (found->state == JOURNAL_STALE && strcmp(found->journal.boot, dir->boot))
		found->state = JOURNAL_OTHER_BOOT;
	free(text);
}

/* A running process holds the lock; its id would not do, least of all across containers. */
static void read_entry(struct journal_entry *found, const struct run_dir *dir)
{
	const int fd = openat(dir->fd, found->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

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
		decode(found, dir, fd, (size_t)st.st_size);
	}
	if (fd >= 0)
		close(fd);
}

static bool is_journal(const struct run_dir *dir, const char *name)
{
	return run_dir_ends_with(name, RUN_DIR_SUFFIX) && strlen(name) < sizeof(dir->name) &&
	       strcmp(name, dir->name) != 0;
}

static int add(struct journal_entry **found, size_t *count, const char *name)
{
	struct journal_entry *grown = reallocarray(*found, *count + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	*found = grown;
	grown[*count] = (struct journal_entry){0};
	memcpy(grown[*count].name, name, strlen(name)); /* is_journal() has checked the length */
	++*count;
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
			rc = add(out, count, entry->d_name);
	closedir(stream);
	for (size_t i = 0; !rc && i < *count; i++)
		read_entry(&(*out)[i], dir);
	return rc ? error_no_memory(err) : 0;
}

int run_dir_list_unlocked(const char *root, struct journal_entry **out, size_t *count,
			  struct error *err)
{
	struct run_dir *dir;
	int rc = run_dir_find(root, &dir, err);

	*out = NULL;
	*count = 0;
	if (rc)
		return rc == -ENOENT ? 0 : rc;
	rc = run_dir_list(dir, out, count, err);
	run_dir_close(dir);
	return rc;
}

void run_dir_free(struct journal_entry *found, size_t count)
{
	for (size_t i = 0; i < count; i++)
		journal_free(&found[i].journal);
	free(found);
}
