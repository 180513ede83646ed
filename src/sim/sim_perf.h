/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_event_open(2) on a simulated machine: a model of the kernel that counts on the simulated
 * units and CPUs by writing their registers, as intel_uncore does. Who writes the same registers
 * at the same time spoils its counts, as on a real machine.
 *
 * Where groups are multiplexed, they rotate at each multiple of 4 ms, as the kernel's timer does.
 *
 * Source: the kernel's kernel/events/core.c.
 */
#ifndef CXLMON_SIM_PERF_H
#define CXLMON_SIM_PERF_H

#include "sim/sim_schedule.h"

struct sim_perf {
	struct sim_pmus pmus;
	struct sim_schedule schedule;
	struct sim_event **events; /* by handle; NULL: free */
	size_t event_count, room;
	uint64_t polled; /* when all counters were read last */
};

/*
 * Sets sim->now to the present, after everything that the kernel has done on its own up to it, each
 * at its time. To be called before registers are accessed.
 */
void sim_perf_catch_up(struct sim *sim);

/* The same, as one access to a register of the machine takes its time. */
struct sim *sim_begin_access(struct platform *p);

void sim_perf_free(struct sim *sim); /* at the end */

/* As in struct platform_ops. */
int sim_perf_pmus(struct platform *p, struct perf_pmus *out, struct error *err);
int sim_perf_open(struct platform *p, const struct perf_event *event);
int sim_perf_enable(struct platform *p, int leader, bool on);
int sim_perf_read(struct platform *p, int leader, struct perf_reading *out);
void sim_perf_close(struct platform *p, int handle);
void sim_perf_explain(struct platform *p, int code, struct reason *out);

#endif
