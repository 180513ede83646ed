/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pages on given nodes: cxlmon-pages NODES:PAGES[:huge]... touches so many pages of new memory of
 * its own, which may be only on these nodes: on each in turn, if there are several digits. Asks
 * the kernel for the node of each page, by move_pages(2). Prints for each range of 2 MiB and node
 * the address, the node and the number of pages, then "ready", and keeps them until standard input
 * ends. Huge pages are those of hugetlbfs, of 2 MiB.
 */
#include <err.h>
#include <inttypes.h>
#include <linux/mempolicy.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE	   4096
#define RANGE	   ((size_t)2 << 20)
#define NODES_MOST 10

struct memory {
	unsigned long nodes; /* one bit per node */
	size_t pages, page;  /* number of pages, and bytes of a page */
	char *at;
};

static struct memory parse(const char *text)
{
	struct memory memory = {.page = PAGE};
	char *rest = NULL;

	for (; *text >= '0' && *text <= '9'; text++)
		memory.nodes |= 1UL << (*text - '0');
	if (*text == ':')
		memory.pages = strtoul(text + 1, &rest, 10);
	if (!memory.nodes || !memory.pages || (*rest && strcmp(rest, ":huge") != 0))
		errx(2, "usage: cxlmon-pages NODES:PAGES[:huge]...");
	if (*rest)
		memory.page = RANGE;
	return memory;
}

/* Maps ranges of 2 MiB that have no other memory. */
static void get(struct memory *memory)
{
	const bool huge = memory->page == RANGE, several = memory->nodes & (memory->nodes - 1);
	const size_t bytes = (memory->pages * memory->page + RANGE - 1) / RANGE * RANGE;
	char *map = mmap(NULL, bytes + (huge ? 0 : RANGE), PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | (huge ? MAP_HUGETLB : 0), -1, 0);

	if (map == MAP_FAILED)
		err(1, "mmap");
	memory->at = map + (RANGE - (uintptr_t)map % RANGE) % RANGE;
	if (!huge && madvise(memory->at, bytes, MADV_NOHUGEPAGE))
		err(1, "madvise");
	if (syscall(SYS_mbind, memory->at, bytes, several ? MPOL_INTERLEAVE : MPOL_BIND,
		    &memory->nodes, 8 * sizeof(memory->nodes), 0))
		err(1, "mbind");
}

static void touch(const struct memory *memory)
{
	for (size_t i = 0; i < memory->pages; i++)
		memory->at[i * memory->page] = 1;
}

static int node_of(char *page)
{
	void *pages[] = {page};
	int status = -1;

	if (syscall(SYS_move_pages, 0, 1, pages, NULL, &status, 0) || status < 0 ||
	    status >= NODES_MOST)
		errx(1, "move_pages says %d", status);
	return status;
}

static void print(const struct memory *memory)
{
	const size_t in_range = RANGE / memory->page;

	for (size_t first = 0; first < memory->pages; first += in_range) {
		unsigned counts[NODES_MOST] = {0};

		for (size_t i = first; i < first + in_range && i < memory->pages; i++)
			counts[node_of(memory->at + i * memory->page)]++;
		for (unsigned node = 0; node < NODES_MOST; node++)
			if (counts[node])
				printf("%#" PRIxPTR " %u %u\n",
				       (uintptr_t)memory->at + first * memory->page, node,
				       counts[node]);
	}
}

int main(int argc, char **argv)
{
	struct memory *memories = calloc((size_t)argc, sizeof(*memories));

	if (!memories || argc < 2)
		errx(2, "usage: cxlmon-pages NODES:PAGES[:huge]...");
	for (int i = 1; i < argc; i++) {
		memories[i] = parse(argv[i]);
		get(&memories[i]);
		touch(&memories[i]);
	}
	for (int i = 1; i < argc; i++)
		print(&memories[i]);
	puts("ready");
	fflush(stdout);
	while (getchar() != EOF)
		;
	return 0;
}
