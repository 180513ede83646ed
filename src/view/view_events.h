/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of events. Private to the view. */
#ifndef CXLMON_VIEW_EVENTS_H
#define CXLMON_VIEW_EVENTS_H

#include "view/selection.h"

int view_make_events(struct view *view, struct selection *selection, struct error *err);

#endif
