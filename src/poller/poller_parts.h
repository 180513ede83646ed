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

struct poller {
	struct plan *plan;
	struct platform *platform;
	uint64_t interval;
	uint64_t turn;	    /* ns from one turn of the groups to the next; 0: none take turns */
	uint64_t next_turn; /* ns */
	bool turn_is_set;   /* by the user: it doesn't follow the interval */
	struct deadlines deadlines;

	struct stops *stops;	/* by domain */
	uint64_t *raw;		/* by slot: as read now */
	int *failures;		/* by slot: of reading it, 0 or a negative errno */
	uint64_t *last;		/* by slot: as read when its unit was last read whole */
	uint64_t *uncollected;	/* by unit: ns that were counted since then */
	uint64_t *unit_ns;	/* by unit: ns that anything was counted since the last sample */
	struct count *counting; /* by slot: since the last sample */
	struct count *counts;	/* by slot: of the last sample */
	size_t *was_active;	/* by unit: the group that has just been read */
	bool *taken;		/* by unit: its controls were not ours before its turn */
	int *unturned;		/* by unit: why its last turn failed, or 0 */
	struct sample carried;	/* lost, frozen, missed by turns and postponed samples until now */
	bool served;		/* the last sample was that of a deadline */
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

/* Walks all domains, and adds what was counted before this reading. */
int poller_read_all(struct poller *poller, enum occasion occasion, struct sample *out,
		    struct error *trouble, struct error *err);

/* Hands out what has been added up, and starts adding anew. */
void poller_take_counts(struct poller *poller);

/* Adds counts that were handed out again to what is added up. */
void poller_return_counts(struct poller *poller, const struct count *counts);

#endif
