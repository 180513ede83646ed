/* SPDX-License-Identifier: BSD-3-Clause */
/* Resolves the names in formulas; see formula_parser.h. */
#ifndef CXLMON_FORMULA_NAMES_H
#define CXLMON_FORMULA_NAMES_H

#include "events/event_catalogue.h"
#include "platform/error.h"
#include "uncore/machine.h"

struct formula_names {
	const struct event_catalogue *catalogue;
	const struct machine *machine; /* NULL: any formula of a metric is as good */
	/* The formula of a metric of the user's own; NULL: there is none such */
	const char *(*own)(const void *context, const char *name);
	const void *context;
};

/*
 * The formula of a built-in metric: the first that this machine can count, or else the
 * first. NULL: the processor has none.
 */
const struct formula *formula_named(const struct formula_names *names, const char *metric);

/* EXIT_USAGE: there is neither an event nor a metric of that name. */
int formula_unknown_name(const struct formula_names *names, const char *name, struct error *err);

#endif
