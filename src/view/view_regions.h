/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the counters of bytes by region of memory, if a view has columns for them. */
#ifndef CXLMON_VIEW_REGIONS_H
#define CXLMON_VIEW_REGIONS_H

#include "view/selection.h"

/*
 * Opens them and sets selection->regions, if the machine has them, CXL bandwidth is requested, and
 * no unit of this processor counts it. Otherwise only logs the reason, if at all.
 */
int view_open_regions_instead(struct view *view, struct selection *selection, struct error *err);

/*
 * Opens them if some column needs them. If they cannot be opened, the columns stay empty if other
 * columns are counted by units (with_units); otherwise that is an error.
 */
int view_open_regions(struct view *view, struct selection *selection, bool with_units,
		      struct error *err);

#endif
