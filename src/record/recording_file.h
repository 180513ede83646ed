/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading of recordings from files and pipes, in order; and as they are shown again. */
#ifndef CXLMON_RECORDING_FILE_H
#define CXLMON_RECORDING_FILE_H

#include "base/error.h"
#include "counts/sample.h"
#include "record/recording.h"
#include "series/series.h"
#include "table/table.h"

/*
 * Samples of a recording, put together. What was counted and its times are added up, and values are
 * computed from the sums (formula/value.h), as a run would have shown them that sampled so: but a
 * value known for a part of the time is shown for that part. Levels, as memory used or free, are
 * those of the end. One sample alone stays as it is, to the last bit.
 */

struct aggregate {
	struct table table;   /* the sums, after aggregate_close() */
	struct sample sample; /* when they were taken, likewise */
	size_t samples;	      /* added since then */

	/* private */
	const struct table *from;
	size_t *columns; /* by column: which one of from it is */
	size_t source_count;
	size_t *sources;      /* rows of from, which the rows are sums of */
	struct row_sum *rows; /* by row */
	struct series series; /* what was counted for the cells, of from */
};

/*
 * Shows the rows of from with this scope and coarser ones, as a run with --per shows them: events
 * are summed over the units of a socket or of the system. from must outlive it. -ENOMEM. Freed by
 * aggregate_free(), also after failure.
 */
int aggregate_init(struct aggregate *aggregate, const struct table *from, enum scope finest);
void aggregate_free(struct aggregate *aggregate);

/* Adds a sample, whose values from has. -ENOMEM. */
int aggregate_add(struct aggregate *aggregate, const struct sample *sample);

/* Makes table and sample of what was added. What is added next begins anew. */
void aggregate_close(struct aggregate *aggregate);

struct recording_file {
	struct recording recording; /* decoded so far */
	const char *name;	    /* for messages */
	/* only samples whose middle is from here on, and before there, are read; ns since 1970 */
	uint64_t from_ns, to_ns;
	uint64_t selected; /* samples that were */
	/* the length of the last sample by the wall clock */
	uint64_t length_ns;
	/* how many times samples before one were found to be doubtful; the first: ns since 1970 */
	uint64_t doubts, doubtful_from_ns, doubtful_to_ns;

	/* private */
	int fd;
	uint8_t *data;	   /* read, but not decoded yet: from .start to .end */
	size_t start, end; /* in data */
	size_t capacity;
	uint64_t offset;   /* where .start is in the file */
	bool at_end;	   /* nothing more can be read */
	uint64_t ended_ns; /* the end of the last sample */
};

/*
 * Opens name ("-": standard input), decodes its header, and selects all samples. kinds: see struct
 * recording. ERROR_FAILED: it
 * cannot be read, is not a recording, or ends within the header. Closed by recording_file_close(),
 * also after an error.
 */
int recording_file_open(const char *name, const struct block_kind *const *kinds,
			struct recording_file *out, struct error *err);
void recording_file_close(struct recording_file *file);

/*
 * Reads the next sample that is selected. 1: done; 0: end of a complete recording, or of what is
 * selected: nothing is read beyond that. -EBADMSG: damaged, or without an
 * end block: still being written, or truncated; the message has the number of intact samples.
 */
int recording_file_next(struct recording_file *file, struct error *err);

/* A recording as it is shown again: its samples, or sums of them. */
struct replay {
	struct recording_file *file; /* not owned */
	struct aggregate aggregate;  /* .table and .sample are what is shown */
	uint64_t elapsed_ns;	     /* the length of all samples so far */

	/* private */
	uint64_t interval_ns; /* 0: every sample */
	uint64_t due_ns;      /* the value of elapsed_ns at which a row ends */
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
