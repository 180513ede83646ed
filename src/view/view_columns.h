/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The requested columns of a view, and checks that this machine can measure them. Private to the
 * folder view.
 */
#ifndef CXLMON_VIEW_COLUMNS_H
#define CXLMON_VIEW_COLUMNS_H

#include "view/selection.h"

/*
 * Makes the columns of the requested groups and user-defined metrics. Sets selection->columns,
 * ->needed and ->types. If a column needs them, opens the sources of view_sources.h. Returns 0 or a
 * negative errno.
 */
int view_choose_columns(struct view *view, struct selection *selection, struct error *err);
/* Returns true if rows of the scope have a column of counts (column_facts.scopes). */
static inline bool view_columns_at(const struct selection *selection, enum scope scope)
{
	return selection->columns.scopes >> scope & 1;
}
/* Returns true if the view shows rows that can have the metric (view_options.finest). */
static inline bool view_has_rows_of(const struct view_options *options, const struct metric *metric)
{
	return metric_scopes(metric) >> options->finest;
}
/*
 * Returns true if rows of devices (ROW_DEVICE) have the metric on this machine. If the machine has
 * ports, returns false for a metric that sockets or the system also have.
 */
bool view_is_of_devices(const struct selection *selection, const struct metric *metric);
/*
 * Returns a metric's formula: found->share if the metric is a share of a link's rate, else found.
 * found: result of formulas_find() or formulas_find_device(). If it is NULL, returns NULL.
 */
static inline const struct formula *view_formula_of(const struct metric *metric,
						    const struct formula *found)
{
	return found && metric->share_of ? found->share : found;
}
/* Returns a metric's formula on this processor; NULL: none. a: index of the formula, from 0. */
const struct formula *view_formula(const struct selection *selection, const struct metric *metric,
				   unsigned a);
/*
 * Checks the columns before units are opened. Returns 0 or a negative errno. ERROR_NO_UNIT: nothing
 * can count them. ERROR_USAGE: no requested row has them. Other errors: the reason why the uncore
 * or CPMUs cannot be used.
 */
int view_check_columns(const struct view *view, struct selection *selection, struct error *err);

/* The cells must exist for the following functions. */

/* Sets .never_known of the shown columns. */
void view_find_never_known(struct view *view, const struct selection *selection);
/*
 * Returns 0 if the view has rows of events (-e), or a column of numbers without .never_known.
 * Otherwise returns a negative errno: an error of view_check_columns(), ERROR_IN_USE, or the reason
 * why CPMUs or CPUs cannot count.
 */
int view_check_values(const struct view *view, const struct selection *selection,
		      struct error *err);
/*
 * Writes messages about CPUs and devices that are left out, and about columns that stay empty, are
 * estimated, multiplexed or wrong.
 */
void view_report(const struct view *view, const struct selection *selection);

#endif
