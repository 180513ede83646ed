/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the poller's files: a file calls only functions of those that come before it here. */
#ifndef CXLMON_POLLER_PRIVATE_H
#define CXLMON_POLLER_PRIVATE_H

#include <stddef.h>

#include "platform/perf.h"
#include "platform/platform.h"
#include "poller/poller.h"
#include "poller/timetable.h"

/* When the rounds of a unit rotate. */
#define ROTATES_WITHIN	  1U /* within each sample */
#define ROTATES_STAGGERED 2U /* at the end of a sample, once a second at most */
#define ROTATES_RECLAIM	  4U /* not: a unit is programmed again, in the next reading */
#define ROTATES_SAMPLE	  8U /* a sample ends */

/* The domains of one socket, read by one thread, and its progress. */
struct socket_job {
	struct poller *poller;
	size_t first, end; /* domains */
	int cpu;	   /* through which its MSRs are accessed; -1: not known */

	enum read_reason reason;
	unsigned rotation;  /* ROTATES_... that are due in this reading */
	size_t next;	    /* the domain to read next */
	uint64_t frozen_ns; /* the longest freeze of any of them */
	bool rotated;	    /* in some domain, a unit may have rotated */
	bool found_frozen;  /* some domain or unit, by another program */
	bool lost;	    /* the CPU of the next one has gone offline */
	size_t tried;	    /* up to here, other CPUs were tried for domains */
	int rc;		    /* result of the next one */
	bool stands;	    /* another program has frozen it, as its clocks show */
	struct error err;
};

/*
 * What the plan is counted with: registers, or the kernel. All that differs is here; deadlines,
 * frames and what is made of them do not.
 */
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

	/* of perf.c alone */
	struct perf_events *events; /* not owned */

	/* of the registers: all files but poller.c and perf.c */
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
	uint64_t *before_undelivered; /* by read: used by poller_read_undelivered() */
};

/* The round of a unit that is programmed. */
static inline const struct round *poller_round(const struct poller *poller, size_t u)
{
	return &poller->plan->rounds[poller->plan->units[u].first_round + poller->units[u].round];
}

/* Whether no read of a unit failed or returned all ones. */
bool poller_unit_answers(const struct poller *poller, size_t u);

/*
 * readers.c: a thread for each job, bound to a CPU, so that sockets are read in parallel. The
 * threads sleep between readings: waking one takes as long as a few MSR reads, but less than
 * reading another socket from here.
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

/* checking.c */

/*
 * Whether another program has frozen a domain that this reading is about to freeze: to unfreeze it
 * is that program's.
 */
bool poller_found_frozen(struct poller *poller, size_t d);
/* Whether each reading freezes it by a register of its own: not by one of the whole socket. */
bool poller_is_frozen_alone(const struct poller *poller, size_t d);
/* Whether a unit of a domain was found frozen, by the domain's control or its own. */
bool poller_unit_found_frozen(const struct poller *poller, size_t u);
/* Looks at a unit's own control, where that is not the one that freezes its domain. */
void poller_look_at_unit(struct poller *poller, size_t u);
/*
 * After a reading: looks at the clocks of sockets whose registers don't show whether they are
 * frozen.
 */
void poller_look_at_clocks(struct poller *poller);
/* Sets what the frame says of freezes. */
void poller_mark_frozen(struct poller *poller);

/* Whether the controls of a unit that is not ours any more are free. */
bool poller_can_reclaim(const struct poller *poller, size_t u);
/* Compares the controls of a unit with ours. */
void poller_check_controls(struct poller *poller, size_t u);
/*
 * Compares them if due, or if the unit, which was just read, has stopped counting: another program
 * may have stopped it, and a zero must not be shown unchecked.
 */
void poller_check_unit(struct poller *poller, size_t u, bool due);
/* Checks the units of these domains, which were just read; clears overflow status bits. */
void poller_check_domains(struct poller *poller, size_t first, size_t end);

/* rotation.c */

/* The ROTATES_... that are due in a reading. */
unsigned poller_rotation_due(const struct poller *poller, enum read_reason reason);
/* Whether a unit is to count another round now. */
bool poller_takes_turn(struct poller *poller, size_t u, unsigned rotation);

/* Prepares the reads of the round that a unit counts. */
void poller_use_round(struct poller *poller, size_t u);
/* Joins the reads of a domain to ranges. */
void poller_find_ranges(struct poller *poller, size_t d);
/* Compares controls before a rotation overwrites them, if due. */
void poller_check_before_rotation(struct poller *poller, size_t d, unsigned rotation);
/* Programs the next round of those units of a domain that rotate now. */
int poller_rotate(struct poller *poller, size_t d, unsigned rotation, struct error *err);

/* reading.c */

/* Prepares the access to all registers; again after one of them has changed its CPU. */
void poller_prepare(struct poller *poller);
/* Reads all domains into the frame; *frozen_ns is the longest freeze of any of them. */
int poller_read_domains(struct poller *poller, enum read_reason reason, uint64_t *frozen_ns,
			struct error *err);
/* Reads counters when there is no room for a frame: frame.undelivered. */
void poller_read_undelivered(struct poller *poller);
/*
 * Work of a reader thread: reads the domains of a socket_job, until the last one, an error, or a
 * CPU that has gone offline.
 */
void poller_read_socket(struct socket_job *job);

/* registers.c: counts with registers; allocates what that takes. */
int poller_use_registers(struct poller *poller, struct pmu_state *pmu, struct error *err);

/* perf.c: counts through the kernel. */
void poller_use_perf(struct poller *poller, struct perf_events *events);

#endif
