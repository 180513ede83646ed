/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All events known by name: events loaded from files, the model's table, and the events of core
 * PMUs and of CXL devices that are the same on every processor.
 */
#ifndef CXLMON_EVENT_CATALOGUE_H
#define CXLMON_EVENT_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>

#include "events/event_set.h"
#include "uncore/model.h"

struct event_catalogue {
	const struct model *model; /* NULL: no table for this processor */
	struct event_set extras;   /* events loaded from files */
};

void catalogue_init(struct event_catalogue *catalogue, const struct model *model);
void catalogue_free(struct event_catalogue *catalogue);

/* Ignores case. Loaded events take precedence over the table, the first over later ones. NULL:
 * none. */
const struct event *catalogue_find(const struct event_catalogue *catalogue, const char *name);

/* The vendor's other processors with an event of this name, as "A, B"; false: there is none. */
bool catalogue_find_elsewhere(const struct event_catalogue *catalogue, const char *name, char *text,
			      size_t size);

/* The most similar event name, for "did you mean"; NULL: none is similar. */
const char *catalogue_nearest(const struct event_catalogue *catalogue, const char *name);

/*
 * All events that catalogue_find() can return, in its search order: an array to be freed. NULL: out
 * of memory.
 */
const struct event **catalogue_events(const struct event_catalogue *catalogue, size_t *count);

/* The first event with the same box, code and umasks, ignoring modifiers; NULL: none, or a CPMU's.
 */
const struct event *catalogue_find_encoding(const struct event_catalogue *catalogue,
					    const struct event *like);

#endif
