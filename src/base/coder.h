/* SPDX-License-Identifier: BSD-3-Clause */
/* The coding of numbers and texts in recordings, and in messages between processes. */
#ifndef CXLMON_BASE_CODER_H
#define CXLMON_BASE_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

/* A growing buffer. */
struct bytes {
	uint8_t *data; /* freed by bytes_free() */
	size_t size, capacity;
	bool failed; /* out of memory: data is missing */
};

void bytes_free(struct bytes *b);
void bytes_put(struct bytes *b, const void *data, size_t size);

/*
 * Encodes and decodes: the same function writes a field and reads it, so that both follow one
 * description. Each takes the value to write, and returns it, or what was read.
 *
 * Decoding never reads beyond the data: invalid or missing data sets .bad, and from then on the
 * functions return 0 or "".
 */
struct coder {
	struct bytes *out; /* to write to; NULL: decodes */
	const uint8_t *at;
	size_t left;
	bool bad;
	struct error *err; /* where a decoder of a block explains itself */
};

uint8_t code_u8(struct coder *c, uint8_t value);
uint32_t code_u32(struct coder *c, uint32_t value); /* little endian */
/* LEB128: seven bits per byte, lowest first; the high bit means that another byte follows. */
uint64_t code_varint(struct coder *c, uint64_t value);
/* A number from 0 to most; decoding a larger one sets .bad. */
size_t code_count(struct coder *c, size_t value, size_t most);
int code_index(struct coder *c, int index); /* -1 and up, as one more */

#define BYTES_TEXT_MAX 511 /* maximum length of a text */

/*
 * NUL-terminated printable ASCII. Written, it is cut off at BYTES_TEXT_MAX, and other characters
 * become '?'. What was read points into the data.
 */
const char *code_text(struct coder *c, const char *text);
const char *code_optional(struct coder *c, const char *text); /* NULL: 0; else 1, and the text */

/* How many leading bytes of a number are stored: 0 to 8, or BYTES_UNKNOWN for NAN and infinity. */
#define BYTES_UNKNOWN 9
unsigned bytes_number_length(double number);
/* The first bytes of the IEEE 754 double, big endian; omitted trailing bytes are 0. */
double code_digits(struct coder *c, double number, unsigned length);
/* One byte with the length, then those bytes. What was read is finite, or NAN. */
double code_number(struct coder *c, double number);

#endif
