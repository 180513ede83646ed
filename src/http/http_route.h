/* SPDX-License-Identifier: BSD-3-Clause */
/* Routes requests; does not depend on the HTTP library. */
#ifndef CXLMON_HTTP_ROUTE_H
#define CXLMON_HTTP_ROUTE_H

#include <stdbool.h>

#include "output/openmetrics.h"

enum page {
	PAGE_INDEX,		 /* / */
	PAGE_METRICS,		 /* /metrics */
	PAGE_HEALTHY,		 /* /-/healthy */
	PAGE_STALE,		 /* the same, where no sample has come for long */
	PAGE_NOT_FOUND,		 /* any other path */
	PAGE_METHOD_NOT_ALLOWED, /* neither GET nor HEAD */
};

/* path is without the query. */
enum page http_route(const char *method, const char *path);

/*
 * Selects the exposition by the Accept header (NULL: none): OpenMetrics if it is accepted, in
 * version 1.0.0 or any, and not less preferred than plain text; else the older format.
 *
 * Source: RFC 9110, 12.5.1; what Prometheus 2 and 3 send.
 */
enum exposition http_negotiate(const char *accept);

/* Whether the Accept-Encoding header (NULL: none) allows gzip: RFC 9110, 12.5.3. */
bool http_accepts_gzip(const char *accept_encoding);

#endif
