/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The small pieces that recordings are made of: a text of bytes that grows, and a cursor that takes
 * it apart again. A cursor never leaves its bytes: what doesn't fit makes it bad, and from then on
 * it yields zeros and empty texts.
 */
#ifndef CXLMON_BYTES_H
#define CXLMON_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BYTES_TEXT_MAX 511 /* characters of a text */

struct bytes {
	uint8_t *data; /* freed by bytes_free() */
	size_t size, capacity;
	bool failed; /* memory ran out: what was put since then is missing */
};

void bytes_free(struct bytes *b);
void bytes_put(struct bytes *b, const void *data, size_t size);
void bytes_put_u8(struct bytes *b, uint8_t value);
void bytes_put_u32(struct bytes *b, uint32_t value); /* four bytes, the lowest first */
/* Seven bits a byte, the lowest first; the high bit says that another byte follows. */
void bytes_put_varint(struct bytes *b, uint64_t value);
void bytes_put_index(struct bytes *b, int index); /* -1 and up */
/* Printable ASCII and a NUL: what is longer is cut, and what isn't printable becomes '?'. */
void bytes_put_text(struct bytes *b, const char *text);
void bytes_put_optional(struct bytes *b, const char *text); /* may be NULL */

/* The bytes that a number needs (see bytes_put_number()): 0 to 8, or 9: not known. */
#define BYTES_UNKNOWN 9
unsigned bytes_number_length(double number);
/* That many bytes of an IEEE 754 double, the highest first; those behind them are zeros. */
void bytes_put_digits(struct bytes *b, double number, unsigned length);
/* The length in a byte of its own, then those bytes. */
void bytes_put_number(struct bytes *b, double number);

struct cursor {
	const uint8_t *at;
	size_t left;
	bool bad;
};

uint8_t cursor_u8(struct cursor *c);
uint32_t cursor_u32(struct cursor *c);
uint64_t cursor_varint(struct cursor *c);
/* A number up to this one; bad where it is larger. */
size_t cursor_count(struct cursor *c, size_t max);
int cursor_index(struct cursor *c);
/* Points into the cursor's bytes. */
const char *cursor_text(struct cursor *c);
const char *cursor_optional(struct cursor *c); /* may be NULL */
double cursor_digits(struct cursor *c, unsigned length);
double cursor_number(struct cursor *c); /* finite, or NAN */

#endif
