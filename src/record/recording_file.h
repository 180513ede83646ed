/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads recordings from files and pipes, in order, and shows them again: each sample, or sums over
 * a longer interval.
 */
#ifndef CXLMON_RECORDING_FILE_H
#define CXLMON_RECORDING_FILE_H

#include "base/error.h"
#include "counts/sample.h"
#include "record/recording.h"
#include "series/series.h"
#include "table/table.h"

/*
 * A sum of successive samples. Counts and their times are added up, and values are computed from
 * the sums (formula/value.h), as a run with a longer interval would have shown them. A value that
 * was known for only a part of the time is shown for that part. A level, such as memory in use, is
 * the level at the end. The sum of a single sample is that sample, to the last bit.
 */
struct aggregate {
	struct table table;   /* values of the sum, set by aggregate_close() */
	struct sample sample; /* end and losses of the sum, valid after aggregate_close() */
	size_t samples;	      /* samples added since aggregate_close() */

	/* Private members. */
	const struct table *from;
	enum scope finest;
	size_t *columns; /* by column: its index in .from */
	size_t source_count;
	size_t *sources;      /* indices of rows in .from; a row of .table sums some of them */
	struct row_sum *rows; /* by row */
	struct series series; /* counts for the cells of .from */
};

/* Choice of rows and columns, as options --per and -m of a run make it. */
struct aggregate_choice {
	/* finest scope shown; if it is SCOPE_SOCKET or coarser, rows of events sum over units */
	enum scope finest;
	/*
	 * Metric groups whose columns are shown, in this order: names separated by commas, which
	 * view_check_groups() accepts. User-defined metrics are also shown; rows of events are not.
	 * NULL: all columns and rows are shown.
	 */
	const char *groups;
};

/*
 * Prepares sums of chosen rows and columns of from, which must outlive them. -ENOMEM. Freed by
 * aggregate_free(), even after failure.
 */
int aggregate_init(struct aggregate *aggregate, const struct table *from,
		   const struct aggregate_choice *choice);
void aggregate_free(struct aggregate *aggregate);

/*
 * Returns the place in groups (comma separated) of the first group that has no column in the table;
 * NULL: all have columns.
 */
const char *aggregate_lacks(const struct table *from, const char *groups);

/* Adds a sample; its values are those that .from has now. -ENOMEM: the sum lacks values. */
int aggregate_add(struct aggregate *aggregate, const struct sample *sample);

/* Computes .table from the samples added. The next sample added begins a new sum. */
void aggregate_close(struct aggregate *aggregate);

struct recording_file {
	struct recording recording; /* its state after the last block read */
	const char *name;	    /* for messages; not owned */
	uint64_t size;		    /* bytes of the file when it was opened; 0: unknown */
	/*
	 * Range of selected samples: the middle of each is at from_ns or later, and before to_ns.
	 * In ns since 1970; set by the caller before the first sample is read.
	 */
	uint64_t from_ns, to_ns;
	uint64_t selected; /* selected samples read so far */
	/* length of the last sample by the wall clock; the interval if the clock was set back */
	uint64_t length_ns;
	/*
	 * .doubts: number of selected samples that report doubtful values in the time up to them.
	 * The first such sample does so for the time from .doubtful_from_ns to .doubtful_to_ns, in
	 * ns since 1970.
	 */
	uint64_t doubts, doubtful_from_ns, doubtful_to_ns;
	/* called before each further read, with the bytes decoded so far; NULL: none */
	void (*watch)(void *context, uint64_t offset);
	void *context; /* passed to .watch */

	/* Private members. */
	int fd;
	uint8_t *data;	   /* bytes read but not decoded, from .start to .end */
	size_t start, end; /* in data */
	size_t capacity;
	uint64_t offset;   /* offset of .start in the file */
	bool at_end;	   /* the file has ended */
	uint64_t ended_ns; /* the end of the last sample */
};

/*
 * Opens name ("-": standard input), which must outlive *out, decodes its header, and selects all
 * samples. kinds: see struct recording. ERROR_FAILED: the file cannot be read, is not a recording,
 * has another version, or ends within the header. Closed by recording_file_close(), even after an
 * error.
 */
int recording_file_open(const char *name, const struct block_kind *const *kinds,
			struct recording_file *out, struct error *err);
void recording_file_close(struct recording_file *file);

/*
 * Reads the next selected sample into .recording. 1: done; 0: the recording is complete and has
 * ended, or the sample read is after the range. -EBADMSG: damaged, or without an end block (still
 * being written, or truncated); the message has the number of intact samples. Other errors: the
 * file cannot be read.
 */
int recording_file_next(struct recording_file *file, struct error *err);

/* A recording that is shown again, with one row for each sample or for sums of samples. */
struct replay {
	struct recording_file *file; /* not owned */
	struct aggregate aggregate;  /* its .table and .sample are shown */
	uint64_t elapsed_ns;	     /* length of all samples shown so far */

	/* Private members. */
	uint64_t interval_ns; /* 0: every sample */
	uint64_t due_ns;      /* the value of elapsed_ns at which a row ends */
	int ended;	      /* result of replay_next() after the last sum: 0, or an error */
	bool at_end;
	struct error why;
};

/*
 * Prepares sums over interval_ns (0: every sample is shown). If the interval is not a multiple of
 * the samples' lengths, sums are longer or shorter, but do not drift. -ENOMEM. -ENODATA
 * (ERROR_USAGE): the recording lacks a chosen group. Freed by replay_free(), even after failure.
 */
int replay_init(struct replay *replay, struct recording_file *file,
		const struct aggregate_choice *choice, uint64_t interval_ns, struct error *err);
void replay_free(struct replay *replay);

/*
 * Makes the next sum; returns as recording_file_next(), or -ENOMEM. Samples before the end or an
 * error are shown first: their sum returns 1, and the next call returns the end or the error.
 */
int replay_next(struct replay *replay, struct error *err);

#endif
