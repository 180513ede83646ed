/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines on a common axis of time, in bounded memory. A line has a mean for each step of time; steps
 * begin at multiples of their length since 1970. If more than TIMELINE_STEPS steps are needed, each
 * step becomes twice as long.
 *
 * A number counts for the part of a step that it covers: a number from 9.5 s to 10.5 s counts for
 * half a second in the step that ends at 10 s, and for half a second in the next step.
 */
#ifndef CXLMON_TIMELINE_H
#define CXLMON_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#define TIMELINE_STEPS 256

struct timeline_step;

struct timeline {
	uint64_t step_ns; /* present length of a step, in ns */
	/* range of steps with values; end is exclusive. Step n begins n x .step_ns after 1970 */
	uint64_t first, end;

	/* private */
	struct timeline_step **lines;
	size_t line_count;
};

/* Initialises a timeline without lines. Freed by timeline_free(). */
void timeline_init(struct timeline *timeline, uint64_t step_ns);
void timeline_free(struct timeline *timeline);

/* Adds a line. Lines are numbered from 0 in this order. Returns 0 or -ENOMEM. */
int timeline_add_line(struct timeline *timeline);

/* Adds to a line a number that covers from_ns to to_ns, in ns since 1970. Ignores NAN. */
void timeline_add(struct timeline *timeline, size_t line, uint64_t from_ns, uint64_t to_ns,
		  double number);

/* Returns the number of steps from .first to .end. */
size_t timeline_steps(const struct timeline *timeline);
/* Returns the mean of a line in step .first + step, weighted by time; NAN: unknown. */
double timeline_mean(const struct timeline *timeline, size_t line, size_t step);

#endif
