/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages: what limits CXL, as cxlmon explain says it. */
#include <inttypes.h>
#include <stdio.h>

#include "show/screen/screen_draw.h"

#define NUMBER_COLUMNS 4 /* of "10." */

static void add_finding(struct screen_page *page, const struct explain *explain,
			const struct finding *finding, size_t number)
{
	char text[EVIDENCE_TEXT_SIZE], key[NUMBER_COLUMNS * 2];
	char advice[FINDING_TEXT_SIZE];

	snprintf(key, sizeof(key), "%u.", (unsigned)number % 100);
	screen_page_add(page, key, NUMBER_COLUMNS, finding->sentence);
	if (finding->evidence_count)
		screen_page_add(page, "", NUMBER_COLUMNS,
				explain_evidence_text(explain, finding, text));
	snprintf(advice, sizeof(advice), "What to do: %s", finding->advice ? finding->advice : "");
	if (finding->advice)
		screen_page_add(page, "", NUMBER_COLUMNS, advice);
}

/* Returns the last page. */
static unsigned fill_pages(struct canvas *c, const struct scene *scene, unsigned shown)
{
	const struct findings *findings = scene->findings;
	struct screen_page page = screen_page_begin(c, shown);
	char text[FINDING_TEXT_SIZE];

	for (size_t i = 0; i < findings->count; i++)
		add_finding(&page, scene->explain, &findings->all[i], i + 1);
	snprintf(text, sizeof(text),
		 "%zu more: choose devices by --device, or sockets by --socket.",
		 findings->left_out);
	if (findings->left_out)
		screen_page_add(&page, "", NUMBER_COLUMNS, text);
	for (size_t i = 0; i < findings->not_checked_count; i++) {
		const struct not_checked *it = &findings->not_checked[i];

		snprintf(text, sizeof(text), "Not checked: %s (%s)", it->what, it->reason);
		screen_page_add(&page, "-", NUMBER_COLUMNS, text);
	}
	return page.number;
}

unsigned screen_explained_pages(const struct canvas *c, const struct scene *scene)
{
	struct canvas size = {.rows = c->rows, .columns = c->columns};

	return fill_pages(&size, scene, 0);
}

/* Findings may become fewer while the last page is shown. */
void screen_draw_explained(struct canvas *c, const struct scene *scene)
{
	const unsigned pages = scene->explained_pages;
	const unsigned page = scene->state->explained < pages ? scene->state->explained : pages;
	char title[64];

	snprintf(title, sizeof(title), " what limits CXL, by %" PRIu64 " sample%s ",
		 scene->explain->samples, scene->explain->samples == 1 ? "" : "s");
	canvas_blank(c, &(struct area){0, 0, c->rows, c->columns}, STYLE_PLAIN);
	fill_pages(c, scene, page);
	screen_page_frame(c, title, "e", page == pages);
}
