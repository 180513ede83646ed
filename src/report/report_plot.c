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

/* State of an SVG path. */
struct pen {
	FILE *out;
	bool down;
	bool moved; /* drawn since the last M */
};

static double limit(double share)
{
	return share < 0 ? 0 : share > 1 ? 1 : share;
}

static double scale_x(const struct plot *plot, double x)
{
	return PLOT_LEFT + INNER_WIDTH * limit(x * plot->x.factor / plot->x.max);
}

static double scale_y(const struct plot *plot, double y)
{
	return PLOT_BOTTOM - INNER_HEIGHT * limit(y * plot->y.factor / plot->y.max);
}

static void draw_to(struct pen *pen, double x, double y)
{
	fprintf(pen->out, "%c%.5g %.5g", pen->down ? 'L' : 'M', x, y);
	pen->moved = pen->down;
	pen->down = true;
}

/* A single point is a line of length 0, drawn as a dot by round line caps. */
static void end_subpath(struct pen *pen)
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
		const double y = PLOT_BOTTOM - INNER_HEIGHT * plot->y.step * i / plot->y.max;

		put_rule(out, PLOT_LEFT, y, PLOT_RIGHT, y);
	}
	fputs("</g><g class=\"labels\">", out);
	for (unsigned i = 0; i < plot->y.ticks; i++) {
		const double y = PLOT_BOTTOM - INNER_HEIGHT * plot->y.step * i / plot->y.max;

		put_label(out, PLOT_LEFT - 5, y + 4, "end", axis_label(&plot->y, i, text));
	}
	for (unsigned i = 0; i < plot->x.ticks; i++) {
		const double x = PLOT_LEFT + INNER_WIDTH * plot->x.step * i / plot->x.max;

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
			end_subpath(&pen);
		else
			draw_to(&pen, scale_x(plot, x[i]), scale_y(plot, y[i]));
	}
	end_subpath(&pen);
}

static unsigned column_of(const struct plot *plot, double x)
{
	return (unsigned)(limit(x * plot->x.factor / plot->x.max) * (PLOT_COLUMNS - 1));
}

/* A column with unknown values is drawn, and ends the line. */
static void draw_columns(const struct plot *plot, const double *x, const double *y, size_t count)
{
	struct pen pen = {.out = plot->out};

	for (size_t i = 0; i < count;) {
		const unsigned column = column_of(plot, x[i]);
		const double at = PLOT_LEFT + (column + 0.5) / 2;
		double min = NAN, max = NAN;
		bool gap = false;

		for (; i < count && column_of(plot, x[i]) == column; i++) {
			gap |= isnan(y[i]);
			min = min_double(min, y[i]);
			max = max_double(max, y[i]);
		}
		if (!isnan(max))
			draw_to(&pen, at, scale_y(plot, max));
		if (min < max)
			draw_to(&pen, at, scale_y(plot, min));
		if (gap)
			end_subpath(&pen);
	}
	end_subpath(&pen);
}

void plot_line(const struct plot *plot, const double *x, const double *y, size_t count,
	       const char *class_name, const char *name)
{
	open_path(plot, class_name, name);
	if (count <= PLOT_MAX_POINTS)
		draw_points(plot, x, y, count);
	else
		draw_columns(plot, x, y, count);
	fputs("\"/>", plot->out);
}

int plot_points(const struct plot *plot, const double *x, const double *y, size_t count,
		const char *class_name, const char *name)
{
	bool *drawn = calloc((size_t)(INNER_WIDTH + 1) * (INNER_HEIGHT + 1), sizeof(*drawn));

	if (!drawn)
		return -ENOMEM;
	open_path(plot, class_name, name);
	for (size_t i = 0; i < count; i++) {
		if (isnan(x[i]) || isnan(y[i]))
			continue;
		const double left = scale_x(plot, x[i]), top = scale_y(plot, y[i]);
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
