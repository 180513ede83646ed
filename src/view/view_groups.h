/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the counters of resctrl's groups of tasks. Private to the folder view. */
#ifndef CXLMON_VIEW_GROUPS_H
#define CXLMON_VIEW_GROUPS_H

#include "view/selection.h"

#define GROUPS_GROUP "resctrl" /* metric group of these columns */

/*
 * Opens the counters if some column needs them. Returns 0 or a negative errno.
 * with_units: units count other columns. Then a failure leaves the columns of this group empty, and
 * returns 0, except -ENOMEM. It is a warning if named is true (-m names this group), else silent.
 */
int view_open_groups(struct view *view, const struct selection *selection, bool with_units,
		     bool named, struct error *err);

#endif
