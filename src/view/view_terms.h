/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the terms of each cell of a view: the units that count the events of its formula (see
 * view.h). The units must be open. Private to the folder view.
 */
#ifndef CXLMON_VIEW_TERMS_H
#define CXLMON_VIEW_TERMS_H

#include "view/selection.h"

/* Warns about formulas of CPUs whose events need more counters at the same time than there are. */
void view_report_unfit(const struct selection *selection);
/* Decides how latencies share CHAs: sets selection->staggered and ->cross_check. */
void view_choose_latency(const struct view *view, struct selection *selection);
/*
 * Returns a metric's formula number a, from 0, in a row; NULL: none, or the row cannot have the
 * metric.
 */
const struct formula *view_row_formula(const struct view *view, const struct selection *selection,
				       const struct row *row, const struct metric *metric,
				       unsigned a);
/* Returns true if all requests to CPMUs fit on their counters at once. */
bool view_cpmus_fit(const struct view *view);
/*
 * Adds the requests and terms of alternative a of a cell to the view, and sets *out, which is zero
 * before. If the row cannot be counted with it, adds nothing, and out->formula stays NULL. Returns
 * 0 or -ENOMEM.
 */
int view_make_alternative(struct view *view, const struct selection *selection,
			  const struct row *row, size_t column, unsigned a,
			  struct alternative *out);
/* Adds a request, which belongs to no link. Returns 0 or -ENOMEM. */
int view_add_term(struct view *view, struct request request);

#endif
