/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The summary at the end of a run: total, mean, p95 and maximum of each metric and event. A total
 * is the sum of rate x time of samples. The memory is bounded, however long the run is
 * (base/distribution.h).
 *
 * A metric has a line for the system, and for each port, node and group, with these exceptions:
 *
 * - more than 8 nodes, or more than 8 groups, have no lines
 * - more than 4 ports have lines only for metrics in bytes, and these have only totals
 * - a single port has no line if the system has one
 */
#ifndef CXLMON_OUTPUT_SUMMARY_H
#define CXLMON_OUTPUT_SUMMARY_H

#include <stdint.h>
#include <stdio.h>

#include "counts/sample.h"
#include "table/table.h"

struct summary;

/* Contents of a summary. */
enum summary_extent {
	SUMMARY_LINE, /* only the numbers of samples and missed deadlines, and the time */
	SUMMARY_WHOLE /* also metrics and events */
};

/* Creates a summary, freed by summary_free(). The table must outlive it. 0 or -ENOMEM. */
int summary_new(const struct table *table, enum summary_extent extent, struct summary **out);
void summary_free(struct summary *summary); /* NULL does nothing */

/* Adds the sample that the table was updated with. */
void summary_add(struct summary *summary, const struct sample *sample);

/*
 * Prints the summary, or nothing if there was no sample. processor is the processor's name in
 * words. elapsed_ns is the length of the run. If lines would exceed width columns, leaves out the
 * percentile, and then also the maximum; never names, totals and means. 0 or -ENOMEM.
 */
int summary_print(const struct summary *summary, const char *processor, uint64_t elapsed_ns,
		  int width, FILE *out);

#endif
