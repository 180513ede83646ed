/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An SVG plot: a frame with two axes, and lines or points. The size of the SVG is limited by the
 * plot's width, however many values there are.
 */
#ifndef CXLMON_REPORT_PLOT_H
#define CXLMON_REPORT_PLOT_H

#include <stdio.h>

#include "report/report_axis.h"

/* In SVG units, about a pixel each. */
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

/* Draws frame, grid and labels into an open <svg>; title is the x axis's. */
void plot_frame(const struct plot *plot, const char *title);

/* If there are more points, a line is drawn as the minimum and maximum per column. */
#define PLOT_MAX_POINTS ((size_t)2 * PLOT_COLUMNS)

/*
 * Draws a line through count points, with gaps where y is NAN. x is ascending; x and y are in the
 * axis's unit before its factor. class_name and name (shown by the pointer) are attributes.
 */
void plot_line(const struct plot *plot, const double *x, const double *y, size_t count,
	       const char *class_name, const char *name);

/* Draws points, at most one per pixel. 0 or -ENOMEM. */
int plot_points(const struct plot *plot, const double *x, const double *y, size_t count,
		const char *class_name, const char *name);

#endif
