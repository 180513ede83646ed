/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages of text over the whole screen. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "show/screen/screen_draw.h"

struct screen_page screen_page_begin(struct canvas *canvas, unsigned shown)
{
	return (struct screen_page){.canvas = canvas, .number = 1, .shown = shown, .row = 1};
}

void screen_page_add(struct screen_page *page, const char *key, int columns, const char *text)
{
	struct canvas *c = page->canvas;
	const int width = c->columns - columns - 4, lines = *text ? text_lines(text, width) : 1;

	if (page->row + lines > c->rows - 1 && page->row > 1) {
		page->number++;
		page->row = 1;
	}
	if (page->number == page->shown) {
		canvas_text(c, page->row, 2, columns - 1, STYLE_BOLD, key);
		for (int row = page->row; *text; row++, text += strspn(text, " ")) {
			const int length = text_fit(text, " ", width);

			canvas_text(c, row, 2 + columns, length < width ? length : width,
				    STYLE_PLAIN, text);
			text += length;
		}
	}
	page->row += lines;
}

void screen_page_frame(struct canvas *c, const char *title, const char *key, bool last)
{
	const struct area all = {0, 0, c->rows, c->columns};
	char text[48];

	snprintf(text, sizeof(text), " %.8s: next page; any other key: back ", key);
	canvas_frame(c, &all, STYLE_BOLD);
	canvas_text(c, 0, 2, c->columns - 4, STYLE_BOLD, title);
	canvas_text(c, c->rows - 1, 2, c->columns - 4, STYLE_BOLD, last ? " any key: back " : text);
}
