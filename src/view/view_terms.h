/* SPDX-License-Identifier: BSD-3-Clause */
/* What the cells of a view are computed from; the units are open. Private to it. */
#ifndef CXLMON_VIEW_TERMS_H
#define CXLMON_VIEW_TERMS_H

#include "view/selection.h"

/* Warns of formulas of CPUs whose events, counted at the same time, exceed their counters. */
void view_report_unfit(const struct selection *selection);
/* Sets staggered and cross_check. */
void view_choose_latency(const struct view *view, struct selection *selection);
/* NULL: the row can't have the metric, or there is none such. */
const struct formula *view_row_formula(const struct view *view, const struct selection *selection,
				       const struct row *row, const struct metric *metric,
				       unsigned a);
/* Whether all that CPMUs are to count fits on their counters at once. */
bool view_cpmus_fit(const struct view *view);
/* Adds the terms of an alternative; without a formula if that can't be. 0 or -ENOMEM. */
int view_make_alternative(struct view *view, const struct selection *selection,
			  const struct row *row, size_t column, unsigned a,
			  struct alternative *out);
int view_add_term(struct view *view, struct request request); /* 0 or -ENOMEM */

#endif
