/* SPDX-License-Identifier: BSD-3-Clause */
/* What units have counted for a cell: the inputs of its formulas, and the times that they are of.
 */
#ifndef CXLMON_VIEW_COUNTED_H
#define CXLMON_VIEW_COUNTED_H

#include <stdbool.h>
#include <stddef.h>

#include "counts/sample.h"
#include "formula/value.h"
#include "view/view.h"

/* The times of all counts that a row is computed from; see struct row. */
struct count_times {
	double interval_s, counted_pct;
};

/* Whether it was counted in the interval. */
bool count_is_valid(const struct count *count);
/* Events a second, of a count that is valid. */
double count_rate(const struct count *count);

/* Adds those of a count. *scaled: set where it was counted for a part of its time only. */
void count_times_add(struct count_times *times, const struct count *count, bool *scaled);
/* Adds those of a cell, or of an event, to those of its row. */
void count_times_merge(struct count_times *row, const struct count_times *value);

/* Term t of operand i. */
const struct count *counted_term(const struct view *view, const struct alternative *e, unsigned i,
				 size_t t, const struct sample *sample);

/*
 * Collects what was counted for an alternative of a cell. link_rate: bytes a second of the device's
 * link. out->formula is NULL where the value is not known. Returns whether that is since more was
 * counted than a link can carry. Adds the times of all terms to *times, even for an unknown value.
 */
bool counted_inputs(const struct view *view, const struct alternative *e,
		    const struct sample *sample, double link_rate, struct inputs *out,
		    struct count_times *times);

#endif
