/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The requested columns, their properties, and those that cannot be measured. Private to the view.
 */
#ifndef CXLMON_VIEW_COLUMNS_H
#define CXLMON_VIEW_COLUMNS_H

#include "view/selection.h"

int view_choose_columns(struct view *view, struct selection *selection, struct error *err);
/* Returns true if some column applies to rows of the scope. */
static inline bool view_columns_at(const struct selection *selection, enum scope scope)
{
	return selection->columns.scopes >> scope & 1;
}
/* Returns true if rows of the finest requested scope, or of coarser ones, have the metric. */
static inline bool view_has_rows_of(const struct view_options *options, const struct metric *metric)
{
	return metric_scopes(metric) >> options->finest;
}
/* Returns true if rows of devices have the metric. */
bool view_is_of_devices(const struct selection *selection, const struct metric *metric);
/* Returns the metric's variant of a formula that was found by metric_formulas(). */
static inline const struct formula *view_formula_of(const struct metric *metric,
						    const struct formula *found)
{
	return found && metric->share_of ? found->share : found;
}
/* Returns alternative a of a column on this processor, from 0; NULL: none. */
const struct formula *view_formula(const struct selection *selection, const struct metric *metric,
				   unsigned a);
/* Checks the columns. ERROR_NO_UNIT: nothing can count them. ERROR_USAGE: no row has them. */
int view_check_columns(const struct view *view, struct selection *selection, struct error *err);
/* Sets never_known of the columns; the cells must exist. */
void view_find_never_known(struct view *view, const struct selection *selection);
/*
 * Fails if all columns are never_known, and no row is an event's; errors as for
 * view_check_columns().
 */
int view_check_values(const struct view *view, const struct selection *selection,
		      struct error *err);
/* Writes messages about columns; the cells must exist. */
void view_report(const struct view *view, const struct selection *selection);

#endif
