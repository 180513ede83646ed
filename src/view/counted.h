/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collects the counts of units for a cell of a view: the inputs of its formula, and the times for
 * which they were counted. Private to the folder view.
 */
#ifndef CXLMON_VIEW_COUNTED_H
#define CXLMON_VIEW_COUNTED_H

#include <stdbool.h>
#include <stddef.h>

#include "counts/sample.h"
#include "formula/value.h"
#include "view/view.h"

/* Times of the counts of a row or cell. */
struct count_times {
	double interval_s;  /* shortest interval of a count, in s; INFINITY at first */
	double counted_pct; /* lowest percentage that a count ran in its interval; 100 at first */
};

/* Returns true if the count is known, and was counted in the sample's interval. */
bool count_is_valid(const struct count *count);
/* Returns the events per second of a valid count. */
double count_rate(const struct count *count);

/*
 * Lowers each member of *times to that of a valid count, if that is less. If the count ran for a
 * part of its interval, or its time is uncertain, sets *scaled to true.
 */
void count_times_add(struct count_times *times, const struct count *count, bool *scaled);
/* Lowers each member of *row to that of a cell, if that is less. */
void count_times_merge(struct count_times *row, const struct count_times *value);

/* Returns the count of event i of an alternative's formula on its unit t. */
const struct count *counted_term(const struct view *view, const struct alternative *e, unsigned i,
				 size_t t, const struct sample *sample);

/*
 * Collects the inputs of an alternative into *out, whose .items must have room for them. If too
 * few counts are valid for the value, sets out->formula to NULL. In any case, adds the times of all
 * valid counts to *times.
 *
 * link_rate becomes the input of formulas that use the link's rate (INPUT_LINK): bytes per second
 * of the link of the row's device; NAN: unknown.
 *
 * Returns true if more was counted than a link can carry; out->formula then is NULL. The links'
 * limits come from view, not from link_rate.
 */
bool counted_inputs(const struct view *view, const struct alternative *e,
		    const struct sample *sample, double link_rate, struct inputs *out,
		    struct count_times *times);

#endif
