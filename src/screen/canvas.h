/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A grid of characters that is drawn on before it is put on a terminal. Whatever lies outside is
 * cut off. It knows what its characters mean (styles), the terminal how they look.
 */
#ifndef CXLMON_CANVAS_H
#define CXLMON_CANVAS_H

#include <stdbool.h>
#include <wchar.h>

enum style {
	STYLE_PLAIN,
	STYLE_DIM,   /* captions, frames */
	STYLE_BOLD,  /* titles */
	STYLE_STRIP, /* first and last line */
	STYLE_READ,
	STYLE_WRITE,
	STYLE_DRAM,
	STYLE_ERROR,
	STYLE_COUNT,
};

struct cell {
	wchar_t character;
	enum style style;
};

struct canvas {
	int rows, columns;
	bool unicode; /* else nothing but ASCII is put on it */
	struct cell *cells;
};

/* Rows and columns from 0, counted from the canvas' own. */
struct area {
	int row, column, rows, columns;
};

/* All blank. 0 or -ENOMEM, and then it has no cells. Freed by canvas_free(). */
int canvas_init(struct canvas *canvas, int rows, int columns, bool unicode);
void canvas_free(struct canvas *canvas);

void canvas_put(struct canvas *canvas, int row, int column, enum style style, wchar_t character);
/* The cell, which must lie inside. */
const struct cell *canvas_at(const struct canvas *canvas, int row, int column);
/* ASCII, of which no more than so many columns are shown. Returns the column behind it. */
int canvas_text(struct canvas *canvas, int row, int column, int columns, enum style style,
		const char *text);
/* Blanks of a style. */
void canvas_blank(struct canvas *canvas, const struct area *area, enum style style);
/* A frame just inside of the area. */
void canvas_frame(struct canvas *canvas, const struct area *area, enum style style);

#endif
