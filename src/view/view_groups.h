/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens what is counted of groups of resctrl, where columns of a view are of these. */
#ifndef CXLMON_VIEW_GROUPS_H
#define CXLMON_VIEW_GROUPS_H

#include "view/selection.h"

#define GROUPS_GROUP "resctrl" /* the metric group */

/*
 * Opens them where some column is of them. Where that fails, the columns stay empty if other
 * columns are of units (with_units), with a message if the group was asked for by its name (named);
 * else that is an error.
 */
int view_open_groups(struct view *view, const struct selection *selection, bool with_units,
		     bool named, struct error *err);

#endif
