/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a fuzz target without libFuzzer: on nothing at all, then on each of the files named. Says
 * which it is at, so that the last line tells where it ended.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

/* Exactly as large as the file: where memory is watched, one byte beyond is seen. */
static int run(const char *path)
{
	FILE *in = fopen(path, "rb");
	long size;

	if (!in || fseek(in, 0, SEEK_END) || (size = ftell(in)) < 0) {
		perror(path);
		return 1;
	}
	rewind(in);
	uint8_t *data = malloc(size ? (size_t)size : 1);
	if (!data || fread(data, 1, (size_t)size, in) != (size_t)size) {
		perror(path);
		return 1;
	}
	fclose(in);
	LLVMFuzzerTestOneInput(data, (size_t)size);
	free(data);
	return 0;
}

int main(int argc, char **argv)
{
	const uint8_t nothing[1] = {0};

	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("no bytes");
	LLVMFuzzerTestOneInput(nothing, 0);
	for (int i = 1; i < argc; i++) {
		puts(argv[i]);
		if (run(argv[i]))
			return 1;
	}
	return 0;
}
