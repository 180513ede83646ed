/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens the counters of bytes by region of memory: see sources/region_source.h. Private to the
 * folder view. Both functions set selection->regions if the counters are open.
 */
#ifndef CXLMON_VIEW_REGIONS_H
#define CXLMON_VIEW_REGIONS_H

#include "view/selection.h"

/*
 * Opens the counters if no unit of this processor counts CXL bandwidth. A failure is a warning, or
 * silent if the machine has no such counters. Returns 0 or -ENOMEM.
 */
int view_open_regions_instead(struct view *view, struct selection *selection, struct error *err);

/*
 * Opens the counters if some column needs them, and opening them was not tried before. Returns 0 or
 * a negative errno. with_units: units count other columns. A failure is then handled as in
 * view_open_regions_instead(), and leaves the columns by region empty.
 */
int view_open_regions(struct view *view, struct selection *selection, bool with_units,
		      struct error *err);

#endif
