/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generates the machine that a spec describes: CPUs, units, and for each socket the discovery
 * device with its BARs and its table, which has invalid records only where the spec asks for them.
 */
#ifndef CXLMON_SIM_LAYOUT_H
#define CXLMON_SIM_LAYOUT_H

#include "platform/pci_link.h"
#include "sim/sim_machine.h"

int sim_generate(struct sim *sim); /* 0 or -ENOMEM */

/* The units, tables and functions of a socket of Diamond Rapids. */

#define SIM_IMHS 2 /* of a socket; each has a discovery table, as each of the spec's dies has */

int sim_layout_dmr(struct sim *sim, unsigned socket); /* 0 or -ENOMEM */

/* sim_table.c: units and discovery tables. */

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

/* sim_function.c: PCI functions. */

/* On the bus of a socket's PMON functions */
struct pci_location sim_pmon_function(const struct sim *sim, unsigned socket, uint8_t device,
				      uint8_t function);

#define SIM_VENDOR_INTEL 0x8086

/* Adds a PCI function without a BAR, on the socket's NUMA node. */
struct sim_function *sim_add_function(struct sim *sim, unsigned socket, struct pci_location at,
				      uint16_t vendor, uint16_t device_id);

void sim_put32(uint8_t *config, unsigned offset, uint32_t value);

/* bars: addresses of the table, and of unit_bytes bytes of units. */
void sim_add_discovery_device(struct sim *sim, unsigned socket, unsigned die, uint16_t device_id,
			      const uint64_t bars[2], uint64_t unit_bytes);

/* The CXL memory device behind a port: on Intel there is no root port above it, on others one. */
void sim_add_memory_device(struct sim *sim, unsigned socket, unsigned port);

/*
 * Makes a machine from the snapshot in sim->spec.file. Its units are found in its discovery tables,
 * by the same code as on the machine itself. EXIT_USAGE where the file is no snapshot, or one that
 * can't be simulated.
 */
int sim_load_snapshot(struct sim *sim, struct error *err);

#endif
