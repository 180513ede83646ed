/* SPDX-License-Identifier: BSD-3-Clause */
#include "screen/screen_draw.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "screen/scale.h"

#define LABEL_WIDTH	8 /* "socket 0" */
#define HELP_KEYS	11
#define HELP_COLUMNS	70
#define HELP_FRAME	4 /* rows besides the keys: the frame, and the text below */
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Columns of the table of sockets. */
static const struct {
	const char *heading;
	enum shown shown;
} table_columns[] = {
	{"CXL read", SHOWN_CXL_READ},	  {"CXL write", SHOWN_CXL_WRITE},
	{"DRAM read", SHOWN_DRAM_READ},	  {"DRAM write", SHOWN_DRAM_WRITE},
	{"CXL lat.", SHOWN_CXL_LATENCY},  {"local", SHOWN_LOCAL_LATENCY},
	{"remote", SHOWN_REMOTE_LATENCY},
};

static int width_of(enum shown shown)
{
	return shown < HISTORY_COUNT ? BANDWIDTH_WIDTH + 1 : LATENCY_WIDTH + 2;
}

static int text_right(struct canvas *c, int row, int end, enum style style, const char *text)
{
	const int length = (int)strlen(text);

	canvas_text(c, row, end - length, length, style, text);
	return end - length;
}

static void draw_header(struct canvas *c, const struct area *area, const struct scene *scene)
{
	const struct screen_state *state = scene->state;
	char text[160];
	int end = area->columns - 1;

	canvas_blank(c, area, STYLE_BAR);
	snprintf(text, sizeof(text), "%s  samples %" PRIu64 "  missed %" PRIu64 "  frozen %.3f ms",
		 scale_interval(scene->interval_ns).text, scene->samples, scene->missed,
		 (double)scene->frozen_ns / 1e6);
	if ((int)strlen(text) < area->columns)
		end = text_right(c, area->row, end, STYLE_BAR, text) - 2;
	if (state->paused)
		end = text_right(c, area->row, end, STYLE_ERROR, " PAUSED ") - 1;
	canvas_text(c, area->row, 1, end - 1, STYLE_BAR, scene->processor);
}

static int draw_keys(struct canvas *c, const struct area *area)
{
	int at = 1;

	for (const struct screen_key_help *k = screen_key_table; k->key; k++) {
		if (!k->word || at + (int)(strlen(k->key) + strlen(k->word)) > area->columns)
			continue;
		at = canvas_text(c, area->row, at, area->columns, STYLE_BAR, k->key);
		at = canvas_text(c, area->row, at + 1, area->columns, STYLE_BAR, k->word) + 2;
	}
	return at;
}

/* On the frame below the panels. */
static void draw_hidden(struct canvas *c, const struct area *body, size_t hidden)
{
	char text[64];

	snprintf(text, sizeof(text), " %zu more: Up and Down scroll ", hidden);
	canvas_text(c, body->row + body->rows - 1, body->column + 2, body->columns - 4, STYLE_BOLD,
		    text);
}

static void draw_footer(struct canvas *c, const struct layout *l, const struct scene *scene,
			size_t panels)
{
	const struct screen_state *state = scene->state;
	const size_t first = l->first * l->panels_per_line,
		     behind = first + l->visible * l->panels_per_line,
		     end = behind < panels ? behind : panels;
	const bool hides = l->visible < l->lines;
	char text[80], part[40] = "";

	canvas_blank(c, &l->footer, STYLE_BAR);
	if (hides)
		snprintf(part, sizeof(part), " %zu-%zu of %zu", first + 1, end, panels);
	snprintf(text, sizeof(text), "by %s%s%s", scope_names[state->scope],
		 state->by_traffic ? ", traffic" : "", part);
	if (draw_keys(c, &l->footer) + (int)strlen(text) < l->footer.columns)
		text_right(c, l->footer.row, l->footer.columns - 1, STYLE_BAR, text);
	else if (hides)
		draw_hidden(c, &l->body, panels - (end - first));
}

static const struct panel *coarse_panel(const struct panels *panels, size_t n)
{
	for (size_t i = 0; i < panels->count; i++)
		if (panels->all[i].scope > SCOPE_PORT && !n--)
			return &panels->all[i];
	return NULL;
}

/* One per socket and, if there are several, one for the system; 0 if panels show sockets. */
static int table_rows(const struct scene *scene)
{
	int sockets = 0;

	for (size_t i = 0; i < scene->panels->count; i++)
		sockets += scene->panels->all[i].scope == SCOPE_SOCKET;
	if (scene->state->scope != SCOPE_PORT)
		return 0;
	return sockets > 1 ? sockets + 1 : sockets;
}

static void draw_table_row(struct canvas *c, const struct area *area, int row,
			   const struct panel *p)
{
	int at = LABEL_WIDTH + 1;

	canvas_text(c, area->row + row, 1, LABEL_WIDTH, STYLE_BOLD, p->title);
	for (size_t i = 0; i < COUNT_OF(table_columns); i++) {
		const enum shown shown = table_columns[i].shown;
		const struct shown_value *value = &p->values[shown];
		const int end = at + width_of(shown);

		if (!value->has)
			continue;
		if (end > area->columns)
			break;
		text_right(c, area->row, end, STYLE_DIM, table_columns[i].heading);
		if (shown < HISTORY_COUNT) {
			screen_draw_bandwidth(c, area->row + row, at, value);
		} else {
			at = text_right(c, area->row + row, end, STYLE_BOLD,
					screen_value_text(shown, value->number).text);
			if (value->scaled)
				canvas_put(c, area->row + row, at - 1, STYLE_DIM, L'~');
		}
		at = end;
	}
}

/*
 * The heading is drawn with each row; all rows have the same columns. If not all rows fit, the last
 * one stays: that of the system.
 */
static void draw_table(struct canvas *c, const struct area *area, const struct scene *scene)
{
	const int rows = table_rows(scene), room = area->rows - 1;

	for (int n = 0; n < rows && n < room; n++)
		draw_table_row(c, area, n + 1,
			       coarse_panel(scene->panels, (size_t)(n == room - 1 ? rows - 1 : n)));
}

static int key_count(void)
{
	int count = 0;

	while (screen_key_table[count].key)
		count++;
	return count;
}

static void draw_help(struct canvas *c)
{
	const int rows = key_count() + HELP_FRAME;
	const int columns = c->columns < HELP_COLUMNS ? c->columns : HELP_COLUMNS;
	const struct area area = {(c->rows - rows) / 2 > 0 ? (c->rows - rows) / 2 : 0,
				  (c->columns - columns) / 2, rows, columns};
	int row = area.row + 1;

	canvas_blank(c, &area, STYLE_PLAIN);
	canvas_frame(c, &area, STYLE_BOLD);
	canvas_text(c, area.row, area.column + 2, columns - 4, STYLE_BOLD, " keys ");
	for (const struct screen_key_help *k = screen_key_table; k->key; k++, row++) {
		canvas_text(c, row, area.column + 2, HELP_KEYS, STYLE_BOLD, k->key);
		canvas_text(c, row, area.column + 2 + HELP_KEYS, columns - 4 - HELP_KEYS,
			    STYLE_PLAIN, k->help);
	}
	canvas_text(c, row + 1, area.column + 2, columns - 4, STYLE_DIM,
		    "-: unknown; ~: counted only part of the time, and scaled");
}

static void draw_too_small(struct canvas *c)
{
	char size[32];

	snprintf(size, sizeof(size), "needs %dx%d", SCREEN_MIN_COLUMNS, SCREEN_MIN_ROWS);
	canvas_text(c, 0, 0, c->columns, STYLE_PLAIN, "terminal too small:");
	canvas_text(c, 1, 0, c->columns, STYLE_PLAIN, size);
}

struct layout screen_draw(struct canvas *c, const struct scene *scene)
{
	const struct screen_state *state = scene->state;
	const size_t panels =
		panels_choose(scene->panels, state->scope, state->by_traffic, scene->chosen);
	const int rows = table_rows(scene);
	const struct layout l = screen_layout(c->rows, c->columns, panels, rows ? rows + 1 : 0,
					      *scene->message, state->scroll);

	if (l.too_small) {
		draw_too_small(c);
		return l;
	}
	draw_header(c, &l.header, scene);
	draw_table(c, &l.table, scene);
	for (size_t n = 0; n < panels; n++) {
		const struct area area = screen_panel_area(&l, n);

		if (area.rows)
			screen_draw_panel(c, &area, scene->chosen[n], scene->link_MBps);
	}
	if (l.message.rows)
		canvas_text(c, l.message.row, 1, l.message.columns - 1, STYLE_ERROR,
			    scene->message);
	draw_footer(c, &l, scene, panels);
	if (state->help)
		draw_help(c);
	return l;
}
