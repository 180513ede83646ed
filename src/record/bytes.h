/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Encoding of recordings: a growing buffer of bytes, and a cursor that decodes it. A cursor never
 * reads beyond its data: invalid or missing data sets .bad, and from then on the functions return 0
 * or "".
 */
#ifndef CXLMON_BYTES_H
#define CXLMON_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BYTES_TEXT_MAX 511 /* maximum length of a text */

struct bytes {
	uint8_t *data; /* freed by bytes_free() */
	size_t size, capacity;
	bool failed; /* out of memory: data is missing */
};

void bytes_free(struct bytes *b);
void bytes_put(struct bytes *b, const void *data, size_t size);
void bytes_put_u8(struct bytes *b, uint8_t value);
void bytes_put_u32(struct bytes *b, uint32_t value); /* little endian */
/* LEB128: seven bits per byte, lowest first; the high bit means that another byte follows. */
void bytes_put_varint(struct bytes *b, uint64_t value);
void bytes_put_index(struct bytes *b, int index); /* -1 and up */
/* NUL-terminated printable ASCII: cut off at BYTES_TEXT_MAX, other characters become '?'. */
void bytes_put_text(struct bytes *b, const char *text);
void bytes_put_optional(struct bytes *b, const char *text); /* may be NULL */

/* How many leading bytes of a number are stored: 0 to 8, or BYTES_UNKNOWN for NAN and infinity. */
#define BYTES_UNKNOWN 9
unsigned bytes_number_length(double number);
/* That many bytes of the IEEE 754 double, big endian; omitted trailing bytes are 0. */
void bytes_put_digits(struct bytes *b, double number, unsigned length);
/* One byte with the length, then those bytes. */
void bytes_put_number(struct bytes *b, double number);

struct cursor {
	const uint8_t *at;
	size_t left;
	bool bad;
};

uint8_t cursor_u8(struct cursor *c);
uint32_t cursor_u32(struct cursor *c);
uint64_t cursor_varint(struct cursor *c);
/* A number of at most max, else bad. */
size_t cursor_count(struct cursor *c, size_t max);
int cursor_index(struct cursor *c);
/* Points into the cursor's data. */
const char *cursor_text(struct cursor *c);
const char *cursor_optional(struct cursor *c); /* may be NULL */
double cursor_digits(struct cursor *c, unsigned length);
double cursor_number(struct cursor *c); /* finite, or NAN */

#endif
