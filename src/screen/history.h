/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The latest values of a metric, for graphs. An unknown value is a gap (NAN), not 0. Short samples
 * are combined: a step is their mean, weighted by time.
 */
#ifndef CXLMON_HISTORY_H
#define CXLMON_HISTORY_H

#include <stddef.h>

#define HISTORY_SIZE 3600 /* steps: an hour of samples of a second */

/* Initially {0}. */
struct history {
	float steps[HISTORY_SIZE];
	size_t next, count;
	size_t total;		       /* steps so far, also those that are no longer kept */
	double sum, known_s, passed_s; /* of the incomplete step */
};

/* Adds a value (NAN: unknown) of so many seconds; a step is complete after step_s. */
void history_add(struct history *history, double value, double seconds, double step_s);

/* The value of a step, 0 is the newest; NAN: unknown, or no such step. */
double history_at(const struct history *history, size_t age);

/* The mean of what is known of the newest steps; NAN: nothing. */
double history_mean(const struct history *history, size_t steps);

#endif
