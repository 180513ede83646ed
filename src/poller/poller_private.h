/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of a poller, and functions that its files offer each other. u is a unit as in
 * plan.units, d a freeze domain as in plan.domains.
 */
#ifndef CXLMON_POLLER_POLLER_PRIVATE_H
#define CXLMON_POLLER_POLLER_PRIVATE_H

#include <stddef.h>

#include "plan/perf_events.h"
#include "platform/platform.h"
#include "poller/frame.h"
#include "poller/pmu_state.h"
#include "poller/timetable.h"

struct poller;

/* The value of a register while a unit counts a round, in these bits; 0: it is not read. */
struct expected {
	uint64_t value, bits;
};

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
	bool shows_freeze;  /* registers show whether it is frozen, so its clocks need not */
	bool clock_stopped; /* another program has frozen it, as its clocks show */
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
	struct round_order *orders; /* by unit */

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

	/* by register that controls.c compares, in the order of units */
	struct reg *control_registers;
	struct reg_handle *controls;
	uint64_t *control_values; /* as last read */
	int *control_failures;
	struct expected *expected;	 /* in the rounds that count */
	bool controls_vary;		 /* some round does not use some of them */
	struct expected *round_expected; /* by unit, round and register */
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

/* registers.c: counting with registers that are programmed, frozen, read and restored. */

/* Sets the backend and allocates what it needs, which poller_free() frees. pmu is not owned. */
int poller_use_registers(struct poller *poller, struct pmu_state *pmu, struct error *err);

/* perf.c: counting through the kernel. */

/* Sets the backend. events is not owned. */
void poller_use_perf(struct poller *poller, struct perf_events *events);

/* reading.c: each freeze domain is frozen, read, rotated if due, and unfrozen. */

/* Prepares the access to all registers; again after one of them has changed its CPU. */
void poller_prepare(struct poller *poller);
/* As backend.read. */
int poller_read_domains(struct poller *poller, enum read_reason reason, uint64_t *frozen_ns,
			struct error *err);
/* As backend.read_undelivered: adds up frame.undelivered. */
void poller_read_undelivered(struct poller *poller);
/*
 * Work of a reader thread: reads the domains of a job, until the last one, an error, or a CPU that
 * has gone offline.
 */
void poller_read_socket(struct socket_job *job);

/* controls.c: reads registers that show whether another program has taken or frozen a unit. */

/* Whether each reading freezes a domain by a register of its own, not by one of the whole socket.
 */
bool poller_is_frozen_alone(const struct poller *poller, size_t d);

/* Makes room for the registers of units that were just programmed. */
int poller_allocate_controls(struct poller *poller, struct error *err);
void poller_free_controls(struct poller *poller);
/* Lists and prepares them; again after one of them has changed its CPU. */
void poller_list_controls(struct poller *poller);
/* A unit counts another round. */
void poller_expect_round(struct poller *poller, size_t u);
/* Reads the controls of units first to end - 1, and those that freeze them. True: as expected. */
bool poller_read_controls(struct poller *poller, size_t first, size_t end);
/* The same of a unit, without the one that freezes it. */
bool poller_read_unit_controls(struct poller *poller, size_t u);
/* Returns true if a control that was read does not hold its value. */
bool poller_controls_changed(const struct poller *poller, size_t u);
/* Returns true if the unit's own control, which was read with the others, freezes it. */
bool poller_control_freezes(const struct poller *poller, size_t u);

/* checking.c: detects units that another program has frozen, or whose controls it has changed. */

/* Whether all counters of a unit were read, and not all of them as all ones. */
bool poller_unit_answers(const struct poller *poller, size_t u);

/*
 * Whether another program has frozen a domain that this reading is about to freeze. If so, the
 * reading must not unfreeze it.
 */
bool poller_found_frozen(struct poller *poller, size_t d);
/* Whether a unit was found frozen, by the control of its domain or by its own. */
bool poller_unit_found_frozen(const struct poller *poller, size_t u);
/* Finds the sockets whose registers don't show whether they are frozen. */
void poller_find_clocks(struct poller *poller);
/*
 * After a reading: checks whether the clocks tick of these sockets. Returns whether some have
 * stopped.
 */
bool poller_check_clocks(struct poller *poller);
/* Sets frame_unit.freeze of all units. */
void poller_mark_frozen(struct poller *poller);

/*
 * Whether the controls of a unit are free that another program had changed: it can be programmed
 * again.
 */
bool poller_can_reclaim(const struct poller *poller, size_t u);
/* Reads and compares the controls of a unit, and the one that freezes it. */
void poller_check_controls(struct poller *poller, size_t u);
/*
 * Compares them if suspicious, or if the unit, which was just read, has stopped counting: another
 * program may have stopped it, and a zero must not be shown unchecked.
 */
void poller_check_unit(struct poller *poller, size_t u, bool suspicious);
/* Checks the units of domains, which were just read; clears their overflow status bits. */
void poller_check_domains(struct socket_job *job);

/*
 * rotation.c: a unit with more events than counters counts rounds of them, one after the other.
 * rotation is a set of ROTATES_...
 */

/* What is due in a reading: ROTATES_... */
unsigned poller_rotation_due(const struct poller *poller, enum read_reason reason);
/* Whether a unit is to count another round now. */
bool poller_rotates(struct poller *poller, size_t u, unsigned rotation);

/* Prepares the reads of the round that a unit counts. */
void poller_use_round(struct poller *poller, size_t u);
/* Joins the reads of a domain to ranges of consecutive reads. */
void poller_find_ranges(struct poller *poller, size_t d);
/* Compares controls, if due, before a rotation overwrites them. */
void poller_check_before_rotation(struct poller *poller, size_t d, unsigned rotation);
/* Programs the next round of each unit of a domain that rotates now. */
int poller_rotate(struct poller *poller, size_t d, unsigned rotation, struct error *err);

/*
 * readers.c: threads that read sockets in parallel: one for each job, bound to a CPU of its socket.
 * They sleep between readings: to wake one takes as long as a few MSR reads, but less than reading
 * another socket from here.
 */

struct readers;

/* Each calls work(job) on the CPU of its job. NULL: they can't be started or bound. */
struct readers *readers_new(struct platform *p, void (*work)(struct socket_job *job),
			    struct socket_job *jobs, size_t count);
void readers_free(struct readers *readers); /* NULL does nothing */

/* Starts all jobs. */
void readers_go(struct readers *readers);
/* Waits until all jobs are done. */
void readers_wait(struct readers *readers);

#endif
