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

#define SIM_NO_COUNTER	  (-1)
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
	uint64_t stopped;      /* written there by an uncore driver when it stops */
	bool resumes;	       /* where the counter was, as of AMD's units */
	bool saturates;	       /* its counter does: it is set to 0 when half of it is used */
	bool unchecked;	       /* a group that doesn't fit is not refused: it never counts */
	uint64_t counters;     /* bit i: it can be counted on counter i. 0: needs none */
	uint64_t offcore;      /* value that an offcore response register must hold; 0: none */
	bool holds_offcore;    /* the register that its control selects */
	int counter;	       /* that counts it, or SIM_NO_COUNTER */
	uint64_t last;	       /* value of the counter when it was read last */
	uint64_t count;
};

/*
 * Prepares an event of this PMU on this CPU. -EINVAL: the CPU's die has no such unit, or the PMU
 * doesn't take the event.
 */
int sim_event_init(struct sim *sim, const struct sim_pmu *pmu, const struct perf_event *attributes,
		   struct sim_event *event);

/* The offcore response register, from 0 on, that the event's control selects. */
unsigned sim_event_offcore_register(const struct sim_event *event);
void sim_event_select_offcore(struct sim_event *event, unsigned r);

/* Before and after controls of the event's PMU are written. */
void sim_event_disable_pmu(struct sim *sim, const struct sim_event *event);
void sim_event_enable_pmu(struct sim *sim, const struct sim_event *event);

void sim_event_start(struct sim *sim, struct sim_event *event); /* on event->counter */
void sim_event_stop(struct sim *sim, struct sim_event *event);	/* and updates it */
void sim_event_update(struct sim *sim, struct sim_event *event);

/*
 * sim_pmus_cxl.c: the PMUs of the kernel's driver cxl_pmu (cxl_pmu=1), one for each CPMU that it
 * can count on, and what it writes to registers. As the real one it takes every event for one of
 * the first group, and adds its mask to what is in the configuration; from SIM_CXL_PMU_MENDED on it
 * does not, though no such version is known.
 *
 * Source: the kernel's drivers/perf/cxl_pmu.c.
 */

#define SIM_CXL_PMU_MENDED SIM_KERNEL(7, 1)

/* Adds them; there is room for one of each CPMU. */
void sim_pmus_cxl(const struct sim *sim, struct sim_pmus *out);

/* Sets the events of a PMU that the driver names. 0 or -ENOMEM. */
int sim_cxl_aliases(const struct sim *sim, const struct sim_pmu *pmu, struct perf_pmu *out);

/* Bit i: the driver lets counter i of the event's CPMU count the event. */
uint64_t sim_cxl_driver_counters(const struct sim *sim, const struct sim_cpmu *cpmu,
				 uint64_t config);

/* All counters stand still while they are programmed. */
void sim_cxl_driver_freeze(struct sim *sim, struct sim_cpmu *cpmu, bool on);

/* On event->counter, from 0. */
void sim_cxl_driver_start(struct sim *sim, const struct sim_event *event);
void sim_cxl_driver_stop(struct sim *sim, const struct sim_event *event);
uint64_t sim_cxl_driver_read(const struct sim *sim, const struct sim_event *event);

#endif
