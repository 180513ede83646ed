/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the counters of bytes by region of memory (counted by L3 caches), if a view needs them. */
#ifndef CXLMON_VIEW_REGIONS_H
#define CXLMON_VIEW_REGIONS_H

#include "view/selection.h"

/*
 * Opens the counters instead of units if no unit of this processor counts CXL bandwidth, and sets
 * selection->regions on success. If they fail, warns, except if the machine has none. Returns 0 or
 * -ENOMEM.
 */
int view_open_regions_instead(struct view *view, struct selection *selection, struct error *err);

/*
 * Opens the counters if some column needs them, unless that was tried before. with_units: units
 * count other columns, so that a failure only leaves these columns empty. Returns 0 or a negative
 * errno: -ENOMEM, or any failure without with_units.
 */
int view_open_regions(struct view *view, struct selection *selection, bool with_units,
		      struct error *err);

#endif
