/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A known number of page faults: cxlmon-faults PAGES [THREADS [PROCESSES]] touches each page of
 * new memory once, in threads that take turns, then starts processes that end at once, each of
 * which touches as many pages. Prints the address of the memory, after which nothing faults.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096

static volatile char *memory;
static size_t pages;

static void *touch(void *ignored)
{
	for (size_t i = 0; i < pages; i++)
		memory[i * PAGE] = 1;
	return ignored;
}

/* Maps small pages, aligned to a range of 2 MiB. */
static volatile char *get(void)
{
	const size_t range = 2 << 20, bytes = pages * PAGE + range;
	char *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED || madvise(map, bytes, MADV_NOHUGEPAGE))
		exit(1);
	return map + (range - (uintptr_t)map % range) % range;
}

static void touch_in_thread(void)
{
	pthread_t thread;

	memory = get();
	if (pthread_create(&thread, NULL, touch, NULL) || pthread_join(thread, NULL))
		exit(1);
}

static void touch_in_process(void)
{
	const pid_t child = fork();

	if (child < 0)
		exit(1);
	if (!child) {
		prctl(PR_SET_NAME, "short-lived");
		memory = get();
		touch(NULL);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static size_t number(int argc, char **argv, int nth, size_t otherwise)
{
	return nth < argc ? strtoul(argv[nth], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
	pages = number(argc, argv, 1, 512);
	for (size_t i = number(argc, argv, 2, 1); i; i--) {
		touch_in_thread();
		printf("%#" PRIxPTR "\n", (uintptr_t)memory);
	}
	for (size_t i = number(argc, argv, 3, 0); i; i--)
		touch_in_process();
	return 0;
}
