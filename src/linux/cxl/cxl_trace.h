/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel's CXL trace events, read through perf events with ring buffers of their own: other
 * readers of them, such as rasdaemon, lose nothing.
 */
#ifndef CXLMON_LINUX_CXL_CXL_TRACE_H
#define CXLMON_LINUX_CXL_CXL_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/cpus.h"
#include "platform/cxl_event.h"
#include "platform/platform.h"

struct cxl_trace;

/*
 * As cxl_ops.events_open. A kernel without such events is not an error. ERROR_PERMISSION: tracefs
 * or perf events are refused.
 */
int linux_cxl_events_open(struct platform *p, const struct topology *topology, struct error *err);

/* As cxl_ops.events_next. Sorted by CPU, and by time on each. */
bool linux_cxl_events_next(struct platform *p, uint64_t wall_ns, struct cxl_event *out,
			   uint64_t *lost);

/*
 * Pages of each ring, where each CPU has one: a power of 2. It has room for some 200 records until
 * the next sample. On large machines it is smaller: one that has an interrupt on each of 500 CPUs
 * at once would need much memory for nothing. All rings take 1024 pages at most, besides the page
 * in front of each; those of more CPUs have one page.
 */
size_t cxl_trace_pages(size_t cpus);

void cxl_trace_close(struct cxl_trace *trace); /* NULL does nothing */

#endif
