/* SPDX-License-Identifier: BSD-3-Clause */
/* All steps on one node, while a session counts. */
#ifndef CXLMON_SELFTEST_MEASURE_H
#define CXLMON_SELFTEST_MEASURE_H

#include <signal.h>

#include "load/load.h"
#include "metrics/sampling.h"
#include "selftest/result.h"
#include "session/session.h"

/* Known traffic on one node, and what the counters say over the same time. */

struct under_load {
	struct session *session; /* started */
	const sigset_t *wake;
	int signal_number; /* that came; 0: none */
	struct sampling sampling;
	struct load *load; /* of one node; NULL: none */
	/* Gets the sample of the time in which traffic settles; an error ends it. NULL: not wanted.
	 */
	int (*settled)(void *context, const struct sample *sample, struct error *err);
	void *context;
};

/* Call right after session_start(). Freed by under_load_end(), also after failure. */
int under_load_begin(struct under_load *u, struct error *err);
void under_load_end(struct under_load *u);

/*
 * Takes memory of the node. What can't be had is node->skipped, and no error: .load is NULL then.
 * -EINTR: a signal came. Freed by under_load_close(), or with the next node.
 */
int under_load_open(struct under_load *u, struct selftest_node *node, struct error *err);
void under_load_close(struct under_load *u);

/*
 * Replaces the traffic, lets it settle for a part of ns, and measures it for the rest. *sample is
 * valid until the next one. The traffic goes on.
 */
int under_load_measure(struct under_load *u, const struct load_traffic *traffic, uint64_t ns,
		       struct selftest_moved *moved, struct sample *sample, struct error *err);

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
