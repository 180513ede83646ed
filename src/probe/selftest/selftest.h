/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The self-test: known bytes are moved to and from the memory of each node, and the counters either
 * show them or not.
 *
 *   selftest.c   all steps on each node, with a session for each backend
 *   lines.c      what the counters say, one line for each way to count
 *   judge.h      verdicts
 *   counters.h   counters of a unit that do not count
 *   result.c     what came out, and how it is shown
 *   share.h      the same for others: nothing in it names a machine; and what many such files say
 */
#ifndef CXLMON_PROBE_SELFTEST_SELFTEST_H
#define CXLMON_PROBE_SELFTEST_SELFTEST_H

#include <jansson.h>
#include <signal.h>
#include <stdio.h>

#include "msr/cpuid.h"
#include "probe/load/under_load.h"
#include "probe/selftest/counters.h"
#include "probe/selftest/judge.h"
#include "session/session.h"
#include "uncore/machine.h"
#include "view/view.h"

#define SELFTEST_SCHEMA	  1
#define SELFTEST_BACKENDS 2

/* What is moved to and from each node, step by step. */
enum step_kind { STEP_IDLE, STEP_READS, STEP_WRITES, STEP_MIX, STEP_CHASE, STEP_KINDS };

struct step {
	enum step_kind kind;
	double read_share;
	double part; /* of the node's maximum for this kind; 1: the maximum itself */
};

#define STEPS 15

/*
 * In this order; the most of a kind comes before its parts. Idle at both ends and between the
 * kinds, so that it shows what others do meanwhile.
 */
extern const struct step step_table[STEPS];

extern const char *const step_names[STEP_KINDS]; /* "idle", "reads", ... */

enum line_kind { LINE_READ, LINE_WRITE, LINE_LATENCY };

/* Whether a line of this kind is judged by the step. */
bool step_moves(const struct step *step, enum line_kind kind);

/* One metric of a node, counted in one way by one backend. */
struct selftest_line {
	size_t backend; /* index in selftest_result.backends */
	enum line_kind kind;
	const char *metric; /* its name */
	const char *source; /* "m2s_req"; "": there is one only */
	bool candidate;	    /* of an event that no metric uses: it may count this or not */
	bool from_core;	    /* a latency: see struct formula */
	unsigned unit_ns;   /* of L3 caches whose unit is not sure: what a chase says; 0: neither */
	bool one_class;	    /* of reads, of several: they may be of another */
	enum scope scope;   /* of the row that it was taken from */
	double counted[STEPS]; /* MB/s, or ns of latency; NAN: not known */
	double idle, noise;    /* MB/s */
	struct judged judged;
	int moved_socket, moved_port; /* another port, which shows what this one should; or -1 */
	bool behind;		      /* that is the node's port, which was not known */

	/* while it is measured: the cells that it is the sum of, and what others had instead */
	size_t column;
	unsigned alternative;
	size_t rows[LOAD_NODE_PORTS];
	size_t row_count;
	double *others; /* by row of the view: in the first idle step, then in the busiest */
};

/* MB/s, or ns of latency. */
double selftest_moved(const struct load_moved *moved, enum line_kind kind);

/*
 * How much of the occupancy that CXL latency is computed from is of reads of DRAM: what it has more
 * at the most reads than in the first idle step, by these reads. See formula.leak_ns.
 */
struct selftest_leak {
	double idle_ns;	   /* the occupancy of the idle step */
	double ns;	   /* for each read; NAN: not known, or there were CXL reads */
	double assumed_ns; /* at most; 0: this processor is not known to have it */
};

struct selftest_node {
	struct load_node *at; /* in selftest_result.found; its .skipped code 0: it was measured */
	struct load_moved moved[SELFTEST_BACKENDS][STEPS];
	struct selftest_leak leaks[SELFTEST_BACKENDS]; /* of DRAM */
	struct selftest_line *lines;
	size_t line_count;
};

struct selftest_backend {
	const char *name; /* "raw", "perf" */
	enum session_backend how;
	struct error failed; /* code 0: it was used */
};

struct selftest_result {
	const char *processor; /* "Sapphire Rapids"; NULL: not known yet */
	struct cpu_identity cpu;
	char microcode[24]; /* its revision, as the kernel says; "": not known */
	bool simulated;
	uint64_t step_ns;
	struct selftest_backend backends[SELFTEST_BACKENDS];
	size_t backend_count;
	struct load_nodes found;
	struct selftest_node *nodes; /* by .found */
	size_t node_count;
	struct counters_result counters;
	char *snapshot; /* JSON; NULL: could not be taken. Owned */
};

void selftest_result_free(struct selftest_result *result);

/* NULL: out of memory. Valid until the next line of the node is added. */
struct selftest_line *selftest_add_line(struct selftest_node *node);

struct selftest_sum {
	size_t agree, differ, unclear; /* lines but candidates; .unclear: not judged */
};
struct selftest_sum selftest_sum(const struct selftest_result *result);

/*
 * The result as it is sent: all that is needed to judge it elsewhere. It names no host, user,
 * serial number or address. NULL: out of memory.
 */
json_t *selftest_json(const struct selftest_result *result);

/* For people to read. */
void selftest_print(const struct selftest_result *result, FILE *out);

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

struct selftest_options {
	const char *sim;	      /* NULL: real hardware */
	const char *root;	      /* "/" */
	enum session_backend backend; /* BACKEND_AUTO: raw, then perf */
	struct load_choice choice;
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

/*
 * *out is freed by selftest_result_free(), also after an error. -EINTR: a signal came, its number
 * is in *signal_number. ERROR_USAGE, ERROR_NO_UNIT, ERROR_PERMISSION, ERROR_IN_USE: nothing could
 * be counted. A backend that fails while another works is no error, but in the result.
 */
int selftest_run(const struct selftest_options *options, const struct log *log,
		 struct selftest_result *out, int *signal_number, struct error *err);

#endif
