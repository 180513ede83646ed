/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/page/plot.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define NEAR_0	     1e-9
#define MAX_TICKS    5 /* besides the one at the beginning of the axis */

/* Values from which a larger unit is used; the largest first. */
static const struct {
	const char *unit;
	double from;
	const char *larger;
	double factor;
} larger_units[] = {
	{"MB/s", 1e6, "TB/s", 1e-6},	  {"MB/s", 1e3, "GB/s", 1e-3},
	{"ns", 1e6, "ms", 1e-6},	  {"ns", 1e4, "\u00b5s", 1e-3},
	{"1/s", 1e9, "10\u2079/s", 1e-9}, {"1/s", 1e6, "10\u2076/s", 1e-6},
	{"1/s", 1e3, "10\u00b3/s", 1e-3}, {"MHz", 1e3, "GHz", 1e-3},
	{"MiB", 0x1p20, "TiB", 0x1p-20},  {"MiB", 0x1p10, "GiB", 0x1p-10},
};

/* Rounds up to 1, 2, 2.5 or 5 times a power of ten. */
static double round_up(double number)
{
	static const double steps[] = {1, 2, 2.5, 5, 10};
	double power = 1;

	/* 0, infinite or NAN: any step will do */
	if (!(number >= DBL_MIN && number <= DBL_MAX / 10))
		return number;
	while (power > number)
		power /= 10;
	while (power * 10 <= number)
		power *= 10;

	for (size_t i = 0; i < COUNT(steps); i++)
		/* tolerates rounding errors */
		if (steps[i] * power >= number * (1 - 1e-9))
			return steps[i] * power;
	return 10 * power;
}

static unsigned step_decimals(double step)
{
	unsigned decimals = 0;

	for (; decimals < 9 && fabs(step - round(step)) > 1e-6 * step; step *= 10)
		decimals++;
	return decimals;
}

struct axis axis_of_range(const char *unit, double least, double largest)
{
	struct axis axis = {.unit = unit, .factor = 1};

	for (size_t i = 0; i < COUNT(larger_units); i++) {
		if (strcmp(unit, larger_units[i].unit) || largest < larger_units[i].from)
			continue;
		axis.unit = larger_units[i].larger;
		axis.factor = larger_units[i].factor;
		break;
	}
	const bool zeros = !(largest > NEAR_0);
	const double low = least * axis.factor, high = zeros ? 1 : largest * axis.factor;
	if (!zeros && low > high / 2 && low <= high) {
		/* variations of a few percent must look small */
		const double span = fmax(high - low, high / 4);

		axis.step = round_up(span / MAX_TICKS);
		axis.from = (ceil(low / axis.step - 1e-9) - 1) * axis.step;
		axis.ticks = (unsigned)ceil(fmax(high - axis.from, span) / axis.step - 1e-9) + 1;
	} else {
		axis.step = round_up(high / MAX_TICKS);
		/* the number of steps, rounded up, and the tick at 0 */
		const double steps = high / axis.step * (1 - 1e-9);
		axis.ticks = (unsigned)steps + (steps > (unsigned)steps) + 1;
	}
	axis.max = axis.from + axis.step * (axis.ticks - 1);
	axis.decimals = step_decimals(axis.step);
	return axis;
}

struct axis axis_of_time(double seconds)
{
	/* minimum duration in seconds, and seconds per unit */
	static const struct {
		double from;
		const char *unit;
		double seconds;
	} units[] = {{3 * 86400, "days", 86400}, {3 * 3600, "h", 3600},
		     {300, "min", 60},		 {1, "s", 1},
		     {1e-3, "ms", 1e-3},	 {0, "\u00b5s", 1e-6}};
	size_t i = 0;

	if (!(seconds > 1e-6))
		seconds = 1;
	while (seconds < units[i].from)
		i++;
	struct axis axis = {.unit = units[i].unit, .factor = 1 / units[i].seconds};
	axis.max = seconds * axis.factor;
	axis.step = round_up(axis.max / (MAX_TICKS + 1));
	axis.ticks = (unsigned)(axis.max / axis.step * (1 + 1e-9)) + 1;
	axis.decimals = step_decimals(axis.step);
	return axis;
}

const char *axis_label(const struct axis *axis, unsigned tick, char text[NUMBER_SIZE])
{
	return number_grouped(axis->from + axis->step * tick, axis->decimals, text);
}

#define INNER_WIDTH  (PLOT_RIGHT - PLOT_LEFT)
#define INNER_HEIGHT (PLOT_BOTTOM - PLOT_TOP)

/* State of an SVG path. */
struct pen {
	FILE *out;
	bool down;
	bool moved; /* drawn since the last M */
};

static double share_of(const struct axis *axis, double value)
{
	const double share = (value * axis->factor - axis->from) / (axis->max - axis->from);

	return share < 0 ? 0 : share > 1 ? 1 : share;
}

static double scale_x(const struct plot *plot, double x)
{
	return PLOT_LEFT + INNER_WIDTH * share_of(&plot->x, x);
}

static double scale_y(const struct plot *plot, double y)
{
	return PLOT_BOTTOM - INNER_HEIGHT * share_of(&plot->y, y);
}

static double tick_y(const struct plot *plot, unsigned tick)
{
	return PLOT_BOTTOM - INNER_HEIGHT * plot->y.step * tick / (plot->y.max - plot->y.from);
}

static void draw_to(struct pen *pen, double x, double y)
{
	fprintf(pen->out, "%c%.5g %.5g", pen->down ? 'L' : 'M', x, y);
	pen->moved = pen->down;
	pen->down = true;
}

/*
 * Ends a part of a path. A single point is a line of length 0, drawn as a dot by round line caps.
 */
static void end_subpath(struct pen *pen)
{
	if (pen->down && !pen->moved)
		fputs("h0", pen->out);
	*pen = (struct pen){.out = pen->out};
}

static void put_label(FILE *out, double x, double y, const char *anchor, const char *text)
{
	html_print(out, "<text x=\"%.5g\" y=\"%.5g\" text-anchor=\"%s\">%s</text>", x, y, anchor,
		   text);
}

static void put_rule(FILE *out, double x1, double y1, double x2, double y2)
{
	fprintf(out, "<path d=\"M%.5g %.5gL%.5g %.5g\"/>", x1, y1, x2, y2);
}

void plot_frame(const struct plot *plot, const char *title)
{
	char text[NUMBER_SIZE];
	FILE *out = plot->out;

	fputs("<g class=\"grid\">", out);
	for (unsigned i = 0; i < plot->y.ticks; i++) {
		const double y = tick_y(plot, i);

		put_rule(out, PLOT_LEFT, y, PLOT_RIGHT, y);
	}
	fputs("</g><g class=\"labels\">", out);
	for (unsigned i = 0; i < plot->y.ticks; i++)
		put_label(out, PLOT_LEFT - 5, tick_y(plot, i) + 4, "end",
			  axis_label(&plot->y, i, text));
	if (plot->y.from > 0)
		html_print(out, "<text x=\"0\" y=\"%d\">from %s, not 0</text>", PLOT_HEIGHT - 5,
			   axis_label(&plot->y, 0, text));
	html_print(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s, %s</text>", PLOT_RIGHT,
		   PLOT_HEIGHT - 5, title, plot->x.unit);
	fputs("</g><g class=\"labels ticks\">", out);
	for (unsigned i = 0; i < plot->x.ticks; i++) {
		const double x = PLOT_LEFT + INNER_WIDTH * plot->x.step * i / plot->x.max;

		put_rule(out, x, PLOT_BOTTOM, x, PLOT_BOTTOM + 4);
		put_label(out, x, PLOT_BOTTOM + 17, "middle", axis_label(&plot->x, i, text));
	}
	fputs("</g>", out);
}

/* Units by which the clip is wider than the plot, so that lines are whole at its ends. */
#define MARGIN 2

void plot_begin_lines(const struct plot *plot)
{
	fprintf(plot->out,
		"<svg class=\"inner\" x=\"%d\" y=\"0\" width=\"%d\" height=\"%d\" "
		"viewBox=\"%d 0 %d %d\"><g class=\"lines\">",
		PLOT_LEFT - MARGIN, INNER_WIDTH + 2 * MARGIN, PLOT_HEIGHT, PLOT_LEFT - MARGIN,
		INNER_WIDTH + 2 * MARGIN, PLOT_HEIGHT);
}

void plot_end_lines(const struct plot *plot)
{
	fputs("</g></svg>", plot->out);
}

/* Writes "line c0"; "line many" if there are more lines than colours. */
static void put_class(FILE *out, const char *kind, size_t series, size_t count)
{
	if (count > PLOT_COLOURS)
		html_print(out, " class=\"%s many\"", kind);
	else
		html_print(out, " class=\"%s c%zu\"", kind, series % PLOT_COLOURS);
}

void plot_key(FILE *out, size_t series, size_t count)
{
	fputs("<svg", out);
	put_class(out, "key", series, count);
	fputs(" viewBox=\"0 0 22 4\" aria-hidden=\"true\"><path d=\"M2 2h18\"/></svg>", out);
}

static void open_path(const struct plot *plot, const struct plot_mark *mark)
{
	fputs("<path", plot->out);
	put_class(plot->out, mark->kind, mark->series, mark->count);
	html_print(plot->out, " data-name=\"%s\" data-series=\"%zu\" d=\"", mark->name,
		   mark->series);
}

bool plot_is_reduced(size_t count)
{
	return count > PLOT_PIXELS;
}

unsigned plot_columns(size_t count)
{
	return count / 2 < PLOT_COLUMNS ? (unsigned)(count / 2) : PLOT_COLUMNS;
}

/* Values of one column, a range of time. */
struct plot_column {
	size_t count, unknown;
	double min, max;	 /* NAN: all are unknown */
	double weighted, weight; /* for the mean, by time */
	double sum;		 /* for the mean of values without duration */
};

static void add_to_column(struct plot_column *column, double seconds, double y)
{
	column->count++;
	if (isnan(y)) {
		column->unknown++;
		return;
	}
	column->min = fmin(column->min, y);
	column->max = fmax(column->max, y);
	column->weighted += y * seconds;
	column->weight += seconds;
	column->sum += y;
}

static double mean_of(const struct plot_column *column)
{
	const double mean = column->weight > 0
				    ? column->weighted / column->weight
				    : column->sum / (double)(column->count - column->unknown);

	/* the sum may have overflowed */
	return fmax(column->min, fmin(column->max, mean));
}

/* Sorts values into columns that begin_columns() has emptied. */
static void fill_columns(const struct plot *plot, const double *x, const double *y, size_t count,
			 struct plot_column *columns)
{
	const unsigned last = plot_columns(count) - 1;
	unsigned c;

	for (size_t i = 0; i < count; i++) {
		c = (unsigned)(share_of(&plot->x, x[i]) * (last + 1));
		add_to_column(&columns[c < last ? c : last], x[i] - (i ? x[i - 1] : 0), y[i]);
	}
}

static void begin_columns(struct plot_column *columns)
{
	for (unsigned c = 0; c < PLOT_COLUMNS; c++)
		columns[c] = (struct plot_column){.min = NAN, .max = NAN};
}

/* Returns the left end of a column; for the one after the last, the plot's right end. */
static double column_left(unsigned column, unsigned columns)
{
	return PLOT_LEFT + (double)INNER_WIDTH * column / columns;
}

static double column_middle(unsigned column, unsigned columns)
{
	return (column_left(column, columns) + column_left(column + 1, columns)) / 2;
}

/* Draws a line through means. A column with unknown values is drawn, and ends the line. */
static void draw_means(const struct plot *plot, const struct plot_column *columns, unsigned count)
{
	struct pen pen = {.out = plot->out};

	for (unsigned c = 0; c < count; c++) {
		if (!isnan(columns[c].max))
			draw_to(&pen, column_middle(c, count), scale_y(plot, mean_of(&columns[c])));
		if (columns[c].unknown)
			end_subpath(&pen);
	}
	end_subpath(&pen);
}

void plot_line(const struct plot *plot, const double *x, const double *y, size_t count,
	       const struct plot_mark *mark)
{
	struct plot_column columns[PLOT_COLUMNS];
	struct pen pen = {.out = plot->out};

	open_path(plot, mark);
	if (plot_is_reduced(count)) {
		begin_columns(columns);
		fill_columns(plot, x, y, count, columns);
		draw_means(plot, columns, plot_columns(count));
	}
	for (size_t i = 0; !plot_is_reduced(count) && i < count; i++) {
		if (isnan(y[i]))
			end_subpath(&pen);
		else
			draw_to(&pen, scale_x(plot, x[i]), scale_y(plot, y[i]));
	}
	end_subpath(&pen);
	fputs("\"/>", plot->out);
}

/* Draws one area: along the maxima of the columns from first to last, and back along the minima. */
static void draw_area(const struct plot *plot, const struct plot_column *columns, unsigned first,
		      unsigned last, unsigned count)
{
	FILE *out = plot->out;

	fprintf(out, "M%.4g %.4g", column_left(first, count), scale_y(plot, columns[first].max));
	for (unsigned c = first; c <= last; c++)
		if (!isnan(columns[c].max))
			fprintf(out, "L%.4g %.4g", column_middle(c, count),
				scale_y(plot, columns[c].max));
	fprintf(out, "L%.4g %.4gL%.4g %.4g", column_left(last + 1, count),
		scale_y(plot, columns[last].max), column_left(last + 1, count),
		scale_y(plot, columns[last].min));
	for (unsigned c = last + 1; c-- > first;)
		if (!isnan(columns[c].max))
			fprintf(out, "L%.4g %.4g", column_middle(c, count),
				scale_y(plot, columns[c].min));
	fprintf(out, "L%.4g %.4gZ", column_left(first, count), scale_y(plot, columns[first].min));
}

/* Draws areas, which end where the lines end. */
static void draw_areas(const struct plot *plot, const struct plot_column *columns, unsigned count)
{
	unsigned first = count, last = count;

	for (unsigned c = 0; c < count; c++) {
		const bool known = !isnan(columns[c].max);

		first = known && first == count ? c : first;
		last = known ? c : last;
		if (first < count && (columns[c].unknown || c == count - 1)) {
			draw_area(plot, columns, first, last, count);
			first = last = count;
		}
	}
}

void plot_band(const struct plot *plot, const double *x, const double *const *y, size_t lines,
	       size_t count, const struct plot_mark *mark)
{
	struct plot_column columns[PLOT_COLUMNS];

	if (!plot_is_reduced(count))
		return;
	begin_columns(columns);
	for (size_t i = 0; i < lines; i++)
		fill_columns(plot, x, y[i], count, columns);
	open_path(plot, mark);
	draw_areas(plot, columns, plot_columns(count));
	fputs("\"/>", plot->out);
}

void plot_area(const struct plot *plot, const double *x, const double *low, const double *high,
	       size_t count, const struct plot_mark *mark)
{
	struct pen pen = {.out = plot->out};

	open_path(plot, mark);
	for (size_t i = 0; i < count; i++)
		draw_to(&pen, scale_x(plot, x[i]), scale_y(plot, high[i]));
	for (size_t i = count; i-- > 0;)
		draw_to(&pen, scale_x(plot, x[i]), scale_y(plot, low[i]));
	fputs("Z\"/>", plot->out);
}

void plot_points(const struct plot *plot, const double *x, const double *y, size_t count,
		 const struct plot_mark *mark)
{
	bool drawn[INNER_WIDTH + 1][INNER_HEIGHT + 1] = {{false}};

	open_path(plot, mark);
	for (size_t i = 0; i < count; i++) {
		if (isnan(x[i]) || isnan(y[i]))
			continue;
		const double left = scale_x(plot, x[i]), top = scale_y(plot, y[i]);
		bool *pixel = &drawn[(size_t)(left - PLOT_LEFT)][(size_t)(top - PLOT_TOP)];

		if (!*pixel)
			fprintf(plot->out, "M%.5g %.5gh0", left, top);
		*pixel = true;
	}
	fputs("\"/>", plot->out);
}

void plot_level(const struct plot *plot, double y, const char *name)
{
	if (y * plot->y.factor < plot->y.from || y * plot->y.factor > plot->y.max)
		return;
	html_print(plot->out, "<path class=\"level\" d=\"M%d %.5gH%d\"><title>%s</title></path>",
		   PLOT_LEFT, scale_y(plot, y), PLOT_RIGHT, name);
}

void plot_moment(const struct plot *plot, double x, const char *name)
{
	html_print(plot->out, "<path class=\"moment\" d=\"M%.5g %dV%d\"><title>%s</title></path>",
		   scale_x(plot, x), PLOT_BOTTOM, PLOT_TOP, name);
}

void plot_ring(const struct plot *plot, double x, double y, const struct plot_mark *mark)
{
	fputs("<circle", plot->out);
	put_class(plot->out, mark->kind, mark->series, mark->count);
	html_print(
		plot->out,
		" data-series=\"%zu\" cx=\"%.5g\" cy=\"%.5g\" r=\"5\"><title>%s</title></circle>",
		mark->series, scale_x(plot, x), scale_y(plot, y), mark->name);
}
