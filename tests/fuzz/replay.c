/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a fuzz target without libFuzzer: on an empty input, then on each of the named files. Prints
 * each name first, so that the last line shows the input that failed.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

/* Reads a file to memory of exactly its size: sanitizers detect access to the next byte. */
static uint8_t *read_whole(FILE *in, size_t *size)
{
	long end = fseek(in, 0, SEEK_END) ? -1 : ftell(in);
	uint8_t *data = end < 0 ? NULL : malloc(end ? (size_t)end : 1);

	rewind(in);
	*size = (size_t)end;
	if (data && fread(data, 1, *size, in) == *size)
		return data;
	free(data);
	return NULL;
}

static int run(const char *path)
{
	FILE *in = fopen(path, "rb");
	uint8_t *data = NULL;
	size_t size;

	if (in) {
		data = read_whole(in, &size);
		fclose(in);
	}
	if (!data) {
		perror(path);
		return 1;
	}
	LLVMFuzzerTestOneInput(data, size);
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
