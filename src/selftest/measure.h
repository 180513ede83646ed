/* SPDX-License-Identifier: BSD-3-Clause */
/* All steps on one node, while a session counts. */
#ifndef CXLMON_SELFTEST_MEASURE_H
#define CXLMON_SELFTEST_MEASURE_H

#include "selftest/result.h"
#include "selftest/under_load.h"

struct measuring {
	struct under_load under_load; /* begun */
	size_t backend;
	uint64_t step_ns;
	/* before each step; may be NULL */
	void (*progress)(void *context, const struct selftest_node *node, size_t backend,
			 size_t step);
	void *context;
};

/*
 * Moves bytes to and from the node step by step, and judges its lines. What can't be had of its
 * memory is node->skipped, and no error. -EINTR: a signal came. All memory is freed and all threads
 * have ended in any case.
 */
int measure_node(struct measuring *m, struct selftest_node *node, struct error *err);

#endif
