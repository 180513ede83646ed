/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A canvas: a grid of characters with styles, which is drawn in memory and then shown on the
 * terminal. Parts of a drawing outside the canvas are left out. Also names of a terminal's keys.
 */
#ifndef CXLMON_SHOW_SCREEN_CANVAS_H
#define CXLMON_SHOW_SCREEN_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

#define SHADES 4 /* shades of a colour */

/* Styles of characters; the terminal decides on colours. */
enum style {
	STYLE_PLAIN,
	STYLE_DIM,    /* captions, frames */
	STYLE_BOLD,   /* titles */
	STYLE_BAR,    /* first and last line */
	STYLE_CHOSEN, /* chosen line or panel */
	STYLE_READ,   /* first of SHADES styles, from low to high load; STYLE_WRITE too */
	STYLE_WRITE = STYLE_READ + SHADES,
	STYLE_WARNING = STYLE_WRITE + SHADES,
	STYLE_ERROR,
	STYLE_COUNT,
};

/* Characters that the terminal can show. */
enum glyphs {
	GLYPHS_ASCII,
	GLYPHS_BLOCKS,	/* also frames and blocks */
	GLYPHS_BRAILLE, /* also braille characters */
};

/* A character and its style. */
struct cell {
	wchar_t character;
	enum style style;
};

struct canvas {
	int rows, columns;
	enum glyphs glyphs;
	struct cell *cells; /* rows * columns cells, row by row; owned */
};

/* A rectangle of a canvas. Rows and columns are numbered from 0, from the top left. */
struct area {
	int row, column, rows, columns;
};

/*
 * Makes a blank canvas, freed by canvas_free(). Returns 0 or -ENOMEM. After -ENOMEM, the canvas has
 * no cells, and drawing on it does nothing.
 */
int canvas_init(struct canvas *canvas, int rows, int columns, enum glyphs glyphs);
void canvas_free(struct canvas *canvas);

/* Sets a cell. */
void canvas_put(struct canvas *canvas, int row, int column, enum style style, wchar_t character);
/* Returns a cell; outside the canvas, a blank. */
struct cell canvas_at(const struct canvas *canvas, int row, int column);
/*
 * Draws at most `columns` characters of text from a column on. Bytes that are not printable ASCII
 * become "?". Returns the column after the last character.
 */
int canvas_text(struct canvas *canvas, int row, int column, int columns, enum style style,
		const char *text);
/*
 * Draws text in an area, wrapped between words. Text that does not fit is cut off. Returns the
 * number of lines used.
 */
int canvas_lines(struct canvas *canvas, const struct area *area, enum style style,
		 const char *text);
/* Draws text whose last character is before column `end`. Returns the column of its first one. */
int canvas_text_right(struct canvas *canvas, int row, int end, enum style style, const char *text);
/* Fills an area with blanks. */
void canvas_blank(struct canvas *canvas, const struct area *area, enum style style);
/* Draws a frame along the inner edge of an area. */
void canvas_frame(struct canvas *canvas, const struct area *area, enum style style);

#define SENTENCE_SIZE 512

/*
 * A line of text to which parts are added, the important ones first, as far as they fit. Initially
 * only .columns is set.
 */
struct sentence {
	char text[SENTENCE_SIZE];
	int columns; /* most characters of .text */
};

/* Appends a part. Leaves it out if it does not fit as a whole. */
__attribute__((format(printf, 2, 3))) void sentence_add(struct sentence *sentence,
							const char *format, ...);

/* Keys of a terminal. Keys without a character have numbers above U+10FFFF, the last character. */
enum screen_key {
	SCREEN_KEY_ESCAPE = 27,
	SCREEN_KEY_DELETE = 127,
	SCREEN_KEY_UP = 0x200000,
	SCREEN_KEY_DOWN,
	SCREEN_KEY_LEFT,
	SCREEN_KEY_RIGHT,
	SCREEN_KEY_PAGE_UP,
	SCREEN_KEY_PAGE_DOWN,
	SCREEN_KEY_HOME,
	SCREEN_KEY_END,
	SCREEN_KEY_BACKSPACE,
	SCREEN_KEY_HELP, /* F1 */
	SCREEN_KEY_F2,
	SCREEN_KEY_F10 = SCREEN_KEY_F2 + 8,
};

/*
 * Handles a key while a text is typed: appends its character, or erases the last one. size: bytes
 * of text. Returns false for Enter and Esc, which end typing.
 */
bool key_types(int key, char *text, size_t size);

/*
 * Moves the index *at in a list of count items, as far as the list reaches, for the keys Up, Down,
 * Home, End and, by `page` items, PgUp and PgDn. Returns false for other keys.
 */
bool key_moves(int key, size_t count, size_t page, size_t *at);

#endif
