/* SPDX-License-Identifier: BSD-3-Clause */
/* Axes of plots: fitting units, and round numbers at the ticks. */
#ifndef CXLMON_REPORT_AXIS_H
#define CXLMON_REPORT_AXIS_H

#include <stddef.h>

#include "output/html.h"

#define AXIS_LABEL_SIZE NUMBER_SIZE

struct axis {
	const char *unit;  /* "GB/s" */
	double factor;	   /* .unit = values * factor */
	double max;	   /* at the end, in .unit; > 0 */
	double step;	   /* from one tick to the next, in .unit */
	unsigned ticks;	   /* including the one at 0 */
	unsigned decimals; /* of labels */
};

/* From 0 to at least the largest value, which has this unit ("MB/s"). */
struct axis axis_of_values(const char *unit, double largest);

/* From 0 to exactly this many seconds. */
struct axis axis_of_time(double seconds);

/* The label of a tick. Returns text. */
const char *axis_label(const struct axis *axis, unsigned tick, char text[AXIS_LABEL_SIZE]);

#endif
