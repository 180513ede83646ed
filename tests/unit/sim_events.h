/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of a simulated machine's kernel. What should work is asserted to work. */
#ifndef CXLMON_TEST_SIM_EVENTS_H
#define CXLMON_TEST_SIM_EVENTS_H

#include "platform/perf.h"
#include "platform/platform.h"

/* Freed by perf_pmus_free(). */
struct perf_pmus sim_events_pmus(struct platform *p);

/* An event by the fields of its PMU, such as "event=02,umask=10": in hexadecimal. */
struct perf_event sim_event_of(struct platform *p, const char *pmu, const char *fields,
			       unsigned cpu, int leader);

struct perf_reading sim_events_read(struct platform *p, int leader);

/* The PMU's cpumask. */
void sim_events_assert_cpus(struct platform *p, const char *pmu, const unsigned *cpus,
			    size_t count);

#endif
