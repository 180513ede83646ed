/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/graph.h"

#include <math.h>

#define EIGHTHS	     8
#define HALVES	     2
#define ASCII_LEVELS 3
#define BLOCK	     L'\u2588' /* Source: the Unicode chart "Block Elements" (U+2580) */
#define BRAILLE	     0x2800    /* Source: the Unicode chart "Braille Patterns" */
#define BRAILLE_END  0x28FF
#define UPPER_HALF   L'\u2580'
#define DOTS	     4 /* per column of a braille character */

/* Returns value/full in `all` parts, rounded; at least one if value is not 0. */
static int filled_parts(double value, double full, int all)
{
	const double share = full > 0 ? value / full : 0;
	const int found = (int)round(fmin(fmax(share, 0), 1) * all);

	return value > 0 && found < 1 ? 1 : found;
}

void graph_bar(struct canvas *c, int row, int column, int columns, double value, double full,
	       enum style style)
{
	const int in_one = c->glyphs ? EIGHTHS : 1;
	int left = isnan(value) ? 0 : filled_parts(value, full, columns * in_one);

	for (; left > 0 && columns > 0; left -= in_one, columns--) {
		if (!c->glyphs)
			canvas_put(c, row, column++, style, L'#');
		else /* block elements are in descending order, from 8/8 to 1/8 */
			canvas_put(c, row, column++, style,
				   BLOCK + (left < EIGHTHS ? EIGHTHS - left : 0));
	}
}

static bool has_braille(const struct canvas *c)
{
	return c->glyphs == GLYPHS_BRAILLE;
}

/* Returns the number of places for steps in a graph of this width. */
static size_t canvas_places(const struct canvas *c, int columns)
{
	return (size_t)(columns > 0 ? columns : 0) * (has_braille(c) ? 2 : 1);
}

struct window graph_window(const struct canvas *c, int columns, size_t count, size_t back)
{
	const size_t left = count > back ? count - back : 0, room = canvas_places(c, columns);

	return (struct window){back, left < room ? left : room};
}

size_t graph_places(const struct canvas *c, int columns)
{
	return graph_window(c, columns, GRAPH_MOST, 0).steps;
}

double curve_at(struct curve curve, size_t age)
{
	return age < curve.count ? (double)curve.values[curve.count - 1 - age] : NAN;
}

double curve_mean(struct curve curve, size_t steps)
{
	double sum = 0;
	size_t known = 0;

	for (size_t age = 0; age < steps; age++) {
		const double value = curve_at(curve, age);

		if (!isnan(value)) {
			sum += value;
			known++;
		}
	}
	return known ? sum / (double)known : NAN;
}

double graph_peak(struct curve curve, struct window window)
{
	double peak = 0;

	for (size_t age = 0; age < window.steps; age++)
		peak = fmax(peak, curve_at(curve, window.back + age));
	return peak;
}

bool graph_is_level(struct curve curve, struct window window)
{
	double first = NAN;

	for (size_t age = 0; age < window.steps; age++) {
		const double value = curve_at(curve, window.back + age);

		if (isnan(first))
			first = value;
		if (value < first || value > first)
			return false;
	}
	return true;
}

double graph_round_up(double number)
{
	static const double steps[] = {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
	double power = 1;

	if (!(number > 0 && isfinite(number)))
		return 1;
	while (power * 10 <= number)
		power *= 10;
	while (power > number)
		power /= 10;
	unsigned i = 0;

	while (steps[i] < 10 && steps[i] * power < number)
		i++;
	return steps[i] * power;
}

/* Returns the value at the nth place from the right. */
static double value_at(struct curve curve, struct window window, size_t place, size_t all)
{
	return window.steps ? curve_at(curve, window.back + place * window.steps / all) : NAN;
}

/* Returns the number of levels of a value; 0: unknown. */
static int filled_levels(double value, double full, int levels)
{
	if (isnan(value))
		return 0;
	const int found = filled_parts(value, full, levels);
	return found ? found : 1;
}

/* Returns one dot of a braille character, from the top. */
static unsigned braille_dot(int n, bool right)
{
	static const unsigned char bits[2][DOTS] = {{0x01, 0x02, 0x04, 0x40},
						    {0x08, 0x10, 0x20, 0x80}};

	return bits[right][n];
}

/* Draws levels first to last (from 1, from the bottom) of a column of dots. */
static void draw_dots(struct canvas *c, const struct area *area, size_t place, int first, int last,
		      enum style style)
{
	const int column = area->column + area->columns - 1 - (int)place / 2;

	for (int n = first; n <= last; n++) {
		const int from_top = area->rows * DOTS - n, row = area->row + from_top / DOTS;
		wchar_t before = canvas_at(c, row, column).character;

		before = before >= BRAILLE && before <= BRAILLE_END ? before : BRAILLE;
		canvas_put(c, row, column, style,
			   before | (wchar_t)braille_dot(from_top % DOTS, place % 2 == 0));
	}
}

/* Returns a character that is filled up to a number of levels. */
static wchar_t filled_character(const struct canvas *c, int levels, bool down)
{
	if (c->glyphs == GLYPHS_ASCII)
		return L" .:#"[levels];
	if (down)
		return levels < HALVES ? UPPER_HALF : BLOCK;
	return levels == EIGHTHS ? BLOCK : (wchar_t)(0x2580 + levels);
}

static void fill_column(struct canvas *c, const struct area *area, size_t place, int levels,
			int in_row, enum style style, bool down)
{
	const int column = area->column + area->columns - 1 - (int)place;

	for (int n = 0; n < area->rows && levels > n * in_row; n++) {
		const int here = levels - n * in_row < in_row ? levels - n * in_row : in_row;

		canvas_put(c, down ? area->row + n : area->row + area->rows - 1 - n, column, style,
			   filled_character(c, here, down));
	}
}

void graph_fill(struct canvas *c, const struct area *area, struct curve curve, struct window window,
		double full, enum style style, bool down)
{
	const int in_row = c->glyphs == GLYPHS_BRAILLE ? DOTS
			   : c->glyphs == GLYPHS_ASCII ? ASCII_LEVELS
			   : down		       ? HALVES
						       : EIGHTHS;
	const int all = area->rows * in_row;
	const size_t count = canvas_places(c, area->columns);

	for (size_t place = 0; place < count; place++) {
		const double value = value_at(curve, window, place, count);
		const int high = filled_levels(value, full, all);
		const enum style shade =
			style + (enum style)(high > 0 ? (high - 1) * SHADES / all : 0);

		if (!high)
			continue;
		if (has_braille(c))
			draw_dots(c, area, place, down ? all - high + 1 : 1, down ? all : high,
				  shade);
		else
			fill_column(c, area, place, high, in_row, shade, down);
	}
}

void graph_line(struct canvas *c, const struct area *area, struct curve curve, struct window window,
		double full, enum style style)
{
	const int in_row = has_braille(c) ? DOTS : 1, all = area->rows * in_row;
	const size_t count = canvas_places(c, area->columns);
	int before = 0;

	for (size_t place = 0; place < count; place++) {
		const int now = filled_levels(value_at(curve, window, place, count), full, all);
		const int other = before && now ? before : now;

		before = now;
		if (!now)
			continue;
		if (has_braille(c))
			draw_dots(c, area, place, now < other ? now : other,
				  now < other ? other : now, style);
		else
			canvas_put(c, area->row + area->rows - now,
				   area->column + area->columns - 1 - (int)place, style,
				   c->glyphs == GLYPHS_ASCII ? L'*' : L'\u2500');
	}
}

struct area graph_percent_scale(struct canvas *c, const struct area *area, const char *top)
{
	const int line = area->column + GRAPH_GUTTER - 1, last = area->row + area->rows - 1;

	for (int row = area->row; row <= last; row++)
		canvas_put(c, row, line, STYLE_DIM, c->glyphs ? L'\u2502' : L'|');
	canvas_text_right(c, last, line, STYLE_DIM, "0%");
	canvas_text_right(c, area->row, line, STYLE_DIM, top);
	return (struct area){area->row, line + 1, area->rows, area->columns - GRAPH_GUTTER};
}
