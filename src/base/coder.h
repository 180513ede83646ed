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
	uint8_t *data; /* freed by bytes_free() */
	size_t size, capacity;
	bool failed; /* out of memory: data is missing */
};

void bytes_free(struct bytes *b); /* leaves an empty buffer */
/* Appends a copy of data. */
void bytes_put(struct bytes *b, const void *data, size_t size);

/*
 * A coder, which encodes or decodes. The same function writes a field and reads it, so that both
 * follow one description. If it encodes, the function writes its argument and returns it. If it
 * decodes, it ignores the argument and returns the value that it has read.
 *
 * Decoding never reads beyond the data. Invalid or missing data sets .bad; after that, values mean
 * nothing, but strings can be read: they are "" or, from code_optional(), NULL.
 */
struct coder {
	struct bytes *out; /* receives encoded data; NULL: decodes */
	const uint8_t *at; /* next byte to decode; not owned */
	size_t left;	   /* bytes that are left to decode */
	bool bad;	   /* decoding has failed */
	struct error *err; /* receives the error of a block's decoder (record/block.h) */
};

uint8_t code_u8(struct coder *c, uint8_t value);
uint32_t code_u32(struct coder *c, uint32_t value); /* little endian */
/* Codes LEB128: seven bits per byte, lowest first; the high bit means that another byte follows. */
uint64_t code_varint(struct coder *c, uint64_t value);
/* Codes a number from 0 to most; decoding a larger one sets .bad. */
size_t code_count(struct coder *c, size_t value, size_t most);
/* Codes an index from -1 on, stored as index + 1. */
int code_index(struct coder *c, int index);

#define BYTES_TEXT_MAX 511 /* most characters of a string */

/*
 * Codes NUL-terminated printable ASCII. Encoding writes at most BYTES_TEXT_MAX characters, with '?'
 * for each that is not printable ASCII. A decoded string points into the data.
 */
const char *code_text(struct coder *c, const char *text);
/* Codes a string that may be NULL: a byte of 0 for NULL, otherwise a byte of 1 and the string. */
const char *code_optional(struct coder *c, const char *text);
/*
 * Codes a string of fewer than size bytes in any encoding. Decoding writes it to text, whose
 * characters the caller checks.
 */
void code_string(struct coder *c, char *text, size_t size);

/*
 * Returns how many bytes of the IEEE 754 double code_digits() stores: 0 to 8, because trailing
 * bytes of 0 are not stored; or BYTES_UNKNOWN for NAN and infinity.
 */
#define BYTES_UNKNOWN 9
unsigned bytes_number_length(double number);
/*
 * Codes the first length bytes of the IEEE 754 double, big endian; the others are decoded as 0.
 * The length BYTES_UNKNOWN stores no byte, and is decoded as NAN.
 */
double code_digits(struct coder *c, double number, unsigned length);
/*
 * Codes one byte with bytes_number_length(), then code_digits(). A decoded number is finite or NAN.
 */
double code_number(struct coder *c, double number);

#endif
