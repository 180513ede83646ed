/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the poller share. Private to it; a file calls those above it in this list. */
#ifndef CXLMON_POLLER_PRIVATE_H
#define CXLMON_POLLER_PRIVATE_H

#include "poller/poller.h"
#include "poller/readers.h"
#include "poller/timetable.h"

/* Reads that follow one another. */
struct read_range {
	size_t first, end;
};

/* A unit, as it is read. */
struct unit_reads {
	struct read_range range; /* of the group that counts */
	size_t activity;	 /* a read whose counter moved last */
	bool *idle;		 /* the group stood still, and its controls are ours */
	bool core;		 /* of a CPU, whose counters mark that they wrapped */
	bool reclaim;		 /* another program has reset it, and its controls are free */
	int rotate_err; /* why the last rotation failed, or 0: its controls are not known */
};

/* When groups of some unit rotate. */
#define ROTATES_WITHIN	  1U /* samples */
#define ROTATES_STAGGERED 2U /* with samples, once a second */
#define ROTATES_RECLAIM	  4U /* not: a unit is to be programmed again, in the next reading */

/* A domain, as it is read. */
struct domain_reads {
	struct reg_handle freeze;
	const struct domain_freeze *control;
	struct read_range *ranges; /* in poller.ranges */
	size_t range_count;
	unsigned rotation; /* of its units: ROTATES_... */
	bool failed;	   /* some unit of it has an error */
	/* when its counters stood still last: from, to */
	uint64_t frozen_at, thawed_at;
};

/* The domains of one socket, and how far they have been read. One thread works on it. */
struct socket_job {
	struct poller *poller;
	size_t first, end; /* domains */
	int cpu;	   /* through which the socket is reached; -1: none is known */

	enum read_reason reason;
	unsigned rotation;  /* which domains rotate in this reading */
	size_t next;	    /* domain to be read */
	uint64_t frozen_ns; /* the longest that one of them stood still */
	bool lost;	    /* the CPU through which the next one is reached */
	bool rerouted;	    /* another was looked for */
	int rc;		    /* of the next one */
	struct error err;
};

struct poller {
	struct programming *programming;
	const struct plan *plan;
	struct platform *platform;
	struct timetable times;
	bool binds; /* whoever starts it may be bound to a CPU meanwhile */
	bool running;
	uint64_t suspended; /* ns that the machine had been when it was last asked */

	struct socket_job *sockets; /* by socket */
	size_t socket_count;
	struct readers *readers;      /* NULL: whoever samples reads all sockets */
	struct domain_reads *domains; /* by domain */
	struct unit_reads *units;     /* by unit */
	bool *idle;		      /* by group */
	struct read_range *ranges;    /* of all domains; as many as units at most */
	struct reg_handle *counters;  /* by slot */
	struct reg_handle *reads;     /* by read, as are the next two */
	int *failures;		      /* 0 or a negative errno */
	uint64_t *previous;	      /* what the next value is compared with */
	struct frame frame;
	void *frame_arrays;
};

/* The group of a unit that is programmed. */
static inline const struct group *poller_group(const struct poller *poller, size_t u)
{
	return &poller->plan->groups[poller->plan->units[u].first_group +
				     poller->programming->units[u].group];
}

/* Whether a unit's values are values, as far as one can tell from each by itself. */
bool poller_unit_answers(const struct poller *poller, size_t u);

/* checking.c */

/* Whether the controls of a unit that is not ours any more are free. */
bool poller_may_reclaim(const struct poller *poller, size_t u);
/* Compares the controls of a unit with ours. */
void poller_check_controls(struct poller *poller, size_t u);
/*
 * The same for a unit that has been read, where that is due, or the unit has come to rest: somebody
 * may have stopped it, and its zero must not be shown unchecked.
 */
void poller_check_unit(struct poller *poller, size_t u, bool due);
/* The same for units of domains that have been read; clears marks of overflow. */
void poller_check_domains(struct poller *poller, size_t first, size_t end);

/* rotation.c */

/* Which registers are read for the group of a unit that is programmed. */
void poller_use_group(struct poller *poller, size_t u);
/* Which reads of a domain follow one another. */
void poller_find_ranges(struct poller *poller, size_t d);
/* Compares controls that a rotation would write over, where that is due. */
void poller_check_before_rotation(struct poller *poller, size_t d, unsigned rotation);
/* Lets the next groups of a domain's units count, of those that rotate so. */
int poller_rotate(struct poller *poller, size_t d, unsigned rotation, struct error *err);

/* reading.c */

/* How registers are reached, from here on. */
void poller_prepare(struct poller *poller);
/* Reads all domains into the frame; *frozen_ns is the longest that one of them stood still. */
int poller_read_domains(struct poller *poller, enum read_reason reason, uint64_t *frozen_ns,
			struct error *err);
/* The domains of one socket, up to the last one or to what needs more than that: a reader's work.
 */
void poller_read_socket(void *job);

/* starting.c */

/*
 * Starts the counters, which were programmed, and reads what they start from: on the CPU where that
 * will be done again and again, if it may be chosen, so that it takes as long as it will.
 */
int poller_begin(struct poller *poller, struct error *err);
/* The same on the CPU where this thread is. */
int poller_begin_here(struct poller *poller, struct error *err);

#endif
