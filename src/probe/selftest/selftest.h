/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The self-test moves known bytes to and from the memory of each node, and compares the counters
 * with them.
 *
 *   selftest.c   all steps on each node, with a session for each backend
 *   lines.c      counted values, one line for each way to count
 *   judge.h      verdicts
 *   counters.h   counters of a unit that do not count
 *   result.c     text and JSON of the result
 *   share.h      the result for others, which names no machine; and a summary of many such files
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

/* Kinds of traffic to and from each node. */
enum step_kind { STEP_IDLE, STEP_READS, STEP_WRITES, STEP_MIX, STEP_CHASE, STEP_KINDS };

struct step {
	enum step_kind kind;
	double read_share;
	double part; /* part of the node's maximum for this kind; 1: the maximum itself */
};

#define STEPS 15

/*
 * Steps in order; the maximum of a kind comes before its parts. Idle steps are at both ends and
 * between the kinds, to show the traffic of other programs.
 */
extern const struct step step_table[STEPS];

extern const char *const step_names[STEP_KINDS]; /* "idle", "reads", ... */

enum line_kind { LINE_READ, LINE_WRITE, LINE_LATENCY };

/* Tells if lines of this kind are judged by the step. */
bool step_moves(const struct step *step, enum line_kind kind);

/* One metric of a node, counted in one way by one backend. */
struct selftest_line {
	size_t backend; /* index in selftest_result.backends */
	enum line_kind kind;
	const char *metric; /* name of the metric */
	const char *source; /* such as "m2s_req"; "": there is a single source */
	/* counts an event that no metric uses, and that may or may not count this */
	bool candidate;
	bool from_core; /* latency counted from the core on: see struct formula */
	/* unit of L3 caches, if unsure, as a chase shows it; 0: neither unit */
	unsigned unit_ns;
	/* counts one of several classes of reads: the reads may belong to another */
	bool one_class;
	enum scope scope;      /* scope of its row */
	double counted[STEPS]; /* MB/s, or ns of latency; NAN: unknown */
	double idle, noise;    /* MB/s */
	struct judged judged;
	/* another port, which shows the traffic of this one; or -1 */
	int moved_socket, moved_port;
	/* the moved port is the node's port, which was unknown */
	bool behind;

	/* Used while a line is measured: cells that are summed up, and values of other ports. */
	size_t column;
	unsigned alternative;
	size_t rows[LOAD_NODE_PORTS];
	size_t row_count;
	/* values by row of the view: in the first idle step, then in the busiest step */
	double *others;
};

/* Returns MB/s, or ns of latency. */
double selftest_moved(const struct load_moved *moved, enum line_kind kind);

/*
 * The part of the occupancy for CXL latency that belongs to DRAM reads: its increase from the
 * first idle step to the step with most reads, per read. See formula.leak_ns.
 */
struct selftest_leak {
	double idle_ns; /* occupancy in the idle step */
	/* leak per read; NAN: unknown, or CXL memory was read meanwhile */
	double ns;
	/* highest leak per read; 0: the processor is assumed to have none */
	double assumed_ns;
};

struct selftest_node {
	/* place in selftest_result.found; .skipped.code 0: it was measured */
	struct load_node *at;
	struct load_moved moved[SELFTEST_BACKENDS][STEPS];
	struct selftest_leak leaks[SELFTEST_BACKENDS]; /* leaks by DRAM reads */
	struct selftest_line *lines;
	size_t line_count;
};

struct selftest_backend {
	const char *name; /* "raw" or "perf" */
	enum session_backend how;
	struct error failed; /* .code 0: it was used */
};

struct selftest_result {
	const char *processor; /* "Sapphire Rapids"; NULL: unknown so far */
	struct cpu_identity cpu;
	char microcode[24]; /* revision, as the kernel reports it; "": unknown */
	bool simulated;
	uint64_t step_ns;
	struct selftest_backend backends[SELFTEST_BACKENDS];
	size_t backend_count;
	struct load_nodes found;
	struct selftest_node *nodes; /* nodes in the order of .found */
	size_t node_count;
	struct counters_result counters;
	char *snapshot; /* JSON, owned; NULL: could not be taken */
};

void selftest_result_free(struct selftest_result *result);

/* Adds a line, valid until the next line of the node is added. NULL: out of memory. */
struct selftest_line *selftest_add_line(struct selftest_node *node);

struct selftest_sum {
	/* numbers of lines, except candidates; .unclear: not judged */
	size_t agree, differ, unclear;
};
struct selftest_sum selftest_sum(const struct selftest_result *result);

/*
 * Returns the result with all that is needed to judge it elsewhere. It names no host, user, serial
 * number or address. NULL: out of memory.
 */
json_t *selftest_json(const struct selftest_result *result);

/* Prints the result as text. */
void selftest_print(const struct selftest_result *result, FILE *out);

/* Adds lines for a backend to the node, one for each way to count. 0 or -ENOMEM. */
int lines_find(struct selftest_node *node, size_t backend, const struct view *view);

/* Takes the values of a step. */
void lines_take(struct selftest_node *node, size_t backend, const struct view *view,
		const struct sample *sample, size_t step);

/*
 * Judges lines after the last step, and finds other ports that moved instead. Removes lines of
 * latency whose class of reads is unused.
 */
void lines_judge(struct selftest_node *node, size_t backend, const struct view *view);

struct selftest_options {
	const char *sim;	      /* NULL: real hardware */
	const char *root;	      /* "/" */
	enum session_backend backend; /* BACKEND_AUTO: raw, then perf */
	struct load_choice choice;
	uint64_t total_ns; /* time for all steps together */
	bool snapshot;	   /* a snapshot is taken */
	const sigset_t *wake;
	/*
	 * Called before anything is counted, with the nodes and the steps' duration; an error ends
	 * the test. May be NULL.
	 */
	int (*begin)(void *context, const struct selftest_result *result, struct error *err);
	/* Called before each step, with the time until the last one ends; may be NULL. */
	void (*progress)(void *context, const struct selftest_result *result,
			 const struct selftest_node *node, size_t backend, size_t step,
			 uint64_t left_ns);
	void *context;
};

/*
 * Runs the self-test. *out is freed by selftest_result_free(), also after an error. -EINTR: signal
 * *signal_number came. ERROR_USAGE, ERROR_NO_UNIT, ERROR_PERMISSION, ERROR_IN_USE: nothing could
 * be counted. If one backend fails while another works, the error is only in the result.
 */
int selftest_run(const struct selftest_options *options, const struct log *log,
		 struct selftest_result *out, int *signal_number, struct error *err);

#endif
