/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of events. Private to the folder view. */
#ifndef CXLMON_VIEW_EVENTS_H
#define CXLMON_VIEW_EVENTS_H

#include "view/selection.h"

/*
 * Opens the units of the events of -e, and appends their rows. Returns 0 or a negative errno. If
 * the kernel counts for cxlmon, and cannot count an event, leaves it out with a warning; this is an
 * error only if no event has a row, and the view has no column.
 */
int view_make_events(struct view *view, struct selection *selection, struct error *err);

#endif
