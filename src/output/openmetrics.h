/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a table in the text format OpenMetrics, for Prometheus and other collectors: gauges of the
 * latest sample, and counters since the start of the run, in base units.
 *
 * Metrics and events have only the rows of their finest scope, so that a sum over them counts
 * nothing twice. A gauge or counter whose value is unknown in the latest sample is left out.
 * Counters other than seconds are whole numbers.
 *
 * Source: OpenMetrics 1.0 (prometheus.io/docs/specs/om).
 */
#ifndef CXLMON_OUTPUT_OPENMETRICS_H
#define CXLMON_OUTPUT_OPENMETRICS_H

#include <stdint.h>
#include <stdio.h>

#include "counts/sample.h"
#include "series/series.h"

/* Initially zero. The caller sets .series and .interval_ns; openmetrics_add() sets the rest. */
struct openmetrics {
	const struct series *series; /* the table's series, after series_keep_all(). Not owned */
	uint64_t missed;	     /* deadlines missed since the start */
	uint64_t skipped;	   /* samples since the start that were merged into the next one */
	uint64_t interval_ns;	   /* time from one sample to the next */
	uint64_t wall_ns;	   /* time of the latest sample, since 1970 */
	uint64_t lost_readings;	   /* sample.lost_readings since the start */
	uint64_t frozen_ns;	   /* time since the start for which counters were frozen */
	const struct loss *losses; /* the latest sample's. Not owned */
	size_t loss_count;
};

/* Adds a sample, after it was added to the series. */
void openmetrics_add(struct openmetrics *o, const struct sample *sample);

/* Writes all metrics as of the latest sample, with "# EOF" at the end. */
void openmetrics_render(const struct openmetrics *o, FILE *out);

/* Writes the metrics of a run whose samples are overdue: no values, and cxlmon_up 0. */
void openmetrics_render_stale(const struct openmetrics *o, FILE *out);

#endif
