/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A grid of characters with styles, drawn before it is copied to the terminal, which decides how
 * styles look. What is outside the grid is clipped.
 */
#ifndef CXLMON_SHOW_SCREEN_CANVAS_H
#define CXLMON_SHOW_SCREEN_CANVAS_H

#include <stdbool.h>
#include <wchar.h>

#define SHADES 4

enum style {
	STYLE_PLAIN,
	STYLE_DIM,  /* captions, frames */
	STYLE_BOLD, /* titles */
	STYLE_BAR,  /* header and footer */
	STYLE_CHOSEN,
	STYLE_READ, /* the first of SHADES, by load */
	STYLE_WRITE = STYLE_READ + SHADES,
	STYLE_WARNING = STYLE_WRITE + SHADES,
	STYLE_ERROR,
	STYLE_COUNT,
};

/* The characters that the terminal's font has. */
enum glyphs {
	GLYPHS_ASCII,
	GLYPHS_BLOCKS,
	GLYPHS_BRAILLE, /* and blocks */
};

struct cell {
	wchar_t character;
	enum style style;
};

struct canvas {
	int rows, columns;
	enum glyphs glyphs;
	struct cell *cells;
};

/* Rows and columns are numbered from 0, from the top left. */
struct area {
	int row, column, rows, columns;
};

/* A blank canvas. 0 or -ENOMEM, then without cells. Freed by canvas_free(). */
int canvas_init(struct canvas *canvas, int rows, int columns, enum glyphs glyphs);
void canvas_free(struct canvas *canvas);

void canvas_put(struct canvas *canvas, int row, int column, enum style style, wchar_t character);
/* Outside there are blanks. */
struct cell canvas_at(const struct canvas *canvas, int row, int column);
/* Draws ASCII text, at most so many columns. Returns the column after it. */
int canvas_text(struct canvas *canvas, int row, int column, int columns, enum style style,
		const char *text);
/* The same before a column. Returns the first column that it takes. */
int canvas_text_right(struct canvas *canvas, int row, int end, enum style style, const char *text);
/* Fills an area with blanks. */
void canvas_blank(struct canvas *canvas, const struct area *area, enum style style);
/* Draws a frame along the inner edge of an area. */
void canvas_frame(struct canvas *canvas, const struct area *area, enum style style);

#endif
