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
	NEWS_LOST = 1 << 0,	 /* unreadable */
	NEWS_FOUND = 1 << 1,	 /* read again for LOST_NS */
	NEWS_TAKEN = 1 << 2,	 /* changed by another program */
	NEWS_RECLAIMED = 1 << 3, /* programmed again */
	NEWS_STOPPED = 1 << 4,	 /* frozen, or its clock has stopped */
	NEWS_RESUMED = 1 << 5,	 /* runs again */
	NEWS_WRITTEN = 1 << 6,	 /* another program has written to one of its counters */
	NEWS_SATURATED = 1 << 7, /* one of its counters is at its end */
};

/* The status of a unit in a frame: valid, or the reason why it has no counts. */
enum unit_status {
	UNIT_VALID,
	UNIT_NO_BASELINE,   /* counts begin with this frame */
	UNIT_READ_FAILED,   /* counting goes on: the next good read has its counts */
	UNIT_CLOBBERED,	    /* another program has changed its controls */
	UNIT_SATURATED,	    /* a counter has reached the end of its range, and reports it */
	UNIT_WRITTEN,	    /* a counter has moved by more than it can count */
	UNIT_FROZEN,	    /* another program has stopped its counters */
	UNIT_CLOCK_STOPPED, /* frozen, powered down, or absent */
	UNIT_RESUMED,	    /* counts correctly, but not since the previous frame */
};

struct decoder_unit {
	enum unit_status status;  /* status in the last frame */
	size_t loss;		  /* index in decoder.losses */
	uint32_t round;		  /* round that counts now */
	bool has_baseline;	  /* decoder.last has values to subtract from the next ones */
	uint64_t since_ns;	  /* running_ns of its domain at that reading */
	uint64_t since_uncertain; /* uncertain_ns of its domain at that reading */
	bool counted;		  /* the unit counted in the previous frame */
	bool clobbered; /* in that frame, another program had changed its control or a counter */
	bool stopped;	/* in that frame, it was frozen, or its clock for CLOCK_STOPPED_NS */
	bool ticked;	/* its clock ran in this epoch */
	bool clock_stopped;	  /* its clock did not run when a round with a clock last counted */
	bool disturbed;		  /* counts since the previous frame are incomplete */
	bool dropped;		  /* it has no values in this interval, whatever it counted */
	enum frame_freeze freeze; /* freeze in the previous frame */
	uint64_t moved_ns;	  /* running_ns of its domain when its clock last ran */
	uint64_t intact_ns;	  /* wall clock when it last was unchanged and ran */
	unsigned news;		  /* incidents in this interval: enum news */
	bool lost;	    /* its reads failed less than LOST_NS ago, and this was reported */
	uint64_t failed_ns; /* wall clock of the last failed read */
	struct frame_unit failure; /* cause of the last failed read */
};

/* Values of a read in the previous frame, to which the next ones are compared. */
struct baseline {
	uint64_t raw, skew, undelivered;
};

struct decoder {
	const struct plan *plan;
	uint32_t epoch;
	struct decoder_unit *units; /* by unit */
	struct baseline *last;	    /* by read */
	uint64_t *enabled_since;    /* by domain: time enabled until the last sample */
	struct count *counts;	    /* by counter: counts since the last sample */
	struct loss *losses;	    /* by port, or by socket and type of unit */
	size_t loss_count;
	bool interval_begins;	    /* no frame was decoded since the last sample */
	bool interrupted;	    /* an epoch began since the last sample, which has no counts */
	size_t failed_reads;	    /* failed reads since the last sample */
	uint64_t missed, frozen_ns; /* in the frame of the last sample */
	struct error warning;
	bool new_taken;	  /* a unit was changed or stopped in this interval */
	bool held_up;	  /* a count has been uncertain */
	bool new_held_up; /* a count is uncertain for the first time, in this interval */
	uint64_t shown_ns, doubtful_ns; /* wall clock: the last sample; see struct sample */
	char note[512];
};

/* Descriptions of incidents of units in words: decoder_report.c. */

/* Sets *err to the reason why a unit is unreadable. */
void decoder_explain_loss(const struct decoder *decoder, size_t unit, struct error *err);
/* Sets .warning and .note from the news of all units. */
void decoder_describe_news(struct decoder *decoder);

#endif
