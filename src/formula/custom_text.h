/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of a user-defined metric, in its fields: see custom_metric.h. */
#ifndef CXLMON_CUSTOM_TEXT_H
#define CXLMON_CUSTOM_TEXT_H

#include <stdbool.h>

#include "base/error.h"
#include "metrics/metric.h"

#define CUSTOM_NAME_MOST 64  /* characters */
#define CUSTOM_HELP_MOST 511 /* what a recording keeps */

struct custom_text {
	const char *name, *formula;
	const char *help;		/* NULL: none */
	const struct metric_unit *unit; /* of unit=, or that the name says; NULL: none */
	unsigned scopes;		/* 1 << scope each; 0: all that are possible */
	int decimals;			/* -1: those of the unit */
};

/* Cuts the text into fields, which point into it. -EINVAL (ERROR_USAGE): which field is wrong. */
int custom_text_parse(char *text, struct custom_text *out, struct error *err);

/* Whether outputs have a column or a family of this name beside metrics. */
bool custom_text_is_reserved(const char *name);

#endif
