/* SPDX-License-Identifier: BSD-3-Clause */
/* PCI functions of a machine that is generated. */
#ifndef CXLMON_SIM_FUNCTION_H
#define CXLMON_SIM_FUNCTION_H

#include "sim/sim_machine.h"

/* On the bus of a socket's PMON functions */
struct pci_location sim_pmon_function(const struct sim *sim, unsigned socket, uint8_t device,
				      uint8_t function);

/* Of Intel, without a BAR, and on the socket's NUMA node */
struct sim_function *sim_add_function(struct sim *sim, unsigned socket, struct pci_location at,
				      uint16_t device_id);

void sim_put32(uint8_t *config, unsigned offset, uint32_t value);

/* bars: addresses of the table, and of unit_bytes bytes of units. */
void sim_add_discovery_device(struct sim *sim, unsigned socket, unsigned die, uint16_t device_id,
			      const uint64_t bars[2], uint64_t unit_bytes);

/* The CXL memory device behind a port: on Intel there is no root port above it, on AMD one. */
void sim_add_memory_device(struct sim *sim, unsigned socket, unsigned port);
void sim_add_memory_behind_root_port(struct sim *sim, unsigned socket, unsigned port);

#endif
