/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages: the keys, then the words on the screen. */
#include <string.h>

#include "base/text.h"
#include "show/screen/screen_draw.h"

#define KEY_COLUMNS  12
#define WORD_COLUMNS 26

/* What no metric explains. */
static const char *const signs[][2] = {
	{"-", "not known"},
	{"~", "an estimate (multiplexed, of few reads, or beside many of DRAM)"},
	{"29%", "of the link's raw rate in one direction; of 68-byte flits at most 86.9% of reads, "
		"75.3% of writes, 62.7% of writes with as many reads"},
	{"idle", "no traffic in the last ten steps of the graphs"},
};

/* A page that is being filled, and whether it is the one that is shown. */
struct page {
	struct canvas *canvas;
	unsigned number, shown;
	int row;
};

/* A line of help, which is wrapped. */
static void add_line(struct page *page, const char *key, int columns, const char *text)
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

/* Metrics that some row has. Returns the last page. */
static unsigned fill_pages(struct canvas *c, const struct panels *panels, unsigned shown)
{
	struct page page = {.canvas = c, .number = 1, .shown = shown, .row = 1};

	for (const struct screen_key_help *k = screen_key_table; k->key; k++)
		add_line(&page, k->key, KEY_COLUMNS, k->help);
	page.row = c->rows; /* words begin a page */
	for (size_t m = 0; m < panels->view->column_count; m++)
		for (size_t i = 0; i < panels->count; i++)
			if (panels->all[i].readings[m].seen) {
				add_line(&page, screen_label(panels->view->columns[m]),
					 WORD_COLUMNS,
					 panels->view->columns[m]->help
						 ? panels->view->columns[m]->help
						 : "");
				break;
			}
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		add_line(&page, signs[i][0], WORD_COLUMNS, signs[i][1]);
	return page.number;
}

unsigned screen_help_pages(const struct canvas *c, const struct scene *scene)
{
	struct canvas size = {.rows = c->rows, .columns = c->columns};

	return fill_pages(&size, scene->panels, 0);
}

void screen_draw_help(struct canvas *c, const struct scene *scene)
{
	const struct area all = {0, 0, c->rows, c->columns};
	const unsigned page = scene->state->help;

	canvas_blank(c, &all, STYLE_PLAIN);
	fill_pages(c, scene->panels, page);
	canvas_frame(c, &all, STYLE_BOLD);
	canvas_text(c, 0, 2, c->columns - 4, STYLE_BOLD, page == 1 ? " keys " : " words ");
	canvas_text(c, c->rows - 1, 2, c->columns - 4, STYLE_BOLD,
		    page < scene->help_pages ? " ?: next page; any other key: back "
					     : " any key: back ");
}
