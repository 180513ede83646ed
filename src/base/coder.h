/* SPDX-License-Identifier: BSD-3-Clause */
/* The coding of numbers and strings in recordings, and in messages between processes. */
#ifndef CXLMON_BASE_CODER_H
#define CXLMON_BASE_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

/* A growing buffer, initially all zero. */
struct bytes {
	uint8_t *data;	       /* freed by bytes_free() */
	size_t size, capacity; /* bytes in use, and bytes allocated */
	bool failed;	       /* out of memory: data is missing */
};

/* Frees the data, and leaves an empty buffer. */
void bytes_free(struct bytes *b);
/* Appends a copy of data. If memory runs out, appends nothing and sets .failed. */
void bytes_put(struct bytes *b, const void *data, size_t size);

/*
 * A coder encodes or decodes. A code_...() function does both, so that writing and reading follow
 * one description:
 * - to encode, it appends its argument to .out and returns the argument
 * - to decode, it ignores its argument and returns the value read from .at
 *
 * Decoding never reads beyond the data. If data is invalid or missing, sets .bad. After that,
 * numbers mean nothing, and strings are "" (or NULL, from code_optional()).
 */
struct coder {
	struct bytes *out; /* receives encoded data; NULL: decodes */
	const uint8_t *at; /* next byte to decode; not owned */
	size_t left;	   /* bytes that are left to decode */
	bool bad;	   /* decoding has failed */
	struct error *err; /* for errors of a caller's decoder; not used here */
};

/* Codes one byte. */
uint8_t code_u8(struct coder *c, uint8_t value);
/* Codes four bytes, little endian. */
uint32_t code_u32(struct coder *c, uint32_t value);
/* Codes LEB128: seven bits per byte, lowest first; the high bit means that another byte follows. */
uint64_t code_varint(struct coder *c, uint64_t value);
/* Codes a number from 0 to most, as code_varint(). Decoding a larger number sets .bad. */
size_t code_count(struct coder *c, size_t value, size_t most);
/* Codes an index, -1 or more, as code_varint() of index + 1. */
int code_index(struct coder *c, int index);

#define BYTES_TEXT_MAX 511 /* most characters of code_text() */

/*
 * Codes NUL-terminated printable ASCII. Encoding writes the first BYTES_TEXT_MAX characters, and
 * replaces characters that are not printable ASCII by '?'. A decoded string points into the data.
 */
const char *code_text(struct coder *c, const char *text);
/* Codes a string that may be NULL: a byte of 0 for NULL; otherwise a byte of 1, and code_text(). */
const char *code_optional(struct coder *c, const char *text);
/*
 * Codes a string of up to size - 1 bytes, and cuts off a longer one. Decoding copies the string to
 * text, a buffer of size bytes, and does not check its characters.
 */
void code_string(struct coder *c, char *text, size_t size);
/* Codes an error of another process. Decoding an invalid one, see error_is_valid(), sets .bad. */
void code_error(struct coder *c, struct error *error);

#define BYTES_UNKNOWN 9 /* marks NAN and infinity, in place of a length */

/*
 * Returns the length that code_digits() needs for a number: 0 to 8, or BYTES_UNKNOWN. Trailing
 * bytes of 0 in the IEEE 754 double are not needed.
 */
unsigned bytes_number_length(double number);
/*
 * Codes the first length bytes of the IEEE 754 double, big endian. Decodes the other bytes as 0.
 * BYTES_UNKNOWN stores no byte, and is decoded as NAN. Any other length above 8 sets .bad.
 */
double code_digits(struct coder *c, double number, unsigned length);
/*
 * Codes one byte with bytes_number_length(), then code_digits(). A decoded number is finite or NAN.
 */
double code_number(struct coder *c, double number);

#endif
