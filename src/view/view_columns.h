/* SPDX-License-Identifier: BSD-3-Clause */
/* Which columns were asked for, what they are of, and which can't be had. Private to the view. */
#ifndef CXLMON_VIEW_COLUMNS_H
#define CXLMON_VIEW_COLUMNS_H

#include "view/selection.h"

int view_choose_columns(struct view *view, struct selection *selection, struct error *err);
/* The columns have rows of the scope. */
static inline bool view_columns_at(const struct selection *selection, enum scope scope)
{
	return selection->columns.scopes >> scope & 1;
}
/* Whether rows of the finest scope asked for, or of coarser ones, have the metric. */
static inline bool view_has_rows_of(const struct view_options *options, const struct metric *metric)
{
	return metric_scopes(metric) >> options->finest;
}
/* Whether rows of devices have the metric. */
bool view_is_of_devices(const struct selection *selection, const struct metric *metric);
/* A formula as the metric has it that was found by metric_formulas(). */
static inline const struct formula *view_formula_of(const struct metric *metric,
						    const struct formula *found)
{
	return found && metric->share_of ? found->share : found;
}
/* An alternative of a column on this processor, from 0; NULL: none. */
const struct formula *view_formula(const struct selection *selection, const struct metric *metric,
				   unsigned a);
/* ERROR_NO_UNIT where nothing can count the columns, ERROR_USAGE where no row has them. */
int view_check_columns(const struct view *view, struct selection *selection, struct error *err);
/* Sets never_known, once there are cells. */
void view_find_never_known(struct view *view, const struct selection *selection);
/* Fails where never_known is so of all columns, and no row is of an event; statuses as above. */
int view_check_values(const struct view *view, const struct selection *selection,
		      struct error *err);
/* Messages, once there are cells. */
void view_report(const struct view *view, const struct selection *selection);

#endif
