/* SPDX-License-Identifier: BSD-3-Clause */
/* Contents of a canvas as UTF-8. */
#ifndef CXLMON_TEST_CANVAS_TEXT_H
#define CXLMON_TEST_CANVAS_TEXT_H

#include "show/screen/canvas.h"

/* Returns a row without blanks at its end; valid until the next call. */
const char *canvas_row(const struct canvas *canvas, int row);

/* Asserts the text of all rows, each with a newline at its end. */
void canvas_assert(const struct canvas *canvas, const char *expected);

/* Tells if some row has this text. */
bool canvas_shows(const struct canvas *canvas, const char *text);

/* Returns the style of the first cell of this text, which must be on the canvas and be ASCII. */
enum style canvas_style_of(const struct canvas *canvas, const char *text);

#endif
