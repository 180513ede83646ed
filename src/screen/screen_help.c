/* SPDX-License-Identifier: BSD-3-Clause */
/* Two pages: the keys, and the words on the screen. */
#include <string.h>

#include "screen/screen_draw.h"

#define KEY_COLUMNS  12
#define WORD_COLUMNS 26

/* How much of a text has room, in whole words; all of a word that is longer. */
static int words_of(const char *text, int columns)
{
	int length = (int)strlen(text);

	while (length > columns) {
		int before = length - 1;

		while (before > 0 && text[before] != ' ')
			before--;
		if (!before)
			return length;
		length = before;
	}
	return length;
}

/* Returns the row after it. */
static int draw_line(struct canvas *c, int row, const char *key, int columns, const char *text)
{
	const int width = c->columns - columns - 4;

	canvas_text(c, row, 2, columns - 1, STYLE_BOLD, key);
	do {
		const int length = words_of(text, width);

		canvas_text(c, row++, 2 + columns, length < width ? length : width, STYLE_PLAIN,
			    text);
		text += length;
		text += *text == ' ';
	} while (*text);
	return row;
}

static void draw_keys(struct canvas *c)
{
	int row = 1;

	for (const struct screen_key_help *k = screen_key_table; k->key; k++)
		row = draw_line(c, row, k->key, KEY_COLUMNS, k->help);
	canvas_text(c, row + 1, 2, c->columns - 4, STYLE_DIM,
		    "-: unknown; ~: an estimate (multiplexed, or of few reads)");
}

/* Those that some row has. */
static void draw_words(struct canvas *c, const struct panels *panels)
{
	int row = 1;

	for (size_t m = 0; m < panels->columns; m++)
		for (size_t i = 0; i < panels->count; i++)
			if (panels->all[i].readings[m].seen) {
				row = draw_line(
					c, row, screen_label(panels->metrics[m]), WORD_COLUMNS,
					panels->metrics[m]->help ? panels->metrics[m]->help : "");
				break;
			}
}

void screen_draw_help(struct canvas *c, const struct scene *scene)
{
	const struct area all = {0, 0, c->rows, c->columns};
	const bool keys = scene->state->help == HELP_KEYS;

	canvas_blank(c, &all, STYLE_PLAIN);
	if (keys)
		draw_keys(c);
	else
		draw_words(c, scene->panels);
	canvas_frame(c, &all, STYLE_BOLD);
	canvas_text(c, 0, 2, c->columns - 4, STYLE_BOLD, keys ? " keys " : " words ");
	canvas_text(c, c->rows - 1, 2, c->columns - 4, STYLE_BOLD,
		    keys ? " ? words; any other key: back " : " any key: back ");
}
