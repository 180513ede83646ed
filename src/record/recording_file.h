/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads recordings from files and pipes, and shows their samples or sums of samples. */
#ifndef CXLMON_RECORDING_FILE_H
#define CXLMON_RECORDING_FILE_H

#include "base/error.h"
#include "counts/sample.h"
#include "record/recording.h"
#include "series/series.h"
#include "table/table.h"

/*
 * A sum of successive samples. Counts and their times are added up, and values are computed from
 * the sums (formula/value.h), as in a run with a longer interval. If a value was known for only a
 * part of the time, the value of that part is shown. A level, such as memory in use, is the last
 * one. The sum of a single sample is that sample, to the last bit.
 */
struct aggregate {
	struct table table; /* values of the sum, set by aggregate_close() */
	/* end of the sum so far, its losses and first doubt; set by aggregate_add() */
	struct sample sample;
	size_t samples; /* samples added since aggregate_close() */

	/* Private members. */
	const struct table *from;
	enum scope finest;
	size_t *columns; /* index in .from of each column */
	size_t source_count;
	size_t *sources;      /* rows of .from; a row of .table sums some of them */
	struct row_sum *rows; /* one for each row of .table */
	struct series series; /* counts for the cells of .from */
};

/* Choice of rows and columns, as by options --per and -m. */
struct aggregate_choice {
	/* finest scope shown; with SCOPE_SOCKET or coarser, rows of events sum units up */
	enum scope finest;
	/*
	 * Metric groups whose columns are shown, in this order: names that view_check_groups()
	 * accepts, separated by commas. Columns of user-defined metrics are shown too, but no rows
	 * of events. NULL: all columns and rows are shown.
	 */
	const char *groups;
};

/*
 * Prepares sums of the chosen rows and columns of from. from and choice->groups must outlive them.
 * 0 or -ENOMEM. The caller frees *aggregate by aggregate_free(), also after an error.
 */
int aggregate_init(struct aggregate *aggregate, const struct table *from,
		   const struct aggregate_choice *choice);
void aggregate_free(struct aggregate *aggregate);

/*
 * Returns the first group, a pointer into groups, that has no column in the table; NULL: all have
 * columns. groups are separated by commas.
 */
const char *aggregate_lacks(const struct table *from, const char *groups);

/* Adds a sample, whose values .from has now. 0, or -ENOMEM: the sum lacks values. */
int aggregate_add(struct aggregate *aggregate, const struct sample *sample);

/* Computes .table from the samples added. The next sample added begins a new sum. */
void aggregate_close(struct aggregate *aggregate);

struct recording_file {
	struct recording recording; /* its state after the last block read */
	const char *name;	    /* for messages; not owned */
	uint64_t size;		    /* bytes of the file when it was opened; 0: unknown */
	/*
	 * Range of selected samples, in ns since 1970: the middle of a sample is at .from_ns or
	 * later, and before .to_ns. The caller sets it before it reads the first sample.
	 */
	uint64_t from_ns, to_ns;
	uint64_t selected; /* selected samples read so far */
	/* length of the last sample by the wall clock; the interval, if the clock was set back */
	uint64_t length_ns;
	/*
	 * Number of selected samples that report doubts about values before them; time of the
	 * values that the first such report is about, in ns since 1970.
	 */
	uint64_t doubts, doubtful_from_ns, doubtful_to_ns;
	/* called before each further read; offset: bytes decoded so far. NULL: none */
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
 * Opens the file name ("-": standard input), decodes its header, and selects all samples. name must
 * outlive *out. kinds: see struct recording. The caller closes *out by recording_file_close(), also
 * after an error. ERROR_FAILED: the file cannot be read, is not a recording, has another version,
 * or ends within the header.
 */
int recording_file_open(const char *name, const struct block_kind *const *kinds,
			struct recording_file *out, struct error *err);
void recording_file_close(struct recording_file *file);

/*
 * Reads the next selected sample into .recording. Returns:
 *
 * - 1: it was read
 * - 0: the recording has ended completely, or the sample read is after the range
 * - -EBADMSG: damaged or without an end block, because it is still being written or was truncated;
 *   the message has the number of intact samples
 * - another negative errno: the file cannot be read
 */
int recording_file_next(struct recording_file *file, struct error *err);

/* A recording that is shown again: each sample, or sums of samples. */
struct replay {
	struct recording_file *file; /* not owned */
	struct aggregate aggregate;  /* its .table and .sample are shown */
	uint64_t elapsed_ns;	     /* length of all samples shown so far */

	/* Private members. */
	uint64_t interval_ns; /* 0: every sample */
	uint64_t due_ns;      /* .elapsed_ns at which the present sum ends */
	int ended;	      /* result of replay_next() after the last sum: 0, or an error */
	bool at_end;
	struct error why;
};

/*
 * Prepares sums over interval_ns; 0: every sample is shown. A sum ends with the sample whose end is
 * nearest to a multiple of the interval, so sums do not drift. The caller frees *replay by
 * replay_free(), also after an error. -ENOMEM. -ENODATA (ERROR_USAGE): the recording lacks a chosen
 * group.
 */
int replay_init(struct replay *replay, struct recording_file *file,
		const struct aggregate_choice *choice, uint64_t interval_ns, struct error *err);
void replay_free(struct replay *replay);

/*
 * Makes the next sum. Returns as recording_file_next() does, or -ENOMEM. If samples precede the end
 * or an error, they become a sum, and the function returns 1. The next call returns 0 or the error.
 */
int replay_next(struct replay *replay, struct error *err);

#endif
