/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ports of a processor whose root complexes are counted by address (struct model.kernel_counts): a
 * root complex with a CXL region behind it is a port. The kernel's PMU of a root complex counts
 * what goes to the addresses of its regions: a unit for each aligned power of two of them.
 *
 * Which root complex a root port is of, a DVSEC of it says, which root alone can read. A region
 * that several root complexes share is counted on each: each has its own part of the traffic.
 *
 * Source: the kernel's Documentation/admin-guide/perf/nvidia-tegra410-pmu.rst.
 */
#ifndef CXLMON_UNCORE_DEVICES_REGION_PORTS_H
#define CXLMON_UNCORE_DEVICES_REGION_PORTS_H

#include "uncore/devices/machine_parts.h"

#define ROOT_COMPLEX_DVSEC_VENDOR 0x10DE
#define ROOT_COMPLEX_DVSEC_ID	  4
#define ROOT_COMPLEX_DVSEC_PLACE  0x0C /* in bits 31:24 of this dword: the root complex */

/* Address filters of a root complex: NV_PCIE_TGT_ADDR_COUNT in the kernel's nvidia_cspmu.c */
#define ROOT_COMPLEX_BLOCKS 8

/*
 * The aligned powers of two that a range is of, ascending; at most room of them are set. Returns
 * how many there are; 0: the range is empty, or begins at 0, or ends behind the last address.
 */
size_t address_blocks(uint64_t base, uint64_t bytes, struct address_block *out, size_t room);

/*
 * Replaces the machine's units of root complexes by those of the addresses of regions, and sets its
 * ports. Marks units of sockets without a region. Does nothing on other processors. 0 or -ENOMEM.
 */
int region_ports_find(struct machine *m, struct error *err);

#endif
