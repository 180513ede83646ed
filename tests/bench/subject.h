/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The subject of a measurement: a machine, the metrics, and the poller that reads their counters.
 */
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
	const char *root; /* directory of these files */
	const char *metrics;
	uint64_t interval_ns;
	uint64_t step_ns; /* virtual time from sample to sample; 0: the real clock */
	bool frozen;	  /* counters are frozen while they are read, however long that takes */
	bool slow;	  /* simulated registers take as long as on hardware */
	bool still; /* files below root do not count, so the bench increments them in each sleep */
	bool perf;  /* the kernel counts */
	pid_t beside[BENCH_BESIDE]; /* monitors next to neighbours, see neighbour.c */
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
	struct delay delay;   /* used if registers are slow */
	struct pace pace;     /* used if the clock is virtual */
	uint64_t *seen;	      /* by counter in memory: value before the last sleep */
	struct tap tap;	      /* off */
	sigset_t ends;	      /* signals that end it early; blocked */
};

/*
 * Does everything up to poller_start(). All functions end the process with a message after a
 * failure.
 */
void subject_open(struct subject *subject, const struct bench_options *options);
void subject_close(struct subject *subject);

/* Takes a sample now, as the sampling thread does, and puts its frame into the ring. */
void subject_sample(struct subject *subject);
/*
 * Decodes the frames in the ring, as the writer's thread does; call after each sample or never.
 * Ends the process if a unit could not be read, because the results would be meaningless. With a
 * virtual clock, counts of real time are not rates: then only readability is checked, and NULL
 * returned.
 */
const struct sample *subject_decode(struct subject *subject);

/*
 * Wait for samples. subject_wait() sleeps until the next deadline, with rotations before it.
 * subject_pause() really sleeps for an interval, because the memory of a published machine lags a
 * little after its MSRs. Return false if a signal ends the run, and registers must be restored.
 */
bool subject_wait(struct subject *subject);
bool subject_pause(struct subject *subject);

#endif
