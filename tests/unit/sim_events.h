/* SPDX-License-Identifier: BSD-3-Clause */
/* Perf events of a simulated machine's kernel. All functions assert that they succeed. */
#ifndef CXLMON_TEST_SIM_EVENTS_H
#define CXLMON_TEST_SIM_EVENTS_H

#include "platform/perf.h"
#include "platform/platform.h"

/* Returns the PMUs. The caller frees them by perf_pmus_free(). */
struct perf_pmus sim_events_pmus(struct platform *p);

/* Returns an event by fields of its PMU, in hexadecimal, such as "event=02,umask=10". */
struct perf_event sim_event_of(struct platform *p, const char *pmu, const char *fields,
			       unsigned cpu, int leader);

struct perf_reading sim_events_read(struct platform *p, int leader);

/* Asserts the PMU's cpumask. */
void sim_events_assert_cpus(struct platform *p, const char *pmu, const unsigned *cpus,
			    size_t count);

#endif
