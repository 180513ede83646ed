/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of a poller, and functions that its files offer each other. u is the index of a unit in
 * plan.units, d of a freeze domain in plan.domains: units that one write freezes. Functions that
 * return int return 0 or a negative errno.
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

/*
 * The value that a register has while a unit counts a round. Only .bits are compared; 0: the
 * register is not read.
 */
struct expected {
	uint64_t value, bits;
};

/* Work that is due in a reading: a set of bits. */
#define ROTATES_WITHIN	  1U /* units that rotate within a sample program their next round */
#define ROTATES_STAGGERED 2U /* units with plan_unit.staggered program their next round */
#define ROTATES_RECLAIM	  4U /* units are programmed again: see poller_rotate() */
#define ROTATES_SAMPLE	  8U /* a sample ends */

/* The freeze domains of one socket, which one thread reads one after the other. */
struct socket_job {
	struct poller *poller;
	size_t first, end; /* range of domains */
	int cpu;	   /* the CPU through which its MSRs are accessed; -1: unknown */

	enum read_reason reason; /* reason of the present reading */
	unsigned rotation;	 /* ROTATES_... that are due in it */
	size_t next;		 /* the domain to read next */
	uint64_t now;		 /* ns when the previous domain was unfrozen; 0: not frozen */
	uint64_t frozen_ns;	 /* the longest freeze of any of its domains */
	bool rotated;		 /* a unit of some domain may have rotated */
	bool found_frozen;	 /* another program had frozen some domain or unit */
	bool lost;		 /* the CPU of the next domain has gone offline */
	/* domains before this one are not tried through another CPU again in this reading */
	size_t tried;
	int rc;		    /* 0, or the error that has ended the job */
	bool shows_freeze;  /* registers show if the socket is frozen: clocks are not checked */
	bool clock_stopped; /* the socket's clocks have stopped */
	struct error err;   /* the error for .rc */
};

/* The ways to count a plan: with registers (registers.c), or through the kernel (perf.c). */
struct backend {
	/* Starts counting. The frame then has the values from which counting begins. */
	int (*start)(struct poller *poller, struct error *err);
	/* Begins again after a suspension, as start does, with another frame.epoch. */
	int (*resume)(struct poller *poller, struct error *err);
	/* Reads all counters into the frame. *frozen_ns: the longest freeze of any domain. */
	int (*read)(struct poller *poller, enum read_reason reason, uint64_t *frozen_ns,
		    struct error *err);
	/*
	 * Reads counters although a frame has no room in the ring, because a counter could pass
	 * half of its range. NULL: not needed, because counters have 64 bits.
	 */
	void (*read_undelivered)(struct poller *poller);
	/* Implements poller_place_readers(). NULL: any CPU reads the counters equally well. */
	void (*place_readers)(struct poller *poller);
	/* Ends counting; another call retries the registers that failed. */
	int (*stop)(struct poller *poller, struct error *err);
	/* Frees the memory that the backend has allocated; NULL: nothing. */
	void (*free)(struct poller *poller);
};

struct poller {
	const struct backend *backend;
	const struct plan *plan;
	struct platform *platform;
	struct timetable times;
	bool running;		    /* started, and not stopped completely */
	uint64_t suspended;	    /* clock_ops.suspended when it was last checked */
	struct frame frame;	    /* the last reading */
	void *frame_arrays;	    /* memory of the frame's arrays */
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
	struct counter_state *counters; /* pmu->counters */
	struct unit_state *units;	/* pmu->units */
	struct domain_state *domains;	/* pmu->domains */
	bool *idle;			/* one per round: see unit_state.idle */
	struct read_range *ranges;	/* ranges of all domains, at most as many as units */

	/* Arrays with one element per read, the place of a counter in a frame. */
	struct reg_handle *reads;     /* the counter that is read there now */
	int *failures;		      /* 0 or a negative errno */
	uint64_t *previous;	      /* the previous value, which shows if the counter moves */
	uint64_t *before_undelivered; /* used only by poller_read_undelivered() */

	/* One element per register that controls.c compares, in the order of units. */
	struct reg *control_registers;
	struct reg_handle *controls;
	uint64_t *control_values;  /* the values that were last read */
	int *control_failures;	   /* 0, or the negative errno of the last reading */
	struct expected *expected; /* the values in the rounds that count */

	bool controls_vary;		 /* some round does not use some of these registers */
	struct expected *round_expected; /* one per unit, round and register */
};

/* Returns the programmed round of a unit. */
static inline const struct round *poller_round(const struct poller *poller, size_t u)
{
	return &poller->plan->rounds[poller->plan->units[u].first_round + poller->units[u].round];
}

/*
 * Returns the uncertainty of the time of an access: took, the ns that the access took, minus
 * *usual_ns, the shortest such time so far. If took is shorter, *usual_ns first becomes took.
 */
static inline uint64_t poller_excess(uint64_t *usual_ns, uint64_t took)
{
	if (took < *usual_ns)
		*usual_ns = took;
	return took - *usual_ns;
}

/*
 * Running counters are read again, at most MOST_AGAIN times, if the time of their reading is too
 * uncertain: by more than 1/HELD_UP_PART of the time between readings.
 */
#define HELD_UP_PART 200
#define MOST_AGAIN   3

/* Returns true if uncertain_ns is above this limit. */
static inline bool poller_held_up(const struct poller *poller, uint64_t uncertain_ns)
{
	return uncertain_ns > timetable_shortest(&poller->times) / HELD_UP_PART;
}

/* registers.c: counting with registers that are programmed, frozen, read and restored. */

/*
 * Makes the poller use this backend, and allocates memory for it. pmu must outlive the poller.
 * -ENOMEM: poller_free() frees the rest.
 */
int poller_use_registers(struct poller *poller, struct pmu_state *pmu, struct error *err);

/* perf.c: counting through the kernel. */

/* Makes the poller use this backend. events must outlive the poller. */
void poller_use_perf(struct poller *poller, struct perf_events *events);

/* reading.c: each freeze domain is frozen, read, rotated if due, and unfrozen. */

/* Prepares all registers for access; call it again if one of them is reached by another CPU. */
void poller_prepare(struct poller *poller);
/* Implements backend.read. */
int poller_read_domains(struct poller *poller, enum read_reason reason, uint64_t *frozen_ns,
			struct error *err);
/* Implements backend.read_undelivered: adds counts to frame.undelivered. */
void poller_read_undelivered(struct poller *poller);
/*
 * Reads the domains of a job from .next on. Stops after the last one, after an error (.rc), or if
 * the CPU has gone offline (.lost). A reader thread calls it, or the sampling thread.
 */
void poller_read_socket(struct socket_job *job);

/* controls.c: reads registers that show whether another program has taken or frozen a unit. */

/*
 * Returns true if each reading freezes a domain by its own register, not by one of the whole
 * socket.
 */
bool poller_is_frozen_alone(const struct poller *poller, size_t d);

/* Allocates the arrays for control registers; units must have been programmed. */
int poller_allocate_controls(struct poller *poller, struct error *err);
void poller_free_controls(struct poller *poller);
/* Lists the control registers; call it again if one of them is reached by another CPU. */
void poller_list_controls(struct poller *poller);
/* Sets poller.expected to the values of the round that a unit counts. */
void poller_expect_round(struct poller *poller, size_t u);
/*
 * Reads the controls of units first to end - 1, and the registers that freeze these units. Returns
 * true if all hold their expected values.
 */
bool poller_read_controls(struct poller *poller, size_t first, size_t end);
/* Reads a unit's controls, except the one that freezes it. Returns true if all are as expected. */
bool poller_read_unit_controls(struct poller *poller, size_t u);
/* Returns true if a control of the unit did not have its expected value when it was last read. */
bool poller_controls_changed(const struct poller *poller, size_t u);
/* Returns true if poller_read_controls() found that the unit's own control freezes it. */
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
/* Sets socket_job.shows_freeze of all sockets. */
void poller_find_clocks(struct poller *poller);
/*
 * Checks after a reading if clocks tick in sockets without .shows_freeze. Waits some 0.1 s for a
 * clock that has just stopped. Returns true if the clocks of a socket have stopped.
 */
bool poller_check_clocks(struct poller *poller);
/* Sets frame_unit.freeze of all units. */
void poller_mark_frozen(struct poller *poller);

/*
 * Returns true if a unit can be programmed again: another program had changed its controls, and
 * they are free now.
 */
bool poller_can_reclaim(const struct poller *poller, size_t u);
/* Reads and compares the controls of a unit, and the one that freezes it. */
void poller_check_controls(struct poller *poller, size_t u);
/*
 * Compares the controls of a unit that was just read if its counters have stopped, or if suspicious
 * is true, as after a counter went back: another program may have stopped or reset the unit.
 */
void poller_check_unit(struct poller *poller, size_t u, bool suspicious);
/* Checks the units of a job, which were just read, and clears their overflow status bits. */
void poller_check_domains(struct socket_job *job);

/*
 * rotation.c: a unit with more events than counters counts rounds of them, one after the other.
 * rotation is a set of ROTATES_...
 */

/* Returns the rotations that are due in a reading for this reason. */
unsigned poller_rotation_due(const struct poller *poller, enum read_reason reason);
/* Returns true if a unit is to count another round now, and notes the rotation in its order. */
bool poller_rotates(struct poller *poller, size_t u, unsigned rotation);

/* Makes the unit's reads those of the programmed round. */
void poller_use_round(struct poller *poller, size_t u);
/* Finds the ranges of consecutive reads of a domain. */
void poller_find_ranges(struct poller *poller, size_t d);
/* Compares controls, if due, before a rotation overwrites them. */
void poller_check_before_rotation(struct poller *poller, size_t d, unsigned rotation);
/*
 * Programs the units of a frozen domain: the next round of those that rotate now, and the same
 * round of those that another program has released, or whose counters would wrap.
 */
int poller_rotate(struct poller *poller, size_t d, unsigned rotation, struct error *err);

/*
 * readers.c: threads that read sockets in parallel, one for each job, bound to a CPU of its socket.
 * They sleep between readings. Waking a thread takes as long as a few MSR reads, but less than
 * reading another socket from the sampling thread.
 */

struct readers;

/*
 * Starts a thread for each of count jobs, which calls work(job) on job->cpu. NULL: the threads
 * cannot be started or bound. Freed by readers_free().
 */
struct readers *readers_new(struct platform *p, void (*work)(struct socket_job *job),
			    struct socket_job *jobs, size_t count);
void readers_free(struct readers *readers); /* NULL does nothing */

/* Makes each thread do its job once. */
void readers_go(struct readers *readers);
/* Waits until all jobs are done; call it after each readers_go(). */
void readers_wait(struct readers *readers);

#endif
