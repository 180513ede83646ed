/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What CXL devices say of their health: cells of the group health. Devices are asked each 30 s, by
 * platform_ops.device_health; or, as that may take long, by somebody else whose answers are read.
 */
#ifndef CXLMON_HEALTH_SOURCES_H
#define CXLMON_HEALTH_SOURCES_H

#include "metrics/kernel_source.h"
#include "metrics/mark.h"

/* Takes the next answer. False: there is none yet. */
typedef bool health_reader(void *context, struct health_answer *out);

struct health_sources {
	struct platform *platform;     /* not owned */
	struct kernel_source *devices; /* NULL: nobody wants to know */
	int *codes;		       /* why the latest answer is missing; 0: it is not */
	size_t count;
	health_reader *next; /* NULL: they are asked here */
	void *context;
	bool asked;
	uint64_t asked_ns; /* wall-clock time, when they were asked here */
};

/* h->platform is set. devices: the same as others read them. Also with an error, free it. */
int health_sources_open(struct health_sources *h, const struct kernel_source *devices, size_t count,
			struct error *err);
void health_sources_free(struct health_sources *h);

/* For a sample of that wall-clock time. A state that has changed is marked. */
void health_sources_read(struct health_sources *h, uint64_t wall_ns, struct marks *marks);

#endif
