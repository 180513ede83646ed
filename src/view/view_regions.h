/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the counters of bytes by region of memory, which L3 caches count, if a view needs them. */
#ifndef CXLMON_VIEW_REGIONS_H
#define CXLMON_VIEW_REGIONS_H

#include "view/selection.h"

/*
 * Opens the counters if no unit of this processor counts CXL bandwidth, and sets selection->regions
 * on success. If they cannot be opened, logs a warning, unless the machine has none. Returns 0 or
 * -ENOMEM.
 */
int view_open_regions_instead(struct view *view, struct selection *selection, struct error *err);

/*
 * Opens the counters if some column needs them, unless that was tried before. with_units: units
 * count other columns, so that a failure is only logged, and leaves the columns by region empty.
 * Returns 0 or a negative errno; if with_units is true, only -ENOMEM.
 */
int view_open_regions(struct view *view, struct selection *selection, bool with_units,
		      struct error *err);

#endif
