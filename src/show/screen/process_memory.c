/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a process: its heat, and its amount by node over time. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/screen/canvas.h"
#include "show/screen/graph.h"
#include "show/screen/top_draw.h"

#define MIN_CURVE      24 /* columns */
#define MIN_CURVE_ROWS 3  /* rows of a curve, with its axis */
#define WIDE	       64 /* columns */
/* part of the largest amount on a node; 12 rows of 4 dots show nothing smaller */
#define GRAPH_CHANGE 0.02
#define LABEL	     24 /* "node 12 DRAM   128.0 GiB" */
#define PART	     90 /* percent of the reads that the sentence describes */

static struct scaled_text GiB_text(double GiB)
{
	return scale_memory(GiB * 1024);
}

/* Heat. */

/* Returns the memory that the process has on a node; NAN: unknown. */
static double used_GiB(const struct process_drawing *d, int node)
{
	const struct process_row *process = &d->view->row;

	for (size_t i = 0; i < d->summary->node_count && !isnan(process->memory.cxl); i++)
		if (d->summary->nodes[i].number == node)
			return (double)process->memory.bytes[i] / (1 << 30);
	return NAN;
}

static bool has_curve(const struct top_page_heat *heat)
{
	return heat->samples >= TOP_HEAT_SAMPLES_LEAST;
}

static void draw_sentence(const struct process_drawing *d, const struct area *area, int row,
			  const struct top_page_heat *heat)
{
	const double used = used_GiB(d, heat->node);
	const char *least = area->columns < WIDE ? ">" : "at least ";
	struct sentence s = {.columns = area->columns};

	sentence_add(&s, "node %d %s: ", heat->node, heat->cxl ? "CXL" : "DRAM");
	if (!has_curve(heat)) {
		sentence_add(&s, "too few samples yet, %" PRIu64 " of %d", heat->samples,
			     TOP_HEAT_SAMPLES_LEAST);
	} else {
		sentence_add(&s, "%d%% of reads in %s%s", PART,
			     heat->least[PART] < HEAT_SAMPLES_FEWEST ? least : "",
			     GiB_text(heat->GiB[PART]).text);
		if (used >= heat->GiB[PART]) /* otherwise, some of the memory was freed meanwhile */
			sentence_add(&s, " of %s", GiB_text(used).text);
		sentence_add(&s, " (%" PRIu64 " samples)", heat->samples);
	}
	canvas_text(d->canvas, row, area->column, area->columns, STYLE_BOLD, s.text);
}

/* Returns the largest part of the reads, in percent, that falls into this many GiB. */
static double part_in(const struct top_page_heat *heat, double GiB)
{
	unsigned percent = 0;

	while (percent < 100 && heat->GiB[percent + 1] <= GiB)
		percent++;
	return percent ? percent : NAN;
}

static void draw_curve(const struct process_drawing *d, const struct area *area,
		       const struct top_page_heat *heat)
{
	const struct area rows = {area->row, area->column, area->rows - 1, area->columns};
	const struct area graph = graph_percent_scale(d->canvas, &rows, "100%");
	const double used = used_GiB(d, heat->node), most = fmax(heat->GiB[100], used);
	const size_t places = graph_places(d->canvas, graph.columns);
	const int axis = area->row + area->rows - 1, end = area->column + area->columns;
	float values[GRAPH_MOST];
	char node[24];

	for (size_t i = 0; i < places; i++)
		values[i] = (float)part_in(heat, most * (double)(i + 1) / (double)places);
	graph_fill(d->canvas, &graph, (struct curve){values, places}, (struct window){0, places},
		   100, STYLE_READ, false);
	snprintf(node, sizeof(node), "0  node %d %s", heat->node, heat->cxl ? "CXL" : "DRAM");
	const int at = canvas_text_right(d->canvas, axis, end, STYLE_DIM, GiB_text(most).text);
	if ((int)strlen(node) < at - graph.column)
		canvas_text(d->canvas, axis, graph.column, graph.columns, STYLE_DIM, node);
	else
		canvas_text(d->canvas, axis, graph.column, at - graph.column - 1, STYLE_DIM,
			    node + strlen("0  "));
}

/* Lists nodes, CXL memory first. curves: only nodes that have a curve. Returns their number. */
static int list_nodes(const struct top_page *page, bool curves,
		      const struct top_page_heat *out[SCAN_NODES_MOST])
{
	int count = 0;

	for (int cxl = 1; cxl >= 0; cxl--)
		for (size_t i = 0; i < page->heat_count; i++)
			if (page->heat[i].cxl == cxl && (!curves || has_curve(&page->heat[i])))
				out[count++] = &page->heat[i];
	return count;
}

static void draw_curves(const struct process_drawing *d, const struct area *area)
{
	const struct top_page_heat *with[SCAN_NODES_MOST];
	const int count = list_nodes(&d->view->page, true, with);
	const int fit = area->columns / MIN_CURVE;
	const int shown = count < fit ? count : fit;

	for (int i = 0; i < shown; i++) {
		const int column = area->columns * i / shown;
		const struct area part = {area->row, area->column + column, area->rows,
					  area->columns * (i + 1) / shown - column -
						  2 * (i + 1 < shown)};

		draw_curve(d, &part, with[i]);
	}
}

/* Draws a sentence for each node, and below them a curve for each. */
void process_draw_heat(const struct process_drawing *d, const struct area *area)
{
	const struct top_page_heat *nodes[SCAN_NODES_MOST];
	const int room = area->rows - MIN_CURVE_ROWS - 1;
	const int count = list_nodes(&d->view->page, false, nodes);
	const int most = room > 1 ? room : area->rows;
	const int lines = count < most ? count : most;
	const struct area rest = {area->row + lines, area->column, area->rows - lines,
				  area->columns};

	if (!count)
		canvas_lines(d->canvas, area, STYLE_DIM,
			     "no sample with an address since the page was opened");
	for (int i = 0; i < lines; i++)
		draw_sentence(d, area, area->row + i, nodes[i]);
	if (rest.rows > MIN_CURVE_ROWS)
		draw_curves(d, &rest);
}

/* Memory by node, over time if it has changed. */

/* Returns whether the process ever had memory on a node. */
static bool is_used(const struct top_page *page, size_t node)
{
	for (size_t i = 0; i < page->reading_count; i++)
		if (page->readings[i].GiB[node] > 0)
			return true;
	return false;
}

static double most_of_all(const struct top_page *page)
{
	double most = 0;

	for (size_t i = 0; i < page->reading_count; i++)
		for (size_t n = 0; n < SCAN_NODES_MOST; n++)
			if (page->readings[i].GiB[n] > most)
				most = page->readings[i].GiB[n];
	return most;
}

/* Returns whether a graph would show a change. */
static bool has_changed(const struct top_page *page)
{
	const double least = most_of_all(page) * GRAPH_CHANGE;

	for (size_t i = 1; i < page->reading_count; i++)
		for (size_t n = 0; n < SCAN_NODES_MOST; n++)
			if (fabs(page->readings[i].GiB[n] - page->readings[0].GiB[n]) > least)
				return true;
	return false;
}

/* Returns the latest reading that is at least this old; NAN: none. */
static double at_age(const struct top_page *page, size_t node, double age_s)
{
	for (size_t i = 0; i < page->reading_count; i++)
		if (page->readings[i].age_s >= age_s)
			return page->readings[i].GiB[node];
	return NAN;
}

static double span_of(const struct top_page *page)
{
	return page->readings[page->reading_count - 1].age_s;
}

static void draw_graph(const struct process_drawing *d, const struct area *area, size_t node,
		       double full)
{
	const struct top_page *page = &d->view->page;
	const size_t places = graph_places(d->canvas, area->columns);
	float values[GRAPH_MOST];

	for (size_t i = 0; i < places; i++) {
		const double age_s = span_of(page) * (double)(places - 1 - i) / (double)places;

		values[i] = (float)at_age(page, node, age_s);
	}
	graph_fill(d->canvas, area, (struct curve){values, places}, (struct window){0, places},
		   full, d->summary->nodes[node].cxl ? STYLE_READ : STYLE_WRITE, false);
}

static void draw_node(const struct process_drawing *d, const struct area *area, size_t node,
		      double full)
{
	const struct top_page *page = &d->view->page;
	const struct top_node *it = &d->summary->nodes[node];
	const struct area right = {area->row, area->column + LABEL + 1, area->rows,
				   area->columns - LABEL - 1};
	char text[24];

	snprintf(text, sizeof(text), "node %d %s", it->number, it->cxl ? "CXL" : "DRAM");
	canvas_text(d->canvas, area->row, area->column, LABEL, STYLE_PLAIN, text);
	canvas_text_right(d->canvas, area->row, area->column + LABEL, STYLE_BOLD,
			  GiB_text(page->readings[0].GiB[node]).text);
	if (right.columns <= 0)
		return;
	if (has_changed(page))
		draw_graph(d, &right, node, full);
	else
		graph_bar(d->canvas, right.row, right.column, right.columns,
			  page->readings[0].GiB[node], most_of_all(page),
			  (it->cxl ? STYLE_READ : STYLE_WRITE) + SHADES - 1);
}

static void draw_time(const struct process_drawing *d, const struct area *area, int row,
		      double full)
{
	const int left = area->column + LABEL + 1, end = area->column + area->columns;
	char text[48];

	snprintf(text, sizeof(text), "height: %s", GiB_text(full).text);
	canvas_text(d->canvas, row, area->column, LABEL, STYLE_DIM, text);
	snprintf(text, sizeof(text), "%s ago", scale_duration(span_of(&d->view->page)).text);
	canvas_text(d->canvas, row, left, end - left - 4, STYLE_DIM, text);
	canvas_text_right(d->canvas, row, end, STYLE_DIM, "now");
}

/* Lists nodes with the process's memory. Returns their number. */
static int list_used(const struct process_drawing *d, size_t used[SCAN_NODES_MOST])
{
	int count = 0;

	for (size_t i = 0; i < d->summary->node_count; i++)
		if (is_used(&d->view->page, i))
			used[count++] = i;
	return count;
}

int process_memory_rows(const struct process_drawing *d)
{
	size_t used[SCAN_NODES_MOST];
	const int count = list_used(d, used);

	return has_changed(&d->view->page) ? d->canvas->rows : count ? count : 1;
}

void process_draw_memory(const struct process_drawing *d, const struct area *area)
{
	const struct top_page *page = &d->view->page;
	const bool graph = has_changed(page);
	size_t used[SCAN_NODES_MOST];
	const int count = list_used(d, used);

	if (!count) {
		canvas_lines(d->canvas, area, STYLE_DIM,
			     page->reading_count ? "it has no memory on any node"
						 : "unknown, or not counted yet");
		return;
	}
	const int room = area->rows - graph, shown = count < room ? count : room;
	const double most = most_of_all(page), unit = most < 1 ? 1.0 / 1024 : 1; /* GiB */
	const double full = graph_round_up(most / unit) * unit;

	for (int i = 0; i < shown; i++) {
		const int row = graph ? room * i / shown : i;
		const int end = graph ? room * (i + 1) / shown : i + 1;
		const struct area part = {area->row + row, area->column, end - row, area->columns};

		draw_node(d, &part, used[i], full);
	}
	if (graph)
		draw_time(d, area, area->row + room, full);
}
