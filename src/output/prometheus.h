/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Converts OpenMetrics, as openmetrics_render() writes it, to Prometheus' text format 0.0.4. The
 * samples stay the same; the metadata of counters and the end of the text differ.
 *
 * Source: Prometheus' "Exposition formats".
 */
#ifndef CXLMON_OUTPUT_PROMETHEUS_H
#define CXLMON_OUTPUT_PROMETHEUS_H

#include <stddef.h>
#include <stdio.h>

/* Converts size bytes of text, and prints them to out, whose errors the caller checks. */
void prometheus_put(const char *openmetrics, size_t size, FILE *out);

#endif
