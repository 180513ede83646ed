/* SPDX-License-Identifier: BSD-3-Clause */
/* What was counted in an interval. Plain data. */
#ifndef CXLMON_SAMPLE_H
#define CXLMON_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/error.h"

/* One slot of the plan. */
struct count {
	uint64_t events;
	uint64_t time_running; /* ns in which they were counted; frozen time is not in it */
	uint64_t time_enabled; /* ns in which its unit counted: more, where groups rotate */
	bool known;	       /* false: nothing was read; what it counts shows next time */
};

struct sample {
	struct count *counts; /* by slot of the plan; owned by whoever handed it out */
	size_t count;
	uint64_t wall_ns; /* end of the interval, since 1970 in UTC */
	/* the longest that a domain stood still to be read, added up where groups rotate */
	uint64_t frozen_ns;
	uint64_t missed;   /* deadlines missed since the sample before */
	uint64_t skipped;  /* samples so far that were left out, as their reader was too slow */
	size_t lost_units; /* how often a unit could not be read since the sample before */
	/* why the first of them could not; NULL: none */
	const struct error *warning;
	bool new_warning; /* nothing was said of it before */
	/* units that another program has reset are programmed again; NULL: none */
	const char *note;
};

#endif
