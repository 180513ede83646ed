/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report_plot.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "platform/number.h"
#include "report/html.h"

#define INNER_WIDTH  (PLOT_RIGHT - PLOT_LEFT)
#define INNER_HEIGHT (PLOT_BOTTOM - PLOT_TOP)

/* Draws one path. */
struct pen {
	FILE *out;
	bool down;
	bool moved; /* since it was set down */
};

static double limit(double share)
{
	return share < 0 ? 0 : share > 1 ? 1 : share;
}

static double place_x(const struct plot *plot, double x)
{
	return PLOT_LEFT + INNER_WIDTH * limit(x * plot->x.factor / plot->x.most);
}

static double place_y(const struct plot *plot, double y)
{
	return PLOT_BOTTOM - INNER_HEIGHT * limit(y * plot->y.factor / plot->y.most);
}

static void draw_to(struct pen *pen, double x, double y)
{
	fprintf(pen->out, "%c%.5g %.5g", pen->down ? 'L' : 'M', x, y);
	pen->moved = pen->down;
	pen->down = true;
}

/* A point with no neighbours is a line of no length, which round ends make a dot. */
static void lift(struct pen *pen)
{
	if (pen->down && !pen->moved)
		fputs("h0", pen->out);
	*pen = (struct pen){.out = pen->out};
}

static void put_label(FILE *out, double x, double y, const char *anchor, const char *text)
{
	fprintf(out, "<text x=\"%.5g\" y=\"%.5g\" text-anchor=\"%s\">", x, y, anchor);
	html_text(out, text);
	fputs("</text>", out);
}

static void put_rule(FILE *out, double x1, double y1, double x2, double y2)
{
	fprintf(out, "<path d=\"M%.5g %.5gL%.5g %.5g\"/>", x1, y1, x2, y2);
}

void plot_frame(const struct plot *plot, const char *title)
{
	char text[AXIS_LABEL_SIZE];
	FILE *out = plot->out;

	fputs("<g class=\"grid\">", out);
	for (unsigned i = 0; i < plot->y.ticks; i++) {
		const double y = PLOT_BOTTOM - INNER_HEIGHT * plot->y.step * i / plot->y.most;

		put_rule(out, PLOT_LEFT, y, PLOT_RIGHT, y);
	}
	fputs("</g><g class=\"labels\">", out);
	for (unsigned i = 0; i < plot->y.ticks; i++) {
		const double y = PLOT_BOTTOM - INNER_HEIGHT * plot->y.step * i / plot->y.most;

		put_label(out, PLOT_LEFT - 5, y + 4, "end", axis_label(&plot->y, i, text));
	}
	for (unsigned i = 0; i < plot->x.ticks; i++) {
		const double x = PLOT_LEFT + INNER_WIDTH * plot->x.step * i / plot->x.most;

		put_rule(out, x, PLOT_BOTTOM, x, PLOT_BOTTOM + 4);
		put_label(out, x, PLOT_BOTTOM + 17, "middle", axis_label(&plot->x, i, text));
	}
	put_label(out, PLOT_RIGHT, PLOT_HEIGHT - 5, "end", title);
	fputs("</g>", out);
}

static void open_path(const struct plot *plot, const char *class_name, const char *name)
{
	html_print(plot->out, "<path class=\"%t\" data-name=\"%t\" d=\"", class_name, name);
}

static void draw_points(const struct plot *plot, const double *x, const double *y, size_t count)
{
	struct pen pen = {.out = plot->out};

	for (size_t i = 0; i < count; i++) {
		if (isnan(y[i]))
			lift(&pen);
		else
			draw_to(&pen, place_x(plot, x[i]), place_y(plot, y[i]));
	}
	lift(&pen);
}

static unsigned column_of(const struct plot *plot, double x)
{
	return (unsigned)(limit(x * plot->x.factor / plot->x.most) * (PLOT_COLUMNS - 1));
}

/* A column in which something is not known is drawn, and the line ends there. */
static void draw_columns(const struct plot *plot, const double *x, const double *y, size_t count)
{
	struct pen pen = {.out = plot->out};

	for (size_t i = 0; i < count;) {
		const unsigned column = column_of(plot, x[i]);
		const double at = PLOT_LEFT + (column + 0.5) / 2;
		double least = NAN, most = NAN;
		bool gap = false;

		for (; i < count && column_of(plot, x[i]) == column; i++) {
			gap |= isnan(y[i]);
			least = min_double(least, y[i]);
			most = max_double(most, y[i]);
		}
		if (!isnan(most))
			draw_to(&pen, at, place_y(plot, most));
		if (least < most)
			draw_to(&pen, at, place_y(plot, least));
		if (gap)
			lift(&pen);
	}
	lift(&pen);
}

void plot_line(const struct plot *plot, const double *x, const double *y, size_t count,
	       const char *class_name, const char *name)
{
	open_path(plot, class_name, name);
	if (count <= PLOT_MOST_POINTS)
		draw_points(plot, x, y, count);
	else
		draw_columns(plot, x, y, count);
	fputs("\"/>", plot->out);
}

int plot_dots(const struct plot *plot, const double *x, const double *y, size_t count,
	      const char *class_name, const char *name)
{
	bool *drawn = calloc((size_t)(INNER_WIDTH + 1) * (INNER_HEIGHT + 1), sizeof(*drawn));

	if (!drawn)
		return -ENOMEM;
	open_path(plot, class_name, name);
	for (size_t i = 0; i < count; i++) {
		if (isnan(x[i]) || isnan(y[i]))
			continue;
		const double left = place_x(plot, x[i]), top = place_y(plot, y[i]);
		bool *pixel = &drawn[(size_t)(left - PLOT_LEFT) * (INNER_HEIGHT + 1) +
				     (size_t)(top - PLOT_TOP)];
		if (!*pixel)
			fprintf(plot->out, "M%.5g %.5gh0", left, top);
		*pixel = true;
	}
	fputs("\"/>", plot->out);
	free(drawn);
	return 0;
}
