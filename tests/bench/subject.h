/* SPDX-License-Identifier: BSD-3-Clause */
/* What is measured: a machine, the metrics that are asked of it, and the poller that reads them. */
#ifndef CXLMON_BENCH_SUBJECT_H
#define CXLMON_BENCH_SUBJECT_H

#include "delay.h"
#include "metrics/decoder.h"
#include "metrics/view.h"
#include "poller/poller.h"
#include "poller/ring.h"
#include "tap.h"
#include "uncore/machine.h"

struct choice {
	const char *sim;  /* NULL: real files */
	const char *root; /* below which they are */
	const char *metrics;
	uint64_t interval_ns;
	bool frozen; /* counters stand still while they are read, however long that takes */
	bool slow;   /* simulated registers take as long as those of hardware */
	bool still;  /* nobody moves the counters below root, so that the bench must */
};

struct subject {
	const struct choice *choice;
	struct platform *platform;
	struct machine machine;
	struct view view;
	struct plan plan;
	struct programming programming;
	struct poller *poller;
	struct ring *ring;	 /* to whoever shows samples */
	struct decoder *decoder; /* theirs */
	struct sample sample;	 /* the last one that they made */
	struct delay delay;	 /* where registers are slow */
	struct tap tap;		 /* off */
	sigset_t ends;		 /* the signals that end it early; held */
};

/* Everything up to poller_start(). All of these end the process with a message where they fail. */
void subject_open(struct subject *subject, const struct choice *choice);
void subject_close(struct subject *subject);

/* One sample, at once, as the sampling thread takes it and hands it over. */
void subject_sample(struct subject *subject);
/*
 * What was handed over, decoded as whoever shows it does; call once a sample or never. Ends the
 * process where a unit could not be read, as that would be no measure of anything.
 */
const struct sample *subject_decode(struct subject *subject);

/*
 * Sleeps until the next deadline, with rotations before it, or just for an interval: the memory of
 * a published machine is a little older than its MSRs. False: a signal has come to end it, and
 * registers are to be put back.
 */
bool subject_wait(struct subject *subject);
bool subject_pause(const struct subject *subject);

#endif
