/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The self-test: known bytes are moved to and from the memory of each node, and the counters either
 * show them or not.
 *
 *   selftest.c   a session for each backend, and all steps on each node
 *   nodes.c      which nodes
 *   measure.c    samples of the counters under known traffic
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

/* Known traffic on one node, and what the counters say over the same time. */

struct under_load {
	struct session *session; /* started */
	const sigset_t *wake;
	int signal_number; /* that came; 0: none */
	struct sampling sampling;
	struct load *load; /* of one node; NULL: none */
	double asked_MBps; /* INFINITY: the most */
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
 * Replaces the traffic, and lets it settle for a part of ns, of which *sample is. A sample is valid
 * until the next one.
 */
int under_load_start(struct under_load *u, const struct load_traffic *traffic, uint64_t ns,
		     struct sample *sample, struct error *err);
/* Measures it for the rest of ns. The traffic goes on. */
int under_load_measure(struct under_load *u, uint64_t ns, struct selftest_moved *moved,
		       struct sample *sample, struct error *err);

/* Adds lines for a backend to the node, one for each way to count. 0 or -ENOMEM. */
int lines_find(struct selftest_node *node, size_t backend, const struct view *view);

/* Takes the values of a step. */
void lines_take(struct selftest_node *node, size_t backend, const struct view *view,
		const struct sample *sample, size_t step);

/*
 * After the last step: verdicts, and which other port has moved instead. Lines of latency whose
 * class of reads is not in use are removed.
 */
void lines_judge(struct selftest_node *node, size_t backend, const struct view *view);

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
