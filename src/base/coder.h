/* SPDX-License-Identifier: BSD-3-Clause */
/* The coding of numbers and strings in recordings, and in messages between processes. */
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
 * A coder, which encodes or decodes. The same function writes a field and reads it, so that both
 * follow one description. If it encodes, the function writes its argument and returns it. If it
 * decodes, it ignores the argument and returns the value that it has read.
 *
 * Decoding never reads beyond the data: invalid or missing data sets .bad, and from then on the
 * functions return 0 or "".
 */
struct coder {
	struct bytes *out; /* receives encoded data; NULL: decodes */
	const uint8_t *at; /* next byte to decode; not owned */
	size_t left;	   /* bytes that are left to decode */
	bool bad;
	struct error *err; /* receives the error of a block's decoder */
};

uint8_t code_u8(struct coder *c, uint8_t value);
uint32_t code_u32(struct coder *c, uint32_t value); /* little endian */
/* Codes LEB128: seven bits per byte, lowest first; the high bit means that another byte follows. */
uint64_t code_varint(struct coder *c, uint64_t value);
/* Codes a number from 0 to most; decoding a larger one sets .bad. */
size_t code_count(struct coder *c, size_t value, size_t most);
int code_index(struct coder *c, int index); /* from -1 on, stored as index + 1 */

#define BYTES_TEXT_MAX 511 /* most characters of a string */

/*
 * Codes NUL-terminated printable ASCII. Encoding writes at most BYTES_TEXT_MAX characters, with '?'
 * for each that is not printable ASCII. A decoded string points into the data.
 */
const char *code_text(struct coder *c, const char *text);
const char *code_optional(struct coder *c, const char *text); /* 0 for NULL; else 1, text */

/*
 * Returns how many bytes of the IEEE 754 double code_digits() has to store, without trailing bytes
 * of 0: 0 to 8. BYTES_UNKNOWN: NAN or infinity.
 */
#define BYTES_UNKNOWN 9
unsigned bytes_number_length(double number);
/*
 * Codes the first length bytes of the IEEE 754 double, big endian; the others are 0. BYTES_UNKNOWN
 * takes no bytes, and is decoded as NAN.
 */
double code_digits(struct coder *c, double number, unsigned length);
/*
 * Codes one byte with the length, then code_digits(). A decoded number is finite or NAN.
 */
double code_number(struct coder *c, double number);

#endif
