/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ports count beside the samples: the reads that samples can be compared with. */
#ifndef CXLMON_HOT_COUNTERS_H
#define CXLMON_HOT_COUNTERS_H

#include <signal.h>

#include "metrics/sampling.h"
#include "session/session.h"

struct hot_counters {
	struct session session;
	struct sampling sampling;
	struct sample sample; /* the last one */
	size_t cxl, dram;     /* columns of the view */
};

/*
 * Opens a session on the machine that options name, and plans what is counted: the metrics that
 * they name, among which are those of cxl and dram, of all nodes and devices. *counters must not be
 * moved until hot_counters_close(), which must also be called after an error.
 */
int hot_counters_open(struct hot_counters *counters, const struct session_options *options,
		      const struct log *log, struct error *err);
int hot_counters_start(struct hot_counters *counters, struct error *err);

/* Waits for the next deadline. -EINTR: a signal of *wake came. */
int hot_counters_wait(struct hot_counters *counters, const sigset_t *wake, int *signal_number,
		      struct error *err);
/* Reads the counters. */
int hot_counters_take(struct hot_counters *counters, struct error *err);

/* Of the whole system in the last interval, in MB/s; NAN: not known. */
double hot_counters_cxl(const struct hot_counters *counters);
double hot_counters_dram(const struct hot_counters *counters);

/* Restores the registers. */
int hot_counters_close(struct hot_counters *counters, struct error *err);

#endif
