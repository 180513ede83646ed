/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Custom metrics, of --metric and --metrics-from:
 *
 *   NAME = FORMULA [; unit=UNIT] [; scope=SCOPE,...] [; decimals=N] [; help=TEXT]
 *
 * with a FORMULA of formula_parser.h. The unit is that which the NAME
 * ends with, or unit=. A file has one on each line; blank lines and # comments are skipped.
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
#define CUSTOM_NAME_MOST    64	/* characters */
#define CUSTOM_HELP_MOST    511 /* bytes, as recordings have room for */
#define CUSTOM_GROUP	    "custom"

struct custom_metric {
	struct metric metric; /* a column; its texts are the metric's own */
	struct program program;
	/* its events in one group; and, where no group holds them, multiplexed */
	struct formula at_once, multiplexed;
	/* counts all events of at_once together, so that both share a group; NULL: none */
	const struct formula *shared;
	char name[CUSTOM_NAME_MOST + 1], heading[CUSTOM_NAME_MOST + 1];
	char family[2 * CUSTOM_NAME_MOST];
	char *help, *formula;
};

struct custom_metrics {
	struct custom_metric *items[CUSTOM_METRICS_MOST];
	size_t count;
	struct formulas formulas; /* of built-in metrics, which theirs may name */
};

/* The names that formulas may use. */
struct custom_context {
	const struct event_catalogue *catalogue; /* must outlive the metrics */
};

/* -EINVAL (ERROR_USAGE): invalid text or file; nothing is added, of a file neither. */
int custom_metrics_add(struct custom_metrics *metrics, const struct custom_context *context,
		       const char *text, struct error *err);
int custom_metrics_load(struct custom_metrics *metrics, const struct custom_context *context,
			const char *path, struct error *err);
void custom_metrics_free(struct custom_metrics *metrics);

/* Finds the custom metric of a column. NULL: it is in the metric table, or metrics is NULL.
 */
const struct custom_metric *custom_metric_of(const struct custom_metrics *metrics,
					     const struct metric *metric);

/* custom_text.c: the text of a custom metric, in its fields. */

struct custom_text {
	const char *name, *formula;
	const char *help;		/* NULL: none */
	const struct metric_unit *unit; /* from unit=, else from the end of the name; NULL: none */
	unsigned scopes;		/* 1 << scope each; 0: all that are possible */
	int decimals;			/* -1: those of the unit */
};

/* Cuts the text into fields, which point into it. -EINVAL (ERROR_USAGE): which field is wrong. */
int custom_text_parse(char *text, struct custom_text *out, struct error *err);

/* Tells if outputs use this name for a column or family that is not a metric. */
bool custom_text_is_reserved(const char *name);

#endif
