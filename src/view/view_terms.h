/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the terms of each cell of a view: the events of its formulas on units (see view.h). The
 * units must be open. Private to the folder view.
 */
#ifndef CXLMON_VIEW_TERMS_H
#define CXLMON_VIEW_TERMS_H

#include "view/selection.h"

/* Warns about formulas that need more counters of a CPU at the same time than are free. */
void view_report_unfit(const struct selection *selection);
/* Decides how latencies share CHAs: sets selection->staggered and ->cross_check. */
void view_choose_latency(const struct view *view, struct selection *selection);
/*
 * Returns a metric's formula in a row; NULL: none, or the row cannot have the metric. a: index of
 * the formula, from 0.
 */
const struct formula *view_row_formula(const struct view *view, const struct selection *selection,
				       const struct row *row, const struct metric *metric,
				       unsigned a);
/* Returns true if each CPMU has counters for all its requests at the same time. */
bool view_cpmus_fit(const struct view *view);
/*
 * Adds the requests and terms of a cell's alternative to the view, and sets *out, which must be
 * zero. If the row cannot be counted with the alternative, adds none, and leaves out->formula NULL.
 * a: index of the alternative. Returns 0 or -ENOMEM.
 */
int view_make_alternative(struct view *view, const struct selection *selection,
			  const struct row *row, size_t column, unsigned a,
			  struct alternative *out);
/* Adds to the view a request for an event that is not a link's traffic. Returns 0 or -ENOMEM. */
int view_add_term(struct view *view, struct request request);

#endif
