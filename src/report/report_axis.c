/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report_axis.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MAX_TICKS    5 /* besides the one at 0 */

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

static unsigned decimals_of(double step)
{
	unsigned decimals = 0;

	for (; decimals < 9 && fabs(step - round(step)) > 1e-6 * step; step *= 10)
		decimals++;
	return decimals;
}

struct axis axis_of_values(const char *unit, double largest)
{
	struct axis axis = {.unit = unit, .factor = 1};

	for (size_t i = 0; i < COUNT(larger_units); i++) {
		if (strcmp(unit, larger_units[i].unit) || largest < larger_units[i].from)
			continue;
		axis.unit = larger_units[i].larger;
		axis.factor = larger_units[i].factor;
		break;
	}
	/* if all values are 0 */
	const double most = largest > 1e-9 ? largest * axis.factor : 1;
	axis.step = round_up(most / MAX_TICKS);
	/* the number of steps, rounded up, and the tick at 0 */
	const double steps = most / axis.step * (1 - 1e-9);
	axis.ticks = (unsigned)steps + (steps > (unsigned)steps) + 1;
	axis.max = axis.step * (axis.ticks - 1);
	axis.decimals = decimals_of(axis.step);
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
	axis.decimals = decimals_of(axis.step);
	return axis;
}

const char *axis_label(const struct axis *axis, unsigned tick, char text[AXIS_LABEL_SIZE])
{
	return number_grouped(axis->step * tick, axis->decimals, text);
}
