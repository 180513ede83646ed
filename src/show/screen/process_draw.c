/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/top_draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "base/text.h"
#include "show/screen/canvas.h"

#define NOTE_LINES 4
#define FRAME_ROWS 2
#define PANEL_ROWS 6 /* least rows of a panel, with its frame */
/* least columns of a panel; a canvas with room for several shows them side by side */
#define PANEL_WIDTH 60
#define LINE_PANELS 3 /* most panels in a line */

/* Identity of the process. */

/* Adds the start, such as "2026-11-28 14:03:27", and how long ago that was. */
static void add_since(struct sentence *s, const struct process_drawing *d)
{
	const uint64_t since_ns = d->view->page.since_ns, now_ns = d->summary->wall_ns;
	const time_t seconds = (time_t)(since_ns / NS_PER_S);
	char text[32];
	struct tm tm;

	if (!d->view->with_page || !since_ns || !localtime_r(&seconds, &tm))
		return;
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
	sentence_add(s, "  since %s", text);
	if (now_ns > since_ns)
		sentence_add(s, " (%s)", scale_duration((double)(now_ns - since_ns) / 1e9).text);
}

static void draw_name(const struct process_drawing *d, int row)
{
	const struct process_row *process = &d->view->row;
	const int columns = d->canvas->columns - 2;
	struct sentence s = {.columns = columns};
	const int at = canvas_text(d->canvas, row, 1, columns, STYLE_BOLD,
				   *process->is.name ? process->is.name : "?");

	s.columns -= at - 1;
	sentence_add(&s, "  PID %u", process->is.pid);
	if (*process->is.user)
		sentence_add(&s, "  user %s", process->is.user);
	add_since(&s, d);
	canvas_text(d->canvas, row, at, s.columns, STYLE_PLAIN, s.text);
}

static void draw_cgroup(const struct process_drawing *d, int row)
{
	char text[PROCESS_CGROUP_SIZE + 16];

	snprintf(text, sizeof(text), "cgroup %s", d->view->row.is.cgroup);
	canvas_text(d->canvas, row, 1, d->canvas->columns - 2, STYLE_PLAIN, text);
}

static void draw_reads(const struct process_drawing *d, int row)
{
	const struct process_row *process = &d->view->row;
	struct sentence s = {.columns = d->canvas->columns - 2};

	sentence_add(&s, "CXL reads %s",
		     scale_sampled(process->reads.cxl.MBps, d->scene->state->binary).text);
	if (!isnan(process->reads.share_pct))
		sentence_add(&s, ", %.1f%% of all that are sampled", process->reads.share_pct);
	sentence_add(&s, "; DRAM reads %s",
		     scale_sampled(process->reads.dram.MBps, d->scene->state->binary).text);
	canvas_text(d->canvas, row, 1, s.columns, STYLE_PLAIN, s.text);
}

static void draw_sums(const struct process_drawing *d, int row)
{
	const struct process_row *process = &d->view->row;
	const char *least = process->memory.partial ? "at least " : "";
	struct sentence s = {.columns = d->canvas->columns - 2};

	if (isnan(process->memory.cxl)) {
		sentence_add(&s, "Memory by node unknown");
	} else {
		sentence_add(&s, "Memory %s%s on CXL", least,
			     scale_memory(to_MiB(process->memory.cxl)).text);
		sentence_add(&s, ", %s%s on DRAM", least,
			     scale_memory(to_MiB(process->memory.dram)).text);
	}
	if (!isnan(process->age_s))
		sentence_add(&s, ", counted %s ago", scale_duration(process->age_s).text);
	canvas_text(d->canvas, row, 1, s.columns, STYLE_PLAIN, s.text);
}

/* Describes missing data and the remedy. Empty: nothing is missing. */
static void note_of(const struct process_drawing *d, char *text, size_t size)
{
	const struct top_summary *summary = d->summary;

	text[0] = '\0';
	if (d->view->ended)
		text_append(text, size, "! it has ended: these are its last values");
	else if (summary->why_not.code)
		screen_reason_text(text, size, "! memory alone: ", &summary->why_not);
	else if (isnan(d->view->row.memory.cxl) && summary->refused)
		text_append(text, size, "! its memory is unknown: only root may read it: %s top",
			    ERROR_COMMAND_AS_ROOT);
}

/* Panels. */

static void name_panel(const struct process_drawing *d, enum process_panel panel, char *text,
		       size_t size)
{
	const struct process_panel_kind *kind = &process_panels[panel];
	const double seconds =
		panel == PANEL_LATENCIES ? d->summary->latencies_s : d->view->page.sampled_s;

	if (kind->sampled && d->view->with_page && seconds > 0)
		snprintf(text, size, " %s, last %s ", kind->title, scale_duration(seconds).text);
	else
		snprintf(text, size, " %s ", kind->title);
}

/* Lists the panels that apply, the most important ones first. Returns their number. */
static size_t list_panels(const struct process_drawing *d, enum process_panel out[PROCESS_PANELS])
{
	size_t count = 0;

	for (enum process_panel panel = 0; panel < PROCESS_PANELS; panel++)
		if (!process_panels[panel].sampled || !d->summary->why_not.code)
			out[count++] = panel;
	return count;
}

static void draw_panel(const struct process_drawing *d, const struct area *area,
		       enum process_panel panel)
{
	const struct area inside = {area->row + 1, area->column + 2, area->rows - 2,
				    area->columns - 4};
	char title[64];

	name_panel(d, panel, title, sizeof(title));
	canvas_frame(d->canvas, area, STYLE_DIM);
	canvas_text(d->canvas, area->row, area->column + 2, area->columns - 4, STYLE_BOLD, title);
	if (d->view->with_page)
		process_panels[panel].draw(d, &inside);
	else
		canvas_lines(d->canvas, &inside, STYLE_DIM,
			     d->scene->played ? "a recording does not have this of one process"
					      : "waiting for the first samples");
}

/* Returns the rows that a panel can use, with its frame. */
static int rows_wanted(const struct process_drawing *d, enum process_panel panel)
{
	const struct top_page *page = &d->view->page;
	const struct top_page_rows *rows = panel == PANEL_MAPPINGS    ? &page->mappings
					   : panel == PANEL_FUNCTIONS ? &page->functions
								      : NULL;

	if (panel == PANEL_MEMORY)
		return FRAME_ROWS + process_memory_rows(d);
	if (!rows || !rows->count || (panel == PANEL_FUNCTIONS && page->no_functions.code))
		return d->canvas->rows;
	return FRAME_ROWS + 1 + (int)(rows->count + (rows->left_out > 0));
}

/* Panels side by side. */
struct panel_line {
	enum process_panel panels[LINE_PANELS];
	int count, wanted, rows;
};

/* Fills lines with panels. Returns the number of lines. */
static int fill_lines(const struct process_drawing *d, const enum process_panel *panels, int count,
		      int in_line, struct panel_line lines[PROCESS_PANELS])
{
	int used = 0;

	for (int i = 0; i < count; i++) {
		struct panel_line *line = &lines[used];
		const int wanted = rows_wanted(d, panels[i]);

		line->panels[line->count++] = panels[i];
		line->wanted = wanted > line->wanted ? wanted : line->wanted;
		used += line->count == in_line || i + 1 == count;
	}
	return used;
}

/*
 * Shares the rows among the first lines that fit; spare rows go to lines that can use them. Returns
 * how many fit.
 */
static int share_rows(struct panel_line *lines, int count, int rows)
{
	int fit = 0;

	for (; fit < count; fit++) {
		const int least = lines[fit].wanted < PANEL_ROWS ? lines[fit].wanted : PANEL_ROWS;

		if (least > rows)
			break;
		lines[fit].rows = least;
		rows -= least;
	}
	for (bool given = true; given && rows > 0;) {
		given = false;
		for (int i = 0; i < fit && rows > 0; i++) {
			if (lines[i].rows >= lines[i].wanted)
				continue;
			lines[i].rows++;
			rows--;
			given = true;
		}
	}
	return fit;
}

static void draw_line(const struct process_drawing *d, int row, const struct panel_line *line)
{
	const int columns = d->canvas->columns;

	for (int i = 0; i < line->count; i++) {
		const int left = columns * i / line->count;
		const struct area part = {row, left, line->rows,
					  columns * (i + 1) / line->count - left};

		draw_panel(d, &part, line->panels[i]);
	}
}

/*
 * Lays out the first panels that have room. *drawn: the number of lines. Returns the number of
 * panels.
 */
static int lay_out(const struct process_drawing *d, const struct area *area,
		   const enum process_panel *panels, int count,
		   struct panel_line lines[PROCESS_PANELS], int *drawn)
{
	const int fit = area->columns / PANEL_WIDTH;
	const int in_line = fit < 1 ? 1 : fit < LINE_PANELS ? fit : LINE_PANELS;
	int visible = 0;

	memset(lines, 0, PROCESS_PANELS * sizeof(*lines));
	const int filled = fill_lines(d, panels, count, in_line, lines);
	*drawn = share_rows(lines, filled, area->rows);
	for (int i = 0; i < *drawn; i++)
		visible += lines[i].count;
	return visible;
}

/*
 * Draws panels from the requested first one on, or from an earlier one if there is room down to the
 * last.
 */
static void draw_panels(const struct process_drawing *d, const struct area *area,
			struct top_viewport *shown)
{
	enum process_panel panels[PROCESS_PANELS];
	struct panel_line lines[PROCESS_PANELS];
	const int count = (int)list_panels(d, panels);
	const int asked = (int)d->scene->state->top.first_panel;
	int drawn, first = 0, row = area->row;
	int visible = lay_out(d, area, panels, count, lines, &drawn);

	while (first < asked && first + 1 < count && visible < count - first) {
		first++;
		visible = lay_out(d, area, &panels[first], count - first, lines, &drawn);
	}
	for (int i = 0; i < drawn; i++) {
		draw_line(d, row, &lines[i]);
		row += lines[i].rows;
	}
	shown->panels = (size_t)count;
	shown->first_panel = (size_t)first;
	shown->visible_panels = (size_t)visible;
}

static void draw_footer(const struct process_drawing *d, const struct top_viewport *shown)
{
	const struct area area = {d->canvas->rows - 1, 0, 1, d->canvas->columns};
	char text[64] = "";

	if (shown->visible_panels < shown->panels)
		snprintf(text, sizeof(text), "%zu of %zu panels", shown->visible_panels,
			 shown->panels);
	screen_draw_footer(d->canvas, &area, TAB_PROCESS, text, false);
}

void process_draw(struct canvas *c, struct scene *scene, const struct top_list *list,
		  const struct process_view *view, struct top_viewport *shown)
{
	const struct process_drawing d = {c, scene, &list->summary, view};
	char note[sizeof(struct error) + 64];
	int row = 0;

	screen_draw_header(c, &(struct area){row++, 0, 1, c->columns}, scene);
	draw_name(&d, row++);
	if (*view->row.is.cgroup)
		draw_cgroup(&d, row++);
	if (!list->summary.why_not.code)
		draw_reads(&d, row++);
	draw_sums(&d, row++);
	note_of(&d, note, sizeof(note));
	row += screen_draw_lines(c, row, NOTE_LINES, STYLE_WARNING, note);
	const int message = screen_message_rows(c, scene->message);
	const struct area panels = {row, 0, c->rows - 1 - message - row, c->columns};
	draw_panels(&d, &panels, shown);
	screen_draw_message(c, scene, scene->message);
	draw_footer(&d, shown);
	screen_draw_pages(c, scene);
}
