/* SPDX-License-Identifier: BSD-3-Clause */
/* The formulas with which a view counts what is moved to and from a node. */
#ifndef CXLMON_SELFTEST_LINES_H
#define CXLMON_SELFTEST_LINES_H

#include "metrics/view.h"
#include "selftest/result.h"

/* Where a line's values come from. */
struct line_source {
	size_t line; /* index in selftest_node.lines */
	size_t column;
	unsigned nth;
	size_t rows[SELFTEST_PORTS]; /* summed */
	size_t row_count;
	double *others; /* by row of the view: in the first idle step, then in the busiest */
};

struct line_sources {
	struct line_source *all;
	size_t count;
};

/* Adds lines for a backend to the node, and says where they come from. 0 or -ENOMEM. */
int lines_find(struct selftest_node *node, size_t backend, const struct view *view,
	       struct line_sources *out);
void lines_free(struct line_sources *sources);

/* Takes the values of a step. */
void lines_take(struct line_sources *sources, struct selftest_node *node, struct view *view,
		const struct sample *sample, size_t step);

/*
 * After the last step: verdicts, and which other port has moved instead. Lines of latency whose
 * class of reads is not in use are removed; the sources are of no use any more.
 */
void lines_judge(const struct line_sources *sources, struct selftest_node *node,
		 const struct view *view);

#endif
