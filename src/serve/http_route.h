/* SPDX-License-Identifier: BSD-3-Clause */
/* What a request is for: pure, and apart from any server. */
#ifndef CXLMON_HTTP_ROUTE_H
#define CXLMON_HTTP_ROUTE_H

#include "output/openmetrics.h"

enum page {
	PAGE_INDEX,	/* / */
	PAGE_METRICS,	/* /metrics */
	PAGE_HEALTHY,	/* /-/healthy */
	PAGE_NOT_FOUND, /* any other path */
	PAGE_METHOD,	/* neither GET nor HEAD */
};

/* path has no query. */
enum page http_route(const char *method, const char *path);

/*
 * Which exposition the header Accept (NULL: there was none) asks for: OpenMetrics where it is named
 * and wanted no less than plain text, in version 1.0.0 or any; else the older one.
 *
 * Source: RFC 9110, 12.5.1; what Prometheus 2 and 3 send.
 */
enum exposition http_negotiate(const char *accept);

#endif
