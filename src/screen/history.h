/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The last values of one number, for graphs. What was not known is a gap (NAN), never 0. Samples
 * that come faster than anybody can look are put together: a step of the history is their mean,
 * weighted by time.
 */
#ifndef CXLMON_HISTORY_H
#define CXLMON_HISTORY_H

#include <stddef.h>

#define HISTORY_SIZE 512 /* steps: more than the widest graph shows */

/* All zeros: empty. Holds no pointers: it is copied by assignment. */
struct history {
	double steps[HISTORY_SIZE];
	size_t next, count;
	double sum, known_s, passed_s; /* of the step that isn't full yet */
};

/* A value (NAN: not known) that stands for so many seconds; a step is full after step_s of them. */
void history_add(struct history *history, double value, double seconds, double step_s);

/* 0 is the newest step; NAN where it is not known, or there was none yet. */
double history_at(const struct history *history, size_t age);

#endif
