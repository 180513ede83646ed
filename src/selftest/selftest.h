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

#include "load/load.h"
#include "metrics/sampling.h"
#include "metrics/view.h"
#include "selftest/result.h"
#include "session/session.h"
#include "uncore/machine.h"

/* All steps on one node, while a session counts. */

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

/* The formulas with which a view counts what is moved to and from a node. */

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

/* Which nodes of a machine are tested, and from which CPUs. */

#define SELFTEST_CPUS 16 /* more don't make a port faster, but the machine slower */

/* The nodes to test: one of both, or neither for all. */
struct selftest_choice {
	int node;	    /* -1: any */
	const char *device; /* "mem0"; NULL: any */
};

/*
 * Nodes behind the ports that the view shows, then those of DRAM. Those without enough memory are
 * .skipped. EXIT_USAGE: the choice names none; EXIT_NO_UNIT: there is none.
 */
int selftest_find_nodes(struct selftest_result *result, const struct machine *machine,
			const struct view *view, const struct selftest_choice *choice,
			struct error *err);

/* One CPU of each core of the socket, as many as there is room for. Returns how many. */
size_t selftest_cpus(const struct topology *topology, int socket, unsigned cpus[SELFTEST_CPUS]);

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
