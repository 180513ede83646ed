/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recordings of several hosts as one table, in the order of time. Each recording is read as it is
 * shown, so that memory does not grow with its length. A sample has the rows of its host, in the
 * columns of all hosts: the columns of the first host, then those that the next ones add. The cells
 * of a column that its recording lacks are unknown.
 */
#ifndef CXLMON_MERGE_H
#define CXLMON_MERGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "record/recording_file.h"
#include "table/table.h"

/* A recording of a merge. */
struct merged_host {
	struct replay *replay; /* not owned */
	const char *name;      /* name of the host; not owned */
	struct error flaw;     /* damage that ended it; code 0: none */

	/* Private members. */
	size_t *columns; /* by column of the recording: the one of the merge */
	bool is_ready;	 /* the replay has a row that was not shown */
};

struct merge {
	struct table table; /* after merge_next(): the sample's rows; .host names the host */
	const struct sample *sample; /* after merge_next(); not owned */
	struct merged_host *hosts;   /* in the order of their addition */
	size_t count;
	size_t last; /* index of the host whose rows are shown; .count: none */
};

/*
 * Adds a recording, before merge_begin(). The merge is all zero at first, and is freed by
 * merge_free(). -ENOMEM.
 */
int merge_add(struct merge *merge, struct replay *replay, const char *name);

/*
 * Makes .table, which has columns and the rows of the first host, without values, and reads the
 * first row of each recording. -ENOMEM. -EINVAL (ERROR_USAGE): only some recordings have events.
 */
int merge_begin(struct merge *merge, struct error *err);

/*
 * Makes the next sample. 1: done; 0: all recordings have ended, and those that are damaged have
 * their .flaw. -ENOMEM.
 */
int merge_next(struct merge *merge, struct error *err);

void merge_free(struct merge *merge);

#endif
