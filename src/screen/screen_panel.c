/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws a panel: bars of current values, graphs of their history, and lines of other metrics. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "screen/graph.h"
#include "screen/scale.h"
#include "screen/screen_draw.h"

#define PORT_LABEL   6 /* columns; labels of nodes, sockets and the system are longer */
#define SOCKET_LABEL 11
#define MAX_ITEMS    4
#define MAX_SERIES   4
#define GAP	     2 /* columns between items */
#define MARGIN	     1 /* between the text and the frame */

struct item {
	const char *label; /* "": that of the line alone */
	enum shown shown;
	bool wrong; /* shown as an error if not 0 */
};

/* By priority: the last lines are dropped first. */
static const struct text_line {
	const char *label;
	struct item items[MAX_ITEMS]; /* likewise; the last one has no label */
} text_lines[] = {
	{"link",
	 {{"crc", SHOWN_CRC, true},
	  {"retry", SHOWN_RETRIES, true},
	  {"tx", SHOWN_TX_FLITS},
	  {"rx", SHOWN_RX_FLITS}}},
	{"cpmu", {{"rd", SHOWN_CPMU_READ}, {"wr", SHOWN_CPMU_WRITE}}},
	{"DRAM",
	 {{"rd", SHOWN_DEVICE_READ},
	  {"wr", SHOWN_DEVICE_WRITE},
	  {"amplified", SHOWN_AMPLIFICATION}}},
	{"err", {{"retry", SHOWN_DRAM_RETRIES, true}, {"throttle", SHOWN_DRAM_THROTTLING, true}}},
	{"queue", {{"clocks", SHOWN_QUEUE_CLOCKS}, {"residency", SHOWN_QUEUE_RESIDENCY}}},
	{"used", {{"", SHOWN_NODE_USED}}},
	{"free", {{"", SHOWN_NODE_FREE}}},
	{"promoted", {{"", SHOWN_PROMOTED}}},
	{"demoted", {{"", SHOWN_DEMOTED}}},
	{"hinting", {{"faults", SHOWN_HINTING_FAULTS}}},
	{"latency",
	 {{"CXL", SHOWN_CXL_LATENCY},
	  {"local", SHOWN_LOCAL_LATENCY},
	  {"remote", SHOWN_REMOTE_LATENCY}}},
	{"full", {{"data", SHOWN_DATA_FULL}, {"requests", SHOWN_REQUEST_FULL}}},
	{"cache", {{"d2h", SHOWN_CACHE_D2H}, {"h2d", SHOWN_CACHE_H2D}}},
	{"busy", {{"data", SHOWN_DATA_BUSY}, {"requests", SHOWN_REQUEST_BUSY}}},
	{"core",
	 {{"ipc", SHOWN_IPC}, {"at", SHOWN_FREQUENCY}, {"instructions", SHOWN_INSTRUCTIONS}}},
};

#define TEXT_LINES (sizeof(text_lines) / sizeof(text_lines[0]))

static const struct {
	const char *at_port, *label;
	enum style style;
} series_table[HISTORY_COUNT] = {
	[SHOWN_CXL_READ] = {"read", "CXL read", STYLE_READ},
	[SHOWN_CXL_WRITE] = {"write", "CXL write", STYLE_WRITE},
	[SHOWN_DRAM_READ] = {"DRAM read", "DRAM read", STYLE_DRAM},
	[SHOWN_DRAM_WRITE] = {"DRAM write", "DRAM write", STYLE_DRAM},
};

struct series {
	const char *caption;
	enum shown first;
	int second; /* -1: none */
	enum style style;
};

static const struct series totals[] = {
	{"CXL read+write", SHOWN_CXL_READ, SHOWN_CXL_WRITE, STYLE_READ},
	{"DRAM read+write", SHOWN_DRAM_READ, SHOWN_DRAM_WRITE, STYLE_DRAM},
};

struct drawing {
	struct canvas *canvas;
	const struct panel *panel;
	struct area inside;
	double link_MBps;
	int label; /* columns */
	int row;   /* the next one */
};

struct kind {
	enum shown end; /* the first metric of the next kind */
	struct scaled_text (*scale)(double number);
	int width;
};

static const struct kind *kind_of(enum shown shown)
{
	static const struct kind kinds[] = {
		{SHOWN_CXL_LATENCY, scale_bandwidth, BANDWIDTH_WIDTH},
		{SHOWN_DATA_FULL, scale_latency, LATENCY_WIDTH},
		{SHOWN_CRC, scale_percent, PERCENT_WIDTH},
		{SHOWN_IPC, scale_rate, RATE_WIDTH},
		{SHOWN_FREQUENCY, scale_number, NUMBER_WIDTH},
		{SHOWN_NODE_USED, scale_frequency, FREQUENCY_WIDTH},
		{SHOWN_COUNT, scale_memory, MEMORY_WIDTH},
	};
	const struct kind *kind = kinds;

	while (shown >= kind->end)
		kind++;
	return kind;
}

struct scaled_text screen_value_text(enum shown shown, double number)
{
	return kind_of(shown)->scale(number);
}

int screen_draw_bandwidth(struct canvas *c, int row, int column, const struct shown_value *value)
{
	canvas_put(c, row, column, STYLE_DIM, value->scaled ? L'~' : L' ');
	return canvas_text(c, row, column + 1, BANDWIDTH_WIDTH, STYLE_BOLD,
			   scale_bandwidth(value->number).text);
}

static const char *label_of(const struct panel *p, enum shown shown)
{
	return p->scope == SCOPE_PORT ? series_table[shown].at_port : series_table[shown].label;
}

/* The value of a full bar, or of the top of a graph, if the link's rate is known; else 0. */
static double known_full(const struct drawing *d, enum shown shown)
{
	return shown <= SHOWN_CXL_WRITE ? d->link_MBps * d->panel->ports : 0;
}

static void draw_bars(struct drawing *d)
{
	const struct panel *p = d->panel;

	for (unsigned s = 0; s < HISTORY_COUNT && d->row < d->inside.rows; s++) {
		const int row = d->inside.row + d->row;
		const double seen = s <= SHOWN_CXL_WRITE ? p->cxl_peak : p->dram_peak;
		const double full = known_full(d, s);

		if (!p->values[s].has)
			continue;
		canvas_text(d->canvas, row, d->inside.column, d->label, series_table[s].style,
			    label_of(p, s));
		const int at = screen_draw_bandwidth(d->canvas, row, d->inside.column + d->label,
						     &p->values[s]) +
			       1;
		graph_bar(d->canvas, row, at, d->inside.column + d->inside.columns - at,
			  p->values[s].number, full > 0 ? full : seen, series_table[s].style);
		d->row++;
	}
}

static bool has_line(const struct panel *p, const struct text_line *line)
{
	for (unsigned i = 0; i < MAX_ITEMS && line->items[i].label; i++)
		if (p->values[line->items[i].shown].has)
			return true;
	return false;
}

/*
 * Each item has room for the widest number, so that none moves or comes and goes with the values of
 * others. Items that do not fit are left out. "~" may take a column of the gap or the margin.
 */
static void draw_text_line(struct drawing *d, int row, const struct text_line *line)
{
	const int end = d->inside.column + d->inside.columns + MARGIN;
	int at = d->inside.column + d->label;

	canvas_text(d->canvas, row, d->inside.column, d->label, STYLE_DIM, line->label);
	for (unsigned i = 0; i < MAX_ITEMS && line->items[i].label; i++) {
		const struct item *item = &line->items[i];
		const struct shown_value *value = &d->panel->values[item->shown];
		const struct scaled_text scaled = screen_value_text(item->shown, value->number);
		const char *number = scaled.text + strspn(scaled.text, " ");
		const bool wrong = item->wrong && value->number > 0;
		const int width = (int)strlen(item->label) + 1 + kind_of(item->shown)->width;
		char text[64];

		snprintf(text, sizeof(text), "%s%s%s%s", item->label, *item->label ? " " : "",
			 value->scaled ? "~" : "", number);
		if (!value->has || at + width > end)
			continue;
		canvas_text(d->canvas, row, at, end - at, wrong ? STYLE_ERROR : STYLE_PLAIN, text);
		at += width + GAP;
	}
}

/* A line for each metric of the user's own, in the digits that the table has. */
static void draw_own_values(struct drawing *d)
{
	const struct panel *p = d->panel;

	for (unsigned i = 0; i < p->own_count && d->row < d->inside.rows; i++) {
		const struct own_value *own = &p->own[i];
		const int row = d->inside.row + d->row++;
		char text[64] = "-";
		int at;

		if (!strcmp(own->unit, "1/s"))
			snprintf(text, sizeof(text), "%s", scale_rate(own->number).text);
		else if (isfinite(own->number))
			snprintf(text, sizeof(text), "%s%.*f %s", own->scaled ? "~" : "",
				 (int)own->decimals, own->number, own->unit);
		at = canvas_text(d->canvas, row, d->inside.column, d->inside.columns, STYLE_DIM,
				 own->label);
		canvas_text(d->canvas, row, at + 1, d->inside.column + d->inside.columns - at - 1,
			    STYLE_PLAIN, text + strspn(text, " "));
	}
}

static double full_of_series(const struct drawing *d, const struct series *s)
{
	const struct history *second = s->second < 0 ? NULL : &d->panel->history[s->second];
	const double full = known_full(d, s->first);

	if (full > 0)
		return second ? 2 * full : full;
	return graph_peak(d->canvas, d->inside.columns, &d->panel->history[s->first], second);
}

static void draw_series(const struct drawing *d, const struct area *area, const struct series *s)
{
	const struct history *second = s->second < 0 ? NULL : &d->panel->history[s->second];
	const double full = full_of_series(d, s);
	const struct scaled_text top = scale_bandwidth(full);
	char caption[64];

	graph_history(d->canvas, area, &d->panel->history[s->first], second, full, s->style);
	snprintf(caption, sizeof(caption), "%s, up to %s ", s->caption,
		 top.text + strspn(top.text, " "));
	canvas_text(d->canvas, area->row, area->column, area->columns, STYLE_DIM, caption);
}

/* One series per metric if each gets two rows, else reads and writes summed up. */
static size_t choose_series(const struct panel *p, int rows, struct series series[MAX_SERIES])
{
	size_t count = 0;

	for (unsigned s = 0; s < HISTORY_COUNT; s++)
		if (p->values[s].has)
			series[count++] =
				(struct series){label_of(p, s), s, -1, series_table[s].style};
	if ((size_t)rows >= 2 * count)
		return count;
	count = 0;
	for (unsigned t = 0; t < sizeof(totals) / sizeof(totals[0]); t++) {
		if (!p->values[totals[t].first].has || (int)count >= rows)
			continue;
		series[count] = totals[t];
		if (p->scope == SCOPE_PORT)
			series[count].caption = "read+write";
		count++;
	}
	return count;
}

static void draw_graphs(struct drawing *d, int rows)
{
	struct series series[MAX_SERIES];
	const size_t count = choose_series(d->panel, rows, series);

	for (size_t k = 0; k < count; k++) {
		const int from = rows * (int)k / (int)count, to = rows * (int)(k + 1) / (int)count;

		draw_series(d,
			    &(struct area){d->inside.row + d->row + from, d->inside.column,
					   to - from, d->inside.columns},
			    &series[k]);
	}
	d->row += rows;
}

/* How many lines of text fit; graphs get at least one to three rows. */
static int room_for_texts(const struct drawing *d, bool graphs)
{
	const int rows = d->inside.rows - d->row;
	int lines = 0, has = 0;

	for (size_t t = 0; t < TEXT_LINES; t++)
		has += has_line(d->panel, &text_lines[t]);
	while (lines < has && rows - lines - 1 >= (graphs ? (lines < 2 ? lines + 1 : 3) : 0))
		lines++;
	return lines;
}

static void draw_inside(struct drawing *d)
{
	bool graphs;
	int texts;

	draw_bars(d);
	graphs = d->row > 0;
	draw_own_values(d);
	texts = room_for_texts(d, graphs);
	if (graphs && d->row + texts < d->inside.rows)
		draw_graphs(d, d->inside.rows - d->row - texts);
	for (size_t t = 0; t < TEXT_LINES && texts; t++) {
		if (!has_line(d->panel, &text_lines[t]))
			continue;
		draw_text_line(d, d->inside.row + d->row++, &text_lines[t]);
		texts--;
	}
}

void screen_draw_panel(struct canvas *c, const struct area *area, const struct panel *p,
		       double link_MBps)
{
	struct drawing d = {
		.canvas = c,
		.panel = p,
		.inside = {area->row + 1, area->column + 1 + MARGIN, area->rows - 2,
			   area->columns - 2 * (1 + MARGIN)},
		.link_MBps = link_MBps,
		.label = p->scope == SCOPE_PORT && !p->of_node ? PORT_LABEL : SOCKET_LABEL,
	};
	int at = area->column + 2;

	canvas_frame(c, area, STYLE_DIM);
	canvas_put(c, area->row, at++, STYLE_DIM, L' ');
	at = canvas_text(c, area->row, at, area->columns - 6, STYLE_BOLD, p->title);
	canvas_put(c, area->row, at, STYLE_DIM, L' ');
	draw_inside(&d);
}
