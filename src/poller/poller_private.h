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

/* The value of a register while a unit counts a round, in these bits. bits is 0: it is not read. */
struct expected {
	uint64_t value, bits;
};

/* Actions that a reading includes: a set of bits. */
#define ROTATES_WITHIN	  1U /* units that rotate within a sample program their next round */
#define ROTATES_STAGGERED 2U /* units that are plan_unit.staggered program their next round */
#define ROTATES_RECLAIM	  4U /* units that other programs have released are programmed again */
#define ROTATES_SAMPLE	  8U /* a sample ends */

/* The freeze domains of one socket, which one thread reads one after the other. */
struct socket_job {
	struct poller *poller;
	size_t first, end; /* range of domains */
	int cpu;	   /* the CPU through which its MSRs are accessed; -1: unknown */

	enum read_reason reason;
	unsigned rotation; /* ROTATES_... that are due in this reading */
	size_t next;	   /* the domain to read next */
	/* ns: the clock if the previous domain was just unfrozen; 0: it was not */
	uint64_t now;
	uint64_t frozen_ns; /* the longest freeze of any of its domains */
	bool rotated;	    /* a unit of some domain may have rotated */
	bool found_frozen;  /* another program had frozen some domain or unit */
	bool lost;	    /* the CPU of the next domain has gone offline */
	size_t tried;	    /* other CPUs were tried for domains before this one */
	int rc;		    /* result of the next domain */
	bool shows_freeze;  /* registers show whether it is frozen, so its clocks need not */
	bool clock_stopped; /* another program has frozen it, as its clocks show */
	struct error err;
};

/* Functions that count a plan with registers, or through the kernel. Only they know which. */
struct backend {
	/* Starts counting: the frame holds the values from which counting begins. */
	int (*start)(struct poller *poller, struct error *err);
	/* Begins again after a suspension, in a new epoch. */
	int (*resume)(struct poller *poller, struct error *err);
	/* Reads all counters into the frame; *frozen_ns is how long they were frozen at most. */
	int (*read)(struct poller *poller, enum read_reason reason, uint64_t *frozen_ns,
		    struct error *err);
	/*
	 * Reads counters if there is no room for a frame, so that none passes half its range.
	 * NULL: they have 64 bits.
	 */
	void (*read_undelivered)(struct poller *poller);
	/*
	 * Does the work of poller_place_readers(). NULL: it makes no difference where the counters
	 * are read.
	 */
	void (*place_readers)(struct poller *poller);
	/* Ends counting; another call retries the registers that failed. */
	int (*stop)(struct poller *poller, struct error *err);
	/* Releases everything that it has allocated; NULL: nothing. */
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
	struct round_order *orders; /* one per unit */

	/* Used only by perf.c. */
	struct perf_events *events; /* not owned */

	/* Used by all files except perf.c, and set up by registers.c. */
	struct pmu_state *pmu;	    /* not owned */
	bool binds;		    /* poller_start() may bind its thread to a CPU */
	struct socket_job *sockets; /* one per socket */
	size_t socket_count;
	bool any_frozen;		/* some unit was frozen in the previous reading */
	struct readers *readers;	/* NULL: the sampling thread reads all sockets */
	struct counter_state *counters; /* in pmu, as are the next two */
	struct unit_state *units;
	struct domain_state *domains;
	bool *idle;		      /* one per round */
	struct read_range *ranges;    /* ranges of all domains, at most as many as units */
	struct reg_handle *reads;     /* one per read, as are the next two */
	int *failures;		      /* 0 or a negative errno */
	uint64_t *previous;	      /* the previous value, which shows if the counter moves */
	uint64_t *before_undelivered; /* one per read, used only by poller_read_undelivered() */

	/* One element per register that controls.c compares, in the order of units. */
	struct reg *control_registers;
	struct reg_handle *controls;
	uint64_t *control_values; /* the values that were last read */
	int *control_failures;
	struct expected *expected;	 /* the values in the rounds that count */
	bool controls_vary;		 /* some round does not use some of them */
	struct expected *round_expected; /* one per unit, round and register */
};

/* Returns the round of a unit that is programmed. */
static inline const struct round *poller_round(const struct poller *poller, size_t u)
{
	return &poller->plan->rounds[poller->plan->units[u].first_round + poller->units[u].round];
}

/*
 * Returns the ns by which an access took longer than the shortest one so far. An access lies
 * somewhere between the clock before it and the clock after it; the excess is the uncertainty of
 * the time at which counting ends or begins.
 */
static inline uint64_t poller_excess(uint64_t *usual_ns, uint64_t took)
{
	if (took < *usual_ns)
		*usual_ns = took;
	return took - *usual_ns;
}

/*
 * Running counters are read again if a time is uncertain by more than 1/HELD_UP_PART of an
 * interval.
 */
#define HELD_UP_PART 200
#define MOST_AGAIN   3

static inline bool poller_held_up(const struct poller *poller, uint64_t uncertain_ns)
{
	return uncertain_ns > timetable_shortest(&poller->times) / HELD_UP_PART;
}

/* registers.c: counting with registers that are programmed, frozen, read and restored. */

/*
 * Sets the backend and allocates the memory that it needs, which poller_free() frees. pmu is not
 * owned.
 */
int poller_use_registers(struct poller *poller, struct pmu_state *pmu, struct error *err);

/* perf.c: counting through the kernel. */

/* Sets the backend. events is not owned. */
void poller_use_perf(struct poller *poller, struct perf_events *events);

/* reading.c: each freeze domain is frozen, read, rotated if due, and unfrozen. */

/* Prepares the access to all registers; again after one of them has changed its CPU. */
void poller_prepare(struct poller *poller);
/* Reads all domains, as backend.read. */
int poller_read_domains(struct poller *poller, enum read_reason reason, uint64_t *frozen_ns,
			struct error *err);
/* Adds counts to frame.undelivered, as backend.read_undelivered. */
void poller_read_undelivered(struct poller *poller);
/*
 * Reads the domains of a job, until the last one, an error, or a CPU that has gone offline. The
 * work of a reader thread.
 */
void poller_read_socket(struct socket_job *job);

/* controls.c: reads registers that show whether another program has taken or frozen a unit. */

/*
 * Returns true if each reading freezes a domain by its own register, not by one of the whole
 * socket.
 */
bool poller_is_frozen_alone(const struct poller *poller, size_t d);

/* Makes room for the registers of units that were just programmed. */
int poller_allocate_controls(struct poller *poller, struct error *err);
void poller_free_controls(struct poller *poller);
/* Lists and prepares the control registers; again after one of them has changed its CPU. */
void poller_list_controls(struct poller *poller);
/* Sets the expected values to those of the round that a unit counts. */
void poller_expect_round(struct poller *poller, size_t u);
/*
 * Reads the controls of units first to end - 1, and those that freeze them. Returns true if all
 * hold their expected values.
 */
bool poller_read_controls(struct poller *poller, size_t first, size_t end);
/* Reads a unit's controls, except the one that freezes it. Returns true if all are as expected. */
bool poller_read_unit_controls(struct poller *poller, size_t u);
/* Returns true if a control that was read does not hold its value. */
bool poller_controls_changed(const struct poller *poller, size_t u);
/* Returns true if the unit's own control, which was read with the others, freezes it. */
bool poller_control_freezes(const struct poller *poller, size_t u);

/* checking.c: detects units that another program has frozen, or whose controls it has changed. */

/* Returns true if all counters of a unit were read, and responded. */
bool poller_unit_answers(const struct poller *poller, size_t u);

/*
 * Returns true if another program has frozen a domain that this reading is about to freeze. The
 * reading must then not unfreeze it.
 */
bool poller_found_frozen(struct poller *poller, size_t d);
/* Returns true if a unit was found frozen, by the control of its domain or by its own. */
bool poller_unit_found_frozen(const struct poller *poller, size_t u);
/* Finds the sockets whose registers do not show if they are frozen. */
void poller_find_clocks(struct poller *poller);
/* Checks after a reading if the clocks of these sockets tick. Returns true if some have stopped. */
bool poller_check_clocks(struct poller *poller);
/* Sets frame_unit.freeze of all units. */
void poller_mark_frozen(struct poller *poller);

/*
 * Returns true if the controls of a unit, which another program had changed, are free: it can be
 * programmed again.
 */
bool poller_can_reclaim(const struct poller *poller, size_t u);
/* Reads and compares the controls of a unit, and the one that freezes it. */
void poller_check_controls(struct poller *poller, size_t u);
/*
 * Compares a unit's controls if suspicious, or if the unit, which was just read, has stopped
 * counting: another program may have stopped it, and a zero must not be shown unchecked.
 */
void poller_check_unit(struct poller *poller, size_t u, bool suspicious);
/* Checks the units of domains, which were just read; clears their overflow status bits. */
void poller_check_domains(struct socket_job *job);

/*
 * rotation.c: a unit with more events than counters counts rounds of them, one after the other.
 * rotation is a set of ROTATES_...
 */

/* Returns the rotations that are due in a reading: ROTATES_... */
unsigned poller_rotation_due(const struct poller *poller, enum read_reason reason);
/* Returns true if a unit is to count another round now. */
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
 * readers.c: threads that read sockets in parallel: one for each job, bound to a CPU of its
 * socket. They sleep between readings: waking one takes as long as a few MSR reads, but less than
 * reading another socket from here.
 */

struct readers;

/*
 * Starts threads that call work(job) on the CPU of their job. NULL: they cannot be started or
 * bound.
 */
struct readers *readers_new(struct platform *p, void (*work)(struct socket_job *job),
			    struct socket_job *jobs, size_t count);
void readers_free(struct readers *readers); /* NULL does nothing */

/* Starts all jobs. */
void readers_go(struct readers *readers);
/* Waits until all jobs are done. */
void readers_wait(struct readers *readers);

#endif
