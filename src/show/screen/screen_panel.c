/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws a panel: for each chart a line of values, then graphs with one axis of time. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "platform/cxl_link.h"
#include "platform/pci.h"
#include "show/screen/graph.h"
#include "show/screen/screen_draw.h"

#define GUTTER	       10 /* columns of the scale: "500 MiB/s|" */
#define MIN_GRAPH_ROWS 3
#define GAP	       2 /* columns between values */
#define MARGIN	       1 /* between the text and the frame */
#define MIB	       (1024 * 1024)

struct drawing {
	struct canvas *canvas;
	const struct scene *scene;
	const struct panel *panel;
	struct area inside;
	struct window window;
	int row;	/* next row */
	bool has_graph; /* the chart is drawn with a graph, of which the values are the legend */
};

static enum style style_of(const struct chart *chart, unsigned s)
{
	static const enum style lines[PICTURE_METRICS] = {STYLE_READ + SHADES - 1, STYLE_PLAIN,
							  STYLE_WRITE + SHADES - 1, STYLE_DIM};

	return chart->mirrored ? (s ? STYLE_WRITE : STYLE_READ) : lines[s];
}

static enum style legend_of(const struct drawing *d, const struct chart *chart, unsigned s)
{
	const enum style line = style_of(chart, s);

	if (!d->has_graph)
		return STYLE_DIM;
	return line == STYLE_READ || line == STYLE_WRITE ? line + SHADES - 1 : line;
}

static const struct metric *metric_of(const struct drawing *d, const struct chart *chart,
				      unsigned s)
{
	return d->scene->panels->table->columns[chart->columns[s]].metric;
}

static struct curve curve_of(const struct chart *chart, unsigned s)
{
	return panel_curve(chart->panel, chart->columns[s]);
}

static double value_of(const struct drawing *d, const struct chart *chart, unsigned s)
{
	return panel_value(chart->panel, chart->columns[s], d->scene->back);
}

static void draw_value(struct drawing *d, const struct chart *chart, unsigned s, int row, int at)
{
	const struct metric *metric = metric_of(d, chart, s);
	const int end = d->inside.column + d->inside.columns;
	const double value = value_of(d, chart, s);
	const bool trouble = d->scene->panels->troubles[chart->columns[s]] && value > 0;

	at = canvas_text(d->canvas, row, at, end - at, legend_of(d, chart, s),
			 screen_label(metric)) +
	     1;
	canvas_text(d->canvas, row, at, end - at, trouble ? STYLE_ERROR : STYLE_BOLD,
		    screen_column_text(d->scene, chart->panel, chart->columns[s], value).text);
}

/*
 * Draws a value in its own line, with percent of the link and a bar. Lines of a chart are below
 * each other.
 */
static void draw_share(struct drawing *d, const struct chart *chart, unsigned s, int row)
{
	const double share = screen_link_share(d->scene, chart->panel, chart->columns[s]);
	const double use = screen_link_use(d->scene, chart->panel, chart->columns[s]);
	const bool high = use >= CXL_LINK_ROOM, ascii = d->canvas->glyphs == GLYPHS_ASCII;
	int at = d->inside.column, end = at + d->inside.columns, label = 0;
	double like = 0;
	char text[16];

	for (unsigned other = 0; other < chart->count; other++) {
		const int length = (int)strlen(screen_label(metric_of(d, chart, other)));

		label = length > label ? length : label;
		like = fmax(like, value_of(d, chart, other));
	}
	canvas_text(d->canvas, row, at, end - at, legend_of(d, chart, s),
		    screen_label(metric_of(d, chart, s)));
	at += label + 2 + BANDWIDTH_WIDTH;
	canvas_text_right(d->canvas, row, at, STYLE_BOLD,
			  screen_column_text(d->scene, chart->panel, chart->columns[s], like).text);
	snprintf(text, sizeof(text), isnan(share) ? "      " : " %3.0f%% ", fmin(share * 100, 999));
	at = canvas_text(d->canvas, row, at, end - at, high ? STYLE_WARNING : STYLE_PLAIN, text);
	canvas_put(d->canvas, row, at++, STYLE_DIM, ascii ? L'[' : L'\u2595');
	canvas_put(d->canvas, row, --end, STYLE_DIM, ascii ? L']' : L'\u258F');
	graph_bar(d->canvas, row, at, end - at, share, 1,
		  high ? STYLE_WARNING : style_of(chart, s) + SHADES - 1);
}

/*
 * Draws the values of a chart side by side, or, if the link's rate is known, each in a line with a
 * bar. Each has room for the widest number, so that none moves. Returns the number of lines.
 */
static int values_of(struct drawing *d, const struct chart *chart, bool draw)
{
	int lines = 1, at = 0;

	if (chart->panel != d->panel) /* chart of the socket of the only port that is shown */
		at = (int)strlen(chart->panel->title) + GAP;
	if (at && draw && d->row < d->inside.row + d->inside.rows)
		canvas_text(d->canvas, d->row, d->inside.column, d->inside.columns, STYLE_DIM,
			    chart->panel->title);
	for (unsigned s = 0; s < chart->count; s++) {
		const struct panels *panels = d->scene->panels;
		const size_t c = chart->columns[s];
		const struct metric *metric = panels->table->columns[c].metric;
		const bool bar = (c == panels->cxl_read || c == panels->cxl_write) &&
				 screen_link_MBps(d->scene, chart->panel) > 0;
		const int width =
			bar ? d->inside.columns
			    : (int)strlen(screen_label(metric)) + 2 + screen_value_width(metric);

		if (at && at + width > d->inside.columns + GAP) {
			at = 0;
			lines++;
		}
		const int row = d->row + lines - 1;

		if (draw && row < d->inside.row + d->inside.rows) {
			if (bar)
				draw_share(d, chart, s, row);
			else
				draw_value(d, chart, s, row, d->inside.column + at);
		}
		at += width + GAP;
	}
	return lines;
}

/* Returns the end of a scale for columns first to end of a chart; 0: they are all 0 or unknown. */
static double full_of(const struct drawing *d, const struct chart *chart, unsigned first,
		      unsigned end)
{
	double peak = 0, unit = 1;

	for (unsigned s = first; s < end; s++)
		peak = fmax(peak, graph_peak(curve_of(chart, s), d->window));
	/* rounds in the unit that is printed */
	const bool memory = !strcmp(metric_of(d, chart, 0)->unit, "MiB");
	if (memory || (d->scene->state->binary && screen_is_bandwidth(metric_of(d, chart, 0))))
		for (unit = memory ? 1 : 1e-6; unit * 800 < peak;)
			unit *= 1024;
	return peak > 0 ? graph_round_up(peak / unit) * unit : 0;
}

/* Draws a mark such as "20 GB/s", without the zeros of "20.00 GB/s". */
static void draw_mark(const struct drawing *d, const struct metric *metric, int row, double number)
{
	const struct scaled_text scaled = screen_value_text(d->scene, metric, number);
	const char *point = strchr(scaled.text, '.');
	size_t whole = point ? (size_t)(point - scaled.text) : strlen(scaled.text);
	size_t rest = point ? whole + 1 + strspn(point + 1, "0123456789") : whole;
	size_t kept = rest;
	char text[SCALE_SIZE];

	/* removes zeros at the end, and digits without room */
	while (kept > whole && (strchr("0.", scaled.text[kept - 1]) ||
				kept + strlen(scaled.text + rest) > GUTTER - 1))
		kept--;
	snprintf(text, sizeof(text), "%.*s%s", (int)kept, scaled.text, scaled.text + rest);
	if (number <= 0)
		snprintf(text, sizeof(text), "0");
	canvas_text_right(d->canvas, row, d->inside.column + GUTTER - 1, STYLE_DIM, text);
	canvas_put(d->canvas, row, d->inside.column + GUTTER - 1, STYLE_DIM,
		   d->canvas->glyphs ? L'\u2524' : L'+');
}

/*
 * Draws both directions. Their rows are in proportion to their scales, so that a row means about as
 * much in either.
 */
static void draw_mirrored(struct drawing *d, const struct chart *chart, const struct area *area)
{
	const struct metric *metric = metric_of(d, chart, 0);
	const double up = full_of(d, chart, 0, 1), down = full_of(d, chart, 1, 2);
	const bool ascii = d->canvas->glyphs == GLYPHS_ASCII;
	const int rows = area->rows - 1;
	const int share = (int)round(rows * up / fmax(up + down, DBL_MIN));
	struct area half = *area;

	half.rows = share < 1 ? 1 : share < rows ? share : rows - 1;
	graph_fill(d->canvas, &half, curve_of(chart, 0), d->window, up, STYLE_READ, false);
	if (up > 0)
		draw_mark(d, metric, half.row, up);
	const int zero = half.row + half.rows;
	canvas_text(d->canvas, zero, area->column - 2, 1, STYLE_DIM, "0");
	canvas_put(d->canvas, zero, area->column - 1, STYLE_DIM, ascii ? L'+' : L'\u253C');
	for (int k = 0; k < area->columns; k++)
		canvas_put(d->canvas, zero, area->column + k, STYLE_DIM, ascii ? L'-' : L'\u2500');
	half.row += half.rows + 1;
	half.rows = rows - half.rows;
	graph_fill(d->canvas, &half, curve_of(chart, 1), d->window, down, STYLE_WRITE, true);
	if (down > 0)
		draw_mark(d, metric, half.row + half.rows - 1, down);
}

static void draw_graph(struct drawing *d, const struct chart *chart, int rows)
{
	const struct area area = {d->row, d->inside.column + GUTTER, rows,
				  d->inside.columns - GUTTER};

	for (int row = 0; row < rows; row++)
		canvas_put(d->canvas, d->row + row, d->inside.column + GUTTER - 1, STYLE_DIM,
			   d->canvas->glyphs ? L'\u2502' : L'|');
	if (chart->mirrored) {
		draw_mirrored(d, chart, &area);
		return;
	}
	const struct metric *metric = metric_of(d, chart, 0);
	const double full = full_of(d, chart, 0, chart->count);

	draw_mark(d, metric, area.row, full);
	draw_mark(d, metric, area.row + rows - 1, 0);
	for (unsigned s = chart->count; s--;)
		graph_line(d->canvas, &area, curve_of(chart, s), d->window, full,
			   style_of(chart, s));
}

static void draw_time(struct drawing *d)
{
	const struct panels *panels = d->scene->panels;
	const double to = panels_ago(panels, d->window.back);
	const double from = panels_ago(panels, d->window.back + d->window.steps - 1);
	const int left = d->inside.column + GUTTER, right = d->inside.column + d->inside.columns;
	char text[SCALE_SIZE + 8];

	if (!d->window.steps)
		return;
	snprintf(text, sizeof(text), "%s ago", scale_duration(to).text);
	if (to <= 0)
		snprintf(text, sizeof(text), "now");
	canvas_text_right(d->canvas, d->row, right, STYLE_DIM, text);
	if (d->window.steps < 2)
		return;
	snprintf(text, sizeof(text), "%s ago", scale_duration(from).text);
	canvas_text(d->canvas, d->row, left, right - left, STYLE_DIM, text);
	snprintf(text, sizeof(text), "%s", scale_duration((from + to) / 2).text);
	canvas_text(d->canvas, d->row, (left + right - (int)strlen(text)) / 2, right - left,
		    STYLE_DIM, text);
}

/* Returns how many charts have a graph: the first ones, as long as the values of all have room. */
static size_t graphs_of(const struct drawing *d, size_t charts, int first_lines, int value_lines)
{
	const int room = d->inside.rows - value_lines - 1;
	const int fit = room / MIN_GRAPH_ROWS;

	if (d->inside.columns < 2 * GUTTER)
		return 0;
	if (fit < 1)
		return d->inside.rows - 1 - first_lines >= MIN_GRAPH_ROWS ? 1 : 0;
	return (size_t)fit < charts ? (size_t)fit : charts;
}

/*
 * Returns whether a graph is useful: not for zeros, or constant properties of a device, such as the
 * width of its link.
 */
static bool has_something_to_show(const struct drawing *d, const struct chart *chart)
{
	for (unsigned s = 0; s < chart->count; s++) {
		const struct metric *metric = metric_of(d, chart, s);
		const bool of_device =
			metric->source == SOURCE_DEVICES || metric->source == SOURCE_HEALTH;
		const struct curve curve = curve_of(chart, s);

		if (graph_peak(curve, d->window) > 0 &&
		    !(of_device && graph_is_level(curve, d->window)))
			return true;
	}
	return false;
}

/* Moves charts whose graphs show nothing after the others. Returns the number of the others. */
static size_t put_traffic_first(const struct drawing *d, struct chart *charts, size_t count)
{
	size_t busy = 0;

	for (size_t i = 0; i < count; i++) {
		const struct chart chart = charts[i];

		if (!has_something_to_show(d, &chart))
			continue;
		memmove(&charts[busy + 1], &charts[busy], (i - busy) * sizeof(*charts));
		charts[busy++] = chart;
	}
	return busy;
}

static void draw_charts(struct drawing *d, struct chart *charts, size_t count)
{
	const size_t busy = put_traffic_first(d, charts, count);
	const int half = d->inside.rows / 2, fair = half < MIN_GRAPH_ROWS ? MIN_GRAPH_ROWS : half;
	const int end = d->inside.row + d->inside.rows;
	int lines = 0, first = count ? values_of(d, &charts[0], false) : 0, room;

	for (size_t i = 0; i < count; i++)
		lines += values_of(d, &charts[i], false);
	const size_t graphs = graphs_of(d, busy ? busy : 1, first, lines);

	room = d->inside.rows - 1 - lines;
	if (graphs == 1 && room < fair) /* a graph takes the place of values of other charts */
		room = d->inside.rows - 1 - first < fair ? d->inside.rows - 1 - first : fair;
	for (size_t i = 0; i < count && d->row < end; i++) {
		d->has_graph = i < graphs;
		d->row += values_of(d, &charts[i], true);
		if (i >= graphs)
			continue;
		const int rows = room * (int)(i + 1) / (int)graphs - room * (int)i / (int)graphs;

		draw_graph(d, &charts[i], rows);
		d->row += rows;
		if (i + 1 == graphs) {
			draw_time(d);
			d->row++;
		}
	}
}

/*
 * Draws the properties of the device behind a port: "256.0 GiB  link 32.0 GT/s x16  firmware: 30.0
 * GB/s"
 */
static void draw_device(struct drawing *d, const struct panel *p)
{
	const struct cxl_device *device = p->row->place.device;
	char text[128] = "", link[PCI_LINK_TEXT_SIZE];

	if (device->bytes)
		text_append(text, sizeof(text), "%s",
			    scale_memory((double)device->bytes / MIB).text);
	for (size_t h = 0; h < device->hop_count; h++)
		if (pci_link_rate(device->hops[h].now) > 0)
			text_append(text, sizeof(text), "%slink %s", *text ? "  " : "",
				    pci_link_text(device->hops[h].now, link));
	if (p->promised_MBps > 0)
		text_append(text, sizeof(text), "  firmware: %.1f GB/s", p->promised_MBps / 1e3);
	if (p->promised_ns > 0)
		text_append(text, sizeof(text), "%s%.0f ns",
			    p->promised_MBps > 0 ? ", " : "  firmware: ", p->promised_ns);
	canvas_text(d->canvas, d->row++, d->inside.column, d->inside.columns, STYLE_DIM, text);
	d->inside.row++;
	d->inside.rows--;
}

void screen_draw_panel(struct canvas *c, const struct area *area, const struct scene *scene,
		       const struct panel *p, const char *title, struct chart *charts, size_t count)
{
	struct drawing d = {
		.canvas = c,
		.scene = scene,
		.panel = p,
		.inside = {area->row + 1, area->column + 1 + MARGIN, area->rows - 2,
			   area->columns - 2 * (1 + MARGIN)},
	};
	int at = area->column + 2;

	d.row = d.inside.row;
	d.window = graph_window(c, d.inside.columns - GUTTER, scene->panels->series.step_count,
				scene->back);
	canvas_frame(c, area, STYLE_DIM);
	canvas_put(c, area->row, at++, STYLE_DIM, L' ');
	at = canvas_text(c, area->row, at, area->columns - 6,
			 scene->marks_selected && p == scene->selected ? STYLE_CHOSEN : STYLE_BOLD,
			 title);
	canvas_put(c, area->row, at, STYLE_DIM, L' ');
	if (scene->state->alone && p->row->place.device && d.inside.rows > MIN_GRAPH_ROWS)
		draw_device(&d, p);
	draw_charts(&d, charts, count);
}

/* Metrics of a panel that are drawn, and their share of the link. */

size_t screen_charts(const struct scene *scene, const struct panel *p, struct chart *out,
		     size_t most)
{
	const struct panels *panels = scene->panels;
	const char *group = panels_group(panels, scene->state->group);
	size_t count = 0;

	for (size_t i = 0; i < panels->picture_count && count < most; i++) {
		const struct chart *picture = &panels->pictures[i];
		struct chart chart = {.title = picture->title, .panel = p};

		for (unsigned s = 0; s < picture->count; s++) {
			const size_t c = picture->columns[s];
			const struct metric *metric = panels->table->columns[c].metric;

			if (panel_knows(p, c) && (!group || !strcmp(metric->group, group)))
				chart.columns[chart.count++] = c;
		}
		if (!chart.count)
			continue;
		chart.mirrored = picture->mirrored && chart.count == 2;
		if (!chart.title)
			chart.title = screen_label(panels->table->columns[chart.columns[0]].metric);
		out[count++] = chart;
	}
	return count;
}

double screen_link_MBps(const struct scene *scene, const struct panel *p)
{
	if (!p->ports)
		return NAN;
	return scene->link_MBps > 0 ? scene->link_MBps * p->ports : p->link_MBps;
}

double screen_link_share(const struct scene *scene, const struct panel *p, size_t column)
{
	const struct panels *panels = scene->panels;

	if (column == SIZE_MAX || (column != panels->cxl_read && column != panels->cxl_write))
		return NAN;
	return panel_value(p, column, scene->back) / screen_link_MBps(scene, p);
}

/*
 * Returns how full the link is, a lower limit if one direction is unknown, which then counts as 0.
 */
double screen_link_use(const struct scene *scene, const struct panel *p, size_t column)
{
	const struct panels *panels = scene->panels;
	const double read = screen_link_share(scene, p, panels->cxl_read),
		     write = screen_link_share(scene, p, panels->cxl_write);
	const struct cxl_link_use use =
		cxl_link_use(isnan(read) ? 0 : read, isnan(write) ? 0 : write);

	if (!p->short_flits || isnan(screen_link_share(scene, p, column)))
		return NAN;
	return column == panels->cxl_read ? use.from_device : use.to_device;
}
