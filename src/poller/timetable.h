/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When samples, rotations, readings between them, staggered rotations and checks of controls are
 * due.
 */
#ifndef CXLMON_TIMETABLE_H
#define CXLMON_TIMETABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "poller/deadlines.h"

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
	bool stagger_due; /* staggered units rotate in this reading */
	bool check_due;	  /* all controls are compared in this reading */
};

/* Starts now; samples.interval, rotation and max_gap must be set. */
void timetable_start(struct timetable *t, uint64_t now);

/* What is due next, and when. The last rotation is part of the sample. */
enum read_reason timetable_next(const struct timetable *t, uint64_t *when);

/* A reading within an interval begins now: determines what is due in it. */
void timetable_begin(struct timetable *t, uint64_t now);
/* Returns how many deadlines were missed; one in the future stays the next deadline. */
uint64_t timetable_begin_sample(struct timetable *t, uint64_t now);

/* Skips a sample. Returns how many deadlines were missed, with its own; 0: its own is to come. */
uint64_t timetable_skip_sample(struct timetable *t, uint64_t now);

/* A rotation has ended now. A rotation that was missed is not made up for. */
void timetable_end_rotation(struct timetable *t, uint64_t now);

/* Changes the interval; max_groups is that of the plan. */
void timetable_set_interval(struct timetable *t, uint64_t now, uint64_t interval,
			    uint64_t max_groups);

#endif
