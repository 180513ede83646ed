/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of CXL devices during a run, as the kernel reports them: counted by kind and device, and
 * those that are worth a message. Of a kind and device these are the first ones, and then one
 * whenever their number has doubled: a storm of them is a few lines.
 */
#ifndef CXLMON_CXL_EVENTS_H
#define CXLMON_CXL_EVENTS_H

#include "platform/cxl_event.h"
#include "platform/platform.h"

#define CXL_EVENTS_TOLD	  10 /* messages of a kind and device before their number must double */
#define CXL_EVENTS_COUNTS 64 /* kinds of all devices; what comes later is counted as lost */

struct cxl_event_count {
	enum cxl_event_kind kind;
	char device[CXL_EVENT_DEVICE_SIZE];
	uint64_t count;
};

/* An event that is worth a message. */
struct cxl_event_told {
	struct cxl_event event;
	uint64_t count; /* of its kind and device until then, itself included */
};

struct cxl_events {
	struct platform *platform; /* not owned; NULL: none are read */
	struct cxl_event_count counts[CXL_EVENTS_COUNTS];
	size_t count_count;
	uint64_t lost; /* that the kernel had no room for, or that are not in counts */
	/* of the latest sample: */
	struct cxl_event_told *told;
	size_t told_count, told_room;
};

/*
 * Opens them, while the process has its rights. None are read where that fails, or where the kernel
 * has none; *err says why.
 */
int cxl_events_open(struct cxl_events *events, struct platform *p, const struct topology *topology,
		    struct error *err);
void cxl_events_free(struct cxl_events *events);

/* Takes those until a sample of that wall-clock time. */
void cxl_events_read(struct cxl_events *events, uint64_t wall_ns);

#endif
