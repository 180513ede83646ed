/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The search of cxlmon list: finds metrics, events and types of units by words, in upper or lower
 * case. Each word must be in the name or description, or be the name of the metric's group or of
 * the event's unit. list_text.c prints the result for people, list_json.c for programs.
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

#define LIST_WORDS 32 /* most words of a search */

/* A type of units, with the terms of its raw events (UNIT/event=N,.../). */
struct list_pmu_type {
	const char *name;
	char terms[EVENT_TERMS_SIZE]; /* "event, umask, ..." */
};

/* A search, with the events and types of units that match. Freed by list_close(). */
struct list {
	const struct options *options;
	bool verbose; /* encodings of events are also shown */
	/* words to find, in argv; a word with *, ? or [ is a pattern for whole names */
	const char *words[LIST_WORDS];
	size_t word_count; /* 0: everything matches */
	const struct model *model;
	struct formulas formulas; /* formulas of .model */
	struct event_catalogue catalogue;
	const struct event **events; /* matching events: see catalogue_events() */
	size_t event_count;
	struct list_pmu_type *pmu_types; /* matching types of units */
	size_t pmu_type_count;

	/* For -v and JSON: encodings of events for perf stat -e on this machine. */
	struct platform *platform; /* NULL: not open */
	/* units that the kernel's PMUs count: machine_open_perf(); set if .platform is not NULL */
	struct machine machine;
	/* reason why perf counts no event of the uncore; .code 0: it does, or was not asked */
	struct error perf_error;
};

/*
 * Splits the operands into words, in place, and finds events and types of units of p's processor.
 * Returns 0 or a negative errno. ERROR_USAGE: more than LIST_WORDS words. Closed by list_close(),
 * also after failure.
 */
int list_open(const struct options *options, struct platform *p, struct list *out,
	      struct error *err);
void list_close(struct list *list);

/* Returns true if all words match a metric. */
bool list_has_metric(const struct list *list, const struct metric *metric);

/*
 * Returns the reason, for the user, why this processor cannot measure a metric; NULL: it can, or
 * the metric needs no formula.
 */
const char *list_why_not(const struct list *list, const struct metric *metric);

/* Returns true if the formula has an unconfirmed event: see event.one_source. */
bool list_is_of_one_source(const struct formula *formula);

/* Returns the name of the type of units that counts an event; "": unknown. */
const char *list_unit_of(const struct model *model, const struct event *event);

/*
 * Writes the event for perf stat -e, on the first unit that has it:
 * "uncore_cxlcm_2/event=0x41,umask=0x10/". Returns text. If this kernel cannot count the event,
 * returns NULL, and sets *why.
 */
const char *list_perf_text(const struct list *list, const struct event *event,
			   char text[PERF_EVENT_TEXT_SIZE], struct error *why);

/* Prints the list to standard output. Returns true if anything matched. */
bool list_print_text(const struct list *list);

/* Prints the list to standard output as one JSON object. Errors as common_print_json(). */
int list_print_json(const struct list *list, struct error *err);

#endif
