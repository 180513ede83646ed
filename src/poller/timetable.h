/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is due when: samples, rotations between them, readings where neither comes soon enough, and
 * what is done about once a second.
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
	READ_ROTATE,  /* the next groups of events are due, within an interval */
	READ_SAMPLE,  /* an interval ends */
};

struct timetable {
	struct deadlines samples;
	uint64_t rotation;	/* ns from one rotation to the next; 0: none within a sample */
	bool rotation_is_fixed; /* by the user: it doesn't follow the interval */
	uint64_t next_rotation;
	uint64_t max_gap; /* ns from one reading to the next, at most */
	uint64_t last;	  /* when the last reading began */
	uint64_t next_stagger, next_check;
	bool stagger_due; /* units that rotate with samples do so in this reading */
	bool check_due;	  /* controls are compared in this reading */
};

/* From now on; samples.interval, rotation and max_gap were set. */
void timetable_start(struct timetable *t, uint64_t now);

/* What is due next, and when. The last rotation before a sample is the sample's. */
enum read_reason timetable_next(const struct timetable *t, uint64_t *when);

/* A reading within an interval begins now: finds out what is due in it. */
void timetable_begin(struct timetable *t, uint64_t now);
/* Returns how many deadlines were missed; one that was not reached yet is left standing. */
uint64_t timetable_begin_sample(struct timetable *t, uint64_t now);

/* The sample that is due is not taken. Returns how many deadlines are missed with it. */
uint64_t timetable_skip_sample(struct timetable *t, uint64_t now);

/* A rotation has ended now. One that came too late is not made up for. */
void timetable_end_rotation(struct timetable *t, uint64_t now);

/* Samples come at another interval; max_groups is that of the plan. */
void timetable_set_interval(struct timetable *t, uint64_t now, uint64_t interval,
			    uint64_t max_groups);

#endif
