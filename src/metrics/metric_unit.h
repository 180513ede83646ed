/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Units of user-defined metrics: what the end of a name says, what numbers of formulas may
 * have, and whether a formula yields what was expected.
 */
#ifndef CXLMON_METRIC_UNIT_H
#define CXLMON_METRIC_UNIT_H

#include <stdbool.h>
#include <stddef.h>

#define DIMENSION_TEXT_SIZE 48

/* Powers of bytes and of seconds; events, clocks and shares are plain numbers. */
struct dimension {
	int bytes, seconds;
};

struct metric_unit {
	const char *name; /* as unit= takes it, and under a column of the table: "MB/s" */
	const char *end;  /* of a metric's name: "_MBps" */
	struct dimension dimension;
	int exponent;	   /* it is 10^exponent of bytes, seconds and plain numbers */
	unsigned decimals; /* in CSV, unless the metric says otherwise */
	/* OpenMetrics: the unit that the name ends with, and whether metadata name it */
	const char *base;
	bool base_is_unit;
};

struct number_unit {
	const char *name; /* behind a number: "bytes", "ns" */
	struct dimension dimension;
	int exponent;
	double factor;
};

/* NULL: none of that name, or the metric's name ends with none. */
const struct metric_unit *metric_unit_named(const char *name);
const struct metric_unit *metric_unit_of(const char *metric_name);
const struct number_unit *number_unit_find(const char *name, size_t length);

/* "MB/s, GB/s, ..." */
void metric_unit_names(char *text, size_t size);

bool dimension_equal(struct dimension a, struct dimension b);
/* "bytes/s", "1/s", "s", "a plain number" */
const char *dimension_text(struct dimension dimension, char text[DIMENSION_TEXT_SIZE]);

#endif
