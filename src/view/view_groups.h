/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the counters of resctrl's groups of tasks, if a view has columns for them. */
#ifndef CXLMON_VIEW_GROUPS_H
#define CXLMON_VIEW_GROUPS_H

#include "view/selection.h"

#define GROUPS_GROUP "resctrl" /* the metric group */

/*
 * Opens the counters if some column needs them. with_units: units count other columns, so that a
 * failure only leaves these columns empty; named: the user named the group, and is told so. Returns
 * 0 or a negative errno: -ENOMEM, or any failure without with_units.
 */
int view_open_groups(struct view *view, const struct selection *selection, bool with_units,
		     bool named, struct error *err);

#endif
