/* SPDX-License-Identifier: BSD-3-Clause */
/* What is measured: a machine, the metrics, and the poller that reads their counters. */
#ifndef CXLMON_BENCH_SUBJECT_H
#define CXLMON_BENCH_SUBJECT_H

#include <sys/types.h>

#include "counts/decoder.h"
#include "delay.h"
#include "pace.h"
#include "plan/perf_events.h"
#include "platform/perf.h"
#include "poller/frame.h"
#include "poller/poller.h"
#include "tap.h"
#include "uncore/machine.h"
#include "view/view.h"

#define BENCH_BESIDE 4

struct bench_options {
	const char *sim;  /* NULL: real files */
	const char *root; /* below which they are */
	const char *metrics;
	uint64_t interval_ns;
	uint64_t step_ns; /* of a virtual clock, from sample to sample; 0: the real one */
	bool frozen;	  /* counters are frozen while they are read, however long that takes */
	bool slow;	  /* simulated registers take as long as those of hardware */
	bool still; /* files below root don't count, so the bench increments them in each sleep */
	bool perf;  /* the kernel counts */
	pid_t beside[BENCH_BESIDE]; /* monitors beside neighbours, see neighbour.c */
	size_t beside_count;
};

struct subject {
	const struct bench_options *options;
	struct platform *platform;
	struct machine machine;
	struct view view;
	struct plan plan;
	struct pmu_state pmu;
	struct perf_events perf;
	struct poller *poller;
	struct ring *ring; /* from poller to decoder */
	struct decoder *decoder;
	struct sample sample; /* the last one */
	struct delay delay;   /* where registers are slow */
	struct pace pace;     /* where the clock is virtual */
	uint64_t *seen;	      /* by counter in memory: before the last sleep */
	struct tap tap;	      /* off */
	sigset_t ends;	      /* signals that end it early; blocked */
};

/* Everything up to poller_start(). All of these end the process with a message where they fail. */
void subject_open(struct subject *subject, const struct bench_options *options);
void subject_close(struct subject *subject);

/* Takes a sample now, as the sampling thread does, and puts its frame into the ring. */
void subject_sample(struct subject *subject);
/*
 * Decodes the frames in the ring, as the writer's thread does; call after each sample or never.
 * Ends the process if a unit could not be read, as the figures would be meaningless. Where the
 * clock is virtual, counts of real time are no rates: only that is judged, and NULL returned.
 */
const struct sample *subject_decode(struct subject *subject);

/*
 * subject_wait(): sleeps until the next deadline, with rotations before it. subject_pause(): really
 * sleeps for an interval, as the memory of a published machine lags a little behind its MSRs.
 * False: a signal ends the run, and registers must be restored.
 */
bool subject_wait(struct subject *subject);
bool subject_pause(struct subject *subject);

#endif
