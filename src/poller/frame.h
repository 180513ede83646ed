/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one reading of all counters found: plain data, filled by the thread that samples. What it
 * means (deltas, scaling, values that are none) is decided by metrics/decoder.h.
 *
 * Times and totals count up from the start, so that a frame that is left out loses nothing: the
 * next one covers its time.
 */
#ifndef CXLMON_FRAME_H
#define CXLMON_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_NO_READ UINT32_MAX

struct frame_unit {
	uint32_t group; /* of the unit's groups: counts from here on */
	int32_t error;	/* why there are no values: 0, or a negative errno */
	/* which of the group's counters failed; FRAME_NO_READ: programming the unit did */
	uint32_t failed_read;
	uint32_t cpu;	/* through which it was read then, where that is an MSR */
	bool rotated;	/* its group was programmed after this reading: see frame.start */
	bool clobbered; /* its controls did not hold what we wrote, when they were last compared */
	bool reclaimed; /* they are free again, and it was programmed again: rotated, too */
};

struct frame {
	/* Differs from that of the frame before: raw is where counting begins, and counts nothing.
	 */
	uint32_t epoch;
	bool sample;	  /* an interval ends here; otherwise groups rotate within it */
	bool rotated;	  /* some unit has */
	bool skewed;	  /* some counters ran while they were read */
	bool checked;	  /* the controls of all units were compared */
	uint64_t wall_ns; /* since 1970 in UTC */

	/* since poller_start() */
	uint64_t missed;    /* deadlines, those of skipped samples among them */
	uint64_t skipped;   /* samples that nobody had room for */
	uint64_t frozen_ns; /* of the domain that stood still longest, in each reading */

	uint64_t *running_ns;	  /* by domain: time that it has counted */
	struct frame_unit *units; /* by unit */
	/* by read, see struct plan_unit */
	uint64_t *raw;	 /* what the counter held; anything where its unit has an error */
	uint64_t *skew;	 /* ns that it was read after running_ns was taken; where skewed */
	uint64_t *start; /* where rotated: what the next group's counter holds */
};

/* How long the arrays of a plan's frames are. */
struct frame_size {
	size_t domains, units, reads;
};

/* Bytes that the arrays of such a frame take; 8 bytes aligned. */
size_t frame_bytes(struct frame_size size);
/* Points the arrays of a frame into so many bytes, which are not owned. */
void frame_lay_out(struct frame *frame, void *bytes, struct frame_size size);
/* Copies a frame into another whose arrays are of the same size. */
void frame_copy(struct frame *to, const struct frame *from, struct frame_size size);

#endif
