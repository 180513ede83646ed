/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what cxlmon list has found, for people (list_text.c) and for programs (list_json.c). */
#ifndef CXLMON_LIST_PRINT_H
#define CXLMON_LIST_PRINT_H

#include "cli/list_perf.h"
#include "cli/list_search.h"

struct list_context {
	const struct model *model;
	const struct event_catalogue *catalogue;
	const struct list_search *search;
	const struct event *const *events; /* that match */
	size_t event_count;
	bool verbose;		      /* how events are encoded, too */
	const struct list_perf *perf; /* for -v and JSON */
};

/* To standard output. Returns whether anything matched. */
bool list_print_text(const struct list_context *list);

int list_print_json(const struct list_context *list, struct error *err);

#endif
