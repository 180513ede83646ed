/* SPDX-License-Identifier: BSD-3-Clause */
/* The state that a decoder keeps from frame to frame. */
#ifndef CXLMON_DECODER_PRIVATE_H
#define CXLMON_DECODER_PRIVATE_H

#include "base/error.h"
#include "counts/sample.h"
#include "plan/plan.h"
#include "poller/frame.h"

/*
 * A unit is a block of counters; its controls select events. A domain is the units that one write
 * freezes. A round is the events that a unit counts at the same time. plan/plan.h has all three.
 * Each start of counting, such as after a suspension, begins an epoch (poller/frame.h).
 */

/* Incidents of a unit in an interval. */
enum news {
	NEWS_LOST = 1 << 0,	 /* reads fail */
	NEWS_FOUND = 1 << 1,	 /* reads work again, and none has failed for LOST_NS (10 s) */
	NEWS_TAKEN = 1 << 2,	 /* another program has changed the controls */
	NEWS_RECLAIMED = 1 << 3, /* the poller has programmed the unit again */
	NEWS_STOPPED = 1 << 4,	 /* the unit is frozen, or its clock has stopped */
	NEWS_RESUMED = 1 << 5,	 /* the unit runs again, after NEWS_STOPPED */
	NEWS_WRITTEN = 1 << 6,	 /* another program has written to a counter */
	NEWS_SATURATED = 1 << 7, /* a counter has reached the end of its range */
};

/* Status of a unit in a frame: valid, or the reason why the frame adds no counts. */
enum unit_status {
	UNIT_VALID,
	UNIT_NO_BASELINE, /* counts begin with this frame */
	/* unless the round ends or perf_events_misled(), the next good read includes the counts */
	UNIT_READ_FAILED,
	UNIT_CLOBBERED,	    /* another program has changed the controls */
	UNIT_SATURATED,	    /* a counter has reached the end of its range, and reports it */
	UNIT_WRITTEN,	    /* a counter has moved by more than it can count in the time */
	UNIT_FROZEN,	    /* another program has stopped the counters */
	UNIT_CLOCK_STOPPED, /* the clock does not run: frozen, powered down, or absent */
	UNIT_RESUMED,	    /* the unit counts again; counts since the previous frame have gaps */
};

/* State of a unit after the last frame. */
struct decoder_unit {
	enum unit_status status; /* status in the last frame */
	size_t loss;		 /* index in decoder.losses */
	uint32_t round;		 /* number of the round that counts now */
	bool has_baseline;	 /* decoder.last has the values from which the unit counts */
	/* running_ns and uncertain_ns of the unit's domain when these values were read */
	uint64_t since_ns, since_uncertain;
	bool counted;	    /* the unit counted in the last frame */
	bool clobbered;	    /* in the last frame: another program had changed controls or counts */
	bool stopped;	    /* in the last frame: frozen, or the clock stopped for over 50 ms */
	bool ticked;	    /* the clock ran in this epoch */
	bool clock_stopped; /* the clock stood still in the last frame that could tell */
	bool disturbed;	    /* counts from the last frame to the next are incomplete */
	bool dropped;	    /* the unit's counts are unknown in this interval */
	enum frame_freeze freeze; /* freeze in the last frame */
	uint64_t moved_ns;  /* running_ns of the domain when the clock was last known to run */
	uint64_t intact_ns; /* wall clock when the unit was last found unchanged and running */
	unsigned news;	    /* incidents in this interval: a sum of enum news */
	bool lost;	    /* reads have failed; false again after LOST_NS without a failure */
	uint64_t failed_ns; /* wall clock of the last failed read */
	struct frame_unit failure; /* failed read that messages describe */
};

/* Values from which a counter counts, as in struct frame; subtracted from the next frame's. */
struct baseline {
	uint64_t raw, skew, undelivered;
};

struct decoder {
	const struct plan *plan;    /* not owned */
	uint32_t epoch;		    /* frame.epoch of the last frame; 0: no frame yet */
	struct decoder_unit *units; /* by unit of the plan */
	struct baseline *last;	    /* by element of frame.raw */
	uint64_t *enabled_since;    /* by domain: ns enabled, from the start to the last sample */
	struct count *counts;	    /* by counter of the plan: counts since the last sample */
	struct loss *losses;	    /* losses since the start, by group of units (struct loss) */
	size_t loss_count;
	bool interval_begins; /* no frame was decoded since the last sample */
	bool interrupted;     /* counting began anew in this interval: all counts are unknown */
	size_t lost_readings; /* units without values, summed over the frames of this interval */
	/* totals in the frame of the last sample: frame.missed and frame.frozen_ns */
	uint64_t missed, frozen_ns;
	struct error warning; /* sample.warning; code 0: none */
	unsigned begun;	      /* incidents that began in this interval: a sum of enum news */
	bool held_up;	      /* since the start, the sampling thread has made a count uncertain */
	bool new_held_up;     /* .held_up became true in this interval */
	uint64_t shown_ns;    /* wall clock of the last sample */
	uint64_t doubtful_ns; /* sample.doubtful_since_ns of this interval */
	char note[512];	      /* sample.note; "": none */
};

/* decoder_report.c: describes incidents of units in words. */

/* Sets *err to the failed read of a unit, given by its index in decoder.units. */
void decoder_explain_loss(const struct decoder *decoder, size_t unit, struct error *err);
/*
 * Describes the news of all units in the interval, except NEWS_LOST. If units were taken, stopped,
 * written or saturated, sets .warning to the worst of these. Appends the other news to .note.
 */
void decoder_describe_news(struct decoder *decoder);

#endif
