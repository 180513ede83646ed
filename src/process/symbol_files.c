/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/symbols_private.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "linux/kernel/clock.h"
#include "linux/rights/rights.h"
#include "linux/run/process.h"

/*
 * File systems round the time of a change down to a clock tick: 10 ms with CONFIG_HZ=100, the
 * lowest (kernel/Kconfig.hz; ktime_get_coarse_real_ts64() in kernel/time/timekeeping.c).
 */
#define TICK_NS 10000000

static int64_t ns_of(const struct timespec *time)
{
	return (int64_t)time->tv_sec * (int64_t)NS_PER_S + time->tv_nsec;
}

/*
 * Opens an ELF file. inode 0: any. -1: the file is missing, has another inode, or is not an ELF
 * file.
 */
static int open_file(const char *path, uint64_t inode, struct file_identity *out)
{
	const int fd = open(path, RIGHTS_OPENER_FLAGS);
	char magic[SELFMAG];
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && (!inode || st.st_ino == inode) &&
	    pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
	    !memcmp(magic, ELFMAG, SELFMAG)) {
		*out = (struct file_identity){.device = st.st_dev,
					      .inode = st.st_ino,
					      .bytes = (uint64_t)st.st_size,
					      .changed_ns = ns_of(&st.st_ctim)};
		return fd;
	}
	close(fd);
	return -1;
}

/* Adds suspended time, which the start times of processes include. */
static uint64_t since_boot(uint64_t monotonic_ns)
{
	return monotonic_ns + clock_suspended();
}

/* Checks that the process of the question still has its id. */
static bool is_there(const struct symbol_question *q)
{
	const long ticks = sysconf(_SC_CLK_TCK);
	struct proc_stat stat;

	if (!proc_stat_read(&stat, "/", "proc/%u/stat", q->pid) || ticks <= 0 ||
	    proc_stat_is_zombie(&stat))
		return false;
	const uint64_t tick_ns = NS_PER_S / (uint64_t)ticks;
	return !q->pid_since_ns ||
	       proc_stat_number(&stat, STAT_STARTED) * tick_ns <= since_boot(q->pid_since_ns);
}

/* Refuses a file that has changed since it was mapped: it may be another one. */
static int open_unchanged(const char *path, const struct symbol_question *q,
			  struct file_identity *out)
{
	const int64_t mapped_ns = (int64_t)(clock_utc() - clock_monotonic() + q->mapping.since_ns);
	const int fd = open_file(path, q->inode, out);

	if (fd < 0 || out->changed_ns + TICK_NS <= mapped_ns)
		return fd;
	close(fd);
	return -1;
}

static int open_of_process(const struct symbol_question *q, struct file_identity *out)
{
	char path[NAMES_TEXT_SIZE + 32];

	snprintf(path, sizeof(path), "/proc/%u/map_files/%" PRIx64 "-%" PRIx64, q->pid,
		 q->mapping.start, q->end);
	int fd = open_file(path, q->inode, out);
	if (fd >= 0)
		return fd;
	snprintf(path, sizeof(path), "/proc/%u/root/%s", q->pid, q->path);
	fd = open_unchanged(path, q, out);
	if (fd >= 0)
		return fd;
	snprintf(path, sizeof(path), "/proc/%u/exe", q->pid);
	return open_file(path, q->inode, out);
}

int mapped_file_open(const struct symbol_question *q, struct file_identity *out)
{
	const int fd = open_of_process(q, out);

	/* a later process with this pid may have had these links */
	if (is_there(q))
		return fd;
	if (fd >= 0)
		close(fd);
	return open_unchanged(q->path, q, out);
}

int debug_file_open(const struct elf_build_id *id)
{
	char path[sizeof("/usr/lib/debug/.build-id//.debug") + 2 * ELF_BUILD_ID_MOST];
	int end = snprintf(path, sizeof(path), "/usr/lib/debug/.build-id/%02x/", id->bytes[0]);
	struct file_identity ignored;

	for (unsigned i = 1; i < id->size; i++)
		end += snprintf(path + end, sizeof(path) - (size_t)end, "%02x", id->bytes[i]);
	snprintf(path + end, sizeof(path) - (size_t)end, ".debug");
	return open_file(path, 0, &ignored);
}

int known_files_init(struct known_files *files)
{
	files->at[SYMBOL_KERNEL].state = SYMBOLS_READ;
	files->count = SYMBOL_KERNEL + 1;
	return share_init(&files->share, SYMBOL_FILES_MOST - files->count);
}

void known_files_free(struct known_files *files)
{
	share_free(&files->share);
}

static bool is_same_file(const struct file_identity *a, const struct file_identity *b)
{
	return a->device == b->device && a->inode == b->inode && a->bytes == b->bytes &&
	       a->changed_ns == b->changed_ns;
}

/* Returns a file's number; files->count: it has none. */
static uint32_t number_of(const struct known_files *files, const struct file_identity *identity)
{
	uint32_t number = SYMBOL_KERNEL + 1;

	while (number < files->count && !is_same_file(&files->at[number].identity, identity))
		number++;
	return number;
}

uint32_t known_files_find(const struct known_files *files, const struct file_identity *identity)
{
	const uint32_t number = number_of(files, identity);

	return number == files->count || files->at[number].state == SYMBOLS_NO_ROOM ? SYMBOL_NO_FILE
										    : number;
}

uint32_t known_files_add(struct known_files *files, const struct file_identity *identity,
			 uint32_t user)
{
	const uint32_t number = number_of(files, identity);

	if (number < files->count)
		return number;
	if (!share_take(&files->share, user, 1))
		return SYMBOL_NO_FILE;
	files->at[files->count++] =
		(struct known_file){.identity = *identity, .state = SYMBOLS_NO_ROOM};
	return number;
}
