/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The raw values of one reading of all counters, filled in by the sampling thread.
 * counts/decoder.h computes counts from them: deltas, times, failed reads.
 *
 * Times and totals count from the start of the run, so that skipping a frame loses nothing: the
 * next one includes its counts and its time.
 */
#ifndef CXLMON_POLLER_FRAME_H
#define CXLMON_POLLER_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_NO_READ UINT16_MAX

/* The state of a unit's counters when they were last checked for a freeze by another program. */
enum frame_freeze {
	FRAME_RUNS,
	FRAME_FROZEN,	     /* a control register shows the freeze */
	FRAME_CLOCK_STOPPED, /* no clock of its socket ticks; the socket may also be powered down */
};

struct frame_unit {
	uint16_t round; /* index of the round that counts after this reading */
	/* index in the round of the counter that failed; FRAME_NO_READ: another step failed */
	uint16_t failed_read;
	int32_t error;	/* 0, or a negative errno: the unit has no values */
	uint32_t cpu;	/* CPU through which the failed counter is accessed, if it is an MSR */
	bool rotated;	/* .round was programmed after this reading: see frame.start */
	bool clobbered; /* another program had changed its controls when they were last compared */
	/* the unit was programmed again after another program had left it; rotated is also set */
	bool reclaimed;
	enum frame_freeze freeze;
};

struct frame {
	/* Number of the count: if it changes, counting begins anew with these raw values. */
	uint32_t epoch;
	bool sample;	  /* an interval ends here; false: the start, or a reading within it */
	bool rotated;	  /* some unit was rotated: start is valid */
	bool skewed;	  /* some counters ran while they were read: skew is valid */
	bool checked;	  /* the controls of all units were compared */
	bool multiplexed; /* the kernel has counted other events meanwhile: waited_ns is valid */
	/* undelivered is valid: there were readings without room for a frame */
	bool has_undelivered;
	uint64_t wall_ns; /* since 1970 in UTC */
	uint64_t at_ns;	  /* the same time, by clock_ops.now */

	/* since poller_start() */
	uint64_t missed;    /* deadlines that were missed, with those of skipped samples */
	uint64_t skipped;   /* samples that were merged into the next one, as the ring was full */
	uint64_t frozen_ns; /* the longest freeze of any domain, added up over readings */

	uint64_t *running_ns; /* ns that each domain's counters have run */
	/* possible error of each domain's running_ns and skew in ns, added up over readings */
	uint64_t *uncertain_ns;
	struct frame_unit *units; /* one per unit */
	/* Arrays with one element per read: see struct plan_unit. */
	/* The counter's value, all ones included; undefined if its unit has an error. */
	uint64_t *raw;
	uint64_t *skew;	 /* if skewed: ns from the time of running_ns to this read */
	uint64_t *start; /* if rotated: the value from which the new round's counter starts */
	/* if rotated and skewed: ns from the time of running_ns to the reading of .start */
	uint64_t *start_skew;
	uint64_t *waited_ns; /* if multiplexed: ns that each domain was enabled but did not run */
	/*
	 * Events counted by readings that had no room for a frame, each since the reading before
	 * it; added up since the epoch began. Valid if has_undelivered. Counters may have wrapped
	 * several times since the previous frame.
	 */
	uint64_t *undelivered;
};

/* The lengths of a frame's arrays. */
struct frame_size {
	size_t domains, units, reads;
};

/* The size of all arrays of a frame, in bytes; they must be aligned to 8 bytes. */
size_t frame_bytes(struct frame_size size);
/* Points the arrays of a frame into bytes: frame_bytes(size) of them, which are not owned. */
void frame_lay_out(struct frame *frame, void *bytes, struct frame_size size);
/* Copies a frame and its arrays; both are laid out by frame_lay_out() with the same size. */
void frame_copy(struct frame *to, const struct frame *from, struct frame_size size);

/* A ring of frames (base/slot_ring.h), from the sampling thread to the decoding thread. */

struct ring;

/* Returns the number of frames that fit in 192 KiB, at least 64 and at most 1024. */
size_t ring_room_for(struct frame_size size);

/*
 * Makes a ring for room frames, at least 2; one is kept for ring_push_last(). NULL: out of memory.
 */
struct ring *ring_new(size_t room, struct frame_size size);
void ring_free(struct ring *ring); /* NULL does nothing */

/* Functions for the producer. */

/* Returns true if the next ring_push() will succeed. */
bool ring_has_room(struct ring *ring);
/* Copies a frame into the ring. False: no room. */
bool ring_push(struct ring *ring, const struct frame *frame);
/* Copies the last frame, for which there is always room; no frame may follow. */
void ring_push_last(struct ring *ring, const struct frame *frame);

/* Functions for the consumer. */

/* Returns the oldest frame, valid until ring_drop(); NULL: the ring is empty. */
const struct frame *ring_oldest(struct ring *ring);
/* Removes the oldest frame. */
void ring_drop(struct ring *ring);
/* Returns the number of frames in the ring. */
size_t ring_count(struct ring *ring);

#endif
