/* SPDX-License-Identifier: BSD-3-Clause */
/* The state that a decoder keeps from frame to frame. */
#ifndef CXLMON_DECODER_PRIVATE_H
#define CXLMON_DECODER_PRIVATE_H

#include "base/error.h"
#include "counts/sample.h"
#include "plan/plan.h"
#include "poller/frame.h"

/* An incident of a unit, reported after the interval. */
enum news {
	NEWS_LOST = 1 << 0,	 /* it can't be read any more, */
	NEWS_FOUND = 1 << 1,	 /* and has been read again for LOST_NS */
	NEWS_TAKEN = 1 << 2,	 /* another program has changed it */
	NEWS_RECLAIMED = 1 << 3, /* it was programmed again */
	NEWS_STOPPED = 1 << 4,	 /* it is frozen, or its clock has stopped, */
	NEWS_RESUMED = 1 << 5,	 /* and runs again */
	NEWS_WRITTEN = 1 << 6,	 /* another program has written to a counter of it */
	NEWS_SATURATED = 1 << 7, /* a counter of it stands at its end */
};

/* Whether a unit has counts in a frame, or why not. */
enum unit_status {
	UNIT_VALID,
	UNIT_NO_BASELINE,   /* its counts begin with this frame */
	UNIT_READ_FAILED,   /* it goes on counting: the next good read has its counts */
	UNIT_CLOBBERED,	    /* another program has changed its controls */
	UNIT_SATURATED,	    /* a counter stands at the end of its range, and says so */
	UNIT_WRITTEN,	    /* a counter: it has moved by more than it can count */
	UNIT_FROZEN,	    /* another program has stopped its counters */
	UNIT_CLOCK_STOPPED, /* it is frozen, powered down, or not there */
	UNIT_RESUMED,	    /* it counts as it should, but not since the frame before */
};

struct decoder_unit {
	enum unit_status status;   /* in the last frame */
	size_t loss;		   /* index in decoder.losses */
	uint32_t round;		   /* that counts now */
	bool has_baseline;	   /* decoder.last has values to subtract from the next ones, */
	uint64_t since_ns;	   /* read when running_ns of its domain was this, */
	uint64_t since_uncertain;  /* and uncertain_ns this */
	bool counted;		   /* in the previous frame */
	bool clobbered;		   /* then another program had changed its control or a counter */
	bool stopped;		   /* then it was frozen, or its clock for CLOCK_STOPPED_NS */
	bool ticked;		   /* its clock was seen to run in this epoch */
	bool clock_stopped;	   /* not when a round with a clock last counted */
	bool disturbed;		   /* counts since the frame before are incomplete */
	bool dropped;		   /* it has no values in this interval, whatever it has counted */
	enum frame_freeze freeze;  /* in the frame before */
	uint64_t moved_ns;	   /* running_ns of its domain when its clock last ran */
	uint64_t intact_ns;	   /* wall clock, when it was last found to be ours and to run */
	unsigned news;		   /* enum news: what has happened to it in this interval */
	bool lost;		   /* its reads failed less than LOST_NS ago, as was reported */
	uint64_t failed_ns;	   /* wall clock of the last one, */
	struct frame_unit failure; /* and why */
};

/* What the next values of a read are compared with: those of the frame before. */
struct baseline {
	uint64_t raw, skew, undelivered;
};

struct decoder {
	const struct plan *plan;
	uint32_t epoch;
	struct decoder_unit *units; /* by unit */
	struct baseline *last;	    /* by read */
	uint64_t *enabled_since;    /* by domain: how long it was enabled at the last sample */
	struct count *counts;	    /* by counter: since the last sample */
	struct loss *losses;	    /* by port, or socket and type of unit */
	size_t loss_count;
	bool interval_begins;	    /* no frame was decoded since then */
	bool interrupted;	    /* an epoch began since then: the sample has no counts */
	size_t failed_reads;	    /* since then */
	uint64_t missed, frozen_ns; /* of the frame of the last sample */
	struct error warning;
	bool new_taken;			/* some unit was taken, or stopped, in this interval */
	bool held_up;			/* some count has been uncertain, */
	bool new_held_up;		/* in this interval for the first time */
	uint64_t shown_ns, doubtful_ns; /* wall clock: the last sample; see struct sample */
	char note[512];
};

/* decoder_report.c: describes incidents of units in words. */

/* *err says why a unit can't be read. */
void decoder_explain_loss(const struct decoder *decoder, size_t unit, struct error *err);
/* Sets .warning and .note by the news of all units. */
void decoder_describe_news(struct decoder *decoder);

#endif
