/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What cxlmon list finds: all words of a search are in the name or the description, whatever the
 * case. It is printed for people (list_text.c) and for programs (list_json.c).
 */
#ifndef CXLMON_CLI_LIST_H
#define CXLMON_CLI_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "cli/options.h"
#include "events/event_catalogue.h"
#include "events/event_parse.h"
#include "formula/formulas.h"
#include "metrics/metric.h"
#include "uncore/machine.h"
#include "uncore/units/perf_unit.h"

#define LIST_WORDS 32

/* Types of a processor's units, the core and CPMUs, with the terms of their raw events. */
struct list_pmu_type {
	const char *name;
	char terms[EVENT_TERMS_SIZE]; /* "event, umask, ..." */
};

/* What is listed: freed by list_close(). */
struct list {
	const struct options *options;
	bool verbose;		       /* how events are encoded, too */
	const char *words[LIST_WORDS]; /* in argv. Without words, everything matches. */
	size_t word_count;	       /* A word with *, ? or [] must match a name as a whole */
	const struct model *model;
	struct formulas formulas; /* the model's */
	struct event_catalogue catalogue;
	const struct event **events; /* that match; see catalogue_events() */
	size_t event_count;
	struct list_pmu_type *pmu_types; /* likewise */
	size_t pmu_type_count;

	/* for -v and JSON: events as perf stat -e takes them on this machine's kernel */
	struct platform *platform; /* NULL: not open */
	struct machine machine;	   /* as the kernel's PMUs show it */
	struct error perf_error;   /* why there are none; code 0: there are */
};

/*
 * Finds what options ask for on the machine of a platform. ERROR_USAGE: too many words. Closed by
 * list_close(), also after failure.
 */
int list_open(const struct options *options, struct platform *p, struct list *out,
	      struct error *err);
void list_close(struct list *list);

/* The name of a group is a word of its metrics. */
bool list_has_metric(const struct list *list, const struct metric *metric);

/* Why this processor can't measure a metric: a clause for the user. NULL: it can. */
const char *list_why_not(const struct list *list, const struct metric *metric);

/* Whether an event of the formula is published in one place only, and not confirmed. */
bool list_is_of_one_source(const struct formula *formula);

/* The name of the unit that counts an event. */
const char *list_unit_of(const struct model *model, const struct event *event);

/*
 * "uncore_cxlcm_2/event=0x41,umask=0x10/": on the first unit that has the event. NULL: this kernel
 * can't count it, and *why says what is missing.
 */
const char *list_perf_text(const struct list *list, const struct event *event,
			   char text[PERF_EVENT_TEXT_SIZE], struct error *why);

/* To standard output. Returns whether anything matched. */
bool list_print_text(const struct list *list);

int list_print_json(const struct list *list, struct error *err);

#endif
