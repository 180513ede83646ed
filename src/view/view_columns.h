/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The requested columns of a view, and checks that this machine can measure them. Private to the
 * folder view.
 */
#ifndef CXLMON_VIEW_COLUMNS_H
#define CXLMON_VIEW_COLUMNS_H

#include "view/selection.h"

/*
 * Makes the columns of the requested groups and user-defined metrics. Sets selection->columns and
 * the formulas and types of units that they need. Opens counters of regions and of resctrl's
 * groups, if a column needs them. Returns 0 or a negative errno.
 */
int view_choose_columns(struct view *view, struct selection *selection, struct error *err);
/* Returns true if some column has counted numbers in rows of the scope. */
static inline bool view_columns_at(const struct selection *selection, enum scope scope)
{
	return selection->columns.scopes >> scope & 1;
}
/* Returns true if the metric has values in rows of the scope that --per chose, or coarser. */
static inline bool view_has_rows_of(const struct view_options *options, const struct metric *metric)
{
	return metric_scopes(metric) >> options->finest;
}
/*
 * Returns true if rows of devices (ROW_DEVICE) have the metric on this machine. If the machine has
 * ports, these rows lack each metric that sockets or the system have.
 */
bool view_is_of_devices(const struct selection *selection, const struct metric *metric);
/*
 * Returns the formula of a metric: found, which has the name metric_formulas(); if the metric is a
 * percentage of a link's rate, found->share. found may be NULL.
 */
static inline const struct formula *view_formula_of(const struct metric *metric,
						    const struct formula *found)
{
	return found && metric->share_of ? found->share : found;
}
/* Returns a metric's formula number a, from 0, on this processor; NULL: none. */
const struct formula *view_formula(const struct selection *selection, const struct metric *metric,
				   unsigned a);
/*
 * Checks the columns before units are opened. ERROR_NO_UNIT: nothing can count them. ERROR_USAGE:
 * no requested row has them. Other errors: the reason why the uncore or CPMUs cannot be used.
 */
int view_check_columns(const struct view *view, struct selection *selection, struct error *err);
/* Sets .never_known of the shown columns. The cells must exist. */
void view_find_never_known(struct view *view, const struct selection *selection);
/*
 * Fails if all columns with numbers are .never_known, and there is no row of an event. Errors as
 * view_check_columns(), ERROR_IN_USE, or the reason why CPMUs or CPUs cannot count.
 */
int view_check_values(const struct view *view, const struct selection *selection,
		      struct error *err);
/*
 * Writes messages about CPUs and devices that are left out, and about columns that stay empty, are
 * estimated, multiplexed or wrong. The cells must exist.
 */
void view_report(const struct view *view, const struct selection *selection);

#endif
