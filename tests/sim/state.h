/* SPDX-License-Identifier: BSD-3-Clause */
/* The registers of a simulated machine, for tests to check and to publish as files. */
#ifndef CXLMON_TEST_SIM_STATE_H
#define CXLMON_TEST_SIM_STATE_H

#include "sim/sim.h"
#include "sim/sim_machine.h"

/* Kinds of registers. */
enum sim_register {
	SIM_UNIT_CONTROL, /* first register of a part of the machine: its control or freeze */
	SIM_CONTROL,	  /* control of a counter, or any other register */
	SIM_COUNTER,	  /* counter of an uncore unit, after its control */
};
typedef void sim_visitor(void *context, const struct reg *reg, enum sim_register kind);

/*
 * Calls visit for each register in memory or PCI configuration space, part by part: first units,
 * then global controls of discovery tables, CPMUs, and counters of bytes by region of memory.
 */
void sim_for_each_register(struct sim *sim, sim_visitor *visit, void *context);

#define SIM_STATE_NAME_SIZE 96
typedef void sim_state_visitor(void *context, const char *name, uint64_t value);

/*
 * Calls visit with the name and value of each control, freeze register and counter. A counter has
 * the value that the machine has stored last, without the events since.
 */
void sim_for_each_state(struct sim *sim, sim_state_visitor *visit, void *context);

bool sim_cpu_online(const struct sim *sim, unsigned cpu);

/* Returns a hash of sim_for_each_state()'s values, to see if a register was written. */
uint64_t sim_state_hash(struct sim *sim);

#endif
