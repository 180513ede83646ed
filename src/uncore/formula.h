/* SPDX-License-Identifier: BSD-3-Clause */
/* How a processor makes a metric out of the rates of its events. */
#ifndef CXLMON_FORMULA_H
#define CXLMON_FORMULA_H

#define FORMULA_EVENTS 4

struct formula {
	const char *metric;		    /* a name of the metric table */
	const char *events[FORMULA_EVENTS]; /* names in the model's event table; NULL ends them */
	/* events a second, summed over the units of the row and in the order of .events */
	double (*value)(const struct formula *formula, const double *per_second);
	double factor;
	const char *source; /* what kind of count it rests on, for *_source columns; or NULL */
};

/* The first event's rate times factor. */
double formula_scaled(const struct formula *formula, const double *per_second);

#endif
