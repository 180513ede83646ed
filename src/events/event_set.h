/* SPDX-License-Identifier: BSD-3-Clause */
/* Events that stand in no table: made while the program runs, and kept where they are. */
#ifndef CXLMON_EVENT_SET_H
#define CXLMON_EVENT_SET_H

#include <stddef.h>

#include "platform/error.h"
#include "uncore/event.h"

struct event_set {
	struct event **events; /* each with its texts; they never move while the set grows */
	size_t count;
};

void event_set_free(struct event_set *set);

/* Adds a copy, texts and all; *out (which may be NULL) is that copy. */
int event_set_add(struct event_set *set, const struct event *event, const struct event **out,
		  struct error *err);

/* Moves everything from one set to the end of another; on failure nothing has moved. */
int event_set_move(struct event_set *to, struct event_set *from, struct error *err);

#endif
