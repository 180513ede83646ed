/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of every accepted event, from any source. */
#ifndef CXLMON_FUZZ_EVENTS_H
#define CXLMON_FUZZ_EVENTS_H

#include "events/event_catalogue.h"
#include "events/event_list.h"
#include "fuzz.h"

/* Chooses a model, or NULL for a processor that has no table. */
const struct model *fuzz_model(struct input *in);

/* Checks an event: no reserved bit, no interrupt, some counter for it, a name of one line. */
void fuzz_check_event(const struct model *model, const struct event *event);

/* Checks every event of a list. An event given by terms must parse again to the same event. */
void fuzz_check_list(const struct event_catalogue *catalogue, const struct event_list *list);

#endif
