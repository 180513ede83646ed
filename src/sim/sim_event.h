/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An event that the kernel of a simulated machine counts, and what the kernel writes to registers
 * for it. An event counts the differences of its counter's values. On Intel a unit is frozen while
 * its controls are written, and counters are never set. On AMD, whose units can't be frozen, each
 * event sets its counter to the value that it read last, at first 0, and leaves what it selected
 * behind.
 *
 * Source: the kernel's uncore.c, uncore_discovery.c and events/core.c, events/intel/core.c,
 * events/amd/core.c and uncore.c.
 */
#ifndef CXLMON_SIM_EVENT_H
#define CXLMON_SIM_EVENT_H

#include "sim/sim_pmus.h"

#define SIM_FIXED_COUNTER 32 /* + n: fixed counter n of a CPU; those below are general ones */

struct sim_group;

struct sim_event {
	struct sim_group *group; /* NULL: its leader was closed */
	enum sim_pmu_kind kind;
	unsigned cpu;
	struct sim_unit *unit; /* of an uncore PMU */
	struct sim_cpmu *cpmu; /* of one of a CXL device */
	bool known;	       /* by the driver: see struct sim_pmu */
	uint64_t control;      /* config as the driver writes it to the counter's control, or takes
				* it from */
	uint64_t counters;     /* bit i: it can be counted on counter i. 0: needs none */
	uint64_t offcore;      /* value that an offcore response register must hold; 0: none */
	int counter;	       /* that counts it */
	uint64_t last;	       /* value of the counter when it was read last */
	uint64_t count;
};

/*
 * Prepares an event of this PMU on this CPU. -EINVAL: the CPU's die has no such unit, or the PMU
 * doesn't take the event.
 */
int sim_event_init(struct sim *sim, const struct sim_pmu *pmu, const struct perf_event *attributes,
		   struct sim_event *event);

/* Whether a group of such events that doesn't fit is not refused: it never counts. */
bool sim_event_is_unchecked(const struct sim_event *event);

/* Stops what counts on the event's PMU while its controls are written. */
void sim_event_freeze_pmu(struct sim *sim, const struct sim_event *event, bool on);

void sim_event_start(struct sim *sim, struct sim_event *event); /* on event->counter */
void sim_event_stop(struct sim *sim, struct sim_event *event);	/* and updates it */
void sim_event_update(struct sim *sim, struct sim_event *event);

#endif
