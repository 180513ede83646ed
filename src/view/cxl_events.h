/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of CXL devices during a run, as the kernel reports them, counted by kind and device. Of a
 * kind and device the first ones become marks, and then one whenever their number has doubled: a
 * storm of them is a few lines.
 */
#ifndef CXLMON_CXL_EVENTS_H
#define CXLMON_CXL_EVENTS_H

#include "platform/cxl.h"
#include "platform/platform.h"
#include "table/mark.h"

#define CXL_EVENTS_FIRST  4  /* of a kind and device, which are marked one by one */
#define CXL_EVENTS_COUNTS 64 /* kinds of all devices; what comes later is counted as lost */

struct cxl_event_count {
	struct cxl_event last;	/* of its kind and device */
	uint64_t count, marked; /* marked: the count at the latest mark */
};

struct cxl_events {
	struct platform *platform; /* not owned; NULL: none are read */
	struct cxl_event_count counts[CXL_EVENTS_COUNTS];
	size_t count_count;
	uint64_t lost; /* that the kernel had no room for, or that are not in counts */
};

/*
 * Opens them, while the process has its rights. None are read where that fails, or where the kernel
 * has none; *err says why.
 */
int cxl_events_open(struct cxl_events *events, struct platform *p, const struct topology *topology,
		    struct error *err);

/* Takes those until a sample of that wall-clock time. */
void cxl_events_read(struct cxl_events *events, uint64_t wall_ns, struct marks *marks);

#endif
