/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the counts from which the cells of a view are computed; the units must be open. Private to
 * the view.
 */
#ifndef CXLMON_VIEW_TERMS_H
#define CXLMON_VIEW_TERMS_H

#include "view/selection.h"

/* Warns about formulas of CPUs whose events need more counters at the same time than there are. */
void view_report_unfit(const struct selection *selection);
/* Sets staggered and cross_check of the selection. */
void view_choose_latency(const struct view *view, struct selection *selection);
/* Returns a row's alternative of a metric; NULL: none, or the row cannot have the metric. */
const struct formula *view_row_formula(const struct view *view, const struct selection *selection,
				       const struct row *row, const struct metric *metric,
				       unsigned a);
/* Returns true if all requests to CPMUs fit on their counters at once. */
bool view_cpmus_fit(const struct view *view);
/*
 * Adds the terms of an alternative; its formula is NULL if that is impossible. Returns 0 or
 * -ENOMEM.
 */
int view_make_alternative(struct view *view, const struct selection *selection,
			  const struct row *row, size_t column, unsigned a,
			  struct alternative *out);
/* adds one term; returns 0 or -ENOMEM */
int view_add_term(struct view *view, struct request request);

#endif
