/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-readers ROUNDS OFFSET COUNT FILE FILE
 *
 * Measures the time to read COUNT registers (8 bytes each, from OFFSET on) of each of two files, as
 * a sample reads those of two sockets: sequentially; with one thread per file, which waits by
 * spinning or by sleeping; and with io_uring in one submission. Prints the median of each in ns.
 */
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <liburing.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "linux/kernel/clock.h"

#define FILES	  2
#define MAX_COUNT 256

static int files[FILES];
static off_t offset;
static unsigned count;
static uint64_t values[FILES][MAX_COUNT];
static bool asleep;
static struct io_uring ring;

/* Counts of started rounds, and of threads that have done one. */
static _Atomic uint32_t started, done;

static void read_file(unsigned f)
{
	for (unsigned i = 0; i < count; i++)
		if (pread(files[f], &values[f][i], 8, offset + i) != 8)
			err(1, "pread");
}

static void futex(_Atomic uint32_t *word, int operation, uint32_t value)
{
	syscall(SYS_futex, word, operation, value, NULL, NULL, 0);
}

static void wait_for(_Atomic uint32_t *word, uint32_t value)
{
	for (uint32_t seen; (seen = atomic_load(word)) != value;)
		if (asleep)
			futex(word, FUTEX_WAIT_PRIVATE, seen);
}

static void count_up(_Atomic uint32_t *word)
{
	atomic_fetch_add(word, 1);
	if (asleep)
		futex(word, FUTEX_WAKE_PRIVATE, 1);
}

static void *reader(void *rounds)
{
	for (uint32_t i = 1; i <= *(const uint32_t *)rounds; i++) {
		wait_for(&started, i);
		read_file(1);
		count_up(&done);
	}
	return NULL;
}

static void read_serially(uint32_t round)
{
	(void)round;
	read_file(0);
	read_file(1);
}

static void read_beside(uint32_t round)
{
	count_up(&started);
	read_file(0);
	wait_for(&done, round);
}

static void read_by_ring(uint32_t round)
{
	const unsigned all = FILES * count;
	struct io_uring_cqe *cqe;

	(void)round;
	for (unsigned f = 0; f < FILES; f++)
		for (unsigned i = 0; i < count; i++)
			io_uring_prep_read(io_uring_get_sqe(&ring), files[f], &values[f][i], 8,
					   (uint64_t)offset + i);
	if (io_uring_submit_and_wait(&ring, all) < 0)
		errx(1, "io_uring");
	for (unsigned i = 0; i < all; i++) {
		if (io_uring_wait_cqe(&ring, &cqe) || cqe->res != 8)
			errx(1, "io_uring: a read failed");
		io_uring_cqe_seen(&ring, cqe);
	}
}

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void measure(const char *name, uint32_t rounds, void (*read_all)(uint32_t round))
{
	uint64_t *took = calloc(rounds, sizeof(*took));

	if (!took)
		errx(1, "out of memory");
	for (uint32_t i = 0; i < rounds; i++) {
		const uint64_t start = clock_monotonic();
		read_all(i + 1);
		took[i] = clock_monotonic() - start;
	}
	qsort(took, rounds, sizeof(*took), compare);
	printf("%-24s %" PRIu64 "\n", name, took[rounds / 2]);
	free(took);
}

static void measure_thread(const char *name, uint32_t rounds, bool sleeps)
{
	pthread_t thread;

	asleep = sleeps;
	started = 0;
	done = 0;
	if (pthread_create(&thread, NULL, reader, &rounds))
		errx(1, "no thread");
	measure(name, rounds, read_beside);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	if (argc != 6)
		return 2;
	const uint32_t rounds = (uint32_t)strtoul(argv[1], NULL, 10);
	offset = strtol(argv[2], NULL, 0);
	count = (unsigned)strtoul(argv[3], NULL, 10);
	if (!rounds || count > MAX_COUNT)
		return 2;
	for (unsigned f = 0; f < FILES; f++) {
		files[f] = open(argv[4 + f], O_RDONLY | O_CLOEXEC);
		if (files[f] < 0)
			err(1, "%s", argv[4 + f]);
	}
	measure("one after the other", rounds, read_serially);
	measure_thread("a thread, turning round", rounds, false);
	measure_thread("a thread, asleep", rounds, true);
	if (io_uring_queue_init(2 * MAX_COUNT, &ring, 0))
		errx(0, "this kernel has no io_uring");
	measure("io_uring", rounds, read_by_ring);
	io_uring_queue_exit(&ring);
	return 0;
}
