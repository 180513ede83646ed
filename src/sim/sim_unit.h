/* SPDX-License-Identifier: BSD-3-Clause */
/* The registers of simulated uncore units, by their offset from the unit's control. */
#ifndef CXLMON_SIM_UNIT_H
#define CXLMON_SIM_UNIT_H

#include "sim/sim_machine.h"

/* False where there is no register at this offset. */
bool sim_unit_read(const struct sim *sim, const struct sim_unit *unit, uint64_t offset,
		   uint64_t *value);
bool sim_unit_write(struct sim *sim, struct sim_unit *unit, uint64_t offset, uint64_t value);

/* How the registers of a type of unit behave. */
struct sim_unit_rules {
	unsigned type;
	uint64_t reserved; /* bits of a counter's control */
	bool unit_control; /* the register at offset 0 is the unit's control: it freezes and resets
			    */
	uint64_t enable;   /* bit of a counter's control without which it doesn't count; 0: none */
	bool per_l3;	   /* reached through the CPUs that share the L3 cache */
	bool no_guest;	   /* a virtual machine has none */
	bool saturates;	   /* counters stop at their end, with bit 48 set, instead of wrapping */
};
const struct sim_unit_rules *sim_unit_rules(const struct sim_unit *unit);

/* Whether the kernel may choose this CPU to access the unit; and the one it does: -1, none. */
bool sim_unit_is_served(const struct sim_unit *unit, const struct sim_core *core);
int sim_unit_first_cpu(const struct sim *sim, const struct sim_unit *unit);

/* Bits of the register at offset that are reserved: an MSR refuses them. */
uint64_t sim_unit_reserved(const struct sim_unit *unit, uint64_t offset);

/* From the unit's control to the end of its last register, in units of its address. */
uint64_t sim_unit_size(const struct sim_unit *unit);

/* The global control of a socket: its freeze bit stops all units. */
void sim_set_global_control(struct sim *sim, unsigned socket, uint64_t value);

/* The global control of a discovery table at this address; NULL: none. */
struct sim_table_control *sim_find_table_control(const struct sim *sim, uint64_t phys);
void sim_set_table_control(struct sim *sim, struct sim_table_control *control, uint64_t value);

/* Clears the global control, if there is one in memory, of the table that has the unit. */
void sim_unfreeze_table(struct sim *sim, const struct sim_unit *unit);

/* The unit that has this address; NULL: none. An MSR is that of the CPU's unit. */
struct sim_unit *sim_find_msr_unit(const struct sim *sim, unsigned cpu, uint32_t msr);
struct sim_unit *sim_find_mmio_unit(const struct sim *sim, uint64_t phys);
struct sim_unit *sim_find_pci_unit(const struct sim *sim, struct pci_location at, uint64_t offset);

#endif
