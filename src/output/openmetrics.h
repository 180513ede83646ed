/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exposes a table to Prometheus and compatible collectors, as OpenMetrics: gauges of the latest
 * sample, and counters since the start of the run, in base units.
 *
 * Only rows of the finest scope that a metric has are exposed, so that a sum over its samples
 * counts nothing twice; events likewise. A value that is unknown in the latest sample is left out,
 * be it a gauge or a counter, as its cell in CSV is empty. Counters other than seconds are whole
 * numbers.
 *
 * Source: OpenMetrics 1.0 (prometheus.io/docs/specs/om).
 */
#ifndef CXLMON_OUTPUT_OPENMETRICS_H
#define CXLMON_OUTPUT_OPENMETRICS_H

#include <stdint.h>
#include <stdio.h>

#include "counts/sample.h"
#include "series/series.h"

struct openmetrics {
	const struct series *series; /* series of the table, with series_keep_all(); not owned */
	uint64_t missed;	     /* deadlines missed */
	uint64_t skipped;	     /* samples skipped */
	uint64_t interval_ns;	     /* time from one sample to the next; set by the caller */
	uint64_t wall_ns;	     /* time of the latest sample */
	uint64_t failed_reads;	     /* failed reads of units */
	uint64_t frozen_ns;
	const struct loss *losses; /* losses of the latest sample */
	size_t loss_count;
};

/* Adds a sample, which the series already has. */
void openmetrics_add(struct openmetrics *o, const struct sample *sample);

/* Writes the exposition. */
void openmetrics_render(const struct openmetrics *o, FILE *out);

/* Writes the exposition for a run whose samples are overdue: no values, and cxlmon_up 0. */
void openmetrics_render_stale(const struct openmetrics *o, FILE *out);

#endif
