/* SPDX-License-Identifier: BSD-3-Clause */
/* Mappings and functions of a process, by their reads of CXL memory. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "show/screen/graph.h"
#include "show/screen/top_draw.h"

#define SHARE_WIDTH 6 /* width of "100.0%" */
#define BAR_WIDTH   8
#define MIN_NAME    20

/* Widths of columns, the most important ones first: name, share, CXL reads. 0: no room. */
struct columns {
	int name, share, cxl, bar, dram;
};

static int take_width(int *left, int width)
{
	if (*left - width - 1 < MIN_NAME)
		return 0;
	*left -= width + 1;
	return width;
}

static struct columns choose_columns(int columns)
{
	struct columns out = {.share = take_width(&columns, SHARE_WIDTH)};

	out.cxl = take_width(&columns, BANDWIDTH_WIDTH);
	out.dram = take_width(&columns, BANDWIDTH_WIDTH);
	out.bar = take_width(&columns, BAR_WIDTH);
	out.name = columns;
	return out;
}

static int put_field(const struct process_drawing *d, int row, int at, int width, enum style style,
		     const char *text)
{
	if (!width)
		return at;
	at += width + 1;
	canvas_text_right(d->canvas, row, at, style, text);
	return at;
}

static void draw_heading(const struct process_drawing *d, const struct area *area,
			 const struct columns *columns, const char *name)
{
	int at = area->column + columns->name;

	canvas_text(d->canvas, area->row, area->column, columns->name, STYLE_DIM, name);
	at = put_field(d, area->row, at, columns->cxl, STYLE_DIM, "CXL READ");
	at += columns->bar ? columns->bar + 1 : 0;
	at = put_field(d, area->row, at, columns->share, STYLE_DIM, "SHARE");
	put_field(d, area->row, at, columns->dram, STYLE_DIM, "DRAM READ");
}

/* Draws a title; a path that is too long is shortened to the part after its last slash. */
static void draw_title(const struct process_drawing *d, int row, int at, int width,
		       const struct top_page_row *it)
{
	const char *name = *it->name ? it->name : "?";
	const int end = at + width;

	if ((int)strlen(name) > width)
		name = text_last_name(name);
	at = canvas_text(d->canvas, row, at, width, STYLE_PLAIN, name) + 2;
	if (*it->within)
		canvas_text(d->canvas, row, at, end - at, STYLE_DIM, text_last_name(it->within));
}

static void draw_row(const struct process_drawing *d, int row, int at,
		     const struct columns *columns, const struct top_page_row *it)
{
	char share[16] = "-";

	draw_title(d, row, at, columns->name, it);
	at = put_field(d, row, at + columns->name, columns->cxl, STYLE_BOLD,
		       scale_sampled(it->reads.cxl.MBps, d->scene->state->binary).text);
	if (columns->bar) {
		graph_bar(d->canvas, row, at + 1, columns->bar, it->reads.share_pct, 100,
			  STYLE_READ + SHADES - 1);
		at += columns->bar + 1;
	}
	if (!isnan(it->reads.share_pct))
		snprintf(share, sizeof(share), "%.1f%%", it->reads.share_pct);
	at = put_field(d, row, at, columns->share, STYLE_PLAIN, share);
	put_field(d, row, at, columns->dram, STYLE_PLAIN,
		  scale_sampled(it->reads.dram.MBps, d->scene->state->binary).text);
}

static void draw_rows(const struct process_drawing *d, const struct area *area, const char *name,
		      const struct top_page_rows *rows)
{
	const struct columns columns = choose_columns(area->columns);
	char text[96];

	if (!rows->count) {
		canvas_lines(d->canvas, area, STYLE_DIM,
			     "no loads of it were sampled since the page was opened");
		return;
	}
	draw_heading(d, area, &columns, name);
	const int room = area->rows - 1, count = (int)(rows->count + rows->left_out);
	const int shown = (int)rows->count < room ? (int)rows->count : room;
	const bool more = shown < count && shown > 1;

	for (int i = 0; i < shown - more; i++)
		draw_row(d, area->row + 1 + i, area->column, &columns, &rows->at[i]);
	snprintf(text, sizeof(text), "and %d more", count - shown + 1);
	if (more)
		canvas_text(d->canvas, area->row + shown, area->column, area->columns, STYLE_DIM,
			    text);
}

void process_draw_mappings(const struct process_drawing *d, const struct area *area)
{
	draw_rows(d, area, "MAPPING", &d->view->page.mappings);
}

void process_draw_functions(const struct process_drawing *d, const struct area *area)
{
	const struct error *why_not = &d->view->page.no_functions;
	struct area rest = *area;
	char text[sizeof(struct error) + 64];

	if (why_not->code) {
		screen_reason_text(text, sizeof(text), "names are unknown: ", why_not);
		const int lines = canvas_lines(d->canvas, area, STYLE_WARNING, text);

		rest.row += lines;
		rest.rows -= lines;
	}
	if (rest.rows > 1)
		draw_rows(d, &rest, "FUNCTION", &d->view->page.functions);
}
