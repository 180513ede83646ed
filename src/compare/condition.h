/* SPDX-License-Identifier: BSD-3-Clause */
/* A change that makes a comparison fail: "cxl_read_latency_ns.p99>+10%". */
#ifndef CXLMON_CONDITION_H
#define CXLMON_CONDITION_H

#include "compare/comparison.h"
#include "platform/error.h"
#include "platform/text.h"

struct condition {
	const char *text;	    /* as it was given; not owned */
	char name[EVENT_NAME_SIZE]; /* of a metric or an event */
	enum statistic statistic;
	bool above;    /* B less A must be above the limit; else below */
	bool relative; /* the limit is in percent of A; else in the metric's unit */
	double limit;
};

/* EXIT_USAGE with a message that says what was expected. */
int condition_parse(const char *text, struct condition *out, struct error *err);

/* EXIT_USAGE: neither recording has such a metric or event. */
int condition_check(const struct condition *condition, const struct comparison *comparison,
		    struct error *err);

enum condition_state {
	CONDITION_OTHER, /* it is about another metric */
	CONDITION_FALSE,
	CONDITION_TRUE,
	CONDITION_UNKNOWN, /* one of the recordings has no value, or it was measured differently */
};

enum condition_state condition_of(const struct condition *condition, const struct compared *pair);

/* "METRIC, ROW: p99 420.0 in B, 400.0 in A: +20.0 (+5.00 %)". Returns text. */
#define CONDITION_TEXT_SIZE 768
const char *condition_describe(const struct condition *condition, const struct compared *pair,
			       char text[CONDITION_TEXT_SIZE]);

#endif
