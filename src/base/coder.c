/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/coder.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

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

/* Returns the next size bytes and moves past them; NULL: fewer are left. */
static const uint8_t *consume_bytes(struct coder *c, size_t size)
{
	const uint8_t *at = c->at;

	c->bad |= c->left < size;
	if (c->bad)
		return NULL;
	c->at += size;
	c->left -= size;
	return at;
}

uint8_t code_u8(struct coder *c, uint8_t value)
{
	struct bytes *out = c->out;

	if (out && out->size < out->capacity) {
		out->data[out->size++] = value;
		return value;
	}
	if (out) {
		bytes_put(out, &value, 1);
		return value;
	}
	const uint8_t *at = consume_bytes(c, 1);
	return at ? *at : 0;
}

uint32_t code_u32(struct coder *c, uint32_t value)
{
	uint32_t coded = 0;

	for (unsigned i = 0; i < 4; i++)
		coded |= (uint32_t)code_u8(c, (uint8_t)(value >> 8 * i)) << 8 * i;
	return coded;
}

uint64_t code_varint(struct coder *c, uint64_t value)
{
	uint64_t coded = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		const uint64_t rest = value >> shift;
		const uint8_t byte = code_u8(c, (uint8_t)(rest > 0x7F ? rest | 0x80 : rest));

		/* the tenth byte has only one bit of a 64-bit number */
		if (shift == 63 && byte > 1)
			break;
		coded |= (uint64_t)(byte & 0x7F) << shift;
		if (!(byte & 0x80))
			return coded;
	}
	c->bad = true;
	return 0;
}

size_t code_count(struct coder *c, size_t value, size_t most)
{
	const uint64_t coded = code_varint(c, value);

	c->bad |= !c->out && coded > most;
	return c->bad ? 0 : (size_t)coded;
}

int code_index(struct coder *c, int index)
{
	return (int)code_count(c, index < 0 ? 0 : (size_t)index + 1, INT_MAX) - 1;
}

static bool is_printable(uint8_t character)
{
	return character >= 0x20 && character < 0x7F;
}

const char *code_text(struct coder *c, const char *text)
{
	size_t length = 0;

	if (c->out) {
		for (; length < BYTES_TEXT_MAX && text[length]; length++)
			code_u8(c,
				is_printable((uint8_t)text[length]) ? (uint8_t)text[length] : '?');
		code_u8(c, 0);
		return text;
	}
	while (length < c->left && length <= BYTES_TEXT_MAX && is_printable(c->at[length]))
		length++;
	c->bad |= length == c->left || length > BYTES_TEXT_MAX || c->at[length];
	const uint8_t *read = consume_bytes(c, length + 1);
	return read ? (const char *)read : "";
}

const char *code_optional(struct coder *c, const char *text)
{
	const uint8_t there = code_u8(c, text != NULL);

	c->bad |= there > 1;
	return there ? code_text(c, text) : NULL;
}

void code_string(struct coder *c, char *text, size_t size)
{
	const size_t length = code_count(c, c->out ? strnlen(text, size - 1) : 0, size - 1);

	if (c->out) {
		bytes_put(c->out, text, length);
		return;
	}
	const uint8_t *read = consume_bytes(c, length);
	if (read)
		memcpy(text, read, length);
	text[read ? length : 0] = '\0';
}

void code_error(struct coder *c, struct error *error)
{
	error->code = -(int)code_count(c, (size_t)-error->code, ERRNO_MOST);
	error->kind = (enum error_kind)code_count(c, error->kind, ERROR_KINDS - 1);
	code_string(c, error->text, sizeof(error->text));
	code_string(c, error->command, sizeof(error->command));
	c->bad |= !c->out && !error_is_valid(error);
}

static uint64_t bits_of(double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

unsigned bytes_number_length(double number)
{
	unsigned length = 8;

	if (!isfinite(number))
		return BYTES_UNKNOWN;
	for (uint64_t bits = bits_of(number); length && !(bits & 0xFF); bits >>= 8)
		length--;
	return length;
}

double code_digits(struct coder *c, double number, unsigned length)
{
	const uint64_t given = bits_of(number);
	uint64_t bits = 0;
	double read;

	if (length == BYTES_UNKNOWN)
		return c->out ? number : NAN;
	c->bad |= length > 8;
	for (unsigned i = 0; c->out && !c->bad && i < length; i++)
		code_u8(c, (uint8_t)(given >> (56 - 8 * i)));
	if (c->out)
		return number;
	const uint8_t *digits = consume_bytes(c, length);
	for (unsigned i = 0; digits && i < length; i++)
		bits |= (uint64_t)digits[i] << (56 - 8 * i);
	memcpy(&read, &bits, sizeof(read));
	return isfinite(read) ? read : NAN;
}

double code_number(struct coder *c, double number)
{
	const unsigned length = c->out ? bytes_number_length(number) : 0;

	return code_digits(c, number, code_u8(c, (uint8_t)length));
}
