/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The list of events given with -e, in their order:
 *
 *   EVENT,EVENT...    EVENT is a name in the catalogue, or UNIT/TERM,.../ (see event_parse.h)
 *   {EVENT,EVENT...}  a group: its events are counted at the same time; allowed in place of EVENT
 *   @FILE             a file with such lists (without @FILE), one per line; blank lines and #
 *                     comments are skipped
 *
 * Blanks around these, and the case of names, are ignored. An event may be given twice. Different
 * events of one type of units cannot have the same name.
 */
#ifndef CXLMON_EVENTS_EVENT_LIST_H
#define CXLMON_EVENTS_EVENT_LIST_H

#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "events/event_catalogue.h"

struct event_choice {
	const struct event *event; /* an event of the catalogue, or in event_list.own */
	unsigned group;		   /* number of its group; 0: not in a group */
};

/* Initially all zero. */
struct event_list {
	struct event_choice *items;
	size_t count;
	unsigned groups;      /* number of groups, which are numbered from 1 */
	struct event_set own; /* events given as UNIT/TERM,.../ */
};

void event_list_free(struct event_list *list);

/*
 * Adds the events of the argument of one -e. The catalogue must outlive the list, and may grow.
 * -EINVAL (ERROR_USAGE): text or the file is invalid. An error leaves the list unchanged.
 */
int event_list_add(struct event_list *list, const struct event_catalogue *catalogue,
		   const char *text, struct error *err);

#endif
