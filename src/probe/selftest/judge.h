/* SPDX-License-Identifier: BSD-3-Clause */
/* Judges if counts agree with the traffic moved. All functions are pure. */
#ifndef CXLMON_PROBE_SELFTEST_JUDGE_H
#define CXLMON_PROBE_SELFTEST_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

/* Tolerated difference, as a part of the traffic moved. */
#define JUDGE_TOLERANCE 0.02

/* Judgements on steps. Over several steps, the one listed last decides. */
enum judgement {
	JUDGED_NOT_COUNTED, /* no count to judge */
	JUDGED_AGREES,
	JUDGED_UNCLEAR, /* other traffic changed by more than the tolerance */
	/* too little is counted, which other traffic that gave way may explain */
	JUDGED_DISPLACED,
	JUDGED_OFF, /* differs by off_pct */
	/* the traffic is missing; if only in some steps, the line is off */
	JUDGED_UNSEEN,
};

extern const char *const judgement_names[]; /* "agrees", "off", ... */

struct judged {
	enum judgement judgement;
	double off_pct; /* excess in percent, negative if too little; NAN: unknown */
};

/* Rates in one unit of measure, such as MB/s. */
struct judge_figures {
	double moved;	/* 0: nothing to judge */
	double counted; /* NAN: unknown */
	/* counted without the load; .counted includes the part that did not give way */
	double idle;
	double noise; /* change of .idle */
};

struct judged judge_rate(const struct judge_figures *figures);

/*
 * Judges a latency in ns. Counters that count from the core on, as AMD's L3 caches do, agree with
 * a pointer chase within 5 %: on an EPYC 9645 they counted 107 ns, and a chase took 107.6 ns.
 * Other counters begin at the CHA, while the chase includes the way from the core: their latency
 * may be less by up to 120 ns, but by at most 45 %.
 */
struct judged judge_latency(double chase_ns, double counted_ns, bool from_core);

/* Kinds of judgement on one step of a line. */
enum judged_as { JUDGED_AS_RATE, JUDGED_AS_LATENCY, JUDGED_AS_LATENCY_FROM_CORE };

/* Judges a step. For a latency, .moved is the chase's latency, and .idle is not used. */
struct judged judge_step(enum judged_as as, const struct judge_figures *figures);

/*
 * Judges all steps of a line: the last judgement in the enum's order decides, with the largest
 * difference. Unclear steps make a line unclear unless another step is off.
 */
struct judged judge_all(const struct judged *steps, size_t count);

#endif
