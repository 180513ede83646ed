/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides when counters are read: for samples, for rotations, and between these before a counter
 * could wrap. All times are in ns of the platform's clock, and now is the present time.
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
	uint64_t start;
	uint64_t interval; /* at least 1 */
	uint64_t next;	   /* the deadline to wait for */
};

/* Sets the first deadline to now + interval. */
void deadlines_start(struct deadlines *d, uint64_t now, uint64_t interval);

/*
 * Sets d->next, which has passed, to the first deadline after now. Returns the number of missed
 * deadlines, which are those after the old d->next and before the new one.
 */
uint64_t deadlines_advance(struct deadlines *d, uint64_t now);

/* Changes the interval: the next deadline is one interval after the last, but not before now. */
void deadlines_change(struct deadlines *d, uint64_t now, uint64_t interval);

/* The reason for a reading of the counters. */
enum read_reason {
	READ_START,   /* counting begins */
	READ_BETWEEN, /* max_gap is over: no counter may pass half of its range unread */
	READ_ROTATE,  /* a rotation within an interval is due */
	READ_SAMPLE,  /* an interval ends */
};

struct timetable {
	struct deadlines samples;
	uint64_t rotation;	/* time from one rotation to the next; 0: none within a sample */
	bool rotation_is_fixed; /* .rotation was set by the user, and ignores the interval */
	uint64_t next_rotation;
	uint64_t max_gap; /* longest time from one reading to the next */
	uint64_t last;	  /* beginning of the last reading */
	/* times at which .stagger_due and .check_due are to become true again */
	uint64_t next_stagger, next_check;
	bool stagger_due; /* units with plan_unit.staggered (plan/plan.h) rotate now */
	bool check_due;	  /* all controls are compared in this reading */
};

/* Returns the shortest time from one reading to the next, if all are in time. */
uint64_t timetable_shortest(const struct timetable *t);

/* Starts now; .samples.interval, .rotation and .max_gap must be set. */
void timetable_start(struct timetable *t, uint64_t now);

/*
 * Returns the reason for the next reading, and sets *when to its time, which may have passed. A
 * rotation that is due less than half of .rotation before a sample is left to the sample.
 */
enum read_reason timetable_next(const struct timetable *t, uint64_t *when);

/* Begins a reading within an interval. Decides .check_due; clears .stagger_due. */
void timetable_begin(struct timetable *t, uint64_t now);
/*
 * Begins a sample. Decides .check_due and .stagger_due. Returns the number of missed deadlines. A
 * deadline after now stays the next one.
 */
uint64_t timetable_begin_sample(struct timetable *t, uint64_t now);

/*
 * Skips a sample. Returns the number of missed deadlines, including its own; 0: its own deadline is
 * after now, and stays the next one.
 */
uint64_t timetable_skip_sample(struct timetable *t, uint64_t now);

/* Sets the next rotation after one that has ended now. Missed rotations are not made up for. */
void timetable_end_rotation(struct timetable *t, uint64_t now);

/*
 * Changes the interval. If .rotation is not 0 and not fixed, changes it to interval / max_rounds.
 * max_rounds: plan.max_rounds.
 */
void timetable_set_interval(struct timetable *t, uint64_t now, uint64_t interval,
			    uint64_t max_rounds);

/*
 * The order in which a unit's rounds count within a sample. A round is the events that the unit
 * counts at once. While traffic rises, the last round of a sample counts too much: it should not
 * always be the same one. So the order is reversed after each sample in which all rounds counted
 * equally often, and the last round goes on as the first. After other samples, the next round
 * follows. With 3 rotations per sample, for 4 rounds and for 3 rounds:
 *
 *     0 1 2 3 | 3 2 1 0 | 0 1 2 3          0 1 2 0 | 1 2 0 1 | 2 0 1 2
 */

struct round_order {
	bool backwards;
	size_t rotations; /* number since the sample began */
};

/*
 * Returns the round that counts after some rotations (at most count) from the given round, for a
 * unit with count rounds.
 */
size_t round_order_next(const struct round_order *order, size_t round, size_t count,
			size_t rotations);

/*
 * Ends a sample of a unit with count rounds. Returns true if all counted equally often: then the
 * same round goes on, and the order is reversed.
 */
bool round_order_end_sample(struct round_order *order, size_t count);

#endif
