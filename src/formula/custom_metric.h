/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * User-defined metrics, given with --metric and --metrics-from:
 *
 *   NAME = FORMULA [; unit=UNIT] [; scope=SCOPE,...] [; decimals=N] [; help=TEXT]
 *
 * formula_parser.h describes FORMULA. Without unit=, the end of NAME is the unit: MB/s for _MBps. A
 * file has one metric per line; blank lines and # comments are skipped.
 */
#ifndef CXLMON_CUSTOM_METRIC_H
#define CXLMON_CUSTOM_METRIC_H

#include <stdbool.h>

#include "base/error.h"
#include "events/event_catalogue.h"
#include "formula/formulas.h"
#include "metrics/metric.h"
#include "uncore/machine.h"

#define CUSTOM_METRICS_MOST 64
#define CUSTOM_NAME_MOST    64	     /* characters */
#define CUSTOM_HELP_MOST    511	     /* bytes: the room in recordings */
#define CUSTOM_GROUP	    "custom" /* metric group of all user-defined metrics */
#define CUSTOM_DECIMALS	    3	     /* decimals in CSV if there is neither a unit nor decimals= */

struct custom_metric {
	struct metric metric; /* its strings belong to this struct */
	struct program program;
	/*
	 * Both are the metric's formula. .at_once: all events are counted at the same time, in one
	 * group. .multiplexed: the fallback, whose events may be multiplexed.
	 */
	struct formula at_once, multiplexed;
	/*
	 * A built-in formula that has all events of .at_once in its own event group; .at_once then
	 * uses this group. NULL: none
	 */
	const struct formula *shared;
	char name[CUSTOM_NAME_MOST + 1], heading[CUSTOM_NAME_MOST + 1];
	char family[2 * CUSTOM_NAME_MOST];
	char *help, *formula; /* texts of help= and FORMULA. Owned */
};

/* Initially all zero. */
struct custom_metrics {
	struct custom_metric *items[CUSTOM_METRICS_MOST];
	size_t count;
	/* formulas of built-in metrics, which user-defined formulas may name */
	struct formulas formulas;
};

/* The names that formulas may use. */
struct custom_context {
	const struct event_catalogue *catalogue; /* must outlive the metrics */
};

/*
 * Add the metric of a text, or all metrics of a file. Return 0 or a negative errno. ERROR_USAGE:
 * the text or the file is invalid, a name is in use (-EEXIST), or there are too many metrics
 * (-E2BIG). After an error, nothing is added.
 */
int custom_metrics_add(struct custom_metrics *metrics, const struct custom_context *context,
		       const char *text, struct error *err);
int custom_metrics_load(struct custom_metrics *metrics, const struct custom_context *context,
			const char *path, struct error *err);
void custom_metrics_free(struct custom_metrics *metrics);

/*
 * Returns the user-defined metric whose .metric is at this address; NULL: none, or metrics is NULL.
 */
const struct custom_metric *custom_metric_of(const struct custom_metrics *metrics,
					     const struct metric *metric);

/* custom_text.c: the fields of a user-defined metric's text. */

struct custom_text {
	const char *name, *formula;
	const char *help;		/* NULL: not given */
	const struct metric_unit *unit; /* unit=, or the unit at the end of the name; NULL: none */
	unsigned scopes;		/* a sum of 1 << enum scope; 0: not given */
	int decimals;			/* -1: not given */
};

/*
 * Splits text into fields. Changes text; strings of *out point into it. Returns 0 or -EINVAL
 * (ERROR_USAGE): a field is invalid, and the message names the field.
 */
int custom_text_parse(char *text, struct custom_text *out, struct error *err);

/* Returns true if outputs have a column or family of this name that is not a metric. */
bool custom_text_is_reserved(const char *name);

#endif
