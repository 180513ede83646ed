/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/printable.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* What the first byte of a character says. Source: RFC 3629. */
static const struct form {
	unsigned char mask, lead; /* the byte & mask is lead */
	size_t bytes;
	uint32_t least; /* what fewer bytes could not hold */
} forms[] = {
	{0x80, 0x00, 1, 0},
	{0xE0, 0xC0, 2, 0x80},
	{0xF0, 0xE0, 3, 0x800},
	{0xF8, 0xF0, 4, 0x10000},
};

/* Control and format characters of Unicode, in ranges. */
static const struct {
	uint32_t first, last;
} hidden[] = {
	{0x0000, 0x001F}, {0x007F, 0x009F}, {0x00AD, 0x00AD},	{0x061C, 0x061C},
	{0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},	{0xD800, 0xDFFF},
	{0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE0FFF},
};

/* The bytes of the character there, and its number; 0: there is none. */
static size_t decode(const char *text, uint32_t *number)
{
	const unsigned char *at = (const unsigned char *)text;

	for (size_t f = 0; f < sizeof(forms) / sizeof(forms[0]); f++) {
		const struct form *form = &forms[f];

		if ((at[0] & form->mask) != form->lead)
			continue;
		*number = at[0] & (unsigned char)~form->mask;
		for (size_t i = 1; i < form->bytes; i++) {
			if ((at[i] & 0xC0) != 0x80)
				return 0;
			*number = *number << 6 | (at[i] & 0x3F);
		}
		return *number >= form->least && *number <= 0x10FFFF ? form->bytes : 0;
	}
	return 0;
}

static bool is_hidden(uint32_t number)
{
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		if (number >= hidden[i].first && number <= hidden[i].last)
			return true;
	return false;
}

const char *printable(const char *text, char *out, size_t size)
{
	size_t used = 0;

	while (*text) {
		uint32_t number;
		const size_t bytes = decode(text, &number);
		const bool shown = bytes && !is_hidden(number);
		const size_t wanted = shown ? bytes : 1;

		if (used + wanted >= size)
			break;
		memcpy(out + used, shown ? text : "?", wanted);
		used += wanted;
		text += bytes ? bytes : 1;
	}
	out[used] = '\0';
	return out;
}
