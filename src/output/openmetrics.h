/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A view as an exposition for Prometheus and its like: gauges of the latest sample, and counters of
 * all that was counted since the run began, in base units.
 *
 * A metric is exposed at the finest scope that has rows, and only there, so that a sum over its
 * samples counts nothing twice. What has never been known is left out, and so is a gauge that isn't
 * known now; a counter then keeps what it has.
 *
 * Source: OpenMetrics 1.0 (prometheus.io/docs/specs/om); Prometheus' "Exposition formats", text
 * format 0.0.4, which is also what node_exporter's textfile collector reads.
 */
#ifndef CXLMON_OPENMETRICS_H
#define CXLMON_OPENMETRICS_H

#include <stdint.h>
#include <stdio.h>

#include "metrics/sample.h"
#include "metrics/view.h"

/* Both have the same samples; metadata of counters and the end of the text differ. */
enum exposition {
	EXPOSITION_OPENMETRICS, /* application/openmetrics-text; version=1.0.0 */
	EXPOSITION_PROMETHEUS,	/* text/plain; version=0.0.4 */
};

struct openmetrics {
	double *totals;	    /* by row and column, or by row of events; NAN: never known */
	uint64_t samples;   /* that were added */
	uint64_t missed;    /* deadlines */
	uint64_t postponed; /* samples; for who renders to set */
	uint64_t lost;	    /* readings of units */
	uint64_t frozen_ns;
	bool up; /* the latest sample has a value that is known */
};

/* For a view that has been made; 0 or -ENOMEM. Freed by openmetrics_free(), also after failure. */
int openmetrics_init(struct openmetrics *o, const struct view *view);
void openmetrics_free(struct openmetrics *o);

/* Adds what the sample, which the view has been updated with, has counted. */
void openmetrics_add(struct openmetrics *o, const struct view *view, const struct sample *sample);

/* Writes the whole exposition. */
void openmetrics_render(const struct openmetrics *o, const struct view *view,
			enum exposition exposition, FILE *out);

#endif
