/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The list of events given with -e, in their order. The argument is one of
 *
 *   ITEM,ITEM...  a list
 *   @FILE         a file with a list in each line; skips lines that are empty or begin with #
 *
 * and ITEM is one of
 *
 *   EVENT             a name in the catalogue, or UNIT/.../ as in event_parse.h
 *   {EVENT,EVENT...}  a group: these events are counted at the same time
 *
 * Blanks around these parts, and the case of names, are ignored. An event may be given twice. On
 * one type of units, two different events must not have the same name.
 */
#ifndef CXLMON_EVENTS_EVENT_LIST_H
#define CXLMON_EVENTS_EVENT_LIST_H

#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "events/event_catalogue.h"

struct event_choice {
	const struct event *event; /* owned by the catalogue, or by event_list.own */
	unsigned group;		   /* number of the event's group, from 1; 0: not in a group */
};

/* Initially all zero. */
struct event_list {
	struct event_choice *items;
	size_t count;
	unsigned groups;      /* number of groups */
	struct event_set own; /* events given as UNIT/.../ */
};

void event_list_free(struct event_list *list);

/*
 * Adds the events in text, the argument of one -e. The catalogue must outlive the list, and may
 * grow. After an error, the list is unchanged. Returns 0 or a negative errno:
 * - -EINVAL (ERROR_USAGE): text or the file is invalid
 * - -ENOMEM, or another error of text_file_lines()
 */
int event_list_add(struct event_list *list, const struct event_catalogue *catalogue,
		   const char *text, struct error *err);

#endif
