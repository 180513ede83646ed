/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plot as SVG: a frame with two axes, and lines or dots in it. However many values there are,
 * what is written is bounded by the width that they are drawn in.
 */
#ifndef CXLMON_REPORT_PLOT_H
#define CXLMON_REPORT_PLOT_H

#include <stdio.h>

#include "report/report_axis.h"

/* In the units of the drawing, which are about a pixel each. */
#define PLOT_WIDTH   400
#define PLOT_HEIGHT  200
#define PLOT_LEFT    42
#define PLOT_RIGHT   392
#define PLOT_TOP     8
#define PLOT_BOTTOM  164
#define PLOT_COLUMNS (2 * (PLOT_RIGHT - PLOT_LEFT)) /* half a pixel each */

struct plot {
	FILE *out;
	struct axis x, y;
};

/* The frame, grid and labels, within an <svg> that is open; title stands below. */
void plot_frame(const struct plot *plot, const char *title);

/* Where there are more points than this, a line is the least and the most of each column. */
#define PLOT_MOST_POINTS ((size_t)2 * PLOT_COLUMNS)

/*
 * A line through count points, which is interrupted where y is NAN: x in the axis's own unit before
 * its factor, never falling, y likewise. class_name and name (for who reads with a pointer) are
 * attributes.
 */
void plot_line(const struct plot *plot, const double *x, const double *y, size_t count,
	       const char *class_name, const char *name);

/* Dots, at most one a pixel. 0 or -ENOMEM. */
int plot_dots(const struct plot *plot, const double *x, const double *y, size_t count,
	      const char *class_name, const char *name);

#endif
