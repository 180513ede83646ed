/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines on a common axis of time, in bounded memory: means of steps that begin at multiples of
 * their length since 1970. So numbers of different clocks, intervals and lengths are in the same
 * steps. If the lines need more than TIMELINE_STEPS steps, each step becomes twice as long.
 *
 * A number counts for the part of a step that it covers: one from 9.5 s to 10.5 s counts for half a
 * second in the step that ends at 10 s, and in the next one.
 */
#ifndef CXLMON_TIMELINE_H
#define CXLMON_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#define TIMELINE_STEPS 256

struct timeline_step;

struct timeline {
	uint64_t step_ns; /* the length of a step now */
	/* numbers of the steps with values; step n begins n x .step_ns after 1970 */
	uint64_t first, end;

	/* private */
	struct timeline_step **lines;
	size_t line_count;
};

/* Initialises a timeline without lines. step_ns: the first length. Freed by timeline_free(). */
void timeline_init(struct timeline *timeline, uint64_t step_ns);
void timeline_free(struct timeline *timeline);

/* Adds a line; lines are numbered from 0 in the order of their addition. -ENOMEM. */
int timeline_add_line(struct timeline *timeline);

/* Adds a number, known from from_ns to to_ns since 1970, to a line. NAN is ignored. */
void timeline_add(struct timeline *timeline, size_t line, uint64_t from_ns, uint64_t to_ns,
		  double number);

/* Returns how many steps there are, from .first on. */
size_t timeline_steps(const struct timeline *timeline);
/* Returns the mean of a line in the step .first + step, by time; NAN: unknown there. */
double timeline_mean(const struct timeline *timeline, size_t line, size_t step);

#endif
