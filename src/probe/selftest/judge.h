/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether what a counter says agrees with what was moved. Pure functions. */
#ifndef CXLMON_PROBE_SELFTEST_JUDGE_H
#define CXLMON_PROBE_SELFTEST_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

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

extern const char *const judgement_names[]; /* "agrees", "off", ... */

struct judged {
	enum judgement judgement;
	double off_pct; /* too much (or, negative, too little) in percent; NAN: not known */
};

/* Of one unit, such as MB/s. */
struct judge_figures {
	double moved;	/* 0: there is nothing to judge */
	double counted; /* NAN: not known */
	double idle;	/* counted without the load; of it, .counted has what did not give way */
	double noise;	/* by how much that has changed */
};

struct judged judge_rate(const struct judge_figures *figures);

/*
 * Latencies in ns. Where they are counted from the core on, as AMD's L3 caches do, both agree
 * within 5 %: on an EPYC 9645 the counters said 107 ns, and a chase 107.6 ns. Else the chase waits
 * for the way from the core to the CHA, too, where the counters' latency begins: these may be less
 * by 120 ns, but not by more than 45 %.
 */
struct judged judge_latency(double chase_ns, double counted_ns, bool from_core);

/* How one step of a line is judged. */
enum judged_as { JUDGED_AS_RATE, JUDGED_AS_LATENCY, JUDGED_AS_LATENCY_FROM_CORE };

/* Of a latency .moved is the chase's, and what is counted when idle is no part of it. */
struct judged judge_step(enum judged_as as, const struct judge_figures *figures);

/*
 * The verdict on all steps of a line: of several differences the largest. Where one
 * can't be judged, the line can't.
 */
struct judged judge_all(const struct judged *steps, size_t count);

#endif
