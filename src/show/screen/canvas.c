/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/canvas.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

int canvas_init(struct canvas *c, int rows, int columns, enum glyphs glyphs)
{
	*c = (struct canvas){.rows = rows, .columns = columns, .glyphs = glyphs};
	c->cells = calloc((size_t)rows * (size_t)columns + 1, sizeof(*c->cells));
	if (!c->cells) {
		c->rows = c->columns = 0;
		return -ENOMEM;
	}
	canvas_blank(c, &(struct area){0, 0, rows, columns}, STYLE_PLAIN);
	return 0;
}

void canvas_free(struct canvas *c)
{
	free(c->cells);
	*c = (struct canvas){0};
}

static bool is_inside(const struct canvas *c, int row, int column)
{
	return row >= 0 && row < c->rows && column >= 0 && column < c->columns;
}

void canvas_put(struct canvas *c, int row, int column, enum style style, wchar_t character)
{
	if (is_inside(c, row, column))
		c->cells[row * c->columns + column] =
			(struct cell){.character = character, .style = style};
}

struct cell canvas_at(const struct canvas *c, int row, int column)
{
	return is_inside(c, row, column) ? c->cells[row * c->columns + column]
					 : (struct cell){.character = L' '};
}

int canvas_text(struct canvas *c, int row, int column, int columns, enum style style,
		const char *text)
{
	for (; *text && columns > 0; columns--, text++)
		canvas_put(c, row, column++, style,
			   *text >= ' ' && *text <= '~' ? (wchar_t)*text : L'?');
	return column;
}

int canvas_lines(struct canvas *c, const struct area *area, enum style style, const char *text)
{
	int lines = 0;

	for (; *text && lines < area->rows && area->columns > 0; lines++) {
		const int fit = text_fit(text, " ", area->columns);
		const int length = fit < area->columns ? fit : area->columns;

		canvas_text(c, area->row + lines, area->column, length, style, text);
		text += fit;
		text += strspn(text, " ");
	}
	return lines;
}

int canvas_text_right(struct canvas *c, int row, int end, enum style style, const char *text)
{
	const int length = (int)strlen(text);

	canvas_text(c, row, end - length, length, style, text);
	return end - length;
}

void canvas_blank(struct canvas *c, const struct area *area, enum style style)
{
	for (int row = 0; row < area->rows; row++)
		for (int column = 0; column < area->columns; column++)
			canvas_put(c, area->row + row, area->column + column, style, L' ');
}

/* Source: the Unicode chart "Box Drawing" (U+2500) */
void canvas_frame(struct canvas *c, const struct area *area, enum style style)
{
	const wchar_t *set = c->glyphs ? L"\u2500\u2502\u250C\u2510\u2514\u2518" : L"-|++++";
	const int last_row = area->row + area->rows - 1;
	const int last_column = area->column + area->columns - 1;

	for (int column = area->column; column <= last_column; column++) {
		canvas_put(c, area->row, column, style, set[0]);
		canvas_put(c, last_row, column, style, set[0]);
	}
	for (int row = area->row; row <= last_row; row++) {
		canvas_put(c, row, area->column, style, set[1]);
		canvas_put(c, row, last_column, style, set[1]);
	}
	canvas_put(c, area->row, area->column, style, set[2]);
	canvas_put(c, area->row, last_column, style, set[3]);
	canvas_put(c, last_row, area->column, style, set[4]);
	canvas_put(c, last_row, last_column, style, set[5]);
}

void sentence_add(struct sentence *sentence, const char *format, ...)
{
	const size_t used = strlen(sentence->text);
	va_list values;

	va_start(values, format);
	const int length = vsnprintf(sentence->text + used, SENTENCE_SIZE - used, format, values);
	va_end(values);
	if (length < 0 || (int)used + length > sentence->columns ||
	    used + (size_t)length >= SENTENCE_SIZE)
		sentence->text[used] = '\0';
}

bool key_types(int key, char *text, size_t size)
{
	const size_t length = strlen(text);

	switch (key) {
	case '\r':
	case '\n':
	case SCREEN_KEY_ESCAPE:
		return false;
	case '\b':
	case SCREEN_KEY_BACKSPACE:
	case SCREEN_KEY_DELETE:
		text[length ? length - 1 : 0] = '\0';
		return true;
	}
	if (key > ' ' && key < SCREEN_KEY_DELETE && length + 1 < size) {
		text[length] = (char)key;
		text[length + 1] = '\0';
	}
	return true;
}

bool key_moves(int key, size_t count, size_t page, size_t *at)
{
	const size_t last = count ? count - 1 : 0;
	size_t up = 0, down = 0;

	switch (key) {
	case SCREEN_KEY_UP:
		up = 1;
		break;
	case SCREEN_KEY_DOWN:
		down = 1;
		break;
	case SCREEN_KEY_PAGE_UP:
		up = page;
		break;
	case SCREEN_KEY_PAGE_DOWN:
		down = page;
		break;
	case SCREEN_KEY_HOME:
		up = last;
		break;
	case SCREEN_KEY_END:
		down = last;
		break;
	default:
		return false;
	}
	*at -= up < *at ? up : *at;
	*at = down < last - *at ? *at + down : last;
	return true;
}
