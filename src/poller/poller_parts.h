/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the poller share. */
#ifndef CXLMON_POLLER_PARTS_H
#define CXLMON_POLLER_PARTS_H

#include "poller/deadlines.h"
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

/* The slots of the group that counts, one after the other. */
struct span {
	size_t first, end;
};

/* What is asked of a slot in each sample, side by side. */
struct tally {
	uint64_t last;	/* as read when its unit was last read whole */
	uint64_t mask;	/* of its width */
	uint64_t limit; /* what is above can't have been read */
	uint64_t
		moves; /* bits in which it shows that its unit counts: none, where it always runs */
	size_t counts_as; /* as in struct slot */
};

/* What a domain is read by. */
struct walk {
	struct reg_handle gate; /* what stops it */
	size_t first, count;	/* in poller.stretches: slots that are read one after the other */
	bool within, between;	/* some unit of it may turn within samples, between them */
	bool failed;		/* poller.failed is set for one of its units */
};

struct poller {
	struct plan *plan;
	struct platform *platform;
	uint64_t interval;
	uint64_t turn;	    /* ns from one turn of the groups to the next; 0: none take turns */
	uint64_t next_turn; /* ns */
	uint64_t next_look; /* ns: when spread units turn, and idle ones are looked at, again */
	bool look_due;	    /* that is now */
	struct deadlines deadlines;

	struct walk *walks;	     /* by domain */
	struct stops *stops;	     /* by domain */
	struct span *spans;	     /* by unit: what has just been read */
	struct span *stretches;	     /* of all domains; as many as units at most */
	struct reg_handle *counters; /* by slot */

	uint64_t *raw;	       /* by slot: as read now */
	int *failures;	       /* by slot: of reading it, 0 or a negative errno */
	struct tally *tallies; /* by slot */
	uint64_t *later;       /* by slot: ns that it was read after its unit, which ran */
	uint64_t *last_later;  /* by slot: the same, when its unit was last read whole */
	bool *failed;	       /* by unit: some failure is set */
	bool *idle;	       /* by unit: nothing moved when it was read before */
	uint64_t *uncollected; /* by unit: ns that were counted since then */
	uint64_t *unit_ns;     /* by unit: ns that anything was counted since the last sample */
	/* by slot: since the last sample; unit_ns is what is to be added to its unit's */
	struct count *counting;
	struct count *counts;  /* by slot: of the last sample */
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

/* Why counters are read: to start them, to let groups take turns, or for a sample. */
enum occasion {
	AT_START,
	AT_TURN,
	AT_SAMPLE,
};

/* The counters hold 0, and have counted for no time. */
void poller_begin_counting(struct poller *poller);

/* How registers are reached, from here on. */
void poller_prepare(struct poller *poller);

/*
 * reading.c: walks all domains, and adds what was counted before this reading. The longest that one
 * stood still is in *longest, unless that is NULL.
 */
int poller_read_all(struct poller *poller, enum occasion occasion, struct sample *out,
		    struct error *trouble, struct error *err);

/* collecting.c: adds what the units of a domain have counted in ns since they were last read. */
void poller_collect(struct poller *poller, size_t d, uint64_t ns, enum occasion occasion,
		    struct sample *out, struct error *trouble);
/* A unit is read whole or not at all: half of it would be a ratio of two intervals. */
bool poller_read_whole(const struct poller *poller, size_t u);

/* Which slots a domain's units are read by, from here on. */
void poller_find_stretches(struct poller *poller, size_t d);

/* Hands out what has been added up, and starts adding anew. */
void poller_take_counts(struct poller *poller);

/* Adds counts that were handed out again to what is added up. */
void poller_return_counts(struct poller *poller, const struct count *counts);

#endif
