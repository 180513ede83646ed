/* SPDX-License-Identifier: BSD-3-Clause */
/* Units and discovery tables of a simulated machine, and where in memory they are. */
#ifndef CXLMON_SIM_TABLE_H
#define CXLMON_SIM_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/sim_machine.h"

/* Where tables and units in memory are */
#define SIM_MMIO_BASE	UINT64_C(0x2000000000)
#define SIM_MMIO_STRIDE UINT64_C(0x10000000) /* from socket to socket */
#define SIM_TABLE_BYTES UINT64_C(0x10000)

/* Where the memory controllers of a socket are, or its SCF BAR, and how far apart they are */
#define SIM_IMC_BASE   UINT64_C(0xF0000000)
#define SIM_IMC_STRIDE UINT64_C(0x800000)
#define SIM_IMC_STEP   UINT64_C(0x4000)

void sim_add_unit(struct sim *sim, const struct sim_unit *unit);

/* The global controls of the sockets, with room for those of so many tables. 0 or -ENOMEM. */
int sim_add_globals(struct sim *sim, size_t tables);

/* words is owned; NULL: registers. */
void sim_add_region(struct sim *sim, uint64_t phys, uint64_t length, uint64_t *words);

/* The discovery table of a die, with a record for each of its units. */
struct sim_table {
	unsigned socket, die;
	uint64_t phys;
	enum sim_access control_access;
	uint64_t control;     /* address of the global control */
	unsigned broken_type; /* of a record that no unit is behind; 0: none */
};

/* A die without a unit has a table without a record. 0 or -ENOMEM. */
int sim_add_table(struct sim *sim, const struct sim_table *table);

#endif
