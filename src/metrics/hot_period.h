/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How often events are sampled: so that all of it costs less than a hundredth of a CPU. The period
 * doubles where an interval had too many samples or took too much time, and halves where it had
 * few.
 */
#ifndef CXLMON_HOT_PERIOD_H
#define CXLMON_HOT_PERIOD_H

#include <stdint.h>

#include "platform/load_sample.h"

/* Samples a second of a CPU, at most. */
#define HOT_RATE_MOST 1000
/* CPU time of cxlmon, as a part of one CPU. */
#define HOT_COST_MOST 0.01
/* Of the kernel for a sample: an interrupt, and writing the record. An estimate. */
#define HOT_SAMPLE_NS 2000

/* The period of the next interval. samples: of the last one, of all CPUs; cost: of the last one. */
uint64_t hot_next_period(const struct load_event *event, uint64_t period, uint64_t samples,
			 double seconds, size_t cpus, double cost);

/* The nearest period from there on that an event takes: a prime, or its multiple. */
uint64_t hot_round_period(const struct load_event *event, uint64_t period);

#endif
