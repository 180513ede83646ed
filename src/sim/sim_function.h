/* SPDX-License-Identifier: BSD-3-Clause */
/* PCI functions of a simulated machine. */
#ifndef CXLMON_SIM_FUNCTION_H
#define CXLMON_SIM_FUNCTION_H

#include <stdint.h>

#include "platform/pci.h"
#include "sim/sim_machine.h"

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

#endif
