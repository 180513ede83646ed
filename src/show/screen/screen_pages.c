/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages of text over the whole screen: help, and the findings of cxlmon explain. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "show/screen/screen_draw.h"
#include "show/screen/top_draw.h"

#define KEY_COLUMNS    12
#define WORD_COLUMNS   26
#define NUMBER_COLUMNS 4 /* width of "10." */

/* A page that is being filled, and the number of the page to draw (0: none). */
struct page {
	struct canvas *canvas;
	unsigned number, shown;
	int row;
};

/* Begins at the first row below the frame. */
static struct page page_begin(struct canvas *canvas, unsigned shown)
{
	return (struct page){.canvas = canvas, .number = 1, .shown = shown, .row = 1};
}

/* Adds text, wrapped after the columns of its key; begins a new page if it has no room. */
static void page_add(struct page *page, const char *key, int columns, const char *text)
{
	struct canvas *c = page->canvas;
	const int width = c->columns - columns - 4, lines = *text ? text_lines(text, width) : 1;

	if (page->row + lines > c->rows - 1 && page->row > 1) {
		page->number++;
		page->row = 1;
	}
	if (page->number == page->shown) {
		canvas_text(c, page->row, 2, columns - 1, STYLE_BOLD, key);
		canvas_lines(c, &(struct area){page->row, 2 + columns, lines, width}, STYLE_PLAIN,
			     text);
	}
	page->row += lines;
}

/* Draws the frame, with the key for the next page at its bottom. */
static void page_frame(struct canvas *c, const char *title, const char *key, bool last)
{
	const struct area all = {0, 0, c->rows, c->columns};
	char text[48];

	snprintf(text, sizeof(text), " %.8s: next page; any other key: back ", key);
	canvas_frame(c, &all, STYLE_BOLD);
	canvas_text(c, 0, 2, c->columns - 4, STYLE_BOLD, title);
	canvas_text(c, c->rows - 1, 2, c->columns - 4, STYLE_BOLD, last ? " any key: back " : text);
}

/* Signs on the screen that no metric's description explains. */
static const char *const signs[][2] = {
	{"-", "unknown"},
	{"~", "an estimate: multiplexed, few reads, many reads of DRAM, or a delayed reading"},
	{"29%", "of the link's raw rate in one direction; with 68-byte flits at most 86.9% for "
		"reads, 75.3% for writes, 62.7% for writes with as many reads"},
	{"idle", "no traffic in the last ten steps of the graphs"},
};

/* Adds the metrics that some row has. */
static void add_metrics(struct page *page, const struct panels *panels)
{
	for (size_t m = 0; m < panels->table->column_count; m++)
		for (size_t i = 0; i < panels->count; i++)
			if (panel_knows(&panels->all[i], m)) {
				page_add(page, screen_label(panels->table->columns[m].metric),
					 WORD_COLUMNS,
					 panels->table->columns[m].metric->help
						 ? panels->table->columns[m].metric->help
						 : "");
				break;
			}
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		page_add(page, signs[i][0], WORD_COLUMNS, signs[i][1]);
}

static void add_columns(struct page *page)
{
	for (size_t i = 0; i < TOP_COLUMNS; i++)
		if (*top_column_kinds[i].heading)
			page_add(page, top_column_kinds[i].heading, KEY_COLUMNS,
				 top_column_kinds[i].help);
	page_add(page, signs[0][0], KEY_COLUMNS, signs[0][1]);
	page_add(page, "~", KEY_COLUMNS, "an estimate from sampled loads");
	page_add(page, ">", KEY_COLUMNS,
		 "before memory: at least, for there was no time to count all");
	page_add(page, "+", KEY_COLUMNS, "after a name: it is longer");
}

static void add_panels(struct page *page)
{
	for (size_t i = 0; i < PROCESS_PANELS; i++)
		page_add(page, process_panels[i].name, KEY_COLUMNS, process_panels[i].help);
	page_add(page, signs[0][0], KEY_COLUMNS, signs[0][1]);
}

/* Fills the help on the shown tab. Returns the number of the last page. */
static unsigned fill_help(struct canvas *c, const struct scene *scene, unsigned shown)
{
	const enum screen_tab tab = screen_shown_tab(scene->state);
	struct page page = page_begin(c, shown);

	for (const struct screen_key_help *k = screen_key_table; k->key; k++)
		if (screen_key_is_of(k, tab))
			page_add(&page, k->key, KEY_COLUMNS, k->help);
	page.row = c->rows; /* the words begin on a new page */
	if (tab == TAB_PROCESSES)
		add_columns(&page);
	else if (tab == TAB_PROCESS)
		add_panels(&page);
	else
		add_metrics(&page, scene->panels);
	return page.number;
}

static void draw_help(struct canvas *c, const struct scene *scene)
{
	const unsigned page = scene->state->help;

	canvas_blank(c, &(struct area){0, 0, c->rows, c->columns}, STYLE_PLAIN);
	fill_help(c, scene, page);
	page_frame(c, page == 1 ? " keys " : " words ", "?", page >= scene->help_pages);
}

/* Adds findings that say the same as one, with its number. Returns how many these are. */
static size_t add_finding(struct page *page, const struct scene *scene, size_t index,
			  unsigned number)
{
	const struct finding *first = &scene->findings->all[index];
	char sentence[FINDINGS_TEXT_SIZE], text[EVIDENCE_TEXT_SIZE], key[NUMBER_COLUMNS * 2];
	const size_t count = explain_sentence(scene->findings, index, sentence);
	const char *advice = explain_advice(scene->findings, index + count - 1);

	snprintf(key, sizeof(key), "%u.", number % 100);
	page_add(page, key, NUMBER_COLUMNS, sentence);
	for (size_t i = 0; i < count; i++)
		if (*explain_evidence_text(scene->explain, first, count, i, text))
			page_add(page, "", NUMBER_COLUMNS, text);
	snprintf(text, sizeof(text), "What to do: %s", advice ? advice : "");
	if (advice)
		page_add(page, "", NUMBER_COLUMNS, text);
	return count;
}

/* Fills the pages of findings. Returns the number of the last page. */
static unsigned fill_explained(struct canvas *c, const struct scene *scene, unsigned shown)
{
	const struct findings *findings = scene->findings;
	struct page page = page_begin(c, shown);
	char text[FINDING_TEXT_SIZE], command[EXPLAIN_COMMAND_SIZE];
	char checks[NOT_CHECKED_TEXT_SIZE], line[sizeof(checks) + 16];
	unsigned number = 1;

	for (size_t i = 0; i < findings->count; number++)
		i += add_finding(&page, scene, i, number);
	snprintf(text, sizeof(text), FINDINGS_LEFT_OUT, findings->left_out);
	if (findings->left_out)
		page_add(&page, "", NUMBER_COLUMNS, text);
	for (size_t i = 0; i < findings->not_checked_count; i++) {
		if (!explain_not_checked_text(findings, i, checks))
			continue;
		snprintf(line, sizeof(line), "Not checked: %s", checks);
		page_add(&page, "-", NUMBER_COLUMNS, line);
	}
	if (findings->not_checked_count &&
	    *explain_command_text(scene->explain, findings, command)) {
		snprintf(text, sizeof(text), "After this run, missing values can be recorded: %s",
			 command);
		page_add(&page, "", NUMBER_COLUMNS, text);
	}
	return page.number;
}

/* Draws a page of findings, whose number may fall while the last page is shown. */
static void draw_explained(struct canvas *c, const struct scene *scene)
{
	const unsigned pages = scene->explained_pages;
	const unsigned page = scene->state->explained < pages ? scene->state->explained : pages;
	char title[64];

	snprintf(title, sizeof(title), " what limits CXL, by %" PRIu64 " sample%s ",
		 scene->explain->samples, scene->explain->samples == 1 ? "" : "s");
	canvas_blank(c, &(struct area){0, 0, c->rows, c->columns}, STYLE_PLAIN);
	fill_explained(c, scene, page);
	page_frame(c, title, "e", page == pages);
}

void screen_draw_pages(struct canvas *c, struct scene *scene)
{
	/* filling page 0 draws nothing, and returns the number of pages */
	scene->help_pages = fill_help(c, scene, 0);
	scene->explained_pages = fill_explained(c, scene, 0);
	if (scene->state->help)
		draw_help(c, scene);
	else if (scene->state->explained)
		draw_explained(c, scene);
}
