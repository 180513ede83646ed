/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The self-test: known bytes are moved to and from the memory of each node, and the counters either
 * show them or not.
 *
 *   selftest.c   a session for each backend
 *   nodes.c      which nodes
 *   measure.c    samples of the counters under known traffic; all steps on one node
 *   lines.c      what the counters say, one line for each way to count
 *   result.c     what came out, verdicts, and how it is shown
 */
#ifndef CXLMON_SELFTEST_H
#define CXLMON_SELFTEST_H

#include <signal.h>

#include "selftest/measure.h"
#include "session/session.h"

struct selftest_options {
	const char *sim;	      /* NULL: real hardware */
	const char *root;	      /* "/" */
	enum session_backend backend; /* BACKEND_AUTO: raw, then perf */
	struct selftest_choice choice;
	uint64_t total_ns; /* of all steps together */
	bool snapshot;	   /* is taken, too */
	const sigset_t *wake;
	/* Before anything is counted: what will be done. An error ends it. May be NULL. */
	int (*begin)(void *context, const struct selftest_result *result, struct error *err);
	/* Before each step; may be NULL. */
	void (*progress)(void *context, const struct selftest_result *result,
			 const struct selftest_node *node, size_t backend, size_t step);
	void *context;
};

#define SELFTEST_MIN_STEP_NS UINT64_C(20000000)

/*
 * *out is freed by selftest_result_free(), also after an error. -EINTR: a signal came, its number
 * is in *signal_number. EXIT_USAGE, EXIT_NO_UNIT, EXIT_PERMISSION, EXIT_IN_USE: nothing could be
 * counted. A backend that fails while another works is no error, but in the result.
 */
int selftest_run(const struct selftest_options *options, const struct log *log,
		 struct selftest_result *out, int *signal_number, struct error *err);

#endif
