/* SPDX-License-Identifier: BSD-3-Clause */
/* The search of cxlmon list: all words, each in the name or the description, whatever the case. */
#ifndef CXLMON_LIST_SEARCH_H
#define CXLMON_LIST_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "events/event_catalogue.h"
#include "metrics/metric.h"
#include "platform/error.h"
#include "uncore/model.h"

#define LIST_WORDS 32

/* Without words, everything matches. A word with *, ? or [] must match a name as a whole. */
struct list_search {
	const char *words[LIST_WORDS]; /* in argv */
	size_t count;
};

/* Splits the operands at blanks, in place. EXIT_USAGE: there are too many words. */
int list_search_init(struct list_search *search, char **operands, size_t count, struct error *err);

/* The name of a group is a word of its metrics. */
bool list_matches_metric(const struct list_search *search, const struct metric *metric);
bool list_matches_name(const struct list_search *search, const char *name);

/* Why this processor can't measure a metric: a clause for the user. NULL: it can. */
const char *list_why_not(const struct model *model, const struct metric *metric);

/* The events that match, where the name of their unit is a word, too; see catalogue_events(). */
const struct event **list_events(const struct list_search *search,
				 const struct event_catalogue *catalogue, size_t *count);

/* Calls visit for each type of unit that matches, and for the core, with the terms of its raw
 * events: "event, umask, ...". */
typedef void list_box_visitor(const char *name, const char *terms, void *context);
void list_each_box(const struct list_search *search, const struct model *model,
		   list_box_visitor *visit, void *context);

/* The name of the unit that counts an event. */
const char *list_unit_of(const struct model *model, const struct event *event);

#endif
