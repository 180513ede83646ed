/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of units for a cell: the inputs of its formulas, and their times. */
#ifndef CXLMON_VIEW_COUNTED_H
#define CXLMON_VIEW_COUNTED_H

#include <stdbool.h>
#include <stddef.h>

#include "counts/sample.h"
#include "formula/value.h"
#include "view/view.h"

/* Times of all counts from which a row is computed; see struct row. */
struct count_times {
	double interval_s, counted_pct;
};

/* Returns true if it was counted in the interval. */
bool count_is_valid(const struct count *count);
/* Returns the events per second of a valid count. */
double count_rate(const struct count *count);

/* Adds the times of a count. Sets *scaled if it was counted for only a part of its time. */
void count_times_add(struct count_times *times, const struct count *count, bool *scaled);
/* Adds the times of a cell, or of an event, to its row's. */
void count_times_merge(struct count_times *row, const struct count_times *value);

/* Returns the count of term t of operand i. */
const struct count *counted_term(const struct view *view, const struct alternative *e, unsigned i,
				 size_t t, const struct sample *sample);

/*
 * Collects the inputs of an alternative of a cell, and adds the times of all terms to *times, even
 * for an unknown value. link_rate is the bytes per second of the device's link. out->formula is
 * NULL if the value is unknown. Returns true if this is because more was counted than a link can
 * carry.
 */
bool counted_inputs(const struct view *view, const struct alternative *e,
		    const struct sample *sample, double link_rate, struct inputs *out,
		    struct count_times *times);

#endif
