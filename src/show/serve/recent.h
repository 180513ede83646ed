/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The last minutes of all values of a view, as means of steps of two seconds or of one sample,
 * whichever is longer. Takes the same memory however long it runs: 2400 bytes a value.
 */
#ifndef CXLMON_SHOW_SERVE_RECENT_H
#define CXLMON_SHOW_SERVE_RECENT_H

#include "base/number.h"
#include "counts/sample.h"
#include "view/view.h"

#define RECENT_STEPS   150
#define RECENT_STEP_NS (2 * NS_PER_S)

struct recent_sum;

struct recent {
	const struct view *view;	/* not owned */
	uint64_t ends_ns[RECENT_STEPS]; /* since 1970, ascending */
	size_t count;			/* of steps */
	uint64_t open_ns;		/* that the samples of the next step took so far */

	/* private */
	double *values, *maxima; /* [row][column][step]; NAN: not known */
	struct recent_sum *sums;
};

/* 0 or -ENOMEM. The view outlives it. Freed by recent_free(), also after failure. */
int recent_init(struct recent *recent, const struct view *view);
void recent_free(struct recent *recent);

/* Adds the values that the view has now; samples are interval_ns apart. */
void recent_add(struct recent *recent, const struct sample *sample, uint64_t interval_ns);

/* The means of a cell, the oldest step first. */
double *recent_values(const struct recent *recent, size_t row, size_t column);
/* The largest value of all samples of these steps, and of the one that is open; NAN: none is known
 */
double recent_max(const struct recent *recent, size_t row, size_t column);

#endif
