/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides when samples, rotations, readings between them, staggered rotations and checks of
 * controls are due.
 */
#ifndef CXLMON_POLLER_TIMETABLE_H
#define CXLMON_POLLER_TIMETABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Fixed deadlines: start + k * interval for k = 1, 2, ... A late sample does not delay later ones.
 */
struct deadlines {
	uint64_t start;	   /* ns */
	uint64_t interval; /* ns, at least 1 */
	uint64_t next;	   /* ns: the deadline to wait for */
};

void deadlines_start(struct deadlines *d, uint64_t now, uint64_t interval);

/*
 * Sets d->next, for which a sample is taken and which has passed, to the first deadline after now.
 * Returns the number of deadlines between, which are missed.
 */
uint64_t deadlines_advance(struct deadlines *d, uint64_t now);

/* Changes the interval, counted from the last deadline; if that has passed, the next one is now. */
void deadlines_change(struct deadlines *d, uint64_t now, uint64_t interval);

/* Why counters are read. */
enum read_reason {
	READ_START,   /* counting begins */
	READ_BETWEEN, /* no counter may pass half of its range unread */
	READ_ROTATE,  /* a rotation within an interval is due */
	READ_SAMPLE,  /* an interval ends */
};

struct timetable {
	struct deadlines samples;
	uint64_t rotation;	/* ns from one rotation to the next; 0: none within a sample */
	bool rotation_is_fixed; /* set by the user: does not depend on the interval */
	uint64_t next_rotation;
	uint64_t max_gap; /* ns from one reading to the next, at most */
	uint64_t last;	  /* when the last reading began */
	uint64_t next_stagger, next_check;
	bool stagger_due; /* staggered units (struct request, plan.h) rotate in this reading */
	bool check_due;	  /* all controls are compared in this reading */
};

/* Returns the shortest time from one reading to the next, if all are in time. */
uint64_t timetable_shortest(const struct timetable *t);

/* Starts now; samples.interval, rotation and max_gap must be set. */
void timetable_start(struct timetable *t, uint64_t now);

/* Returns the next action and its time. The last rotation is part of the sample. */
enum read_reason timetable_next(const struct timetable *t, uint64_t *when);

/* Begins a reading within an interval, and sets .check_due. */
void timetable_begin(struct timetable *t, uint64_t now);
/* Returns how many deadlines were missed; one in the future stays the next deadline. */
uint64_t timetable_begin_sample(struct timetable *t, uint64_t now);

/* Skips a sample. Returns the number of missed deadlines, with its own; 0: its own is to come. */
uint64_t timetable_skip_sample(struct timetable *t, uint64_t now);

/* Sets the next rotation, as one has ended now. A missed rotation is not made up for. */
void timetable_end_rotation(struct timetable *t, uint64_t now);

/* Changes the interval; max_rounds is plan.max_rounds. */
void timetable_set_interval(struct timetable *t, uint64_t now, uint64_t interval,
			    uint64_t max_rounds);

/*
 * The order in which the rounds of a unit count within a sample. If it were the same in each, the
 * last one's counts would always be too high while traffic rises: so the order is reversed at the
 * end of each sample in which all counted equally often, and the last round goes on as the first.
 * After other samples the next round follows:
 *
 *     0 1 2 3 | 3 2 1 0 | 0 1 2 3          0 1 2 0 | 1 2 0 1 | 2 0 1 2
 */

struct round_order {
	bool backwards;
	size_t rotations; /* since the sample began */
};

/* Returns the round after so many rotations, at most count of them. */
size_t round_order_next(const struct round_order *order, size_t round, size_t count,
			size_t rotations);

/* Ends a sample. Returns true if all rounds counted equally often: the same round goes on. */
bool round_order_end_sample(struct round_order *order, size_t count);

#endif
