/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the poller share. */
#ifndef CXLMON_POLLER_PARTS_H
#define CXLMON_POLLER_PARTS_H

#include "poller/deadlines.h"
#include "poller/deltas.h"
#include "poller/poller.h"

/* When a domain was read. */
struct stops {
	uint64_t stopped; /* its counters stood still from here */
	uint64_t resumed; /* and ran on from here */
};

/* Whether another group of a unit counts from here. */
enum turn {
	NOT_TURNED,
	TURNED_TO_ZERO, /* its counters were set to 0 */
	TURNED_AS_IS,	/* they go on from what they hold */
};

/* Why counters are read: to start them, to let groups take turns, or for a sample. */
enum occasion {
	AT_START,
	AT_TURN,
	AT_SAMPLE,
};

/* The places of the group that counts, one after the other. */
struct span {
	size_t first, end;
};

/* What is to be known of a place. */
struct tally {
	size_t slot;
	size_t counts_as; /* as in struct slot */
	uint64_t mask;	  /* of its width */
	/* bits in which it shows that its unit counts: none, where it always runs */
	uint64_t moves;
};

/* What a domain is read by. */
struct walk {
	struct reg_handle gate; /* what stops it */
	size_t first, count;	/* in poller.stretches: places that are read one after the other */
	bool within, between;	/* some unit of it may turn within samples, between them */
	bool simple;		/* it freezes, never turns within, and is read at one go */
	bool failed;		/* poller.failed is set for one of its units */
};

/* The domains of one socket, and how far a walk over them has come. One thread walks it. */
struct share {
	size_t first, end; /* domains */
	int cpu;	   /* through which the socket is reached; -1: none is known */

	enum occasion occasion;
	bool turns;	  /* units that turn between samples do so now */
	size_t walked;	  /* the domains before this one */
	uint64_t longest; /* ns that one of them stood still */
	bool failed;	  /* some unit of them */
	bool lost;	  /* the CPU through which the next one is reached */
	bool rerouted;	  /* another was looked for */
	int rc;		  /* of the next one */
	struct error err;
};

struct poller {
	struct plan *plan;
	struct platform *platform;
	uint64_t interval;
	uint64_t turn;	    /* ns from one turn of the groups to the next; 0: none take turns */
	uint64_t next_turn; /* ns */
	bool turn_is_set;   /* by the user: it doesn't follow the interval */
	uint64_t next_look; /* ns: when spread units turn, and idle ones are looked at, again */
	bool look_due;	    /* that is now */
	struct deadlines deadlines;

	bool freezes;	      /* every domain does */
	bool turns_within;    /* some domain does */
	bool whole;	      /* no counter is read in halves, or is one */
	struct share *shares; /* by socket */
	size_t share_count;
	bool binds;		     /* whoever starts it may be bound to a CPU meanwhile */
	struct readers *readers;     /* NULL: whoever samples reads all */
	struct walk *walks;	     /* by domain */
	struct stops *stops;	     /* by domain */
	uint64_t *ns;		     /* by domain: counted when it was read now, since before */
	struct span *spans;	     /* by unit: what has just been read */
	struct span *stretches;	     /* of all domains; as many as units at most */
	struct reg_handle *counters; /* by slot */
	struct reg_handle *reads;    /* by place */

	/* by place, and none beyond the last, which stay 0; see plain.c */
	uint64_t *raw;	       /* as read now */
	uint64_t *last;	       /* as read when its unit was last read whole */
	uint64_t odd;	       /* bits that no delta has */
	int *failures;	       /* by place: of reading it, 0 or a negative errno */
	struct tally *tallies; /* by place */
	uint64_t *later;       /* by place: ns that it was read after its unit, which ran */
	uint64_t *last_later;  /* by place: the same, when its unit was last read whole */
	bool any_failed;       /* some domain's walk has */
	bool *failed;	       /* by unit: some failure is set */
	size_t *movers;	       /* by unit: a place that moved when it was read before; one that is
				  nobody's, and never moves, where it is idle */
	bool *idle;	       /* by unit: nothing moved when it was read before */
	uint32_t *groups;      /* by unit: which counts */
	uint64_t *uncollected; /* by unit: ns that were counted since then */
	uint64_t *unit_ns;     /* by unit: ns that anything was counted since the last sample */
	/* by slot: since the last sample; unit_ns is what is to be added to its unit's */
	struct count *counting;
	struct count *counts;  /* by slot: of the last sample */
	bool settled;	       /* nothing is to be added to what the next reading counts */
	bool plain;	       /* the last reading was, and nothing of it was counted here */
	struct deltas *deltas; /* for those who want counts at once */
	enum turn *turned;     /* by unit: in the reading that goes on */
	bool *taken;	       /* by unit: its controls were not ours before its turn */
	int *unturned;	       /* by unit: why its last turn failed, or 0 */
	struct sample carried; /* lost, frozen, missed by turns and postponed samples until now */
	bool served;	       /* the last sample was that of a deadline */
	struct error turn_trouble;
	bool forgotten;	    /* the machine was suspended since the last sample */
	uint64_t suspended; /* ns that the machine had been when it was last asked */
	bool running;
};

/*
 * starting.c: starts the counters, which were programmed, and reads what they start from: first
 * where that will be done again and again, if it may, so that it takes as long as it will; again
 * wherever it is done by then.
 */
int poller_begin(struct poller *poller, struct error *err);
int poller_begin_again(struct poller *poller, struct error *err);
/* Walks all domains, and says everything that can be said of it. */
int poller_read_and_collect(struct poller *poller, enum occasion occasion, struct sample *out,
			    struct error *trouble, struct error *err);

/* The first deadline is one interval from now. */
void poller_begin_intervals(struct poller *poller);

/* The counters hold 0, and have counted for no time. */
void poller_begin_counting(struct poller *poller);

/* How registers are reached, from here on. */
void poller_prepare(struct poller *poller);

/* reading.c: walks all domains. */
int poller_walk(struct poller *poller, enum occasion occasion, struct sample *out,
		struct error *err);

/* A share of it, up to its end or to what needs more than that. */
void poller_walk_share(struct poller *poller, struct share *share);

/*
 * readers.c: a thread for each share but the first, bound to its CPU. NULL: they can't be had. They
 * begin with readers_go(), which returns how many shares are left to whoever calls it, and have
 * ended after readers_wait(). Where readers is NULL these two do nothing, and all shares are left.
 */
struct readers *readers_new(struct poller *poller);
void readers_free(struct readers *readers);
size_t readers_go(struct readers *readers, size_t shares);
void readers_wait(struct readers *readers);

/* plain.c: whether there is nothing to be said of what was just read but its deltas. */
bool poller_is_plain(struct poller *poller);

/* collecting.c: adds what all units have counted until they were just read. */
void poller_collect(struct poller *poller, enum occasion occasion, struct sample *out,
		    struct error *trouble);
/* A unit is read whole or not at all: half of it would be a ratio of two intervals. */
bool poller_read_whole(const struct poller *poller, size_t u);

/* Which places a domain's units are read to, from here on. */
void poller_find_stretches(struct poller *poller, size_t d);

/* Hands out what has been added up, and starts adding anew. */
void poller_take_counts(struct poller *poller);

/* Adds counts that were handed out again to what is added up. */
void poller_return_counts(struct poller *poller, const struct count *counts);

#endif
