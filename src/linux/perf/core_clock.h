/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The frequency at which each CPU runs while it does, for latencies that are in core clocks: that
 * of the TSC times APERF / MPERF. The kernel's PMU "msr" has both, and takes no counter for them.
 *
 * Source: the kernel's arch/x86/events/msr.c; Intel SDM volume 3, 15.2 (IA32_MPERF, IA32_APERF).
 */
#ifndef CXLMON_LINUX_PERF_CORE_CLOCK_H
#define CXLMON_LINUX_PERF_CORE_CLOCK_H

#include "platform/cpus.h"
#include "platform/perf.h"
#include "platform/platform.h"

struct core_clock;

/* NULL: the kernel or the processor does not say it. */
struct core_clock *core_clock_open(struct platform *p, const struct perf_pmus *pmus,
				   const struct topology *topology, double tsc_MHz);
void core_clock_close(struct core_clock *clock); /* NULL does nothing */

/* Reads the counters where that was not done for a second. */
void core_clock_update(struct core_clock *clock);

/* The mean clock between the last two readings in which the CPU ran; NAN: not known. */
double core_clock_MHz(const struct core_clock *clock, unsigned cpu);

#endif
