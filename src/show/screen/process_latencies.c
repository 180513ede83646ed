/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Latencies of a process: a histogram for CXL memory and one for DRAM, over one axis. A bar is one
 * or several buckets of struct latencies, so the axis is logarithmic.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/screen/canvas.h"
#include "show/screen/graph.h"
#include "show/screen/top_draw.h"

#define MIN_ROWS      4 /* rows of a histogram: a sentence, two rows, and the axis */
#define MIN_BUCKETS   16
#define MARGIN	      2 /* buckets */
#define MEMORIES      2
#define MARKS_PER_TEN 3

/* Buckets that are drawn, from the first to before the end; several share a bar. */
struct buckets {
	size_t first, end, together;
};

static struct buckets choose_buckets(const struct top_page *page)
{
	struct buckets out = {LATENCY_BUCKETS, 0, 1};

	for (size_t m = 0; m < MEMORIES; m++)
		for (size_t i = 0; i < LATENCY_BUCKETS; i++) {
			if (!page->latencies[m].buckets[i])
				continue;
			out.first = i < out.first ? i : out.first;
			out.end = i + 1 > out.end ? i + 1 : out.end;
		}
	out.first = out.first > MARGIN ? out.first - MARGIN : 0;
	out.end += MARGIN;
	if (out.end < out.first + MIN_BUCKETS)
		out.end = out.first + MIN_BUCKETS;
	return out;
}

static size_t bars_of(const struct buckets *b)
{
	return (b->end - b->first + b->together - 1) / b->together;
}

/* Returns the part of all reads in a bar, in percent. */
static double share_of(const struct latencies *latencies, const struct buckets *b, size_t bar)
{
	uint64_t weight = 0;

	for (size_t i = b->first + bar * b->together, n = 0; n < b->together && i < LATENCY_BUCKETS;
	     i++, n++)
		weight += latencies->buckets[i];
	return 100 * (double)weight / (double)latencies_weight(latencies);
}

static void draw_bars(const struct process_drawing *d, const struct area *area,
		      const struct latencies *latencies, const struct buckets *b)
{
	float bars[GRAPH_MOST];
	const size_t count = bars_of(b);
	struct area graph = *area;
	double most = 0;
	char top[16];

	for (size_t i = 0; i < count; i++) {
		const double share = share_of(latencies, b, i);

		bars[i] = share > 0 ? (float)share : NAN;
		most = fmax(most, share);
	}
	const double full = fmin(graph_round_up(most), 100);
	snprintf(top, sizeof(top), "%g%%", full);
	graph = graph_percent_scale(d->canvas, area, top);
	graph_fill(d->canvas, &graph, (struct curve){bars, count}, (struct window){0, count}, full,
		   STYLE_READ, false);
}

/* Returns the place of a latency on the axis, in columns; may be outside. */
static int column_of(const struct buckets *b, int columns, double ns)
{
	const double bar = ((double)latencies_bucket(ns) - (double)b->first) / (double)b->together;

	return (int)floor(bar * columns / (double)bars_of(b));
}

/* Draws marks at 1, 2 and 5 times powers of ten, as far as they have room. */
static void draw_axis(const struct process_drawing *d, const struct area *area,
		      const struct buckets *b)
{
	static const double steps[MARKS_PER_TEN] = {1, 2, 5};
	const int left = area->column + GRAPH_GUTTER, columns = area->columns - GRAPH_GUTTER;
	int free = 0;

	for (double power = 1; power < 1e6; power *= 10)
		for (size_t i = 0; i < MARKS_PER_TEN; i++) {
			const double ns = steps[i] * power;
			const int at = column_of(b, columns, ns);
			char text[16];

			snprintf(text, sizeof(text), "%g %s", ns < 1000 ? ns : ns / 1000,
				 ns < 1000 ? "ns" : "us");
			if (at < free || at + 1 + (int)strlen(text) > columns)
				continue;
			canvas_put(d->canvas, area->row, left + at, STYLE_DIM,
				   d->canvas->glyphs ? L'\u2514' : L'|');
			canvas_text(d->canvas, area->row, left + at + 1, columns - at - 1,
				    STYLE_DIM, text);
			free = at + (int)strlen(text) + 3;
		}
}

static void add_percentile(struct sentence *s, const struct latencies *latencies, unsigned percent)
{
	const double ns = latencies_percentile(latencies, percent);

	if (!isnan(ns))
		sentence_add(s, "  p%u %.0f ns", percent, ns);
}

static void draw_one(const struct process_drawing *d, const struct area *area, size_t memory,
		     const struct buckets *b)
{
	const struct latencies *latencies = &d->view->page.latencies[memory];
	const struct area bars = {area->row + 1, area->column, area->rows - 2, area->columns};
	const struct area axis = {area->row + area->rows - 1, area->column, 1, area->columns};
	struct sentence s = {.columns = area->columns};

	sentence_add(&s, "%s", memory == MEMORY_CXL ? "CXL" : "DRAM");
	add_percentile(&s, latencies, 50);
	add_percentile(&s, latencies, 99);
	sentence_add(&s, "  longest %.0f ns", latencies->max);
	sentence_add(&s, "  %" PRIu64 " samples", latencies->count);
	canvas_text(d->canvas, area->row, area->column, area->columns, STYLE_BOLD, s.text);
	draw_bars(d, &bars, latencies, b);
	draw_axis(d, &axis, b);
}

void process_draw_latencies(const struct process_drawing *d, const struct area *area)
{
	const struct top_page *page = &d->view->page;
	const struct area graph = {area->row, area->column + GRAPH_GUTTER, 1,
				   area->columns - GRAPH_GUTTER};
	const size_t places = graph_places(d->canvas, graph.columns);
	struct buckets b = choose_buckets(page);
	int count = 0, drawn = 0;

	for (size_t m = 0; m < MEMORIES; m++)
		count += page->latencies[m].count > 0;
	if (!count || !places) {
		canvas_lines(d->canvas, area, STYLE_DIM,
			     d->summary->latencies_s > 0
				     ? "none of its loads was sampled"
				     : "this processor does not say how long loads take");
		return;
	}
	while (bars_of(&b) > places)
		b.together++;
	if (area->rows / count < MIN_ROWS)
		count = 1;
	for (size_t m = 0; m < MEMORIES && drawn < count; m++) {
		const int row = area->rows * drawn / count;
		const struct area part = {area->row + row, area->column,
					  area->rows * (drawn + 1) / count - row, area->columns};

		if (!page->latencies[m].count)
			continue;
		draw_one(d, &part, m, &b);
		drawn++;
	}
}
