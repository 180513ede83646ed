/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sampled loads of a simulated machine. Its traffic is that of readers= processes: of the reads of
 * each node, process i of n has a part that is proportional to n - i. Each has read_set= GiB of
 * each node, which it reads evenly, but for the hot_pct= percent of them to which hot_reads_pct=
 * percent of its reads go: the first ones, and after each hot_moves= seconds the next. sampled_pct=
 * of all reads are loads; the others are by prefetchers and devices, and are never sampled.
 *
 * Of 100 loads 93 take 0.9 times the latency of the memory, 5 take 1.5 times, and 2 take 4 times.
 *
 * Samples are a function of the time and the periods alone: of every period-th read there is one.
 */
#ifndef CXLMON_SIM_SAMPLER_H
#define CXLMON_SIM_SAMPLER_H

#include "platform/platform.h"

#define SIM_FIRST_PID 1001

/* As platform_ops.sampler_open. */
int sim_sampler_open(struct platform *p, const struct load_sampling *sampling, struct sampler **out,
		     struct error *err);

#endif
