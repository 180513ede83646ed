/* SPDX-License-Identifier: BSD-3-Clause */
/* A canvas on the terminal, and its keys, by ncurses. */
#ifndef CXLMON_SHOW_SCREEN_CURSES_H
#define CXLMON_SHOW_SCREEN_CURSES_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "show/screen/canvas.h"
#include "show/screen/curses_library.h"

#define CURSES_NO_KEY (-1)

/* All zero: not open. */
struct curses {
	struct curses_library library;
	SCREEN *screen;
	FILE *output; /* of ncurses, in memory: it never blocks */
	attr_t attributes[STYLE_COUNT];
};

/* Whether TERM is a terminal whose cursor can be moved. Where it is not, the log says so. */
bool curses_supported(const struct log *log);

/* 0 or a negative errno; curses_close() is called in any case. */
int curses_open(struct curses *curses);
void curses_close(struct curses *curses);

/* Glyphs that the terminal's font has. */
enum glyphs curses_glyphs(void);

/* Everything is drawn anew. */
void curses_resize(struct curses *curses, int rows, int columns);

/* What changes is written to out. */
void curses_show(struct curses *curses, const struct canvas *canvas, FILE *out);

/* The next key, a character or an enum screen_key; CURSES_NO_KEY: there is none. Does not block. */
int curses_key(const struct curses *curses);

/* Back to the normal screen, until the next curses_show(); of rows, the last one is left. */
void curses_leave(struct curses *curses, int rows, FILE *out);

#endif
