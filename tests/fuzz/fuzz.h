/* SPDX-License-Identifier: BSD-3-Clause */
/* Common parts of fuzz targets: their entry point, parsing of the input bytes, and checks. */
#ifndef CXLMON_FUZZ_H
#define CXLMON_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/coder.h"
#include "base/error.h"

/* Runs the target on one of many inputs. Returns 0, and keeps nothing. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Prints a condition that does not hold, and aborts: the fuzzer reports a crash. */
#define fuzz_require(condition)                                                                    \
	do {                                                                                       \
		if (!(condition))                                                                  \
			fuzz_fail(__FILE__, __LINE__, #condition);                                 \
	} while (0)
__attribute__((noreturn)) void fuzz_fail(const char *file, int line, const char *condition);

/* The input bytes that were not read yet. Functions read 0 after the end. */
struct input {
	const uint8_t *at;
	size_t left;
};

void input_bytes(struct input *in, void *out, size_t count);
uint8_t input_u8(struct input *in);
uint16_t input_u16(struct input *in);

/* Replaces some bytes of a message; the input determines their places and number. */
void input_replace(struct input *in, void *message, size_t size);

/*
 * Sends a message and a descriptor (negative: none), and frees both. any_bytes: the input first
 * replaces some bytes of the message. Returns false if it was not sent.
 */
bool input_send(struct input *in, bool any_bytes, int socket, struct bytes *message, int fd);

/*
 * Returns the rest of the input up to the first NUL, NUL-terminated in a block of just that size.
 * The caller frees it by free().
 */
char *input_text(struct input *in);

/* The rest of the input as a file. */
struct input_file {
	int fd;
	char path[64]; /* path that opens it */
};

void input_file(struct input *in, struct input_file *out);
void input_file_close(struct input_file *file);

/* Checks an error: it has the code rc, a known kind, and a text of one line. */
void fuzz_check_error(int rc, const struct error *err);

/* Checks an error as fuzz_check_error() does; its status must be wrong usage. */
void fuzz_check_usage(int rc, const struct error *err);

/* Tells if text is on one line: it has no control characters. */
bool fuzz_one_line(const char *text);

#endif
