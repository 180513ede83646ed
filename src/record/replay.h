/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a recording as it is shown again: its samples, or sums of them. */
#ifndef CXLMON_REPLAY_H
#define CXLMON_REPLAY_H

#include "record/aggregate.h"
#include "record/recording_file.h"

struct replay {
	struct recording_file *file; /* not owned */
	struct aggregate aggregate;  /* .view and .sample are what is shown */
	uint64_t elapsed_ns;	     /* the length of all samples so far */

	/* private */
	uint64_t interval_ns; /* 0: every sample */
	uint64_t due_ns;      /* of elapsed_ns */
	int ended;	      /* negative: the error that follows the last sum */
	bool at_end;
	struct error why;
};

/*
 * finest: see aggregate_init(). interval_ns (0: every sample): samples are summed up to rows of
 * this length. Where it is no multiple of theirs, rows are longer and shorter, and do not drift.
 * -ENOMEM. Freed by replay_free(), also after failure.
 */
int replay_init(struct replay *replay, struct recording_file *file, enum scope finest,
		uint64_t interval_ns, struct error *err);
void replay_free(struct replay *replay);

/* As recording_file_next(): what was summed up before an error, or the end, comes first. */
int replay_next(struct replay *replay, struct error *err);

#endif
