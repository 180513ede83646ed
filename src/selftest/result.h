/* SPDX-License-Identifier: BSD-3-Clause */
/* The result of a self-test: nodes, and a line for each way to count a metric of a node. */
#ifndef CXLMON_SELFTEST_RESULT_H
#define CXLMON_SELFTEST_RESULT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "metrics/metric.h"
#include "msr/cpuid.h"
#include "platform/error.h"
#include "session/session.h"

/* Whether what a counter says agrees with what was moved. Pure functions. */

/* Differences up to this part of what was moved are none. */
#define JUDGE_TOLERANCE 0.02

/* Of the judgements on several steps, the last one here decides. */
enum judgement {
	JUDGED_NOT_COUNTED, /* there is no count to judge */
	JUDGED_AGREES,
	JUDGED_UNCLEAR,	  /* other traffic changed by more than the tolerance */
	JUDGED_DISPLACED, /* less is counted, but no less than if other traffic has given way */
	JUDGED_OFF,	  /* by off_pct */
	JUDGED_UNSEEN,	  /* the traffic does not show; in some steps: it is off */
};

struct judged {
	enum judgement judgement;
	double off_pct; /* too much (or, negative, too little) in percent; NAN: not known */
};

/* Rates of one unit, such as MB/s. */
struct judge_rates {
	double moved;	/* 0: there is nothing to judge */
	double counted; /* NAN: not known */
	double idle;	/* counted without the load; of it, .counted has what did not give way */
	double noise;	/* by how much that has changed */
};

struct judged judge_rate(const struct judge_rates *rates);

/*
 * Latencies in ns. Where they are counted from the core on, as AMD's L3 caches do, both agree
 * within 5 %: on an EPYC 9645 the counters said 107 ns, and a chase 107.6 ns. Else the chase waits
 * for the way from the core to the CHA, too, where the counters' latency begins: these may be less
 * by 120 ns, but not by more than 45 %.
 */
struct judged judge_latency(double chase_ns, double counted_ns, bool from_core);

/*
 * The verdict on all steps of a line: of several differences the largest. Where one
 * can't be judged, the line can't.
 */
struct judged judge_all(const struct judged *steps, size_t count);

#define SELFTEST_SCHEMA	  1
#define SELFTEST_PORTS	  16 /* of one node, at most */
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

/* One metric of a node, counted in one way by one backend. */
struct selftest_line {
	size_t backend; /* index in selftest_result.backends */
	enum line_kind kind;
	const char *metric;    /* its name */
	const char *source;    /* "m2s_req"; "": there is one only */
	bool candidate;	       /* of an event that no metric uses: it may count this or not */
	bool from_core;	       /* a latency: see struct formula */
	bool one_class;	       /* of reads, of several: they may be of another */
	enum scope scope;      /* of the row that it was taken from */
	double counted[STEPS]; /* MB/s, or ns of latency; NAN: not known */
	double idle, noise;    /* MB/s */
	struct judged judged;
	int moved_socket, moved_port; /* another port, which shows what this one should; or -1 */
	bool behind;		      /* that is the node's port, which was not known */

	/* while it is measured: the cells that it is the sum of, and what others had instead */
	size_t column;
	unsigned alternative;
	size_t rows[SELFTEST_PORTS];
	size_t row_count;
	double *others; /* by row of the view: in the first idle step, then in the busiest */
};

/* The traffic of a step while a backend counted. */
struct selftest_moved {
	double asked_MBps; /* INFINITY: the most */
	double read_MBps, write_MBps;
	double chase_ns; /* NAN: there was none */
};

struct selftest_port {
	int socket, port;
};

struct selftest_node {
	int node;
	bool dram; /* of a socket, as a control; else behind CXL ports */
	int socket;
	char memdev[16]; /* "mem0"; "" */
	struct selftest_port ports[SELFTEST_PORTS];
	size_t port_count;
	bool port_unknown;     /* it is behind one of these */
	uint64_t memory_bytes; /* used; 0: a simulated machine has none */
	struct error skipped;  /* code 0: it was measured */
	struct selftest_moved moved[SELFTEST_BACKENDS][STEPS];
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
	bool simulated;
	uint64_t step_ns;
	struct selftest_backend backends[SELFTEST_BACKENDS];
	size_t backend_count;
	struct selftest_node *nodes;
	size_t node_count;
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
 * The result as it is sent: everything that it takes to judge it elsewhere, and no name of a host
 * or a user. NULL: out of memory.
 */
json_t *selftest_json(const struct selftest_result *result);

/* "node 2 (mem0, socket 0 port 0)"; returns text. */
#define SELFTEST_NAME_SIZE 96
const char *selftest_node_name(const struct selftest_node *node, char text[SELFTEST_NAME_SIZE]);

/* For people to read. */
void selftest_print(const struct selftest_result *result, FILE *out);

#endif
