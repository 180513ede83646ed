/* SPDX-License-Identifier: BSD-3-Clause */
/* Events created at run time, with stable addresses. */
#ifndef CXLMON_EVENT_SET_H
#define CXLMON_EVENT_SET_H

#include <stddef.h>

#include "platform/error.h"
#include "uncore/event.h"

struct event_set {
	struct event **
		events; /* each allocated with its texts; pointers stay valid while the set grows */
	size_t count;
};

void event_set_free(struct event_set *set);

/* Adds a copy including texts; *out (which may be NULL) points to it. 0 or -ENOMEM. */
int event_set_add(struct event_set *set, const struct event *event, const struct event **out,
		  struct error *err);

/* Moves all events of one set to the end of another; on -ENOMEM nothing is moved. */
int event_set_move(struct event_set *to, struct event_set *from, struct error *err);

#endif
