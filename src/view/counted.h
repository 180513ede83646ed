/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collects the counts of units for a cell (one value of a view): the inputs of its formula, and the
 * times for which they were counted.
 */
#ifndef CXLMON_VIEW_COUNTED_H
#define CXLMON_VIEW_COUNTED_H

#include <stdbool.h>
#include <stddef.h>

#include "counts/sample.h"
#include "formula/value.h"
#include "view/view.h"

/* Times of the counts of a row or cell. Initially INFINITY and 100; then members of struct row. */
struct count_times {
	double interval_s, counted_pct;
};

/* Returns true if the count is known, and was counted in the sample's interval. */
bool count_is_valid(const struct count *count);
/* Returns the events per second of a valid count. */
double count_rate(const struct count *count);

/*
 * Lowers each of *times to the count's, if that is less. Sets *scaled to true if the count is from
 * only a part of its time, or its time is uncertain; else leaves it.
 */
void count_times_add(struct count_times *times, const struct count *count, bool *scaled);
/* Lowers each of *row to the time of one of its cells, if that is less. */
void count_times_merge(struct count_times *row, const struct count_times *value);

/* Returns the count of term t (a unit) of operand i (an event) of an alternative's formula. */
const struct count *counted_term(const struct view *view, const struct alternative *e, unsigned i,
				 size_t t, const struct sample *sample);

/*
 * Collects the inputs of an alternative into *out, whose items must have room for them. Adds the
 * times of all terms to *times, even if the value is unknown. link_rate: bytes per second of the
 * link of the row's device. If the value is unknown, out->formula is NULL. Returns true if it is
 * unknown because more was counted than a link can carry.
 */
bool counted_inputs(const struct view *view, const struct alternative *e,
		    const struct sample *sample, double link_rate, struct inputs *out,
		    struct count_times *times);

#endif
