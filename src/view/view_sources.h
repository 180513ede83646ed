/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens sources that only some columns need: counters of bytes by region of memory, and of
 * resctrl's groups of tasks. Private to the folder view.
 */
#ifndef CXLMON_VIEW_SOURCES_H
#define CXLMON_VIEW_SOURCES_H

#include "view/selection.h"

/*
 * Opens the counters by region if no unit of this processor counts CXL bandwidth. Sets
 * selection->regions if they are open. A failure is a warning, or silent if the machine has no such
 * counters. Returns 0 or -ENOMEM.
 */
int view_open_regions_instead(struct view *view, struct selection *selection, struct error *err);

/*
 * Opens the counters by region if some column needs them, and opening them was not tried before.
 * Sets selection->regions if they are open. Returns 0 or a negative errno. with_units: units count
 * other columns. A failure is then handled as in view_open_regions_instead(), and leaves the
 * columns by region empty.
 */
int view_open_regions(struct view *view, struct selection *selection, bool with_units,
		      struct error *err);

#define GROUPS_GROUP "resctrl" /* metric group of columns of groups of tasks */

/*
 * Opens the counters of groups of tasks if some column needs them. Returns 0 or a negative errno.
 * with_units: units count other columns. Then a failure leaves the columns of this group empty, and
 * returns 0, except -ENOMEM. It is a warning if named is true (-m names this group), else silent.
 */
int view_open_groups(struct view *view, const struct selection *selection, bool with_units,
		     bool named, struct error *err);

#endif
