/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every event that can be asked for by its name: those that were added (from files), those of the
 * processor's table, and those of the core PMU that every processor has.
 */
#ifndef CXLMON_EVENT_CATALOGUE_H
#define CXLMON_EVENT_CATALOGUE_H

#include <stddef.h>

#include "events/event_set.h"
#include "uncore/model.h"

struct event_catalogue {
	const struct model *model; /* NULL: no table is for this processor; its cores remain */
	size_t rows;		   /* events of the model's table */
	struct event_set extras;
};

void catalogue_init(struct event_catalogue *catalogue, const struct model *model);
void catalogue_free(struct event_catalogue *catalogue);

/* Case doesn't matter. What was added first is found first, and before the table. NULL: none. */
const struct event *catalogue_find(const struct event_catalogue *catalogue, const char *name);

/* The first name of all that are nearest to what was typed; NULL where nothing is like it. */
const char *catalogue_nearest(const struct event_catalogue *catalogue, const char *name);

/*
 * Walks all events that catalogue_find() finds, in the order in which it looks. *at is 0 before the
 * first; NULL behind the last.
 */
const struct event *catalogue_next(const struct event_catalogue *catalogue, size_t *at);

/* The first event of this encoding, whatever its modifiers; NULL where none is known. */
const struct event *catalogue_find_encoding(const struct event_catalogue *catalogue,
					    const struct event *like);

#endif
