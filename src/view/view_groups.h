/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the counts of resctrl's groups, if a view has columns for them. */
#ifndef CXLMON_VIEW_GROUPS_H
#define CXLMON_VIEW_GROUPS_H

#include "view/selection.h"

#define GROUPS_GROUP "resctrl" /* the metric group */

/*
 * Opens them if some column needs them. If that fails, the columns stay empty if other columns are
 * counted by units (with_units), with a message if the group was requested by its name (named);
 * otherwise that is an error.
 */
int view_open_groups(struct view *view, const struct selection *selection, bool with_units,
		     bool named, struct error *err);

#endif
