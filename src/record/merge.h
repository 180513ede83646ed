/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recordings of several hosts as one table, in the order of time. Each sample of a recording
 * becomes a sample of the merge, with the rows of its host. Recordings are read as they are shown,
 * so memory does not grow with their lengths.
 *
 * The columns are those of the first host, followed by columns that only later hosts have. A cell
 * is unknown if its host's recording lacks the column.
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
	size_t *columns; /* column of the merge for each column of the recording */
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
 * Adds a recording, before merge_begin(). Initially *merge is all zero; the caller frees it by
 * merge_free(). 0 or -ENOMEM.
 */
int merge_add(struct merge *merge, struct replay *replay, const char *name);

/*
 * Makes .table, with the columns of all hosts and the rows of the first one, without values. Reads
 * the first sample of each recording. 0, or -ENOMEM, or -EINVAL (ERROR_USAGE): only some recordings
 * have rows of events.
 */
int merge_begin(struct merge *merge, struct error *err);

/*
 * Sets .table and .sample to the next sample, and returns 1. Returns 0 once all recordings have
 * ended; .flaw of a host is then set if its recording is damaged. -ENOMEM.
 */
int merge_next(struct merge *merge, struct error *err);

void merge_free(struct merge *merge);

#endif
