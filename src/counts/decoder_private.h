/* SPDX-License-Identifier: BSD-3-Clause */
/* The state that a decoder keeps from frame to frame. */
#ifndef CXLMON_DECODER_PRIVATE_H
#define CXLMON_DECODER_PRIVATE_H

#include "base/error.h"
#include "counts/sample.h"
#include "plan/plan.h"
#include "poller/frame.h"

/* Incidents of a unit in an interval, reported at its end. */
enum news {
	NEWS_LOST = 1 << 0,	 /* it cannot be read */
	NEWS_FOUND = 1 << 1,	 /* it can be read again, without a failure for LOST_NS (10 s) */
	NEWS_TAKEN = 1 << 2,	 /* another program has changed its controls */
	NEWS_RECLAIMED = 1 << 3, /* the poller has programmed it again */
	NEWS_STOPPED = 1 << 4,	 /* frozen, or its clock has stopped */
	NEWS_RESUMED = 1 << 5,	 /* it runs again */
	NEWS_WRITTEN = 1 << 6,	 /* another program has written to one of its counters */
	NEWS_SATURATED = 1 << 7, /* one of its counters has reached the end of its range */
};

/* The status of a unit in a frame: valid, or the reason why it has no counts. */
enum unit_status {
	UNIT_VALID,
	UNIT_NO_BASELINE,   /* counts begin with this frame */
	UNIT_READ_FAILED,   /* counting goes on: the next good read has its counts */
	UNIT_CLOBBERED,	    /* another program has changed its controls */
	UNIT_SATURATED,	    /* a counter has reached the end of its range, and reports it */
	UNIT_WRITTEN,	    /* a counter has moved by more than it can count in the time */
	UNIT_FROZEN,	    /* another program has stopped its counters */
	UNIT_CLOCK_STOPPED, /* its clock does not run: frozen, powered down, or absent */
	UNIT_RESUMED,	    /* it counts again, but did not for all the time since the last frame */
};

struct decoder_unit {
	enum unit_status status;  /* status in the last frame */
	size_t loss;		  /* index in decoder.losses */
	uint32_t round;		  /* number of the round that counts now */
	bool has_baseline;	  /* decoder.last has values to subtract from the next ones */
	uint64_t since_ns;	  /* running_ns of its domain when these values were read */
	uint64_t since_uncertain; /* uncertain_ns of its domain when these values were read */
	bool counted;		  /* the unit counted in the previous frame */
	/* in the previous frame, another program had changed a control or a counter */
	bool clobbered;
	/* in the previous frame, it was frozen, or its clock had stopped for CLOCK_STOPPED_NS */
	bool stopped;
	bool ticked;		  /* its clock ran in this epoch */
	bool clock_stopped;	  /* its clock did not run when a round with a clock last counted */
	bool disturbed;		  /* counts since the previous frame are incomplete */
	bool dropped;		  /* it has no values in this interval, whatever it counted */
	enum frame_freeze freeze; /* freeze in the previous frame */
	uint64_t moved_ns;	  /* running_ns of its domain when its clock last ran */
	uint64_t intact_ns;	  /* wall clock when it was last found unchanged and running */
	unsigned news;		  /* incidents in this interval: a sum of enum news */
	bool lost;	    /* its reads failed, and not yet LOST_NS have passed without failure */
	uint64_t failed_ns; /* wall clock of the last failed read */
	struct frame_unit failure; /* cause of the failure that is reported */
};

/* Values of a counter in the previous frame (struct frame), subtracted from the next ones. */
struct baseline {
	uint64_t raw, skew, undelivered;
};

struct decoder {
	const struct plan *plan;
	uint32_t epoch; /* frame.epoch of the last frame; counting restarts with each epoch */
	struct decoder_unit *units; /* by unit of the plan */
	struct baseline *last;	    /* by value of a frame: plan.read_count of them */
	uint64_t *enabled_since;    /* by domain: time enabled until the last sample */
	struct count *counts;	    /* by counter of the plan: counts since the last sample */
	struct loss *losses;	    /* by port, or by socket and type of unit */
	size_t loss_count;
	bool interval_begins;	    /* no frame was decoded since the last sample */
	bool interrupted;	    /* counting restarted in this interval, which has no counts */
	size_t failed_reads;	    /* readings of units without values in this interval */
	uint64_t missed, frozen_ns; /* values in the frame of the last sample */
	struct error warning;	    /* sample.warning; code 0: none */
	bool new_taken;		    /* a unit was changed or stopped in this interval */
	bool held_up;		    /* a count was uncertain, in any interval */
	bool new_held_up;	    /* .held_up became true in this interval */
	/* wall clock of the last sample; sample.doubtful_since_ns */
	uint64_t shown_ns, doubtful_ns;
	char note[512]; /* sample.note; "": none */
};

/* decoder_report.c: describes incidents of units in words. */

/* Sets *err to the reason why a unit, an index of decoder.units, cannot be read. */
void decoder_explain_loss(const struct decoder *decoder, size_t unit, struct error *err);
/* Sets .warning and .note from the news of all units. */
void decoder_describe_news(struct decoder *decoder);

#endif
