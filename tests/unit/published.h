/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of Intel's published lists, from published_events.txt, which is independent of src. */
#ifndef CXLMON_TEST_PUBLISHED_H
#define CXLMON_TEST_PUBLISHED_H

#include <stdbool.h>

#define PUBLISHED_MAX 300

struct published_event {
	char models[24], pmu_type[8], name[64],
		counters[20]; /* models and counters: "spr,emr", "0,1" */
	unsigned code, umask, umask_ext;
};

/* Reads the file; returns the number of events. */
int published_read(struct published_event out[PUBLISHED_MAX]);

/* Tells if the list of a model, such as "spr", has the event. */
bool published_on(const struct published_event *event, const char *model);

#endif
