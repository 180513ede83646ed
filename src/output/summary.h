/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The summary at the end of a run: how much was moved, and mean, p95 and maximum of each
 * metric of the system and, where they are few, of the ports; of events their counts and rates.
 * Totals are added up from counts. The memory is bounded, however long the run: see
 * base/distribution.h.
 */
#ifndef CXLMON_OUTPUT_SUMMARY_H
#define CXLMON_OUTPUT_SUMMARY_H

#include <stdint.h>
#include <stdio.h>

#include "counts/sample.h"
#include "table/table.h"

struct summary;

enum summary_extent {
	SUMMARY_LINE, /* only the number of samples, their time, and deadlines missed */
	SUMMARY_WHOLE
};

/* The table must outlive the summary. 0 or -ENOMEM. */
int summary_new(const struct table *table, enum summary_extent extent, struct summary **out);
void summary_free(struct summary *summary); /* NULL does nothing */

/* Adds a sample, which the table was updated with. */
void summary_add(struct summary *summary, const struct sample *sample);

/*
 * Prints nothing without a sample. Lines have at most so many columns, as long as their names and
 * totals have room: percentiles and then maxima are left out. 0 or -ENOMEM.
 */
int summary_print(const struct summary *summary, const char *processor, uint64_t elapsed_ns,
		  int width, FILE *out);

#endif
