/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the counters of bytes by region of memory, where columns of a view are of these. */
#ifndef CXLMON_VIEW_REGIONS_H
#define CXLMON_VIEW_REGIONS_H

#include "view/selection.h"

/*
 * Where CXL bandwidth is asked for, and no unit of this processor counts it: opens them if the
 * machine has them, and sets selection->regions. Otherwise says at most why not.
 */
int view_open_regions_instead(struct view *view, struct selection *selection, struct error *err);

/*
 * Opens them where some column is of them. Where they can't be opened, the columns stay empty if
 * other columns are of units (with_units); else that is an error.
 */
int view_open_regions(struct view *view, struct selection *selection, bool with_units,
		      struct error *err);

#endif
