/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel's CXL trace events, read through perf events with ring buffers of their own: who else
 * traces, such as rasdaemon, loses nothing.
 */
#ifndef CXLMON_LINUX_CXL_TRACE_H
#define CXLMON_LINUX_CXL_TRACE_H

#include "platform/cxl_event.h"
#include "platform/platform.h"

struct cxl_trace;

/*
 * Opens them on all CPUs that are online. *out is NULL where the kernel has no such event: that is
 * no error. EXIT_PERMISSION: tracefs or perf events are refused.
 */
int cxl_trace_open(const char *root, const struct topology *topology, struct cxl_trace **out,
		   struct error *err);
void cxl_trace_close(struct cxl_trace *trace); /* NULL does nothing */

/*
 * Takes the next event, by CPU and then by time. False: there is none left. *lost grows by those
 * for which a ring buffer had no room.
 */
bool cxl_trace_next(struct cxl_trace *trace, struct cxl_event *out, uint64_t *lost);

#endif
