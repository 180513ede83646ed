/* SPDX-License-Identifier: BSD-3-Clause */
/* Axes of plots: units that people read, and round numbers along them. */
#ifndef CXLMON_REPORT_AXIS_H
#define CXLMON_REPORT_AXIS_H

#include <stddef.h>

#define AXIS_LABEL_SIZE 32

struct axis {
	const char *unit;  /* "GB/s" */
	double factor;	   /* of what is plotted, in one of the unit that values have */
	double most;	   /* at the end, in .unit; more than 0 */
	double step;	   /* from one tick to the next, in .unit */
	unsigned ticks;	   /* with that at 0 */
	unsigned decimals; /* of a label */
};

/* From 0 to at least the largest value, which is in this unit ("MB/s"). */
struct axis axis_of_values(const char *unit, double largest);

/* From 0 to exactly so many seconds. */
struct axis axis_of_time(double seconds);

/* What stands at a tick. Returns text. */
const char *axis_label(const struct axis *axis, unsigned tick, char text[AXIS_LABEL_SIZE]);

#endif
