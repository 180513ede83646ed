/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of a recording, put together. Counts and times are added up, and values computed from the
 * sums: a rate is what was counted by the time that it was counted for, a quotient (a latency, a
 * ratio) the mean weighted by what it is divided by; without these weights it is not known. A
 * program is computed from the means of its inputs, and memory used or free is that of the end.
 * A value known for a part of the time is shown for that part. One sample alone stays as it is, to
 * the last bit.
 */
#ifndef CXLMON_AGGREGATE_H
#define CXLMON_AGGREGATE_H

#include "metrics/sample.h"
#include "metrics/view.h"

struct aggregate {
	struct view view;     /* the sums, after aggregate_close() */
	struct sample sample; /* when they were taken, likewise */
	size_t samples;	      /* added since then */
	bool unweighted;      /* some quotient was not known for want of weights */

	/* private */
	const struct view *from;
	size_t *columns;	/* by column: which one of from it is */
	size_t *sources;	/* rows of from, which rows are the sums of: see struct row */
	struct row_sum *rows;	/* by row */
	struct cell_sum *cells; /* by row and column */
};

/*
 * Shows the rows of from with this scope and coarser ones, as a run with --per shows them: events
 * are summed over the units of a socket or of the system. from must outlive it. -ENOMEM. Freed by
 * aggregate_free(), also after failure.
 */
int aggregate_init(struct aggregate *aggregate, const struct view *from, enum scope finest);
void aggregate_free(struct aggregate *aggregate);

/* Adds a sample, whose values from has. -ENOMEM. */
int aggregate_add(struct aggregate *aggregate, const struct sample *sample);

/* Makes view and sample of what was added. What is added next begins anew. */
void aggregate_close(struct aggregate *aggregate);

#endif
