/* SPDX-License-Identifier: BSD-3-Clause */
#include "screen/graph.h"

#include <math.h>

#include "platform/number.h"

#define EIGHTHS	     8
#define BLOCK	     L'\u2588' /* Source: the Unicode chart "Block Elements" (U+2580) */
#define BRAILLE	     0x2800    /* Source: the Unicode chart "Braille Patterns" */
#define DOTS	     4	       /* per column of a braille character */
#define ASCII_LEVELS 3

/* value/full in so many parts, rounded; at least one if value is not 0. */
static int parts(double value, double full, int all)
{
	const double share = full > 0 ? value / full : 0;
	const int found = (int)round_double(min_double(max_double(share, 0), 1) * all);

	return value > 0 && found < 1 ? 1 : found;
}

void graph_bar(struct canvas *c, int row, int column, int columns, double value, double full,
	       enum style style)
{
	const int in_one = c->unicode ? EIGHTHS : 1;
	int left = isnan(value) ? 0 : parts(value, full, columns * in_one);

	for (; left > 0 && columns > 0; left -= in_one, columns--) {
		if (!c->unicode)
			canvas_put(c, row, column++, style, L'#');
		else /* block elements are in descending order, from 8/8 to 1/8 */
			canvas_put(c, row, column++, style,
				   BLOCK + (left < EIGHTHS ? EIGHTHS - left : 0));
	}
}

static double sum_at(const struct history *first, const struct history *second, size_t age)
{
	return history_at(first, age) + (second ? history_at(second, age) : 0);
}

/* The number of levels of a step; 0: unknown. */
static int level(double value, double full, int levels)
{
	if (isnan(value))
		return 0;
	const int found = parts(value, full, levels);
	return found ? found : 1;
}

/* The dots of a braille column below a level. */
static unsigned dots(int level, bool right)
{
	static const unsigned char bits[2][DOTS] = {{0x40, 0x04, 0x02, 0x01},
						    {0x80, 0x20, 0x10, 0x08}};
	unsigned pattern = 0;

	for (int dot = 0; dot < DOTS && dot < level; dot++)
		pattern |= bits[right][dot];
	return pattern;
}

static wchar_t braille(int left, int right)
{
	const unsigned pattern = dots(left, false) | dots(right, true);

	return pattern ? (wchar_t)(BRAILLE + pattern) : L' ';
}

static wchar_t ascii(int level)
{
	static const wchar_t levels[] = L" .:#";

	return levels[level < 0 ? 0 : level < ASCII_LEVELS ? level : ASCII_LEVELS];
}

void graph_history(struct canvas *c, const struct area *area, const struct history *first,
		   const struct history *second, double full, enum style style)
{
	const int in_row = c->unicode ? DOTS : ASCII_LEVELS, levels = area->rows * in_row;

	for (int k = 0; k < area->columns; k++) {
		const size_t age = (size_t)(c->unicode ? 2 * k : k);
		const int right = level(sum_at(first, second, age), full, levels);
		const int left = level(sum_at(first, second, age + 1), full, levels);

		for (int row = 0; row < area->rows; row++) {
			const int below = (area->rows - 1 - row) * in_row;
			const wchar_t what = c->unicode ? braille(left - below, right - below)
							: ascii(right - below);
			canvas_put(c, area->row + row, area->column + area->columns - 1 - k, style,
				   what);
		}
	}
}

double graph_peak(const struct canvas *c, int columns, const struct history *first,
		  const struct history *second)
{
	const size_t steps = (size_t)columns * (c->unicode ? 2 : 1);
	double peak = 0;

	for (size_t age = 0; age < steps; age++)
		peak = max_double(peak, sum_at(first, second, age));
	return peak;
}
