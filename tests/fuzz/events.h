/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of every event that was accepted, from whatever source. */
#ifndef CXLMON_FUZZ_EVENTS_H
#define CXLMON_FUZZ_EVENTS_H

#include "events/event_catalogue.h"
#include "events/event_list.h"
#include "fuzz.h"

/* Some model, or NULL for a processor that has no table. */
const struct model *fuzz_model(struct input *in);

/* No reserved bit or interrupt is set, some counter can count it, its name is one line. */
void fuzz_check_event(const struct model *model, const struct event *event);

/* Every event of a list passes this; one given by terms parses again to the same event. */
void fuzz_check_list(const struct event_catalogue *catalogue, const struct event_list *list);

#endif
