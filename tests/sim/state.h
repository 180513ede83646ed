/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests see of a simulated machine, and what is needed to publish it as files. */
#ifndef CXLMON_TEST_SIM_STATE_H
#define CXLMON_TEST_SIM_STATE_H

#include "sim/sim.h"
#include "sim/sim_machine.h"

/*
 * Calls visit for every register of the units in memory or PCI configuration space, unit by unit,
 * then for the tables' controls in memory, for CPMUs, and for counters
 * of bytes by region of memory.
 */
enum sim_register {
	SIM_UNIT_CONTROL, /* or that of a table, or the freeze register of a CPMU: always first */
	SIM_CONTROL,	  /* of a counter, and all others */
	SIM_COUNTER,	  /* of a unit of the uncore, behind its control */
};
typedef void sim_visitor(void *context, const struct reg *reg, enum sim_register kind);
void sim_for_each_register(struct sim *sim, sim_visitor *visit, void *context);

/* Calls visit with what was written last to each control, counter and freeze bit, by name. */
#define SIM_STATE_NAME_SIZE 96
typedef void sim_state_visitor(void *context, const char *name, uint64_t value);
void sim_for_each_state(struct sim *sim, sim_state_visitor *visit, void *context);

bool sim_cpu_online(const struct sim *sim, unsigned cpu);

/* A hash of all controls, counter bases and freeze bits: equal where no register was written. */
uint64_t sim_state_hash(struct sim *sim);

#endif
