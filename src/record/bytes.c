/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/bytes.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void bytes_free(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){0};
}

void bytes_put(struct bytes *b, const void *data, size_t size)
{
	if (b->capacity - b->size < size) {
		const size_t capacity = 2 * b->capacity + size;
		uint8_t *grown = b->failed ? NULL : realloc(b->data, capacity);

		if (!grown) {
			b->failed = true;
			return;
		}
		b->data = grown;
		b->capacity = capacity;
	}
	if (size)
		memcpy(b->data + b->size, data, size);
	b->size += size;
}

void bytes_put_u8(struct bytes *b, uint8_t value)
{
	bytes_put(b, &value, 1);
}

void bytes_put_u32(struct bytes *b, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		bytes_put_u8(b, (uint8_t)(value >> 8 * i));
}

void bytes_put_varint(struct bytes *b, uint64_t value)
{
	for (; value > 0x7F; value >>= 7)
		bytes_put_u8(b, (uint8_t)(value | 0x80));
	bytes_put_u8(b, (uint8_t)value);
}

void bytes_put_index(struct bytes *b, int index)
{
	bytes_put_varint(b, index < 0 ? 0 : (uint64_t)index + 1);
}

static bool printable(uint8_t character)
{
	return character >= 0x20 && character < 0x7F;
}

void bytes_put_text(struct bytes *b, const char *text)
{
	for (size_t i = 0; i < BYTES_TEXT_MAX && text[i]; i++)
		bytes_put_u8(b, printable((uint8_t)text[i]) ? (uint8_t)text[i] : '?');
	bytes_put_u8(b, 0);
}

void bytes_put_optional(struct bytes *b, const char *text)
{
	bytes_put_u8(b, text != NULL);
	if (text)
		bytes_put_text(b, text);
}

unsigned bytes_number_length(double number)
{
	unsigned length = 8;
	uint64_t bits;

	if (!isfinite(number))
		return BYTES_UNKNOWN;
	memcpy(&bits, &number, sizeof(bits));
	for (; length && !(bits & 0xFF); bits >>= 8)
		length--;
	return length;
}

void bytes_put_digits(struct bytes *b, double number, unsigned length)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	for (unsigned i = 0; length <= 8 && i < length; i++)
		bytes_put_u8(b, (uint8_t)(bits >> (56 - 8 * i)));
}

void bytes_put_number(struct bytes *b, double number)
{
	const unsigned length = bytes_number_length(number);

	bytes_put_u8(b, (uint8_t)length);
	bytes_put_digits(b, number, length);
}

/* Returns the next size bytes and moves behind them; NULL: fewer are left. */
static const uint8_t *consume(struct cursor *c, size_t size)
{
	const uint8_t *at = c->at;

	c->bad |= c->left < size;
	if (c->bad)
		return NULL;
	c->at += size;
	c->left -= size;
	return at;
}

uint8_t cursor_u8(struct cursor *c)
{
	const uint8_t *at = consume(c, 1);

	return at ? *at : 0;
}

uint32_t cursor_u32(struct cursor *c)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < 4; i++)
		value |= (uint32_t)cursor_u8(c) << 8 * i;
	return value;
}

uint64_t cursor_varint(struct cursor *c)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		const uint8_t byte = cursor_u8(c);

		/* the tenth byte has only one bit of a 64-bit number */
		if (shift == 63 && byte > 1)
			break;
		value |= (uint64_t)(byte & 0x7F) << shift;
		if (!(byte & 0x80))
			return value;
	}
	c->bad = true;
	return 0;
}

size_t cursor_count(struct cursor *c, size_t max)
{
	const uint64_t value = cursor_varint(c);

	c->bad |= value > max;
	return c->bad ? 0 : (size_t)value;
}

int cursor_index(struct cursor *c)
{
	return (int)cursor_count(c, INT_MAX) - 1;
}

const char *cursor_text(struct cursor *c)
{
	size_t length = 0;

	while (length < c->left && length <= BYTES_TEXT_MAX && printable(c->at[length]))
		length++;
	c->bad |= length == c->left || length > BYTES_TEXT_MAX || c->at[length];
	const uint8_t *text = consume(c, length + 1);
	return text ? (const char *)text : "";
}

const char *cursor_optional(struct cursor *c)
{
	const uint8_t there = cursor_u8(c);

	c->bad |= there > 1;
	return there ? cursor_text(c) : NULL;
}

double cursor_digits(struct cursor *c, unsigned length)
{
	uint64_t bits = 0;
	double number;

	if (length == BYTES_UNKNOWN)
		return NAN;
	c->bad |= length > 8;
	for (unsigned i = 0; !c->bad && i < length; i++)
		bits |= (uint64_t)cursor_u8(c) << (56 - 8 * i);
	memcpy(&number, &bits, sizeof(number));
	return isfinite(number) ? number : NAN;
}

double cursor_number(struct cursor *c)
{
	return cursor_digits(c, cursor_u8(c));
}
