/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading of recordings from files and pipes, in order, and showing them again. */
#ifndef CXLMON_RECORDING_FILE_H
#define CXLMON_RECORDING_FILE_H

#include "base/error.h"
#include "counts/sample.h"
#include "record/recording.h"
#include "series/series.h"
#include "table/table.h"

/*
 * Sums of a recording's samples. Counts and their times are added up, and values are computed from
 * the sums (formula/value.h), as a run with that interval would have shown them; but a value known
 * for a part of the time is shown for that part. Levels, such as memory used or free, are those at
 * the end. A single sample is shown unchanged, to the last bit.
 */

struct aggregate {
	struct table table;   /* the sums, after aggregate_close() */
	struct sample sample; /* times of the sums, after aggregate_close() */
	size_t samples;	      /* number of samples added since aggregate_close() */

	/* Private members. */
	const struct table *from;
	enum scope finest;
	size_t *columns; /* by column: its index in .from */
	size_t source_count;
	size_t *sources;      /* rows of .from that are summed to rows */
	struct row_sum *rows; /* by row */
	struct series series; /* counts for the cells of .from */
};

/* Choice of rows and columns, as a run with --per and -m shows them. */
struct aggregate_choice {
	/* finest scope; events are summed over the units of a socket or of the system */
	enum scope finest;
	/*
	 * names of metric groups as for view_check_groups(), in the order of their columns; columns
	 * of user-defined metrics stay, rows of events do not; NULL: everything
	 */
	const char *groups;
};

/*
 * Prepares sums of a choice of rows and columns of from, which must outlive them. -ENOMEM. Freed by
 * aggregate_free(), also after failure.
 */
int aggregate_init(struct aggregate *aggregate, const struct table *from,
		   const struct aggregate_choice *choice);
void aggregate_free(struct aggregate *aggregate);

/* Returns the first of these groups of which a table has no metric; NULL: it has all. */
const char *aggregate_lacks(const struct table *from, const char *groups);

/* Adds a sample, whose values are in .from. -ENOMEM. */
int aggregate_add(struct aggregate *aggregate, const struct sample *sample);

/* Computes .table and .sample from the added samples; the next sample added begins new sums. */
void aggregate_close(struct aggregate *aggregate);

struct recording_file {
	struct recording recording; /* decoded so far */
	const char *name;	    /* for messages */
	uint64_t size;		    /* bytes of the file when it was opened; 0: unknown */
	/* Only samples whose middle is in this range are read, end excluded; ns since 1970. */
	uint64_t from_ns, to_ns;
	uint64_t selected; /* number of samples read in that range */
	/* Length of the last sample by the wall clock. */
	uint64_t length_ns;
	/*
	 * Number of times that earlier samples were found to be doubtful, and their range of time
	 * at the first such finding; ns since 1970.
	 */
	uint64_t doubts, doubtful_from_ns, doubtful_to_ns;
	/* Called before each further read of the file, with the place of its data; NULL: none. */
	void (*watch)(void *context, uint64_t offset);
	void *context;

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
 * Opens name ("-": standard input), decodes its header, and selects all samples. kinds: see struct
 * recording. ERROR_FAILED: the file cannot be read, is not a recording, or ends within the header.
 * Closed by recording_file_close(), also after an error.
 */
int recording_file_open(const char *name, const struct block_kind *const *kinds,
			struct recording_file *out, struct error *err);
void recording_file_close(struct recording_file *file);

/*
 * Reads the next selected sample. 1: done; 0: end of a complete recording, or of the selected
 * samples: nothing is read after them. -EBADMSG: damaged, or without an end block (still being
 * written, or truncated); the message has the number of intact samples.
 */
int recording_file_next(struct recording_file *file, struct error *err);

/* A recording as it is shown again: its samples, or sums of them. */
struct replay {
	struct recording_file *file; /* not owned */
	struct aggregate aggregate;  /* .table and .sample are to be shown */
	uint64_t elapsed_ns;	     /* length of all samples so far */

	/* Private members. */
	uint64_t interval_ns; /* 0: every sample */
	uint64_t due_ns;      /* the value of elapsed_ns at which a row ends */
	int ended;	      /* negative: the error that follows the last sum */
	bool at_end;
	struct error why;
};

/*
 * Prepares sums over interval_ns (0: every sample is shown). If the interval is not a multiple of
 * the samples' lengths, rows are longer and shorter, and do not drift. -ENOMEM. ERROR_USAGE: the
 * recording lacks a chosen group. Freed by replay_free(), also after failure.
 */
int replay_init(struct replay *replay, struct recording_file *file,
		const struct aggregate_choice *choice, uint64_t interval_ns, struct error *err);
void replay_free(struct replay *replay);

/* Makes the next row; returns as recording_file_next(). A sum precedes the end or an error. */
int replay_next(struct replay *replay, struct error *err);

#endif
