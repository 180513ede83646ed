/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * User-defined metrics, given with --metric and --metrics-from:
 *
 *   NAME = FORMULA [; unit=UNIT] [; scope=SCOPE,...] [; decimals=N] [; help=TEXT]
 *
 * formula_parser.h describes FORMULA. The unit is unit= or, without it, the unit with which NAME
 * ends. A file has one metric on each line; blank lines and # comments are skipped.
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
#define CUSTOM_HELP_MOST    511	     /* bytes; recordings have no more room */
#define CUSTOM_GROUP	    "custom" /* metric group of all user-defined metrics */
#define CUSTOM_DECIMALS	    3	     /* decimals in CSV of a metric without unit= and decimals= */

struct custom_metric {
	struct metric metric; /* a column; its strings belong to this struct */
	struct program program;
	/* its formula with all events in one group; a fallback, in which they are multiplexed */
	struct formula at_once, multiplexed;
	/*
	 * A processor's formula whose event group has all events of .at_once, which then uses that
	 * group. NULL: none
	 */
	const struct formula *shared;
	char name[CUSTOM_NAME_MOST + 1], heading[CUSTOM_NAME_MOST + 1];
	char family[2 * CUSTOM_NAME_MOST];
	char *help, *formula; /* texts of help= and FORMULA */
};

/* Initially all zero. */
struct custom_metrics {
	struct custom_metric *items[CUSTOM_METRICS_MOST];
	size_t count;
	/* formulas of built-in metrics, which user-defined metrics may name */
	struct formulas formulas;
};

/* The names that formulas may use. */
struct custom_context {
	const struct event_catalogue *catalogue; /* must outlive the metrics */
};

/*
 * Add the metric of a text, or all metrics of a file. ERROR_USAGE: the text or the file is invalid,
 * a name is in use (-EEXIST), or there are too many metrics (-E2BIG). After an error nothing is
 * added, not even a part of a file.
 */
int custom_metrics_add(struct custom_metrics *metrics, const struct custom_context *context,
		       const char *text, struct error *err);
int custom_metrics_load(struct custom_metrics *metrics, const struct custom_context *context,
			const char *path, struct error *err);
void custom_metrics_free(struct custom_metrics *metrics);

/*
 * Returns the user-defined metric whose .metric is at this address. NULL: metric is a built-in one,
 * or metrics is NULL.
 */
const struct custom_metric *custom_metric_of(const struct custom_metrics *metrics,
					     const struct metric *metric);

/* custom_text.c: the fields of a user-defined metric's text. */

struct custom_text {
	const char *name, *formula;
	const char *help;		/* NULL: not given */
	const struct metric_unit *unit; /* from unit=, else from the end of the name; NULL: none */
	unsigned scopes;		/* a sum of 1 << enum scope; 0: all possible ones */
	int decimals;			/* -1: not given */
};

/*
 * Splits text, which it changes, into fields; strings of *out point into it. -EINVAL (ERROR_USAGE):
 * a field is invalid; the message names it.
 */
int custom_text_parse(char *text, struct custom_text *out, struct error *err);

/* Returns true if outputs use this name for a column or family that is not a metric. */
bool custom_text_is_reserved(const char *name);

#endif
