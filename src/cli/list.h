/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What cxlmon list finds: all words of a search are in the name or the description, whatever the
 * case. It is printed for people (list_text.c) and for programs (list_json.c).
 */
#ifndef CXLMON_LIST_H
#define CXLMON_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/options.h"
#include "events/event_catalogue.h"
#include "metrics/formulas.h"
#include "metrics/metric.h"
#include "platform/error.h"
#include "uncore/machine.h"
#include "uncore/perf_unit.h"

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

struct list_context;

/* Why this processor can't measure a metric: a clause for the user. NULL: it can. */
const char *list_why_not(const struct list_context *list, const struct metric *metric);

/* Whether an event of the formula is published in one place only, and not confirmed. */
bool list_is_of_one_source(const struct formula *formula);

/* The events that match, where the name of their unit is a word, too; see catalogue_events(). */
const struct event **list_events(const struct list_search *search,
				 const struct event_catalogue *catalogue, size_t *count);

/* Calls visit for each type of unit that matches, and for the core, with the terms of its raw
 * events: "event, umask, ...". */
typedef void list_pmu_type_visitor(const char *name, const char *terms, void *context);
void list_each_pmu_type(const struct list_search *search, const struct model *model,
			list_pmu_type_visitor *visit, void *context);

/* The name of the unit that counts an event. */
const char *list_unit_of(const struct model *model, const struct event *event);

/* Events as perf stat -e takes them on this machine's kernel. */

struct list_perf {
	struct platform *platform;
	struct machine machine; /* as the kernel's PMUs show it */
	struct error error;	/* why there are none; code 0: there are */
};

/* sim and root are those of platform_open(). */
void list_perf_open(struct list_perf *out, const char *sim, const char *root);
void list_perf_close(struct list_perf *perf);

/*
 * "uncore_cxlcm_2/event=0x41,umask=0x10/": on the first unit that has the event. NULL: this kernel
 * can't count it, and *why says what is missing.
 */
const char *list_perf_text(const struct list_perf *perf, const struct event *event,
			   char text[PERF_EVENT_TEXT_SIZE], struct error *why);

struct list_context {
	const struct options *options;
	const struct model *model;
	const struct formulas *formulas; /* the model's */
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
