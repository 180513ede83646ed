/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/screen_draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "show/screen/graph.h"
#include "show/screen/top_draw.h"

#define LABEL_WIDTH 6 /* "system" */
#define LIST_LABEL  25
#define LIST_SHARE  5
#define LIST_GRAPH  8  /* least width, for its heading */
#define MIN_CHART   56 /* columns */
#define REMARK_SIZE 512
#define MARK_LINES  2
#define EXPLAIN_KEY "e: explain"

#define HEADING_LINES 3 /* lines of "DRAM latency (local)", one word each */

struct value_table {
	struct {
		size_t metric;
		int end, width;
		double like; /* largest value */
	} columns[SOCKET_COLUMNS];
	size_t count;
	int heading, rows; /* lines */
};

static void draw_footer(struct canvas *c, const struct layout *l, const struct scene *scene)
{
	const struct screen_state *state = scene->state;
	const char *group = panels_group(scene->panels, state->group);
	char text[80], part[48] = "";

	if (l->visible < l->lines)
		snprintf(part, sizeof(part), ", %zu-%zu of %zu", l->first + 1,
			 l->first + l->visible, l->lines);
	snprintf(text, sizeof(text), "%s%sby %s%s%s", group ? group : "", group ? ", " : "",
		 scope_names[scene->scope], state->by_traffic ? ", traffic" : "", part);
	if (state->searching)
		snprintf(text, sizeof(text), "/%s_", state->search);
	screen_draw_footer(c, &l->footer, TAB_PORTS, text, state->searching);
}

static const struct panel *coarse_panel(const struct panels *panels, size_t n)
{
	for (size_t i = 0; i < panels->count; i++)
		if (panels->all[i].row->place.kind >= ROW_SOCKET && !n--)
			return &panels->all[i];
	return NULL;
}

static bool seen_by_any(const struct panels *panels, size_t c)
{
	for (size_t i = 0; c != SIZE_MAX && i < panels->count; i++)
		if (panels->all[i].row->place.kind >= ROW_SOCKET && panel_knows(&panels->all[i], c))
			return true;
	return false;
}

/* Returns the largest value of a column in rows of ports, or in the coarser ones; 0: none. */
static double largest_value(const struct scene *scene, size_t column, bool ports)
{
	const struct panels *panels = scene->panels;
	double most = 0;

	for (size_t i = 0; i < panels->count; i++)
		if ((panels->all[i].row->place.kind < ROW_SOCKET) == ports)
			most = fmax(most, panel_value(&panels->all[i], column, scene->back));
	return most;
}

/* Returns the least width at which a heading takes at most this many lines. */
static int heading_width(const char *heading, int lines)
{
	int width = text_longest_word(heading);

	while (text_lines(heading, width) > lines)
		width++;
	return width;
}

/*
 * Adds columns whose headings take at most this many lines. Returns false if they do not all fit.
 */
static bool add_columns(struct value_table *t, const struct scene *scene, int columns, int lines,
			int gap)
{
	int end = LABEL_WIDTH + 1 - gap;

	t->count = 0;
	t->heading = 0;
	for (size_t i = 0; i < SOCKET_COLUMNS; i++) {
		const size_t c = scene->panels->of_sockets[i];

		if (!seen_by_any(scene->panels, c))
			continue;
		const struct metric *metric = scene->panels->table->columns[c].metric;
		const char *label = screen_label(metric);
		const int heading = heading_width(label, lines), value = screen_value_width(metric);
		const int used = text_lines(label, heading);

		end += gap + (heading > value ? heading : value);
		if (end > columns)
			return false;
		t->columns[t->count].metric = c;
		t->columns[t->count].width = heading;
		t->columns[t->count].like = largest_value(scene, c, false);
		t->columns[t->count++].end = end;
		t->heading = used > t->heading ? used : t->heading;
	}
	return true;
}

/*
 * Plans the table. Rows: one per socket and, if there are several, one for the system; 0 if panels
 * show sockets. Headings are wrapped only as far as the width demands.
 */
static struct value_table table_of(const struct scene *scene, int columns)
{
	const int sockets = (int)scene->panels->sockets;
	struct value_table t = {.rows = scene->scope != SCOPE_PORT ? 0
					: sockets > 1		   ? sockets + 1
								   : sockets};

	for (int lines = 1; lines <= HEADING_LINES; lines++)
		if (add_columns(&t, scene, columns, lines, 2))
			return t;
	add_columns(&t, scene, columns, HEADING_LINES, 1);
	return t;
}

/* Draws a heading, whose last line is directly above the values. */
static void draw_heading(struct canvas *c, int row, int end, int width, const char *heading)
{
	for (row -= text_lines(heading, width); *heading; heading += strspn(heading, " ")) {
		const int length = text_fit(heading, " ", width);

		canvas_text(c, row++, end - length, length, STYLE_DIM, heading);
		heading += length;
	}
}

static void draw_table_row(struct canvas *c, int row, const struct scene *scene,
			   const struct value_table *t, const struct panel *p)
{
	char label[16];

	snprintf(label, sizeof(label), p->row->place.kind == ROW_SOCKET ? "s%d" : "system",
		 p->row->place.socket);
	canvas_text(c, row, 0, LABEL_WIDTH, STYLE_BOLD, label);
	for (size_t i = 0; i < t->count; i++)
		canvas_text_right(
			c, row, t->columns[i].end, STYLE_BOLD,
			screen_column_text(scene, p, t->columns[i].metric, t->columns[i].like)
				.text);
}

/* Draws the table. If not all rows fit, the last row, the system's, stays. */
static void draw_table(struct canvas *c, const struct area *area, const struct scene *scene,
		       const struct value_table *t)
{
	const int room = area->rows - t->heading;

	for (size_t i = 0; i < t->count && room > 0; i++)
		draw_heading(
			c, area->row + t->heading, t->columns[i].end, t->columns[i].width,
			screen_label(scene->panels->table->columns[t->columns[i].metric].metric));
	for (int n = 0; n < t->rows && n < room; n++)
		draw_table_row(
			c, area->row + t->heading + n, scene, t,
			coarse_panel(scene->panels, (size_t)(n == room - 1 ? t->rows - 1 : n)));
}

/*
 * Adds charts of metrics that ports do not have, such as latency, for the given socket (-1: for the
 * system, or else the last socket). Returns the number of charts.
 */
static size_t add_coarse_charts(const struct scene *scene, int socket, struct chart *charts,
				size_t count)
{
	const struct panels *panels = scene->panels;
	const struct panel *found = NULL;
	struct chart all[MAX_CHARTS];

	for (size_t i = 0; i < panels->count; i++)
		if (panels->all[i].row->place.kind >= ROW_SOCKET &&
		    (socket < 0 || panels->all[i].row->place.socket == socket))
			found = &panels->all[i];
	if (!found || scene->scope != SCOPE_PORT)
		return count;
	const size_t of_all = screen_charts(scene, found, all, MAX_CHARTS);
	for (size_t i = 0; i < of_all && count < MAX_CHARTS; i++)
		if (!(panels->table->columns[all[i].columns[0]].metric->rows >> ROW_PORT & 1))
			charts[count++] = all[i];
	return count;
}

static void draw_coarse_charts(struct canvas *c, const struct area *area, const struct scene *scene,
			       struct chart *charts, size_t count)
{
	const int fit = area->columns / MIN_CHART > 1 ? area->columns / MIN_CHART : 1;
	const int shown = (int)count < fit ? (int)count : fit;

	for (int i = 0; i < shown && area->rows; i++) {
		const int left = area->columns * i / shown, end = area->columns * (i + 1) / shown;
		const struct area part = {area->row, left, area->rows, end - left};
		char title[128];

		snprintf(title, sizeof(title), "%s  %s", charts[i].title, charts[i].panel->title);
		screen_draw_panel(c, &part, scene, charts[i].panel, title, &charts[i], 1);
	}
}

/* Draws a panel. A panel that fills the screen also has its socket's charts. */
static void draw_panel(struct canvas *c, const struct area *area, const struct scene *scene,
		       const struct panel *p)
{
	struct chart charts[MAX_CHARTS];
	size_t count = screen_charts(scene, p, charts, MAX_CHARTS);

	if (scene->state->alone && p->row->place.socket >= 0)
		count = add_coarse_charts(scene, p->row->place.socket, charts, count);
	screen_draw_panel(c, area, scene, p, p->title, charts, count);
}

static int list_width(const struct metric *metric)
{
	const int name = (int)strlen(screen_label(metric)), value = screen_value_width(metric);

	return name > value ? name : value;
}

/*
 * Draws the first two values of a chart with their shares of the link, or the names above them, as
 * far as they fit. Returns the column after them.
 */
static int draw_list_values(struct canvas *c, int row, const struct scene *scene,
			    const struct chart *chart, bool names)
{
	int at = LIST_LABEL + 1;

	for (unsigned s = 0; s < chart->count && s < 2; s++) {
		const size_t column = chart->columns[s];
		const struct metric *metric = scene->panels->table->columns[column].metric;
		const double share = screen_link_share(scene, chart->panel, column);
		const struct scaled_text value = screen_column_text(
			scene, chart->panel, column, largest_value(scene, column, true));
		const int width = list_width(metric) + 2;
		char percent[16];

		if (at + width > c->columns)
			break;
		at += width;
		canvas_text_right(c, row, at, names ? STYLE_DIM : STYLE_BOLD,
				  names ? screen_label(metric) : value.text);
		if (isnan(share) || at + LIST_SHARE > c->columns)
			continue;
		snprintf(percent, sizeof(percent), " %3.0f%%", fmin(share * 100, 999));
		if (!names)
			canvas_text(c, row, at, LIST_SHARE, STYLE_PLAIN, percent);
		at += LIST_SHARE;
	}
	return at;
}

/*
 * Draws a line of the list, with a graph of the first value. full: the highest value of all lines.
 */
static void draw_list_line(struct canvas *c, const struct area *line, const struct scene *scene,
			   const struct panel *p, double full)
{
	const bool selected = scene->marks_selected && p == scene->selected;
	const int title = text_fit(p->title, "  ", LIST_LABEL - 1);
	struct chart chart;

	canvas_text(c, line->row, 0, 1, STYLE_BOLD, selected ? ">" : " ");
	canvas_text(c, line->row, 1, title < LIST_LABEL ? title : LIST_LABEL - 1,
		    selected ? STYLE_CHOSEN : STYLE_PLAIN, p->title);
	if (!screen_charts(scene, p, &chart, 1))
		return;
	const int at = draw_list_values(c, line->row, scene, &chart, false) + 2;
	const struct area graph = {line->row, at, 1, line->columns - at - 1};

	if (graph.columns >= LIST_GRAPH)
		graph_fill(c, &graph, panel_curve(p, chart.columns[0]),
			   graph_window(c, graph.columns, scene->panels->series.step_count,
					scene->back),
			   full, STYLE_READ, false);
}

static double list_peak(const struct canvas *c, const struct scene *scene)
{
	const struct window window =
		graph_window(c, c->columns / 2, scene->panels->series.step_count, scene->back);
	struct chart chart;
	double peak = 0;

	for (size_t i = 0; i < scene->busy; i++)
		if (screen_charts(scene, scene->chosen[i], &chart, 1))
			peak = fmax(peak,
				    graph_peak(panel_curve(chart.panel, chart.columns[0]), window));
	return peak;
}

static void draw_list_heading(struct canvas *c, int row, const struct scene *scene)
{
	struct chart chart;

	if (!scene->selected || !screen_charts(scene, scene->selected, &chart, 1))
		return;
	const int at = draw_list_values(c, row, scene, &chart, true);
	if (c->columns - at - 3 < LIST_GRAPH)
		return;
	canvas_text(c, row, at + 2, c->columns - at - 3, STYLE_DIM,
		    screen_label(scene->panels->table->columns[chart.columns[0]].metric));
}

static void draw_panels(struct canvas *c, const struct layout *l, const struct scene *scene)
{
	const double full = l->list ? list_peak(c, scene) : 0;

	if (l->list)
		draw_list_heading(c, l->body.row, scene);
	for (size_t n = 0; n < scene->busy; n++) {
		const struct panel *p =
			scene->state->alone && !l->list ? scene->selected : scene->chosen[n];
		const struct area area = screen_panel_area(l, n);

		if (!area.rows)
			continue;
		if (l->list)
			draw_list_line(c, &area, scene, p, full);
		else
			draw_panel(c, &area, scene, p);
	}
	if (l->panel.rows)
		draw_panel(c, &l->panel, scene, scene->selected);
}

/* Draws a line such as " idle: s0 p1, s0 p2, and 24 more". */
static void draw_idle(struct canvas *c, const struct area *area, const struct scene *scene)
{
	int at = canvas_text(c, area->row, 1, area->columns - 1, STYLE_DIM, "idle:");
	size_t n = scene->busy;
	char text[48];

	for (; n < scene->count; n++) {
		const char *title = scene->chosen[n]->title, *end = strstr(title, "  node ");
		const int length = end && end > title ? (int)(end - title) : (int)strlen(title);

		if (at + length + 16 > area->columns)
			break;
		snprintf(text, sizeof(text), " %.*s%s", length, title,
			 n + 1 < scene->count ? "," : "");
		at = canvas_text(c, area->row, at, area->columns - at, STYLE_DIM, text);
	}
	snprintf(text, sizeof(text), " and %zu more", scene->count - n);
	if (n < scene->count)
		canvas_text(c, area->row, at, area->columns - at, STYLE_DIM, text);
}

/*
 * Draws only names and values, of the last panel, the system's if there is one, because there is no
 * room for more.
 */
static void draw_values_alone(struct canvas *c, const struct scene *scene)
{
	const struct panels *panels = scene->panels;
	const struct panel *p = panels->count ? &panels->all[panels->count - 1] : NULL;
	int row = 0;

	for (size_t column = 0; p && column < panels->table->column_count; column++) {
		if (!panel_knows(p, column))
			continue;
		const double value = panel_value(p, column, scene->back);
		const int end = canvas_text_right(c, row, c->columns, STYLE_BOLD,
						  screen_column_text(scene, p, column, value).text);

		canvas_text(c, row++, 0, end - 1, STYLE_PLAIN,
			    screen_label(panels->table->columns[column].metric));
	}
	if (!row)
		canvas_text(c, 0, 0, c->columns, STYLE_PLAIN, scene->processor);
}

/* Chooses the panels to draw. Returns the index of the selected one. */
static size_t choose_panels(struct scene *scene)
{
	const struct screen_state *state = scene->state;
	const struct panels *panels = scene->panels;

	scene->scope =
		state->alone ? state->scope : panels_scope_with(panels, state->scope, state->group);
	scene->back = screen_back(state, panels);
	scene->count = panels_choose(panels, scene->scope, state->by_traffic, scene->chosen);
	scene->busy = panels_fold_idle(panels, scene->chosen, scene->count);
	if (!scene->busy || scene->count == scene->busy + 1) /* a single idle panel has room */
		scene->busy = scene->count =
			panels_choose(panels, scene->scope, state->by_traffic, scene->chosen);
	scene->marks_selected = !state->below;
	scene->selected = scene->count ? scene->chosen[0] : NULL;
	for (size_t i = 0; i < scene->count; i++) {
		if (scene->chosen[i] != &panels->all[state->selected])
			continue;
		scene->selected = scene->chosen[i];
		return i;
	}
	return 0;
}

/* Lines that take room only while they have text. */
struct remarks {
	char troubles[REMARK_SIZE], marks[MARK_LINES * REMARK_SIZE];
	int mark_lines;
	const char *message;
};

static void choose_remarks(const struct canvas *c, const struct scene *scene, struct remarks *out)
{
	const size_t columns = (size_t)c->columns < REMARK_SIZE ? (size_t)c->columns : REMARK_SIZE;

	screen_troubles(scene, out->troubles, columns - sizeof(EXPLAIN_KEY));
	/* wrapping may lose an eighth of the room */
	screen_marks(scene, out->marks, MARK_LINES * columns / 8 * 7 + 1);
	out->mark_lines = text_lines(out->marks, c->columns - 2);
	if (out->mark_lines > MARK_LINES)
		out->mark_lines = MARK_LINES;
	out->message = screen_marks_say(scene, scene->message) ? "" : scene->message;
}

/* Draws the remarks; marks are wrapped between words. */
static void draw_remarks(struct canvas *c, const struct layout *l, const struct scene *scene,
			 const struct remarks *remarks)
{
	if (l->attention.rows) {
		canvas_text(c, l->attention.row, 1, c->columns - 1, STYLE_ERROR, remarks->troubles);
		canvas_text_right(c, l->attention.row, c->columns, STYLE_BOLD, EXPLAIN_KEY);
	}
	screen_draw_lines(c, l->marks.row, l->marks.rows, STYLE_WARNING, remarks->marks);
	screen_draw_message(c, scene, remarks->message);
}

struct layout screen_draw(struct canvas *c, struct scene *scene)
{
	const size_t chosen = choose_panels(scene);
	const struct value_table table = table_of(scene, c->columns);
	struct chart charts[MAX_CHARTS]; /* charts below the panels */
	const size_t count = add_coarse_charts(scene, -1, charts, 0);
	char reason[sizeof(struct error) + 64];
	struct remarks remarks;

	choose_remarks(c, scene, &remarks);
	const struct layout l = screen_layout(
		c->rows, c->columns,
		&(struct layout_contents){.panels = scene->busy,
					  .chosen = chosen < scene->busy ? chosen : 0,
					  .table_heading = table.heading,
					  .table_rows = table.count ? table.rows : 0,
					  .alone = scene->state->alone,
					  .attention = *remarks.troubles,
					  .marks = remarks.mark_lines,
					  .message = screen_message_rows(c, remarks.message),
					  .processes = top_lines_below(scene->processes),
					  .idle = scene->count > scene->busy,
					  .charts = count > 0});

	if (l.too_small) {
		draw_values_alone(c, scene);
		return l;
	}
	screen_draw_header(c, &l.header, scene);
	if (scene->no_ports) {
		screen_reason_text(reason, sizeof(reason), "! ", scene->no_ports);
		screen_draw_lines(c, l.body.row, l.body.rows, STYLE_WARNING, reason);
	}
	draw_table(c, &l.table, scene, &table);
	draw_remarks(c, &l, scene, &remarks);
	draw_panels(c, &l, scene);
	draw_coarse_charts(c, &l.charts, scene, charts, count);
	if (l.processes.rows)
		top_draw_below(c, scene, &l.processes);
	if (l.idle.rows)
		draw_idle(c, &l.idle, scene);
	draw_footer(c, &l, scene);
	screen_draw_pages(c, scene);
	return l;
}
