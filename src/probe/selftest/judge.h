/* SPDX-License-Identifier: BSD-3-Clause */
/* Judges if counts agree with known traffic. All functions are pure. */
#ifndef CXLMON_PROBE_SELFTEST_JUDGE_H
#define CXLMON_PROBE_SELFTEST_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

/* Tolerated difference, as a part of the load's traffic. */
#define JUDGE_TOLERANCE 0.02

/* Judgements on steps. If steps differ, the judgement listed last decides: see judge_all(). */
enum judgement {
	JUDGED_NOT_COUNTED, /* the load's traffic or its count is unknown */
	JUDGED_AGREES,
	JUDGED_UNCLEAR, /* changes of other traffic may explain the difference */
	/* too little is counted, and other traffic may have slowed down by the missing part */
	JUDGED_DISPLACED,
	JUDGED_OFF, /* differs by off_pct */
	/* the count minus other traffic is less than 5 % of the load's traffic */
	JUDGED_UNSEEN,
};

extern const char *const judgement_names[]; /* "agrees", "off", ... for each enum judgement */

struct judged {
	enum judgement judgement;
	double off_pct; /* excess in percent, negative if too little; NAN: unknown */
};

/* Rates, all in one unit of measure, such as MB/s. */
struct judge_figures {
	double moved;	/* traffic of the load; 0: nothing to judge */
	double counted; /* count with the load, including other traffic; NAN: unknown */
	double idle;	/* count without the load: the other traffic */
	double noise;	/* change of .idle during the test */
};

/* Compares .counted - .idle with .moved; JUDGE_TOLERANCE is allowed. */
struct judged judge_rate(const struct judge_figures *figures);

/*
 * Compares a counted latency with a pointer chase's.
 *
 * With from_core, the counters count from the core on, as AMD's L3 caches do. They agree within
 * 5 %: on an EPYC 9645 they counted 107 ns, and a chase took 107.6 ns.
 *
 * Other counters count from the CHA on; a chase also takes the way from the core to the CHA. They
 * agree if the count is at most 2 % above the chase, or below it by at most 120 ns and at most
 * 45 %.
 */
struct judged judge_latency(double chase_ns, double counted_ns, bool from_core);

/* Ways to judge a step. */
enum judged_as { JUDGED_AS_RATE, JUDGED_AS_LATENCY, JUDGED_AS_LATENCY_FROM_CORE };

/*
 * Judges a step by judge_rate() or judge_latency(). For a latency, .moved is the chase's latency,
 * and .idle and .noise are unused.
 */
struct judged judge_step(enum judged_as as, const struct judge_figures *figures);

/*
 * Judges all steps together: the judgement that enum judgement lists last decides, and among equal
 * ones the largest difference. Unseen steps count as off, unless all counted steps are unseen.
 * Without steps, the judgement is JUDGED_NOT_COUNTED.
 */
struct judged judge_all(const struct judged *steps, size_t count);

#endif
