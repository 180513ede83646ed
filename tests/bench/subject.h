/* SPDX-License-Identifier: BSD-3-Clause */
/* Subject of a measurement: a machine, metrics, and the poller that reads their counters. */
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
	bool frozen;	  /* always freeze counters while they are read */
	bool slow;	  /* simulated registers take as long as on hardware */
	bool still;	  /* the bench increments counters in files below root, in each sleep */
	bool perf;	  /* count by perf events of the kernel */
	pid_t beside[BENCH_BESIDE]; /* monitors that run at the same time: neighbour.c */
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
	uint64_t *seen;	      /* values of counters in memory before the last sleep */
	struct tap tap;	      /* initially off */
	sigset_t ends;	      /* blocked signals, which end the run early */
};

/* Opens all up to poller_start(). All functions end the process with a message on failure. */
void subject_open(struct subject *subject, const struct bench_options *options);
void subject_close(struct subject *subject);

/* Takes a sample now, as the sampling thread does, and puts its frame into the ring. */
void subject_sample(struct subject *subject);
/*
 * Decodes the frames in the ring, as the writer's thread does; for use after each sample or never.
 * Ends the process if a unit could not be read, because the results would be meaningless. With a
 * virtual clock it only checks this, and returns NULL: counts of real time are then not rates.
 */
const struct sample *subject_decode(struct subject *subject);

/*
 * Wait for samples. subject_wait() sleeps until the next deadline, with rotations before it.
 * subject_pause() really sleeps for an interval: the memory of a published machine is updated a
 * little later than its MSRs. They return false if a signal ends the run; registers must then be
 * restored.
 */
bool subject_wait(struct subject *subject);
bool subject_pause(struct subject *subject);

#endif
