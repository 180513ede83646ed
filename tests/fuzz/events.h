/* SPDX-License-Identifier: BSD-3-Clause */
/* What holds for every event that was taken, wherever its words came from. */
#ifndef CXLMON_FUZZ_EVENTS_H
#define CXLMON_FUZZ_EVENTS_H

#include "events/event_catalogue.h"
#include "events/event_list.h"
#include "fuzz.h"

/* Some model, or NULL for a processor that has no table. */
const struct model *fuzz_model(struct input *in);

/* No reserved bit and no interrupt is asked for, some counter can count it, its name is a line. */
void fuzz_check_event(const struct model *model, const struct event *event);

/* Every choice of a list is such an event; what the user spelled out reads back as itself. */
void fuzz_check_list(const struct event_catalogue *catalogue, const struct event_list *list);

#endif
