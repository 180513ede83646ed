/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of events. Private to the view. */
#ifndef CXLMON_VIEW_EVENTS_H
#define CXLMON_VIEW_EVENTS_H

#include "view/selection.h"

/*
 * Opens the units of the events of -e, and appends their rows. If the kernel cannot count an event,
 * warns and leaves the event out; it is an error only if no row and no column is left. Returns 0 or
 * a negative errno.
 */
int view_make_events(struct view *view, struct selection *selection, struct error *err);

#endif
