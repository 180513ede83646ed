/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a simulated machine that tests check, and that is published as files. */
#ifndef CXLMON_TEST_SIM_STATE_H
#define CXLMON_TEST_SIM_STATE_H

#include "sim/sim.h"
#include "sim/sim_machine.h"

/*
 * Kinds of registers that sim_for_each_register() visits: registers of units in memory or PCI
 * configuration space, unit by unit, then controls of discovery tables in memory, CPMUs, and
 * counters of bytes by region of memory.
 */
enum sim_register {
	/* the control of a unit or a table, or the freeze register of a CPMU: always first */
	SIM_UNIT_CONTROL,
	SIM_CONTROL, /* the control of a counter, and all other registers */
	SIM_COUNTER, /* a counter of an uncore unit, after its control */
};
typedef void sim_visitor(void *context, const struct reg *reg, enum sim_register kind);
void sim_for_each_register(struct sim *sim, sim_visitor *visit, void *context);

/* Calls visit with the last written value of each control, counter and freeze bit, by name. */
#define SIM_STATE_NAME_SIZE 96
typedef void sim_state_visitor(void *context, const char *name, uint64_t value);
void sim_for_each_state(struct sim *sim, sim_state_visitor *visit, void *context);

bool sim_cpu_online(const struct sim *sim, unsigned cpu);

/* Returns a hash of sim_for_each_state()'s values: equal if no register was written. */
uint64_t sim_state_hash(struct sim *sim);

#endif
