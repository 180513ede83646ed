/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A frame: the raw values of one reading of all counters. The sampling thread fills it in, and
 * counts/decoder.h computes counts from it: deltas, times, failed reads.
 *
 * A unit is a block of counters; its controls are the registers that select events. A domain is the
 * units that one write freezes. A unit with more events than counters counts rounds of events, one
 * round after the other. A read is the place of one counter's value in the arrays. plan/plan.h
 * numbers units, domains, rounds and reads.
 *
 * Times and totals count from the start of the run, so that skipping a frame loses nothing: the
 * next frame includes its counts and its time.
 */
#ifndef CXLMON_POLLER_FRAME_H
#define CXLMON_POLLER_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_NO_READ UINT16_MAX /* value of frame_unit.failed_read */

/* The state of a unit's counters when they were last checked for a freeze by another program. */
enum frame_freeze {
	FRAME_RUNS,
	FRAME_FROZEN,	     /* a control register shows the freeze */
	FRAME_CLOCK_STOPPED, /* no clock of the unit's socket ticks: frozen or powered down */
};

struct frame_unit {
	uint16_t round; /* the round that counts after this reading, from 0 */
	/* if .error: index in the round of the counter that failed; FRAME_NO_READ: not a counter */
	uint16_t failed_read;
	int32_t error;	/* 0, or a negative errno: the unit has no values */
	uint32_t cpu;	/* if .error, and the failed counter is an MSR: CPU that accesses it */
	bool rotated;	/* .round was programmed after the counters were read: see frame.start */
	bool clobbered; /* another program had changed its controls when they were last compared */
	/* programmed again, after another program had changed and released it; implies .rotated */
	bool reclaimed;
	enum frame_freeze freeze;
};

struct frame {
	/*
	 * Changes if counting begins anew, for example after a suspension. Counts of the new epoch
	 * start from the values in .raw.
	 */
	uint32_t epoch;
	bool sample;	  /* an interval ends here; false: the start, or a reading within it */
	bool rotated;	  /* some unit has .rotated: .start is valid */
	bool skewed;	  /* some counters ran while they were read: .skew is valid */
	bool checked;	  /* the controls of all units were compared */
	bool multiplexed; /* the kernel counts, perhaps not all the time; .waited_ns is valid */
	/* some readings had no room for a frame: .undelivered is valid */
	bool has_undelivered;
	uint64_t wall_ns; /* time of the reading: ns since 1970, UTC */
	uint64_t at_ns;	  /* the same time, by clock_ops.now */

	/* Totals since poller_start(). */
	uint64_t missed;    /* missed deadlines, including those of skipped samples */
	uint64_t skipped;   /* samples merged into the next one, because the ring was full */
	uint64_t frozen_ns; /* the longest freeze of a domain in each reading, summed */

	/* Arrays with one element per domain, or per unit. */
	uint64_t *running_ns;	/* ns that the domain's counters have run */
	uint64_t *uncertain_ns; /* possible error of .running_ns and .skew, summed over readings */
	struct frame_unit *units; /* one per unit */

	/* Arrays with one element per read, except .waited_ns. */
	/* value read; all ones may mean no response of the counter; undefined if its unit failed */
	uint64_t *raw;
	uint64_t *skew;	 /* if .skewed: ns from the time of .running_ns to this read */
	uint64_t *start; /* if its unit has .rotated: value from which the new round counts */
	/* if .rotated and .skewed: ns from the time of .running_ns to the reading of .start */
	uint64_t *start_skew;
	uint64_t *waited_ns; /* per domain, if .multiplexed: ns enabled without running */
	/*
	 * Events that readings without a frame have counted, summed since the epoch began; valid
	 * if .has_undelivered. They are needed because a counter may have wrapped several times
	 * since the previous frame.
	 */
	uint64_t *undelivered;
};

/* The lengths of a frame's arrays. */
struct frame_size {
	size_t domains, units, reads;
};

/* Returns the size of all arrays of a frame, in bytes. */
size_t frame_bytes(struct frame_size size);
/* Points a frame's arrays into the caller's frame_bytes(size) bytes, aligned to 8. */
void frame_lay_out(struct frame *frame, void *bytes, struct frame_size size);

/*
 * A ring passes frames from one thread, the producer, to another, the consumer; neither waits for
 * the other (base/slot_ring.h).
 */

struct ring;

/* Returns the number of frames that fit in 192 KiB, at least 64 and at most 1024. */
size_t ring_room_for(struct frame_size size);

/*
 * Makes a ring with room for so many frames, at least 2, of which one is kept for ring_push_last().
 * NULL: out of memory. Freed by ring_free().
 */
struct ring *ring_new(size_t room, struct frame_size size);
void ring_free(struct ring *ring); /* NULL does nothing */

/* Functions for the producer. */

/* Returns true if the next ring_push() will succeed. */
bool ring_has_room(struct ring *ring);
/* Copies a frame into the ring. Returns false if there is no room. */
bool ring_push(struct ring *ring, const struct frame *frame);
/* Copies the last frame into the room kept for it. No other frame may be pushed after it. */
void ring_push_last(struct ring *ring, const struct frame *frame);

/* Functions for the consumer. */

/* Returns the oldest frame, valid until ring_drop(); NULL: the ring is empty. */
const struct frame *ring_oldest(struct ring *ring);
/* Removes the oldest frame. */
void ring_drop(struct ring *ring);

#endif
