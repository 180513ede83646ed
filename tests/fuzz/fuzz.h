/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What fuzz targets share: their entry point, parsing of the input bytes, and checks.
 */
#ifndef CXLMON_FUZZ_H
#define CXLMON_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Called again and again, by libFuzzer or by replay.c; it returns 0 and keeps nothing. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Prints what does not hold, and aborts, which the fuzzer reports as a crash. */
#define fuzz_require(condition)                                                                    \
	do {                                                                                       \
		if (!(condition))                                                                  \
			fuzz_fail(__FILE__, __LINE__, #condition);                                 \
	} while (0)
__attribute__((noreturn)) void fuzz_fail(const char *file, int line, const char *condition);

/* The input bytes, from front to end; 0 behind the end. */
struct input {
	const uint8_t *at;
	size_t left;
};

void input_bytes(struct input *in, void *out, size_t count);
uint8_t input_u8(struct input *in);
uint16_t input_u16(struct input *in);

/* Puts bytes in the place of some of a message's; where, and how many, the input says. */
void input_replace(struct input *in, void *message, size_t size);

/* All that is left, NUL-terminated and no byte longer, up to the first NUL; freed by free(). */
char *input_text(struct input *in);

/* All that is left, as a file. */
struct input_file {
	int fd;
	char path[64]; /* which opens it */
};

void input_file(struct input *in, struct input_file *out);
void input_file_close(struct input_file *file);

/* An error has a code, one of the program's statuses, and a sentence on one line. */
void fuzz_check_error(int rc, const struct error *err);

/* Likewise, of wrong usage. */
void fuzz_check_usage(int rc, const struct error *err);

/* Text on one line: no control characters. */
bool fuzz_one_line(const char *text);

#endif
