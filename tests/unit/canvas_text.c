/* SPDX-License-Identifier: BSD-3-Clause */
#include "canvas_text.h"

#include <check.h>
#include <string.h>

#define ROW_SIZE 4096

static char *put_utf8(char *at, unsigned character)
{
	if (character < 0x80) {
		*at++ = (char)character;
		return at;
	}
	ck_assert(character >= 0x800 && character < 0x10000);
	*at++ = (char)(0xE0 | character >> 12);
	*at++ = (char)(0x80 | (character >> 6 & 0x3F));
	*at++ = (char)(0x80 | (character & 0x3F));
	return at;
}

const char *canvas_row(const struct canvas *c, int row)
{
	static char text[ROW_SIZE];
	char *at = text, *end = text;

	for (int column = 0; column < c->columns; column++) {
		at = put_utf8(at, (unsigned)canvas_at(c, row, column).character);
		end = at[-1] == ' ' ? end : at;
	}
	*end = '\0';
	return text;
}

void canvas_assert(const struct canvas *c, const char *expected)
{
	static char text[64 * ROW_SIZE];

	text[0] = '\0';
	for (int row = 0; row < c->rows; row++) {
		strcat(text, canvas_row(c, row));
		strcat(text, "\n");
	}
	ck_assert_str_eq(text, expected);
}

bool canvas_shows(const struct canvas *c, const char *text)
{
	for (int row = 0; row < c->rows; row++)
		if (strstr(canvas_row(c, row), text))
			return true;
	return false;
}

static bool stands_at(const struct canvas *c, int row, int column, const char *text)
{
	for (; *text; text++, column++)
		if (column >= c->columns || canvas_at(c, row, column).character != *text)
			return false;
	return true;
}

enum style canvas_style_of(const struct canvas *c, const char *text)
{
	for (int row = 0; row < c->rows; row++)
		for (int column = 0; column < c->columns; column++)
			if (stands_at(c, row, column, text))
				return canvas_at(c, row, column).style;
	ck_abort_msg("'%s' is not there", text);
	return STYLE_COUNT;
}
