/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Search of cxlmon list: it finds metrics and events whose name or description has all words, in
 * any case. Printed for people by list_text.c and for programs by list_json.c.
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

/* Type of a processor's units, the core or CPMUs, with the terms of its raw events. */
struct list_pmu_type {
	const char *name;
	char terms[EVENT_TERMS_SIZE]; /* "event, umask, ..." */
};

/* Matching metrics and events, freed by list_close(). */
struct list {
	const struct options *options;
	bool verbose;		       /* also shows how events are encoded */
	const char *words[LIST_WORDS]; /* in argv; without words, everything matches */
	size_t word_count;	       /* a word with *, ? or [] matches whole names */
	const struct model *model;
	struct formulas formulas; /* model's formulas */
	struct event_catalogue catalogue;
	const struct event **events; /* matching events: see catalogue_events() */
	size_t event_count;
	struct list_pmu_type *pmu_types; /* types of matching events */
	size_t pmu_type_count;

	/* encoding for -v and JSON: events as perf stat -e takes them on this machine's kernel */
	struct platform *platform; /* NULL: not open */
	struct machine machine;	   /* machine by the kernel's PMUs */
	struct error perf_error;   /* reason why there are no PMUs; code 0: there are */
};

/*
 * Finds the metrics and events that options ask for, on the machine of a platform. ERROR_USAGE: too
 * many words. Closed by list_close(), also after failure.
 */
int list_open(const struct options *options, struct platform *p, struct list *out,
	      struct error *err);
void list_close(struct list *list);

/* Returns whether a metric matches; its group's name counts as one of its words. */
bool list_has_metric(const struct list *list, const struct metric *metric);

/* Returns why this processor cannot measure a metric, as a clause for the user; NULL: it can. */
const char *list_why_not(const struct list *list, const struct metric *metric);

/*
 * Returns whether an event of the formula has a single published source, not confirmed by another.
 */
bool list_is_of_one_source(const struct formula *formula);

/* Returns the name of the unit that counts an event. */
const char *list_unit_of(const struct model *model, const struct event *event);

/*
 * Returns the event of perf on the first unit that has it, such as
 * "uncore_cxlcm_2/event=0x41,umask=0x10/". NULL: this kernel cannot count it; *why says what is
 * missing.
 */
const char *list_perf_text(const struct list *list, const struct event *event,
			   char text[PERF_EVENT_TEXT_SIZE], struct error *why);

/* Prints to standard output. Returns whether anything matched. */
bool list_print_text(const struct list *list);

int list_print_json(const struct list *list, struct error *err);

#endif
