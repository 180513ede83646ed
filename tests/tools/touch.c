/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-touch MIB [NAME]: maps memory, touches every page, prints "ready", and keeps the memory,
 * under a name of its own choice, until standard input ends. Each line of standard input maps
 * another MIB.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

static void take(size_t bytes)
{
	char *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		err(1, "mmap");
	memset(memory, 1, bytes);
	puts("ready");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	if (argc < 2 || argc > 3)
		errx(2, "usage: cxlmon-touch MIB [NAME]");
	const size_t bytes = strtoull(argv[1], NULL, 0) << 20;

	if (argc == 3)
		prctl(PR_SET_NAME, argv[2]);
	take(bytes);
	for (int c; (c = getchar()) != EOF;)
		if (c == '\n')
			take(bytes);
	return 0;
}
