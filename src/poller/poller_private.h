/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a poller, which all its files share. */
#ifndef CXLMON_POLLER_POLLER_PRIVATE_H
#define CXLMON_POLLER_POLLER_PRIVATE_H

#include <stddef.h>

#include "plan/perf_events.h"
#include "platform/platform.h"
#include "poller/frame.h"
#include "poller/pmu_state.h"
#include "poller/timetable.h"

struct poller;

/* What a reading does besides: a set of bits. */
#define ROTATES_WITHIN	  1U /* units that rotate within a sample program their next round */
#define ROTATES_STAGGERED 2U /* units that are plan_unit.staggered program their next round */
#define ROTATES_RECLAIM	  4U /* units that other programs have released are programmed again */
#define ROTATES_SAMPLE	  8U /* a sample ends */

/* The freeze domains of one socket, which one thread reads one after the other, and how far it is.
 */
struct socket_job {
	struct poller *poller;
	size_t first, end; /* domains */
	int cpu;	   /* through which its MSRs are accessed; -1: not known */

	enum read_reason reason;
	unsigned rotation;  /* ROTATES_... that are due in this reading */
	size_t next;	    /* the domain to read next */
	uint64_t now;	    /* the clock, as the domain before was just unfrozen; 0: it was not */
	uint64_t frozen_ns; /* the longest freeze of any of them */
	bool rotated;	    /* in some domain, a unit may have rotated */
	bool found_frozen;  /* some domain or unit, by another program */
	bool lost;	    /* the CPU of the next one has gone offline */
	size_t tried;	    /* up to here, other CPUs were tried for domains */
	int rc;		    /* result of the next one */
	bool stands;	    /* another program has frozen it, as its clocks show */
	struct error err;
};

/* How a plan is counted: with registers, or by the kernel. Nothing else knows which. */
struct backend {
	/* Starts counting: the frame holds the values from which counting begins. */
	int (*start)(struct poller *poller, struct error *err);
	/* Begins again after a suspension, in a new epoch. */
	int (*resume)(struct poller *poller, struct error *err);
	/* Reads all counters into the frame; *frozen_ns is how long they were frozen at most. */
	int (*read)(struct poller *poller, enum read_reason reason, uint64_t *frozen_ns,
		    struct error *err);
	/*
	 * Reads counters when there is no room for a frame, so that none passes half its range.
	 * NULL: they have 64 bits.
	 */
	void (*read_undelivered)(struct poller *poller);
	/* As poller_place_readers(). NULL: it makes no difference where the counters are read. */
	void (*place_readers)(struct poller *poller);
	/* Ends counting; a second call tries what failed again. */
	int (*stop)(struct poller *poller, struct error *err);
	/* Releases what it has allocated; NULL: nothing. */
	void (*free)(struct poller *poller);
};

struct poller {
	const struct backend *backend;
	const struct plan *plan;
	struct platform *platform;
	struct timetable times;
	bool running;
	uint64_t suspended; /* ns that the machine was suspended in total, when last checked */
	struct frame frame;
	void *frame_arrays;
	struct turns *turns; /* by unit */

	/* used by perf.c alone */
	struct perf_events *events; /* not owned */

	/* used by all files but perf.c, and set up by registers.c */
	struct pmu_state *pmu;	    /* not owned */
	bool binds;		    /* poller_start() may bind its thread to a CPU */
	struct socket_job *sockets; /* by socket */
	size_t socket_count;
	bool any_frozen;		/* some unit was, in the reading before */
	struct readers *readers;	/* NULL: the sampling thread reads all sockets */
	struct counter_state *counters; /* of pmu, as are the next two */
	struct unit_state *units;
	struct domain_state *domains;
	bool *idle;		      /* by round */
	struct read_range *ranges;    /* of all domains; as many as units at most */
	struct reg_handle *reads;     /* by read, as are the next two */
	int *failures;		      /* 0 or a negative errno */
	uint64_t *previous;	      /* the value before, to see whether the counter moves */
	uint64_t *before_undelivered; /* by read: for poller_read_undelivered() alone */
};

/* The round of a unit that is programmed. */
static inline const struct round *poller_round(const struct poller *poller, size_t u)
{
	return &poller->plan->rounds[poller->plan->units[u].first_round + poller->units[u].round];
}

/*
 * An access lies somewhere between the clock before it and the clock after it. That takes some time
 * always; what it takes in addition is how uncertain the time is at which counting ends or begins.
 */
static inline uint64_t poller_excess(uint64_t *usual_ns, uint64_t took)
{
	if (took < *usual_ns)
		*usual_ns = took;
	return took - *usual_ns;
}

/* Counters that run are read again where that is more than one part in so many of an interval. */
#define HELD_UP_PART 200
#define MOST_AGAIN   3

static inline bool poller_held_up(const struct poller *poller, uint64_t uncertain_ns)
{
	return uncertain_ns > timetable_shortest(&poller->times) / HELD_UP_PART;
}

#endif
