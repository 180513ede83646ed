/* SPDX-License-Identifier: BSD-3-Clause */
/* What was counted between two readings. Plain data. */
#ifndef CXLMON_SAMPLE_H
#define CXLMON_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One slot of the plan. */
struct count {
	uint64_t events;
	uint64_t counted_ns; /* during which they were counted; frozen time is not in it */
	uint64_t unit_ns;    /* during which its unit counted anything: more, where groups turn */
	bool known;	     /* false: the unit could not be read; what it counts shows next time */
};

struct sample {
	struct count *counts; /* by slot of the plan; owned by whoever handed it out */
	size_t count;
	uint64_t wall_ns; /* end of the interval, since 1970 in UTC */
	/* the longest that a domain stood still to be read, added up where groups turn within */
	uint64_t frozen_ns;
	uint64_t missed;   /* deadlines missed since the sample before */
	size_t lost_units; /* that could not be read this time */
};

/*
 * What registers held at the end of a sample. Most readings are plain: every unit counted all the
 * time and was read whole, so that all there is to say is in the registers, and deltas are made
 * where there is time for them (poller/deltas.h). Of the others the sample has its counts.
 *
 * Arrays are owned by whoever handed it out, and indexed as the plan they belong to.
 */
struct reading {
	struct sample sample;
	bool plain; /* sample.counts has nothing yet */
	/* by place; neither is of this time where a unit could not be read */
	uint64_t *raw;
	uint64_t *later;  /* ns that it was read after its domain; NULL: always with it */
	uint64_t *ns;	  /* by domain: counted since the reading before; only where it is plain */
	uint32_t *groups; /* by unit: which counts from here on; only where it is not plain */
};

/* How long the arrays of a plan's readings are. */
struct reading_size {
	size_t slots, places, domains, units;
};

#endif
