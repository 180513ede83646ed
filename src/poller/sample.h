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

#endif
