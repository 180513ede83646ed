/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages: the keys, then the words on the screen. */
#include "show/screen/process_panel.h"
#include "show/screen/screen_draw.h"
#include "show/screen/top_columns.h"

#define KEY_COLUMNS  12
#define WORD_COLUMNS 26

/* What no metric explains. */
static const char *const signs[][2] = {
	{"-", "not known"},
	{"~",
	 "an estimate (multiplexed, of few reads, or beside many of DRAM; or reading was held up)"},
	{"29%", "of the link's raw rate in one direction; of 68-byte flits at most 86.9% of reads, "
		"75.3% of writes, 62.7% of writes with as many reads"},
	{"idle", "no traffic in the last ten steps of the graphs"},
};

/* Metrics that some row has. */
static void add_metrics(struct screen_page *page, const struct panels *panels)
{
	for (size_t m = 0; m < panels->view->column_count; m++)
		for (size_t i = 0; i < panels->count; i++)
			if (panels->all[i].readings[m].seen) {
				screen_page_add(page, screen_label(panels->view->columns[m]),
						WORD_COLUMNS,
						panels->view->columns[m]->help
							? panels->view->columns[m]->help
							: "");
				break;
			}
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		screen_page_add(page, signs[i][0], WORD_COLUMNS, signs[i][1]);
}

static void add_columns(struct screen_page *page)
{
	for (size_t i = 0; i < TOP_COLUMNS; i++)
		if (*top_column_kinds[i].heading)
			screen_page_add(page, top_column_kinds[i].heading, KEY_COLUMNS,
					top_column_kinds[i].help);
	screen_page_add(page, signs[0][0], KEY_COLUMNS, signs[0][1]);
	screen_page_add(page, ">", KEY_COLUMNS,
			"before memory: at least, as there was no time to count all");
	screen_page_add(page, "+", KEY_COLUMNS, "behind a name: it is longer");
}

static void add_panels(struct screen_page *page)
{
	for (size_t i = 0; i < PROCESS_PANELS; i++)
		screen_page_add(page, process_panel_help[i].name, KEY_COLUMNS,
				process_panel_help[i].help);
	screen_page_add(page, signs[0][0], KEY_COLUMNS, signs[0][1]);
}

/* Of the tab that is shown. Returns the last page of help. */
static unsigned fill_pages(struct canvas *c, const struct scene *scene, unsigned shown)
{
	const enum screen_tab tab = screen_shown_tab(scene->state);
	struct screen_page page = screen_page_begin(c, shown);

	for (const struct screen_key_help *k = screen_key_table; k->key; k++)
		if (screen_key_is_of(k, tab))
			screen_page_add(&page, k->key, KEY_COLUMNS, k->help);
	page.row = c->rows; /* words begin a page */
	if (tab == TAB_PROCESSES)
		add_columns(&page);
	else if (tab == TAB_PROCESS)
		add_panels(&page);
	else
		add_metrics(&page, scene->panels);
	return page.number;
}

unsigned screen_help_pages(const struct canvas *c, const struct scene *scene)
{
	struct canvas size = {.rows = c->rows, .columns = c->columns};

	return fill_pages(&size, scene, 0);
}

void screen_draw_help(struct canvas *c, const struct scene *scene)
{
	const unsigned page = scene->state->help;

	canvas_blank(c, &(struct area){0, 0, c->rows, c->columns}, STYLE_PLAIN);
	fill_pages(c, scene, page);
	screen_page_frame(c, page == 1 ? " keys " : " words ", "?", page >= scene->help_pages);
}
