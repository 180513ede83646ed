/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of events. Private to the view. */
#ifndef CXLMON_VIEW_EVENTS_H
#define CXLMON_VIEW_EVENTS_H

#include "view/selection.h"

/*
 * Opens the units of the events of -e, and appends their rows. If the kernel cannot count an event,
 * warns and leaves it out. Any other failure, and one that leaves nothing to show, is returned as a
 * negative errno.
 */
int view_make_events(struct view *view, struct selection *selection, struct error *err);

#endif
