/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-storm KIND COUNT: causes as many records of processes as one process can. It repeats an
 * action COUNT times, without a page fault:
 *   map    maps a page and unmaps it
 *   keep   maps a page below the one before; every other one is not writable, so that none is
 * merged name   takes another name
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#define PAGE 4096

static void *map(int protection)
{
	void *at = mmap(NULL, PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		exit(1);
	return at;
}

static void map_once(unsigned long number)
{
	(void)number;
	munmap(map(PROT_READ | PROT_WRITE), PAGE);
}

static void keep(unsigned long number)
{
	map(number % 2 ? PROT_READ : PROT_READ | PROT_WRITE);
}

static void rename_self(unsigned long number)
{
	char name[16];

	snprintf(name, sizeof(name), "storm-%lu", number % 1000000000);
	prctl(PR_SET_NAME, name);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *kind;
		void (*act)(unsigned long number);
	} kinds[] = {{"map", map_once}, {"keep", keep}, {"name", rename_self}};
	const unsigned long count = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;

	for (size_t k = 0; count && k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		if (strcmp(argv[1], kinds[k].kind))
			continue;
		for (unsigned long i = 0; i < count; i++)
			kinds[k].act(i);
		return 0;
	}
	return 2;
}
