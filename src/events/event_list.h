/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events that users ask for with -e, in their order:
 *
 *   EVENT,EVENT...    EVENT is a name of the catalogue, or BOX/TERM,.../ (see event_parse.h)
 *   {EVENT,EVENT...}  is counted together, at the same time; stands wherever an event can
 *   @FILE             such texts, one a line; blank lines and lines that begin with # are skipped
 *
 * Blanks around all of these don't matter, nor does the case of names.
 */
#ifndef CXLMON_EVENT_LIST_H
#define CXLMON_EVENT_LIST_H

#include <stddef.h>

#include "events/event_catalogue.h"
#include "events/event_set.h"
#include "platform/error.h"

struct event_choice {
	const struct event *event; /* of the catalogue, or of the list */
	unsigned group;		   /* choices with the same are counted together; 0: alone */
};

struct event_list {
	struct event_choice *items;
	size_t count;
	unsigned groups;      /* numbered from 1 up to this */
	struct event_set own; /* what the user spelled out */
};

void event_list_init(struct event_list *list);
void event_list_free(struct event_list *list);

/*
 * Adds what one -e asks for. The catalogue must outlive the list; it may grow meanwhile. Refusals
 * are -EINVAL (EXIT_USAGE), and the list is then what it was.
 */
int event_list_add(struct event_list *list, const struct event_catalogue *catalogue,
		   const char *text, struct error *err);

#endif
