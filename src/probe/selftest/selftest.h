/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The self-test transfers a known number of bytes to and from the memory of each node, and compares
 * the counters with it.
 *
 *   selftest.c   all steps on each node, with a session for each backend
 *   lines.c      counted values, one line for each way to count
 *   judge.h      judgements
 *   counters.h   counters of a unit that do not count
 *   result.c     text and JSON of the result
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

/* Version of the JSON output; grows when a key is removed or changes its meaning. */
#define SELFTEST_SCHEMA	  1
#define SELFTEST_BACKENDS 2

/* Kinds of traffic to and from each node. STEP_CHASE is a pointer chase, which shows latency. */
enum step_kind { STEP_IDLE, STEP_READS, STEP_WRITES, STEP_MIX, STEP_CHASE, STEP_KINDS };

struct step {
	enum step_kind kind;
	double read_share; /* part of the bytes that is read, from 0 to 1 */
	double part;	   /* part of the node's maximum for this kind, from 0 to 1 */
};

#define STEPS 15

/*
 * Steps in order. The maximum of a kind comes before its parts. Idle steps, first, last and between
 * the kinds, show the traffic of other programs.
 */
extern const struct step step_table[STEPS];

extern const char *const step_names[STEP_KINDS]; /* "idle", "reads", ... */

enum line_kind { LINE_READ, LINE_WRITE, LINE_LATENCY };

/* Tells if lines of this kind count the traffic of the step, and are judged by it. */
bool step_moves(const struct step *step, enum line_kind kind);

/* A line of the result: one metric of a node, counted in one way by one backend. */
struct selftest_line {
	size_t backend; /* index in selftest_result.backends */
	enum line_kind kind;
	const char *metric; /* name of the metric */
	const char *source; /* event or units counted, such as "m2s_req"; "": there is one way */
	/* counts an event that no metric uses, to find out if it counts this traffic */
	bool candidate;
	bool from_core; /* latency counted from the core on: see struct formula */
	/*
	 * Latency counted by L3 caches whose unit is unknown: the unit in ns that agrees with the
	 * chase. 0: none agrees, or the unit is known
	 */
	unsigned unit_ns;
	/* counts one of several classes of reads; the node's reads may belong to another class */
	bool one_class;
	enum scope scope;      /* scope of its row */
	double counted[STEPS]; /* MB/s, or ns of latency; NAN: unknown */
	double idle, noise;    /* mean and range of the idle steps, MB/s */
	struct judged judged;
	/* unexpected port that counted the line's traffic; -1: none */
	int moved_socket, moved_port;
	bool behind; /* the node's port was unknown: .moved_socket and .moved_port are this port */

	/* Private while a line is measured. */
	size_t column;
	unsigned alternative;
	size_t rows[LOAD_NODE_PORTS]; /* rows whose values are added up */
	size_t row_count;
	/* values of all ports, by row of the view: first idle step, then busiest step */
	double *others;
};

/* Returns the load's MB/s of this kind, or the chase's latency in ns. */
double selftest_moved(const struct load_moved *moved, enum line_kind kind);

/*
 * The leak: ns that each DRAM read adds to the occupancy counted for CXL latency. It is the
 * increase of the occupancy from the first idle step to the step with most reads, per DRAM read.
 * See formula.leak_ns.
 */
struct selftest_leak {
	double idle_ns;	   /* occupancy in the first idle step, ns */
	double ns;	   /* ns per DRAM read; NAN: unknown, or CXL memory was read meanwhile */
	double assumed_ns; /* leak that formulas assume; 0: none */
};

struct selftest_node {
	/* node of selftest_result.found; it was measured if .skipped.code is 0 */
	struct load_node *at;
	struct load_moved moved[SELFTEST_BACKENDS][STEPS]; /* traffic of the load */
	struct selftest_leak leaks[SELFTEST_BACKENDS];	   /* only of DRAM nodes */
	struct selftest_line *lines;
	size_t line_count;
};

struct selftest_backend {
	const char *name; /* "raw" or "perf" */
	enum session_backend how;
	struct error failed; /* reason why it was not used; .code 0: it was used */
};

struct selftest_result {
	const char *processor; /* "Sapphire Rapids"; NULL: unknown so far */
	struct cpu_identity cpu;
	char microcode[24]; /* revision, as the kernel reports it; "": unknown */
	bool simulated;
	uint64_t step_ns; /* duration of a step */
	struct selftest_backend backends[SELFTEST_BACKENDS];
	size_t backend_count;
	struct load_nodes found;
	struct selftest_node *nodes; /* nodes in the order of .found */
	size_t node_count;
	struct counters_result counters;
	char *snapshot; /* JSON, owned; NULL: could not be taken */
};

void selftest_result_free(struct selftest_result *result);

/* Adds a line without counts, valid until the node's next line is added. NULL: no memory. */
struct selftest_line *selftest_add_line(struct selftest_node *node);

struct selftest_sum {
	/* numbers of lines that agree, differ, or could not be judged; without candidates */
	size_t agree, differ, unclear;
};
struct selftest_sum selftest_sum(const struct selftest_result *result);

/*
 * Returns a new JSON object, which the caller frees, with all that is needed to judge the result
 * elsewhere. It names no host, user, serial number or address. NULL: out of memory.
 */
json_t *selftest_json(const struct selftest_result *result);

/* Prints the result as text. */
void selftest_print(const struct selftest_result *result, FILE *out);

/* Adds a line per metric of the node, and per way to count it. 0 or -ENOMEM. */
int lines_find(struct selftest_node *node, size_t backend, const struct view *view);

/* Takes the values of the next step (index in step_table) into the backend's lines. */
void lines_take(struct selftest_node *node, size_t backend, const struct view *view,
		const struct sample *sample, size_t step);

/*
 * Judges the backend's lines after the last step, and finds unexpected ports that counted. Removes
 * lines of classes of reads that were not used.
 */
void lines_judge(struct selftest_node *node, size_t backend, const struct view *view);

struct selftest_options {
	const char *sim;	      /* simulated machine; NULL: real hardware */
	const char *root;	      /* "/", or a directory that stands for it */
	enum session_backend backend; /* BACKEND_AUTO: raw, then perf */
	struct load_choice choice;    /* nodes to test */
	uint64_t total_ns;    /* time of all steps together; each takes LOAD_MIN_STEP_NS or more */
	bool snapshot;	      /* take a snapshot after the test */
	const sigset_t *wake; /* signals that end the test */
	/*
	 * Called once before counting, with result->found and .step_ns set. If it returns a
	 * negative errno, the test ends with it and *err. NULL: not called.
	 */
	int (*begin)(void *context, const struct selftest_result *result, struct error *err);
	/* Called before each step; left_ns: time until the last step ends. NULL: not called. */
	void (*progress)(void *context, const struct selftest_result *result,
			 const struct selftest_node *node, size_t backend, size_t step,
			 uint64_t left_ns);
	void *context; /* passed to .begin and .progress */
};

/*
 * Runs the self-test in the calling thread. The caller frees *out by selftest_result_free(), also
 * after an error. Returns 0 or a negative errno. -EINTR: signal *signal_number came (0: none).
 * ERROR_USAGE: there is no node as chosen.
 *
 * If no backend can count, returns the first one's error, such as ERROR_NO_UNIT, ERROR_PERMISSION
 * or ERROR_IN_USE. If another one can, the error is in .backends and the log.
 */
int selftest_run(const struct selftest_options *options, const struct log *log,
		 struct selftest_result *out, int *signal_number, struct error *err);

#endif
